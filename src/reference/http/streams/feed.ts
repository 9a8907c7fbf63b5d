import type { Assignment } from '../../../spec/gaps/index.ts';
import type { TamperedEvent } from '../tamper.ts';

const lineEnds = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

/** One message of the event-stream format. JSON has no line ends of its own, so the data is one line. */
export type FrameWriter = (event: string, json: string, id?: string) => string;

export function frameWriter(lineEnd: Assignment['stream.line_end']): FrameWriter {
  const end = lineEnds[lineEnd];
  return (event, json, id) =>
    `${id === undefined ? '' : `id: ${id}${end}`}event: ${event}${end}data: ${json}${end}${end}`;
}

/** An event that was sent, kept for readers that are behind or come back. */
export interface FeedEntry {
  readonly sequence: number;
  readonly event: TamperedEvent;
  /** Its message, written once for all readers. */
  readonly text: () => string;
}

/** The events of one party in their order: the bounded buffer that all its streams read from. */
export interface Feed {
  /** The sequence number that the next event will get. */
  readonly next: number;
  /** The earliest number that is still kept; `next` if none is. */
  readonly first: number;
  push(event: TamperedEvent): void;
  /** The event of a number; undefined if there is none yet, or if it is no longer kept. */
  get(sequence: number): FeedEntry | undefined;
  /**
   * Number of the next event for a reader that has seen this id. For an id of an earlier run: the earliest event, since
   * the reader has seen none of this run. Undefined for a text that is no id of a feed.
   */
  after(lastEventId: string): number | undefined;
}

const none = { next: 1, events: [] };

/** Ids are `<epoch>-<number>`: an id of an earlier run of the backend is not taken for one of this run. */
export function createFeed(
  epoch: string,
  write: FrameWriter,
  capacity: number,
  jsonOf: (value: unknown) => string = JSON.stringify,
  /** Earlier events that the feed continues from; by default none. */
  before: { readonly next: number; readonly events: readonly TamperedEvent[] } = none,
): Feed {
  let retained: FeedEntry[] = [];
  let next = before.next - before.events.length;

  function push(event: TamperedEvent): void {
    const sequence = next;
    next += 1;
    let text: string | undefined;
    retained.push({
      sequence,
      event,
      text: () => (text ??= write(event.event, jsonOf(event.data), `${epoch}-${sequence}`)),
    });
    if (retained.length >= 2 * capacity) retained = retained.slice(-capacity);
  }

  for (const event of before.events) push(event);

  return {
    get next() {
      return next;
    },
    get first() {
      return next - retained.length;
    },
    push,
    get: (sequence) => retained[sequence - (next - retained.length)],
    after(lastEventId) {
      const [, of, number] = /^([0-9a-f]+)-([0-9]{1,15})$/.exec(lastEventId) ?? [];
      if (number === undefined || of?.length !== epoch.length) return undefined;
      if (of !== epoch) return next - retained.length;
      return Number(number) < next ? Number(number) + 1 : undefined;
    },
  };
}
