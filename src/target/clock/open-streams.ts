import type { HistoryRecord } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { limits } from '../../spec/limits.ts';

/** So long after the last message of a stream another one must have come, in target milliseconds. */
const dueMs = limits.heartbeatIntervalMs + tolerance.heartbeat;

/** The streams that are open, and since when each is silent, by a clock that is driven. */
export interface OpenStreams {
  readonly noted: (record: HistoryRecord) => void;
  /** The clock is told to go on by so much. */
  moving(ms: number): void;
  /** It has been moved, and stands here. */
  moved(instant: number): void;
  /** Those whom streams are open for. */
  parties(): Iterable<string>;
  /** Those who have a stream without the heartbeat that was due: the clock went past it, and the host may read it late. */
  overdue(): readonly string[];
}

export function createOpenStreams(startMs: number): OpenStreams {
  let now = startMs;
  const open = new Map<string, { readonly party: string; readonly heard: number }>();
  return {
    noted(record) {
      const { party } = record;
      if (record.kind === 'end') open.delete(record.stream);
      else if (record.kind === 'frame') open.set(record.stream, { party, heard: now });
      else if (record.opensStream) open.set(record.id, { party, heard: now });
    },
    moving(ms) {
      now += ms;
    },
    moved(instant) {
      now = instant;
    },
    parties: () => new Set([...open.values()].map(({ party }) => party)),
    overdue: () =>
      [...open.values()].flatMap(({ party, heard }) => (now - heard > dueMs ? [party] : [])),
  };
}
