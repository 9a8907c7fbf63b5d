import { test } from 'vitest';
import { auditsAlike } from './run-as-har.ts';

test('a whole run of the embedded reference as HAR gives the verdicts of its history', () =>
  auditsAlike([], true));

test('a part of a run as HAR gives the verdicts of its history', () =>
  auditsAlike(['--only', 'order.life.*'], true));

test('a broken target is as broken in its HAR', () =>
  auditsAlike(['--only', 'order.source-amount-actual.*', '--mutation', 'maximum-not-held'], false));
