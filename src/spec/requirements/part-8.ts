import { must, needing, ordering, settling, vague, waits } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 8. */
export const limitRequirements = {
  'limit.heartbeat-interval.order-stream': must(
    '8',
    'On a quiet order stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
    needing(['sender'], { waitMs: waits.heartbeatMs }),
  ),
  'limit.heartbeat-interval.maker-stream': must(
    '8',
    'On a quiet market maker stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
    needing(['maker_a'], { waitMs: waits.heartbeatMs }),
  ),
  'limit.token-lifetime': vague('8', 'A token lasts 3600 seconds by default.', ordering),
  'limit.settlement-duration': vague(
    '8',
    'Settlement takes about four seconds from acceptance.',
    settling,
  ),
} as const satisfies Record<string, Requirement>;
