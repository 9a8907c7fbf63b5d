import type { Check } from '../../src/conformance/check.ts';
import { changeChecks } from './changes.ts';
import { filterStreamChecks } from './filters.ts';
import { heartbeatChecks } from './heartbeats.ts';
import { makerEventChecks } from './makers.ts';
import { openedLateChecks } from './opened-late.ts';
import { resumedChecks } from './resumed.ts';
import { streamChecks } from './streams.ts';
import { toldChecks } from './told.ts';

/** Part 6: every event, to whom it goes and to whom not, on streams of every kind. */
export const eventChecks: readonly Check[] = [
  ...streamChecks,
  ...filterStreamChecks,
  ...toldChecks,
  ...changeChecks,
  ...makerEventChecks,
  ...heartbeatChecks,
  ...resumedChecks,
  ...openedLateChecks,
];
