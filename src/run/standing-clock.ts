import type { History } from '../history/records.ts';
import { responseTimestamp } from '../protocol/answers.ts';

const leastAnswers = 10;
const leastMs = 3_000;

/** Note on a target whose clock stood still while ours went on; undefined if it did not. */
export function standingClockNote({ records }: History): string | undefined {
  const stamped = records.flatMap((record) => {
    const at = record.kind === 'exchange' ? responseTimestamp(record) : undefined;
    return record.kind === 'exchange' && at !== undefined ? [{ at, sent: record.sent }] : [];
  });
  const [first] = stamped;
  if (!first || stamped.length < leastAnswers || stamped.some(({ at }) => at !== first.at)) return;
  const stoodMs = Math.max(...stamped.map(({ sent }) => sent)) - first.sent;
  if (stoodMs < leastMs) return;
  return `the target's clock stood still at ${first.at} for ${Math.round(stoodMs / 1000)} s; if a tester moves it, declare a clock of kind "controlled" in the target file`;
}
