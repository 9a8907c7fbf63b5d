import { patience } from './patience.ts';
import type { OrderStory } from './view/stories.ts';
import type { SeenFrame, StreamStory } from './view/streams.ts';
import type { HistoryView } from './view.ts';

/** What a party of the order side is to an order. `unknown`: not enough was seen to tell. */
export type Relation =
  | 'sender'
  | 'sender-custodian'
  | 'receiver-custodian'
  | 'receiver'
  | 'stranger'
  | 'unknown';

export function relationOf(view: HistoryView, story: OrderStory, party: string): Relation {
  if (story.creation?.party === party) return 'sender';
  const id = view.partyIdOf(party);
  if (id === undefined) return 'unknown';
  if (!story.creation && id === story.senderId) return 'sender';
  if (id === story.senderCustodianId) return 'sender-custodian';
  if (id === story.receiverCustodianId) return 'receiver-custodian';
  if (id === story.receiverId) return 'receiver';
  const complete =
    (story.creation !== undefined || story.senderId !== undefined) &&
    story.senderCustodianId !== undefined &&
    story.receiverCustodianId !== undefined;
  return complete ? 'stranger' : 'unknown';
}

/** Something that happened, and by when it is known to have. */
export interface Cause {
  /** Place before which a stream must have been open to be due its event for certain. */
  readonly since: number;
  /** Our millisecond by which it had happened, and the place at which that was known. */
  readonly byMs: number;
  readonly by: number;
  readonly source: string;
}

/** Whether a stream was open all the while, from before the cause until its event must have come. */
export const isDue = (stream: StreamStory, cause: Cause): boolean =>
  stream.call.own &&
  stream.call.close < cause.since &&
  stream.end > cause.by &&
  stream.openUntilMs >= cause.byMs + patience.eventTravel;

export const causedBy = (call: {
  readonly open: number;
  readonly close: number;
  readonly id: string;
  readonly exchange: { readonly received: number };
}): Cause => ({ since: call.open, byMs: call.exchange.received, by: call.close, source: call.id });

/** Whether a frame came so late that it may be called late: events should be live, but nobody says how much. */
export const isLate = (seen: SeenFrame, cause: Cause): boolean =>
  (seen.frame.after ?? seen.frame.received) > cause.byMs + patience.liveEvent;

/** Streams by party, so that an order need not look at those of others. */
export function streamsByParty(view: HistoryView): (party: string) => readonly StreamStory[] {
  const groups = new Map<string, StreamStory[]>();
  for (const stream of view.streams) {
    const group = groups.get(stream.party);
    if (group) group.push(stream);
    else groups.set(stream.party, [stream]);
  }
  return (party) => groups.get(party) ?? [];
}

/** The frames of one order on one stream, of one event. */
export const framesOn = (
  story: OrderStory,
  stream: StreamStory,
  event: string,
): readonly SeenFrame[] =>
  story.frames
    .filter((each) => each.stream === stream && each.seen.frame.event === event)
    .map(({ seen }) => seen);

/** Streams of parties other than those that an event is for, which were open all the while and did not get it. */
export function spared(
  streams: readonly StreamStory[],
  cause: Cause,
  got: (stream: StreamStory) => boolean,
): readonly StreamStory[] {
  return streams.filter((stream) => isDue(stream, cause) && !got(stream));
}

/** The market makers that listen. */
export const makersOf = (view: HistoryView): readonly string[] => [
  ...new Set(view.streams.filter(({ kind }) => kind === 'maker').map(({ party }) => party)),
];
