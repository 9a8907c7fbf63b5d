import type { Assignment } from '../../../spec/gaps/index.ts';
import type { TamperedEvent } from '../tamper.ts';

const lineEnds = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

/** Writes a message of the event-stream format. JSON has no line ends of its own, so the data is one line. */
export function frameWriter(lineEnd: Assignment['stream.line_end']) {
  const end = lineEnds[lineEnd];
  return (event: string, json: string, id?: string): string =>
    `${id === undefined ? '' : `id: ${id}${end}`}event: ${event}${end}data: ${json}${end}${end}`;
}

/** An event that was sent, kept for readers that are behind or come back. */
export interface FeedEntry {
  readonly sequence: number;
  readonly event: TamperedEvent;
  /** Its message, written once for all readers. */
  readonly text: () => string;
}

const none = { next: 1, events: [] };

export type Feed = ReturnType<typeof createFeed>;

/**
 * The events of one party in their order: the bounded buffer that all its streams read from.
 * Ids are `<epoch>-<number>`: an id of an earlier run of the backend is not taken for one of this run.
 * @param before earlier events that the feed continues from; by default none
 */
export function createFeed(
  epoch: string,
  write: ReturnType<typeof frameWriter>,
  capacity: number,
  jsonOf: (value: unknown) => string = JSON.stringify,
  before: { readonly next: number; readonly events: readonly TamperedEvent[] } = none,
) {
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
    /** The sequence number that the next event will get. */
    get next() {
      return next;
    },
    /** The earliest number that is still kept; `next` if none is. */
    get first() {
      return next - retained.length;
    },
    push,
    /** The event of a number; undefined if there is none yet, or if it is no longer kept. */
    get: (sequence: number): FeedEntry | undefined => retained[sequence - (next - retained.length)],
    /**
     * Number of the next event for a reader that has seen this id. For an id of an earlier run: the earliest event,
     * since the reader has seen none of this run. Undefined for a text that is no id of a feed.
     */
    after(lastEventId: string): number | undefined {
      const [, of, number] = /^([0-9a-f]+)-([0-9]{1,15})$/.exec(lastEventId) ?? [];
      if (number === undefined || of?.length !== epoch.length) return undefined;
      if (of !== epoch) return next - retained.length;
      return Number(number) < next ? Number(number) + 1 : undefined;
    },
  };
}
