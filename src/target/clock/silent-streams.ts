import type { HistoryRecord } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { limits } from '../../spec/limits.ts';

/** A stream that is silent for longer, in target milliseconds, is without the heartbeat that was due (part 6). */
const dueMs = limits.heartbeatIntervalMs + tolerance.heartbeat;

/** The streams that are open, and the instant of the driven clock since which each is silent. */
export interface SilentStreams {
  noted(record: HistoryRecord): void;
  /** The clock is told to go on by so many milliseconds. A message that comes before the answer counts as sent at the end. */
  moving(ms: number): void;
  /** The clock answered where it stands now. */
  moved(instant: number): void;
  /** The parties that have a stream open. */
  parties(): ReadonlySet<string>;
  /** The parties that have a stream without the heartbeat that was due: a busy host may not have read it yet. */
  overdue(): readonly string[];
}

export function createSilentStreams(startMs: number): SilentStreams {
  let now = startMs;
  const open = new Map<string, { readonly party: string; readonly since: number }>();
  return {
    noted(record) {
      const { party } = record;
      if (record.kind === 'end') open.delete(record.stream);
      else if (record.kind === 'frame') open.set(record.stream, { party, since: now });
      else if (record.opensStream) open.set(record.id, { party, since: now });
    },
    moving(ms) {
      now += ms;
    },
    moved(instant) {
      now = instant;
    },
    parties: () => new Set([...open.values()].map(({ party }) => party)),
    overdue: () =>
      [...open.values()].flatMap(({ party, since }) => (now - since > dueMs ? [party] : [])),
  };
}
