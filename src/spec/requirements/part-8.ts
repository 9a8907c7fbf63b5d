import { needing, needs, part, vague } from './needs.ts';

/** Part 8. */
export const limitRequirements = part('8', needs.heartbeat, {
  'limit.heartbeat-interval.order-stream':
    'On a quiet order stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
  'limit.heartbeat-interval.maker-stream': needing.heartbeatMaker(
    'On a quiet market maker stream a heartbeat follows the last one after 30 seconds; only the first two may be closer.',
  ),
  'limit.token-lifetime': vague(needing.sender('A token lasts 3600 seconds by default.')),
  'limit.settlement-duration': vague(
    needing.settlement('Settlement takes about four seconds from acceptance.'),
  ),
});
