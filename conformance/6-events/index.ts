import type { Check } from '../../src/suite/engine/check.ts';
import { onlyOnChangeChecks } from './order-updated-only-on-change.ts';
import { limitedStreamChecks } from './stream-limited-to-order.ts';
import { heartbeatChecks } from './heartbeat-interval.ts';
import { makerEventChecks } from './maker-events.ts';
import { lateStreamChecks } from './stream-opened-late.ts';
import { resumedChecks } from './resumed-stream.ts';
import { streamChecks } from './parallel-streams.ts';
import { orderSideEventChecks } from './events-to-order-side.ts';

/** Part 6: every event, to whom it goes and to whom not, on streams of every kind. */
export const eventChecks: readonly Check[] = [
  ...streamChecks,
  ...limitedStreamChecks,
  ...orderSideEventChecks,
  ...onlyOnChangeChecks,
  ...makerEventChecks,
  ...heartbeatChecks,
  ...resumedChecks,
  ...lateStreamChecks,
];
