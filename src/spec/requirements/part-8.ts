import { must, needsOf, needsSender, needsSettlement, vague, waits } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 8. */
export const limitRequirements = {
  'limit.heartbeat-interval.order-stream': must(
    '8',
    'On a quiet order stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
    needsOf(['sender'], { waitMs: waits.heartbeatMs }),
  ),
  'limit.heartbeat-interval.maker-stream': must(
    '8',
    'On a quiet market maker stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
    needsOf(['maker_a'], { waitMs: waits.heartbeatMs }),
  ),
  'limit.token-lifetime': vague('8', 'A token lasts 3600 seconds by default.', needsSender),
  'limit.settlement-duration': vague(
    '8',
    'Settlement takes about four seconds from acceptance.',
    needsSettlement,
  ),
} as const satisfies Record<string, Requirement>;
