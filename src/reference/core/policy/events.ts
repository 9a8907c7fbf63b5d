import { type EventName, eventKinds } from '../../../spec/events.ts';
import { formatTimestamp } from '../../../spec/forms.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Order } from '../records.ts';
import { type Relation, relationsFor } from './access.ts';

const rfqEnds = ['expiry', 'cancel', 'withdrawal', 'validation', 'slippage', 'acceptance'] as const;
/** Cause of the end of a request for quote. */
export type RfqEnd = (typeof rfqEnds)[number];

const ends: Record<Assignment['event.rfq_closed'], ReadonlySet<RfqEnd>> = {
  'expiry-and-cancel': new Set(rfqEnds.filter((end) => end !== 'acceptance')),
  'expiry-only': new Set(['expiry']),
  'every-end': new Set(rfqEnds),
};

type Makers = readonly string[];
type ClosedTo = (makers: Makers, hasQuoted: (makerPartyId: string) => boolean) => Makers;
const closedTo: Record<Assignment['event.rfq_closed_to'], ClosedTo> = {
  all: (makers) => makers,
  quoted: (makers, hasQuoted) => makers.filter(hasQuoted),
  'not-quoted': (makers, hasQuoted) => makers.filter((maker) => !hasQuoted(maker)),
};

type Fields = Readonly<Record<string, unknown>>;

/** Keeps the fields that part 6 names. An event for which it names no field still carries `intent_id`. */
function named(event: EventName, resource: Fields): Fields {
  if (event === 'quote_request_new') return resource;
  const fields: readonly string[] = eventKinds[event].fields;
  const kept = fields.length === 0 ? ['intent_id'] : fields;
  return Object.fromEntries(kept.map((name) => [name, resource[name]]));
}

/** Makes wire JSON from the resource of the event. */
type Payload = (event: EventName, resource: object, now: number) => unknown;
const payloads: Record<Assignment['event.payload'], Payload> = {
  resource: (_event, resource) => resource,
  'named-only': (event, resource) => named(event, resource as Fields),
  'enveloped-extra': (event, resource, now) => ({
    ...resource,
    meta: { event, emitted_at: formatTimestamp(now) },
  }),
};

/** Part 6: events, their recipients and their payloads. */
export const eventPolicy = (assignment: Assignment) => ({
  onCreation: assignment['event.creation'] === 'updated',
  recipients: {
    order_updated: relationsFor(assignment['access.receiver_events']),
    quote_received: ['sender', 'sender-custodian'] as readonly Relation[],
  },
  announcedTo: (makers: Makers, _order: Order): Makers => makers,
  closedOn: ends[assignment['event.rfq_closed']],
  closedTo: closedTo[assignment['event.rfq_closed_to']],
  rejectedPer: assignment['event.rejected_per'],
  payload: payloads[assignment['event.payload']],
});
