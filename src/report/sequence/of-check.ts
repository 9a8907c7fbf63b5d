import { markOfExchange, markOfFrame } from './mark.ts';
import { momentOf, type PlacedRecord } from './records-by-driver.ts';
import { type Sequence, sequenceOf } from './sequence.ts';

const mostMarks = 24;

/** What one check did, around what a failure rests on; undefined where nothing of it is evidence. */
export function sequenceOfCheck(
  records: readonly PlacedRecord[],
  evidence: ReadonlySet<string>,
): Sequence | undefined {
  if (!records.some(({ record }) => evidence.has(record.id))) return undefined;
  // A stable sort: what happened in one millisecond stays in its places.
  const sorted = records.toSorted((one, other) => momentOf(one) - momentOf(other));
  const [first] = sorted;
  const startMs = first ? momentOf(first) : 0;
  const drawn = sorted.filter(
    ({ record }) =>
      record.kind !== 'frame' || record.event !== 'heartbeat' || evidence.has(record.id),
  );
  const marks = drawn.map(({ record }) =>
    record.kind === 'exchange'
      ? markOfExchange(record, startMs, evidence)
      : markOfFrame(record, startMs, evidence),
  );
  return sequenceOf(marks, sorted.length - drawn.length, mostMarks);
}
