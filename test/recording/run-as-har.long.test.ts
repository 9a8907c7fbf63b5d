import { test } from 'vitest';
import { auditsAlike } from './run-as-har.ts';

// Not as a HAR of another tool: thousands of its exchanges stand at one millisecond, and that some are blamed is open.
test('a whole run of the embedded reference as HAR gives the verdicts of its history', () =>
  auditsAlike([], true, false));

test('a part of a run as HAR gives the verdicts of its history', () =>
  auditsAlike(['--only', 'order.life.*'], true));

test('a broken target is as broken in its HAR', () =>
  auditsAlike(['--only', 'order.source-amount-actual.*', '--mutation', 'maximum-not-held'], false));
