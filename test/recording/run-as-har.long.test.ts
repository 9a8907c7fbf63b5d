import { test } from 'vitest';
import { auditsAlike } from './run-as-har.ts';

// One service, other than in an embedded run. Its clock moves by leaps, of which a HAR of another tool tells nothing:
// heartbeats stand as far apart there as the leaps are long.
test('a whole run over HTTP as HAR gives the verdicts of its history', () =>
  auditsAlike(['--target', 'served.yaml'], true, [
    'limit.heartbeat-interval.order-stream',
    'limit.heartbeat-interval.maker-stream',
  ]));

test('a part of a run as HAR gives the verdicts of its history', () =>
  auditsAlike(['--only', 'order.life.*'], true));

test('a broken target is as broken in its HAR', () =>
  auditsAlike(['--only', 'order.source-amount-actual.*', '--mutation', 'maximum-not-held'], false));
