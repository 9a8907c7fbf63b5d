import type { Check } from '../../src/suite/engine/check.ts';
import { heartbeatChecks } from './heartbeats-every-30-seconds.ts';
import { makerEventChecks } from './maker-events.ts';
import { orderEventChecks } from './order-events.ts';
import { parallelStreamChecks } from './parallel-streams.ts';
import { resumedChecks } from './resumed-stream.ts';
import { limitedStreamChecks } from './stream-limited-to-order.ts';
import { lateStreamChecks } from './stream-opened-late.ts';

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
