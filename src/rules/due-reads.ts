import { type EndpointName, pathOf } from '../spec/endpoints.ts';
import { accessRequirement, type GuardedEndpoint } from '../spec/requirements/index.ts';
import { orderStates, quoteStates, type Role } from '../spec/words.ts';
import { relationOf } from './audience.ts';
import { wasPending } from './due.ts';
import { during, watchOf } from './moment.ts';
import { patience } from './patience.ts';
import { selectionOf } from './selection.ts';
import { defineRule } from './tally.ts';
import { type Call, isDenied, precedes } from './view/calls.ts';
import { momentIn } from './view/sightings.ts';
import { happened, type OrderStory, stateOf } from './view/stories.ts';
import type { HistoryView } from './view.ts';

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
const always: Partial<Record<EndpointName, readonly Role[]>> = {
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
export const dueReads = defineRule({
  id: 'reads.due',
  title: 'What a party has a part in, it can read whenever it asks, and its lists likewise',
  requirements: [
    ...Object.entries(always).flatMap(([endpoint, roles]) =>
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
  judge(view, tally) {
    const watch = watchOf(view);
    for (const endpoint of Object.keys(always) as GuardedEndpoint[]) {
      for (const call of refusedAt(view, endpoint)) {
        const { role } = call.exchange;
        if (always[endpoint]?.includes(role) && isOfRole(endpoint, role)) refuse(endpoint, call);
      }
    }
    for (const endpoint of ['order.read', 'order.quotes'] as const) {
      for (const call of refusedAt(view, endpoint)) {
        const story = storyOf(call);
        if (story && isSettledIn(story, call) && isReader(story, endpoint, call)) {
          refuse(endpoint, call);
        }
      }
    }
    for (const call of refusedAt(view, 'rfq.quotes')) {
      const story = storyOf(call);
      if (story && isOpenAt(story, call) && hasQuoted(story, call)) refuse('rfq.quotes', call);
    }
    for (const call of refusedAt(view, 'rfq.read')) {
      const story = storyOf(call);
      const isActive = story && isOpenAt(story, call);
      if (isActive && (wasReadSo(story, call) || wasShown(story, call))) refuse('rfq.read', call);
    }
    for (const call of refusedAt(view, 'settlement.read')) {
      const story = storyOf(call);
      if (story && isWon(story, call)) refuse('settlement.read', call);
    }

    function refuse(endpoint: GuardedEndpoint, call: Call): void {
      tally.fail(accessRequirement(endpoint, call.exchange.role), {
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

    function storyOf({ exchange }: Call): OrderStory | undefined {
      return view.orders.get(exchange.params.intent_id ?? '');
    }

    /** Whether an order had been there for longer than a reader may lag behind (gap `views.lag`). */
    function isSettledIn({ creation }: OrderStory, { exchange }: Call): boolean {
      const since = creation?.ok ? creation.exchange.received : undefined;
      return since !== undefined && exchange.sent >= since + patience.betweenParties;
    }

    function isReader(story: OrderStory, endpoint: keyof typeof readers, call: Call): boolean {
      const relation = relationOf(view, story, call.party);
      return (readers[endpoint] as readonly string[]).includes(relation);
    }

    function isOpenAt(story: OrderStory, call: Call): boolean {
      const { acceptances, cancels, sightings } = story;
      const expiry = momentIn(sightings, 'expires_at');
      const untouched = happened([...acceptances, ...cancels]).every((one) => precedes(call, one));
      return (
        untouched &&
        expiry !== undefined &&
        watch.before(during(call), expiry) &&
        wasPending(story, call)
      );
    }

    function hasQuoted({ submissions }: OrderStory, call: Call): boolean {
      return submissions.some(
        ({ ok, party, exchange }) =>
          ok &&
          party === call.party &&
          call.exchange.sent >= exchange.received + patience.betweenParties,
      );
    }

    /** Read by the same maker before, and not quoted by it since: what it has quoted it may see no more (gap `rfq.active`). */
    function wasReadSo({ id, submissions }: OrderStory, call: Call): boolean {
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
    function wasShown({ rfqs, submissions }: OrderStory, call: Call): boolean {
      return (
        submissions.every(({ party }) => party !== call.party) &&
        rfqs.some(
          ({ via, party, to }) =>
            via !== 'rfq.read' &&
            party === call.party &&
            call.exchange.sent >= to + patience.betweenParties,
        )
      );
    }

    function isWon(story: OrderStory, call: Call): boolean {
      const winner = selectionOf(view, story)?.[1];
      const settled = story.sightings.find((seen) => stateOf(seen) === 'SETTLED');
      return (
        winner?.maker === call.party &&
        settled !== undefined &&
        call.exchange.sent >= settled.to + patience.betweenParties
      );
    }
  },
});

const refusedAt = (view: HistoryView, endpoint: EndpointName): readonly Call[] =>
  view.endpoint(endpoint).filter((call) => isDenied(call) && isPlain(call, endpoint));
