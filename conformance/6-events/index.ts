import type { Check } from '../../src/suite/engine/check.ts';
import { heartbeatChecks, resumedChecks, lateStreamChecks } from './later-streams.ts';
import { makerEventChecks, orderEventChecks } from './events.ts';
import { parallelStreamChecks, limitedStreamChecks } from './streams.ts';

/** Part 6: every event, its recipients and its non-recipients, on streams of every kind. */
export const eventChecks: readonly Check[] = [
  ...parallelStreamChecks,
  ...limitedStreamChecks,
  ...orderEventChecks,
  ...makerEventChecks,
  ...heartbeatChecks,
  ...resumedChecks,
  ...lateStreamChecks,
];
