import { type EventName, eventKinds } from '../../../spec/events.ts';
import { formatTimestamp } from '../../../spec/forms.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import { relationsFor } from './access.ts';
import type { EventPolicy, RfqEnd } from './policy.ts';

const creation = { silent: false, updated: true } as const;

const withoutAcceptance: readonly RfqEnd[] = [
  'expiry',
  'cancel',
  'withdrawal',
  'validation',
  'slippage',
];
const ends: Record<Assignment['event.rfq_closed'], ReadonlySet<RfqEnd>> = {
  'expiry-and-cancel': new Set(withoutAcceptance),
  'expiry-only': new Set(['expiry']),
  'every-end': new Set([...withoutAcceptance, 'acceptance']),
};

const closedTo: Record<Assignment['event.rfq_closed_to'], EventPolicy['closedTo']> = {
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

const payloads: Record<Assignment['event.payload'], EventPolicy['payload']> = {
  resource: (_event, resource) => resource,
  'named-only': (event, resource) => named(event, resource as Fields),
  'enveloped-extra': (event, resource, now) => ({
    ...resource,
    meta: { event, emitted_at: formatTimestamp(now) },
  }),
};

export const eventPolicy = (assignment: Assignment): EventPolicy => ({
  onCreation: creation[assignment['event.creation']],
  recipients: {
    order_updated: relationsFor(assignment['access.receiver_events']),
    quote_received: ['sender', 'sender-custodian'],
  },
  announcedTo: (makers) => makers,
  closedOn: ends[assignment['event.rfq_closed']],
  closedTo: closedTo[assignment['event.rfq_closed_to']],
  rejectedPer: assignment['event.rejected_per'],
  payload: payloads[assignment['event.payload']],
});
