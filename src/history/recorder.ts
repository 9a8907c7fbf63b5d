import type { Exchange, Frame, History, HistoryRecord, StreamEnd } from './records.ts';
import { endOf, exchangeOf, frameOf } from './record-shapes.ts';
import { ownLimits } from './limits.ts';
import { createSecrets, type Secrets } from './secrets/secrets.ts';

/** Collects what is seen in a run. It keeps what was sent and received as it was: masking is for what is written. */
export interface Recorder extends History {
  /** What must not be written of it. */
  readonly secrets: Secrets;
  /** The id for the next exchange of one driver: counted for each driver alone, so that the calls of others do not shift it. */
  nextId(by: string): string;
  /** Under an id drawn when it was sent. */
  exchange(exchange: Omit<Exchange, 'kind'>): Exchange;
  frame(frame: Omit<Frame, 'kind' | 'id'>): Frame;
  end(end: Omit<StreamEnd, 'kind'>): StreamEnd;
  /** The memory and the stream bytes that are left for the whole run. */
  readonly room: KeptRoom;
  /** Tells somebody of everything from now on, as it is recorded. */
  watch(see: (record: HistoryRecord) => void): void;
}

/** The bytes that limits leave for further records. */
export interface KeptRoom {
  readonly limit: 'run.kept_bytes' | 'worlds.kept_bytes';
  /** Bytes of memory. */
  bytes: number;
  /** Bytes of event streams, as they are sent. */
  streamBytes: number;
}

export function createRecorder(
  secrets: Secrets = createSecrets(),
  limit: KeptRoom['limit'] = 'run.kept_bytes',
): Recorder {
  const records: HistoryRecord[] = [];
  const counts = new Map<string, number>();
  const watchers: ((record: HistoryRecord) => void)[] = [];

  function nextId(by: string): string {
    const count = (counts.get(by) ?? 0) + 1;
    counts.set(by, count);
    return `${by}#${count}`;
  }

  function add<T extends HistoryRecord>(record: T): T {
    records.push(record);
    secrets.learn(record);
    for (const see of watchers) see(record);
    return record;
  }

  return {
    records,
    secrets,
    nextId,
    exchange: (exchange) => add(exchangeOf(exchange)),
    frame: (frame) => add(frameOf(frame, nextId(frame.by))),
    end: (end) => add(endOf(end)),
    room: { limit, bytes: ownLimits[limit], streamBytes: ownLimits['run.stream_bytes'] },
    watch: (see) => void watchers.push(see),
  };
}
