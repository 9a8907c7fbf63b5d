import type { Exchange, Frame, History, HistoryRecord, StreamEnd } from './records.ts';
import { endOf, exchangeOf, frameOf } from './record-shapes.ts';
import { ownLimits } from './limits.ts';
import { createSecrets, type Secrets } from './secrets/secrets.ts';

/**
 * Collects the records of a run. It keeps the data as sent and received; secrets are masked when records are written.
 */
export interface Recorder extends History {
  /** Secrets to mask in written records. */
  readonly secrets: Secrets;
  /**
   * Id of the next exchange of one driver. Each driver has its own counter, so that the calls of others do not shift
   * it.
   */
  nextId(by: string): string;
  /** Records an exchange. Its id was drawn when it was sent. */
  exchange(exchange: Omit<Exchange, 'kind'>): Exchange;
  frame(frame: Omit<Frame, 'kind' | 'id'>): Frame;
  end(end: Omit<StreamEnd, 'kind'>): StreamEnd;
  /** Memory and stream bytes left for the whole run. */
  readonly room: KeptRoom;
  /** Calls `see` for every record from now on, when it is recorded. */
  watch(see: (record: HistoryRecord) => void): void;
}

/** Bytes that the limits leave for further records. */
export interface KeptRoom {
  readonly limit: 'run.kept_bytes' | 'worlds.kept_bytes';
  /** Bytes of memory. */
  bytes: number;
  /** Bytes of event streams, as sent on the wire. */
  streamBytes: number;
}

/** @param records list that the recorder appends to; its owner may remove some */
export function createRecorder(
  secrets: Secrets = createSecrets(),
  limit: KeptRoom['limit'] = 'run.kept_bytes',
  records: HistoryRecord[] = [],
): Recorder {
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
