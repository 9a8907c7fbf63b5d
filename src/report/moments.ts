import type { Exchange, Frame, History } from '../history/records.ts';
import { recordsThatShow } from '../results/findings.ts';
import type { Moment } from '../results/run-report.ts';
import type { FoundFailure } from '../results/source-report.ts';
import { formatTimestamp } from '../spec/forms.ts';

/** A request is looked up in a log by the time at which it was sent. */
const timeOf = (record: Exchange | Frame): number =>
  record.kind === 'exchange' ? record.sent : record.received;

/**
 * Finds the moment of a failure, or of the earliest equal failure that was left out: that of the record which shows it.
 * @param offsetMs how far the target's clock is ahead of the history's
 * @param restarts the ends of restarts, in the time of the history
 */
export function momentFinder(
  history: History | undefined,
  offsetMs = 0,
  restarts: readonly number[] = [],
): (failure: FoundFailure) => Moment | undefined {
  // Filled at the first failure: most runs have none.
  let known: ReadonlyMap<string, Exchange | Frame> | undefined;
  /** By world: in each, time begins anew. */
  const starts = new Map<string | undefined, number>();
  const readAll = (): ReadonlyMap<string, Exchange | Frame> => {
    const found = new Map<string, Exchange | Frame>();
    for (const record of history?.records ?? []) {
      if (record.kind === 'end') continue;
      found.set(record.id, record);
      const { world } = record;
      starts.set(world, Math.min(starts.get(world) ?? Number.POSITIVE_INFINITY, timeOf(record)));
    }
    return found;
  };
  return (failure) => {
    known ??= readAll();
    let first: Exchange | Frame | undefined;
    for (const id of recordsThatShow(failure, failure.exchanges)) {
      const record = known.get(id);
      if (record && (!first || timeOf(record) < timeOf(first))) first = record;
    }
    if (!first) return undefined;
    const time = timeOf(first);
    const restarted = restarts.findLast((end) => end <= time);
    return {
      at: formatTimestamp(time + offsetMs),
      after_ms: time - (starts.get(first.world) ?? time),
      by: first.by,
      ...(restarted !== undefined && { after_restart_ms: time - restarted }),
    };
  };
}
