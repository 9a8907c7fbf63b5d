import type { Exchange, Frame, HistoryRecord } from '../../../history/records.ts';
import { stepsOfCause } from '../../../report/sequence/of-cause.ts';
import { momentOf, type PlacedRecord } from '../../../report/sequence/places.ts';
import type { RunReport } from '../../../results/run-report.ts';
import { readHistoryLines } from '../data.ts';
import { createGatherer, type Entry } from './entries.ts';

/** The history of the page, read. */
export interface LoadedHistory {
  readonly entries: readonly Entry[];
  /** Whole record of an entry; parsed on demand. */
  recordOf(entry: Entry): HistoryRecord | undefined;
  /** Shortest sequence that shows a failure with this evidence, in the order of time. */
  stepsOf(evidence: readonly string[]): readonly (Exchange | Frame)[];
  /** Exchanges and frames that one check or scenario drove. */
  drivenBy(by: string): readonly PlacedRecord[];
}

/** Number of lines to read before the page handles input again. */
const linesAtOnce = 400;

const streamOf = (record: HistoryRecord): string | undefined =>
  record.kind === 'frame' ? record.stream : undefined;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export async function loadHistory(report: RunReport): Promise<LoadedHistory> {
  const lines = await readHistoryLines();
  const recordAt = (line: number): HistoryRecord => JSON.parse(lines[line] ?? '') as HistoryRecord;
  const gatherer = createGatherer(report);
  for (const [line] of lines.entries()) {
    if (line % linesAtOnce === 0) await pause();
    gatherer.add(recordAt(line), line);
  }
  const entries = gatherer.done();
  const told = entries.filter(({ line }) => line >= 0).toSorted((a, b) => a.line - b.line);
  const stepsOf = (evidence: readonly string[]): readonly (Exchange | Frame)[] => {
    const ids = new Set(evidence);
    const shown = told.filter(({ id }) => ids.has(id));
    const orders = new Set(shown.flatMap((one) => one.orders));
    const streams = new Set(shown.map(({ line }) => streamOf(recordAt(line))));
    // Parses only lines that may be a step, since a history may be long.
    const near = told.filter(
      ({ id, orders: own }) => ids.has(id) || streams.has(id) || own.some((one) => orders.has(one)),
    );
    return stepsOfCause({ records: near.map(({ line }) => recordAt(line)) }, evidence);
  };
  return {
    entries,
    recordOf: ({ line }) => (line < 0 ? undefined : recordAt(line)),
    stepsOf,
    drivenBy: (by) =>
      told
        .filter((one) => one.by === by && one.kind !== 'end')
        .map(({ line, place }) => ({ record: recordAt(line) as Exchange | Frame, place }))
        .toSorted((one, other) => one.place - other.place || momentOf(one) - momentOf(other)),
  };
}
