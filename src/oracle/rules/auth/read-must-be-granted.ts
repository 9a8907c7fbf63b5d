import { tolerance } from '../../../protocol/tolerances.ts';
import { type EndpointName, pathOf } from '../../../spec/endpoints.ts';
import { allowedRequirement, allowedRequirements } from '../../../spec/requirements/index.ts';
import { orderStates, quoteStates } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, precedes, sentOnly, wronglyRefused } from '../../trace/calls.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { certainSelection } from '../../trace/selections.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { isIn, type OrderTrace, possiblyEffective } from '../../trace/traces.ts';
import { wasPending } from '../quotes/must-be-granted.ts';

/** States that a list can be filtered by; lists that part 4 knows no filter of are asked for whole. */
const filterable: Partial<Record<EndpointName, readonly string[]>> = {
  'order.list': orderStates,
  'quote.list': quoteStates,
  'rfq.list': [],
  'settlement.list': [],
};

const json = 'application/json';
const plainHeaders = ['accept', 'authorization'];

/**
 * True for a read without a body, with no headers but `accept: application/json` and the token, and with no parameter but
 * a known `status`. A body, another header or another parameter may be the reason for a refusal.
 */
function isPlain({ exchange }: Call, endpoint: EndpointName): boolean {
  const { request, params, query } = exchange;
  const states = filterable[endpoint] ?? [];
  return (
    request.body === undefined &&
    request.path.split('?')[0] === pathOf(endpoint, params) &&
    (request.headers['accept'] ?? json) === json &&
    sentOnly(request, plainHeaders) &&
    Object.entries(query).every(([name, value]) => name === 'status' && states.includes(value))
  );
}

/** Reads that part 4 gives to every party of a role. */
const reads = [
  'identity.read',
  'stats.read',
  'order.list',
  'quote.list',
  'rfq.list',
  'settlement.list',
] as const;

/** Reads that part 4 gives to a party with a part in the order. */
const relatedReads = [
  'order.read',
  'order.quotes',
  'rfq.read',
  'rfq.quotes',
  'settlement.read',
] as const;
type Read = (typeof reads)[number] | (typeof relatedReads)[number];

/** True if the reader's backend had time to learn of an answer given by `sinceMs` (gap `views.lag`). */
const isPastLag = ({ exchange }: Call, sinceMs: number): boolean =>
  exchange.sent >= sinceMs + tolerance.replicationLagMs;

/** Parties that may read an order and its quotes. For the receiver's side it is open (gap `access.receiver_quotes`). */
const readers = {
  'order.read': {
    sender: [],
    'sender-custodian': ['order.read.by-sender-custodian'],
    'receiver-custodian': ['order.read.by-receiver-custodian'],
  },
  'order.quotes': { sender: [], 'sender-custodian': ['order.quotes.by-sender-custodian'] },
} as const;
type ReaderId =
  | (typeof readers)['order.read'][keyof (typeof readers)['order.read']][number]
  | (typeof readers)['order.quotes'][keyof (typeof readers)['order.quotes']][number];

/** Requirements that a refused read breaks, besides that of the role. Undefined if the refusal may be right. */
function keptFrom(
  view: HistoryView,
  trace: OrderTrace,
  endpoint: keyof typeof readers,
  call: Call,
): readonly ReaderId[] | undefined {
  const { creation } = trace;
  if (!creation?.ok || !isPastLag(call, creation.exchange.received)) return undefined;
  const relation = relationOf(view, trace, call.party);
  const table: Partial<Record<string, readonly ReaderId[]>> = readers[endpoint];
  return table[relation];
}

/** True if a request for quote was PENDING before and after it was read, and before its deadline. */
function isOpenAt(view: HistoryView, trace: OrderTrace, call: Call): boolean {
  const { acceptances, cancels, snapshots } = trace;
  const expiry = timestampIn(snapshots, 'expires_at');
  return (
    possiblyEffective([...acceptances, ...cancels]).every((one) => precedes(call, one)) &&
    expiry !== undefined &&
    view.clock.before(call, expiry) &&
    wasPending(trace, call)
  );
}

const hasQuoted = ({ submissions }: OrderTrace, call: Call): boolean =>
  submissions.some(
    ({ ok, party, exchange }) => ok && party === call.party && isPastLag(call, exchange.received),
  );

/**
 * True if the same maker read the request before and did not quote it since. A maker may no longer see a request that
 * it has quoted (gap `rfq.active`).
 */
function wasReadBefore(view: HistoryView, { id, submissions }: OrderTrace, call: Call): boolean {
  const own = submissions.filter(({ party }) => party === call.party);
  return view
    .endpoint('rfq.read')
    .some(
      (read) =>
        read.ok &&
        read.party === call.party &&
        read.exchange.params.intent_id === id &&
        precedes(read, call) &&
        own.every((quote) => precedes(quote, read) || precedes(call, quote)),
    );
}

/** True if the request was listed for the maker or announced to it some time ago, and not quoted by it. */
const wasAnnounced = ({ rfqs, submissions }: OrderTrace, call: Call): boolean =>
  submissions.every(({ party }) => party !== call.party) &&
  rfqs.some(
    ({ via, party, to }) => via !== 'rfq.read' && party === call.party && isPastLag(call, to),
  );

function isWon(view: HistoryView, trace: OrderTrace, call: Call): boolean {
  const winner = certainSelection(view, trace)?.[1];
  const settled = trace.snapshots.find(isIn('SETTLED'));
  return winner?.maker === call.party && settled !== undefined && isPastLag(call, settled.to);
}

/** Part 4. Checks don't assert that a read is served; this rule checks if there was any reason to refuse it. */
export const readsMustBeGranted = defineRule({
  id: 'reads.due',
  title: 'What a party has a part in, it can read whenever it asks, and its lists likewise',
  requirements: [
    ...allowedRequirements([...reads, ...relatedReads]),
    'order.read.by-sender-custodian',
    'order.read.by-receiver-custodian',
    'order.quotes.by-sender-custodian',
  ],
  judge(view, findings) {
    for (const endpoint of reads) {
      for (const call of refusedAt(endpoint)) refused(endpoint, call);
    }
    for (const endpoint of ['order.read', 'order.quotes'] as const) {
      for (const [call, trace] of refusedOf(endpoint)) {
        const also = keptFrom(view, trace, endpoint, call);
        if (also) refused(endpoint, call, also);
      }
    }
    for (const [call, trace] of refusedOf('rfq.quotes')) {
      if (isOpenAt(view, trace, call) && hasQuoted(trace, call)) refused('rfq.quotes', call);
    }
    for (const [call, trace] of refusedOf('rfq.read')) {
      const isKnown = wasReadBefore(view, trace, call) || wasAnnounced(trace, call);
      if (isKnown && isOpenAt(view, trace, call)) refused('rfq.read', call);
    }
    for (const [call, trace] of refusedOf('settlement.read')) {
      if (isWon(view, trace, call)) refused('settlement.read', call);
    }

    function refusedAt(endpoint: EndpointName): readonly Call[] {
      return view.endpoint(endpoint).filter((call) => isDenied(call) && isPlain(call, endpoint));
    }

    function refusedOf(endpoint: EndpointName): readonly (readonly [Call, OrderTrace])[] {
      return refusedAt(endpoint).flatMap((call) => {
        const trace = view.order(call.exchange.params.intent_id);
        return trace ? [[call, trace] as const] : [];
      });
    }

    /** A role that an endpoint is not for is rightly refused, no matter which party its backend says that it is. */
    function refused(endpoint: Read, call: Call, also: readonly ReaderId[] = []): void {
      const allowed = allowedRequirement(endpoint, call.exchange.role);
      findings.fail(allowed ? [allowed, ...also] : [], {
        message: `${endpoint} was refused to one who may ask for it`,
        ...wronglyRefused(call),
        evidence: [call.id],
      });
    }
  },
});
