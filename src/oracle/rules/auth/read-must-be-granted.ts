import { type EndpointName, pathOf } from '../../../spec/endpoints.ts';
import { accessRequirement, type GuardedEndpoint } from '../../../spec/requirements/index.ts';
import { orderStates, quoteStates, type Role } from '../../../spec/vocabulary.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import { wasPending } from '../quotes/must-be-granted.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { certainSelection } from '../../trace/selected-quote.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, precedes } from '../../trace/calls.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** States that a list can be filtered by; lists that part 4 knows no filter of are asked for whole. */
const filterable: Partial<Record<EndpointName, readonly string[]>> = {
  'order.list': orderStates,
  'quote.list': quoteStates,
  'rfq.list': [],
  'settlement.list': [],
};

const json = 'application/json';
const plainHeaders = ['accept', 'authorization'];

/** As any client asks: what is odd about other requests may be what they are refused for. */
function isPlain({ exchange }: Call, endpoint: EndpointName): boolean {
  const { request, params, query } = exchange;
  const states = filterable[endpoint] ?? [];
  return (
    request.body === undefined &&
    request.path.split('?')[0] === pathOf(endpoint, params) &&
    (request.headers['accept'] ?? json) === json &&
    Object.keys(request.headers).every((name) => plainHeaders.includes(name)) &&
    Object.entries(query).every(([name, value]) => name === 'status' && states.includes(value))
  );
}

/** Reads that part 4 gives a role, whatever they are about. */
const allowedRoles: Partial<Record<EndpointName, readonly Role[]>> = {
  'identity.read': ['institution', 'custodian', 'market-maker'],
  'stats.read': ['institution', 'custodian', 'market-maker'],
  'order.list': ['institution', 'custodian'],
  'quote.list': ['market-maker'],
  'rfq.list': ['market-maker'],
  'settlement.list': ['market-maker'],
};

/** By whom an order is read, and its quotes; whether the receiver's side sees those is open (gap `access.receiver_quotes`). */
const readers = {
  'order.read': ['sender', 'sender-custodian', 'receiver-custodian'],
  'order.quotes': ['sender', 'sender-custodian'],
} as const;

/** Checks that only look something up give up on a refusal; this looks whether there was any reason for it. */
export const readsMustBeGranted = defineRule({
  id: 'reads.due',
  title: 'What a party has a part in, it can read whenever it asks, and its lists likewise',
  requirements: [
    ...Object.entries(allowedRoles).flatMap(([endpoint, roles]) =>
      roles.map((role) => accessRequirement(endpoint as GuardedEndpoint, role)),
    ),
    'access.order.read.institution-allowed',
    'access.order.read.custodian-allowed',
    'access.order.quotes.institution-allowed',
    'access.order.quotes.custodian-allowed',
    'access.rfq.read.market-maker-allowed',
    'access.rfq.quotes.market-maker-allowed',
    'access.settlement.read.market-maker-allowed',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    for (const endpoint of Object.keys(allowedRoles) as GuardedEndpoint[]) {
      for (const call of refusedAt(view, endpoint)) {
        const { role } = call.exchange;
        if (allowedRoles[endpoint]?.includes(role) && isOfRole(endpoint, role))
          refuse(endpoint, call);
      }
    }
    for (const endpoint of ['order.read', 'order.quotes'] as const) {
      for (const call of refusedAt(view, endpoint)) {
        const trace = traceOf(call);
        if (trace && isPastLag(trace, call) && isReader(trace, endpoint, call)) {
          refuse(endpoint, call);
        }
      }
    }
    for (const call of refusedAt(view, 'rfq.quotes')) {
      const trace = traceOf(call);
      if (trace && isOpenAt(trace, call) && hasQuoted(trace, call)) refuse('rfq.quotes', call);
    }
    for (const call of refusedAt(view, 'rfq.read')) {
      const trace = traceOf(call);
      const isActive = trace && isOpenAt(trace, call);
      if (isActive && (wasReadBefore(trace, call) || wasAnnounced(trace, call)))
        refuse('rfq.read', call);
    }
    for (const call of refusedAt(view, 'settlement.read')) {
      const trace = traceOf(call);
      if (trace && isWon(trace, call)) refuse('settlement.read', call);
    }

    function refuse(endpoint: GuardedEndpoint, call: Call): void {
      findings.fail(accessRequirement(endpoint, call.exchange.role), {
        message: `${endpoint} was refused to one who may ask for it`,
        expected: 'a success (2xx)',
        actual: call.status,
        evidence: [call.id],
      });
    }

    /** Custodians' stats are contradicted by 1.4 (gap `access.custodian_extras`): either all have them, or none. */
    function isOfRole(endpoint: GuardedEndpoint, role: Role): boolean {
      return (
        endpoint !== 'stats.read' ||
        role !== 'custodian' ||
        view.endpoint(endpoint).some(({ ok, own, exchange }) => ok && own && exchange.role === role)
      );
    }

    function traceOf({ exchange }: Call): OrderTrace | undefined {
      return view.orders.get(exchange.params.intent_id ?? '');
    }

    /** Whether an order had been there for longer than a reader may lag behind (gap `views.lag`). */
    function isPastLag({ creation }: OrderTrace, { exchange }: Call): boolean {
      const since = creation?.ok ? creation.exchange.received : undefined;
      return since !== undefined && exchange.sent >= since + tolerance.replicationLagMs;
    }

    function isReader(trace: OrderTrace, endpoint: keyof typeof readers, call: Call): boolean {
      const relation = relationOf(view, trace, call.party);
      return (readers[endpoint] as readonly string[]).includes(relation);
    }

    function isOpenAt(trace: OrderTrace, call: Call): boolean {
      const { acceptances, cancels, snapshots } = trace;
      const expiry = timestampIn(snapshots, 'expires_at');
      const untouched = possiblyEffective([...acceptances, ...cancels]).every((one) =>
        precedes(call, one),
      );
      return (
        untouched &&
        expiry !== undefined &&
        clock.before(intervalOf(call), expiry) &&
        wasPending(trace, call)
      );
    }

    function hasQuoted({ submissions }: OrderTrace, call: Call): boolean {
      return submissions.some(
        ({ ok, party, exchange }) =>
          ok &&
          party === call.party &&
          call.exchange.sent >= exchange.received + tolerance.replicationLagMs,
      );
    }

    /** Read by the same maker before, and not quoted by it since: what it has quoted it may see no more (gap `rfq.active`). */
    function wasReadBefore({ id, submissions }: OrderTrace, call: Call): boolean {
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

    /** Listed for the maker or told to it some time ago, and not quoted by it. */
    function wasAnnounced({ rfqs, submissions }: OrderTrace, call: Call): boolean {
      return (
        submissions.every(({ party }) => party !== call.party) &&
        rfqs.some(
          ({ via, party, to }) =>
            via !== 'rfq.read' &&
            party === call.party &&
            call.exchange.sent >= to + tolerance.replicationLagMs,
        )
      );
    }

    function isWon(trace: OrderTrace, call: Call): boolean {
      const winner = certainSelection(view, trace)?.[1];
      const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
      return (
        winner?.maker === call.party &&
        settled !== undefined &&
        call.exchange.sent >= settled.to + tolerance.replicationLagMs
      );
    }
  },
});

const refusedAt = (view: HistoryView, endpoint: EndpointName): readonly Call[] =>
  view.endpoint(endpoint).filter((call) => isDenied(call) && isPlain(call, endpoint));
