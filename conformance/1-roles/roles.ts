import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { endpoints, type EndpointName } from '../../src/spec/endpoints.ts';
import {
  accessRequirement,
  type GuardedEndpoint,
  guardedEndpoints,
  type CastName,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import {
  sendForbidden,
  servedRequirement,
  changesOrder,
  isFor,
  partiesOfRole,
  partyOfRole,
  fixtureAt,
  needsAt,
  type Stage,
  stagesOf,
  narrowedQueries,
  topLevelLists,
  untilSettled,
} from '../shared/endpoint-requests.ts';
import { createOrder, paramsOf, type PlacedOrder } from '../../src/suite/actions/orders.ts';
import { quote, settledOrder, accept, type PlacedQuote } from '../../src/suite/actions/quotes.ts';
import { findInList, firstAndLastPage } from '../../src/suite/actions/find-in-list.ts';
import {
  matchesOrder,
  dataOf,
  fieldsOf,
  itemsOf,
  sameId,
  succeeded,
} from '../../src/protocol/answers.ts';
import { orderedJson } from '../../src/protocol/json.ts';
import { paginationOf } from '../../src/protocol/pagination.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import { retryWhileRefused } from '../../src/suite/actions/context.ts';
import { waits, untilViewsAgree, needsOf, rows } from '../shared/waits.ts';
import type { CallOptions } from '../../src/client/contract.ts';
import type { Exchange } from '../../src/history/records.ts';
import { ownQuotesOf, tryQuote } from '../shared/order-life.ts';

/**
 * Operations that succeed once per order: each check lets one role do it. At other endpoints one check lets all
 * permitted roles ask beside the forbidden ones.
 */
const singleUse: readonly GuardedEndpoint[] = [
  'order.cancel',
  'proposal.accept',
  'quote.accept',
  'quote.submit',
];

/** Permitted roles of each check: all in one check, or one check for each role. */
const groupsOf = (endpoint: GuardedEndpoint): readonly (readonly Role[])[] => {
  const { roles: allowed } = endpoints[endpoint];
  return singleUse.includes(endpoint) ? allowed.map((role) => [role]) : [allowed];
};

const checkOf = (endpoint: GuardedEndpoint, stage: Stage, served: readonly Role[]): Check => {
  const refused = roles.filter((role) => !isFor(endpoint, role));
  const isOneOfSeveral = served.length < endpoints[endpoint].roles.length;
  return {
    id: `access.${endpoint}.${stage}${isOneOfSeveral ? `.${served.join()}` : ''}`,
    title:
      refused.length === 0
        ? `${endpoint} serves every role.`
        : `${endpoint} serves ${served.join(' and ')}, but never ${refused.join(' nor ')} (${stage}).`,
    requirements: [
      servedRequirement,
      ...[...refused, ...served].map((role) => accessRequirement(endpoint, role)),
      ...(refused.length > 0 && changesOrder(endpoint)
        ? (['error.refusal-changes-nothing'] as const)
        : []),
    ],
    needs: needsAt(stage, ...served.map((role) => partyOfRole[role])),
    async run(t) {
      const fixture = await fixtureAt(t, stage, endpoint);
      const forbidden = refused.flatMap((role) =>
        partiesOfRole(t, role).map((by) => ({ by, endpoint })),
      );
      const permitted = served.map((role) => ({
        by: partyOfRole[role],
        endpoint,
        requirement: accessRequirement(endpoint, role),
      }));
      await sendForbidden(t, fixture, forbidden, permitted);
    },
  };
};

/** 1.4, part 4: every endpoint serves the roles that it is for and refuses the others, in every stage of an order. */
export const wrongRoleChecks: readonly Check[] = guardedEndpoints.flatMap((endpoint) =>
  stagesOf(endpoint).flatMap((stage) =>
    groupsOf(endpoint).map((served) => checkOf(endpoint, stage, served)),
  ),
);

/** 1.4: a role that may not list something gets no filtered list of it and no further page either. */
const narrowedCheckOf = (endpoint: GuardedEndpoint): Check => {
  const [first] = endpoints[endpoint].roles;
  const refusedRoles = roles.filter((role) => !isFor(endpoint, role));
  return {
    id: `access.narrowed.${endpoint}`,
    title: `${endpoint} refuses ${refusedRoles.join(' and ')}, filtered or on a further page.`,
    requirements: refusedRoles.map((role) => accessRequirement(endpoint, role)),
    needs: { parties: [partyOfRole[first]] },
    async run(t) {
      const wrong = refusedRoles.flatMap((role) => partiesOfRole(t, role));
      for (const query of await narrowedQueries(t, partyOfRole[first], endpoint)) {
        for (const by of [partyOfRole[first], ...wrong]) {
          await t.party(by).call(endpoint, { query });
        }
      }
    },
  };
};

const limitedStream: Check = {
  id: 'access.narrowed.order.events',
  title: 'A market maker cannot open the order stream, limited to an order that it has quoted.',
  requirements: ['access.order.events.market-maker-refused'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { intentId } = order;
    await quote(t, 'maker_a', order);
    for (const by of ['sender', ...partiesOfRole(t, 'market-maker')] as const) {
      const stream = await t.party(by).listen({ endpoint: 'order.events', intentId });
      if (stream.isOpen) await stream.close();
    }
  },
};

export const wrongRoleListChecks: readonly Check[] = [
  ...topLevelLists
    .filter((endpoint) => endpoints[endpoint].roles.length < roles.length)
    .map(narrowedCheckOf),
  limitedStream,
];

const everyView: Check = {
  id: 'access.makers.sender-hidden',
  title: 'Makers read an order from its request to its settlement, and nothing names its sender.',
  requirements: [
    'rfq.list.hides-sender-identity',
    'rfq.read.hides-sender-identity',
    'event.quote-request-new.hides-sender-identity',
    'settlement.hides-sender-identity',
    'maker.sees-no-sender-identity',
  ],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.settlement },
  async run(t) {
    const { order } = await settledOrder(t);
    for (const by of partiesOfRole(t, 'market-maker')) {
      const maker = t.party(by);
      await findInList(t, maker, 'rfq.list', matchesOrder(order));
      await maker.call('rfq.read', { params: paramsOf(order) });
      await maker.call('settlement.read', { params: paramsOf(order) });
    }
  },
};

export const senderHiddenChecks: readonly Check[] = [everyView];

const requirement = 'rfq.list.answers-nothing-of-senders';

/** Likely names of a filter by sender or its custodian: those of the order's own fields. */
const filters: readonly {
  readonly endpoint: EndpointName;
  readonly name: 'sender_party_id' | 'sender_custodian_party_id';
}[] = [
  { endpoint: 'rfq.list', name: 'sender_party_id' },
  { endpoint: 'rfq.list', name: 'sender_custodian_party_id' },
  { endpoint: 'quote.list', name: 'sender_party_id' },
  { endpoint: 'stats.read', name: 'sender_party_id' },
];

/** Part of an answer that a filter could change: the item count, which of the orders are listed, or the stats. */
function tellingPart(exchange: Exchange, orders: readonly PlacedOrder[]): string {
  if (!succeeded(exchange)) return 'refused';
  if (!Array.isArray(dataOf(exchange))) return orderedJson(fieldsOf(exchange)) ?? '';
  const items = itemsOf(exchange);
  const held = orders.map(({ intentId }) =>
    items.some((one) => sameId(one, 'intent_id', intentId)),
  );
  return `${paginationOf(exchange)?.total_items ?? items.length} items, ${held.map(Number).join('')}`;
}

/**
 * Asks twice for each of the two ids: a value that changes by itself differs between the two times, and so does one
 * of two machines that answer in turns.
 */
async function assertSilent(
  t: CheckContext,
  { endpoint, name }: (typeof filters)[number],
  ids: readonly [string, string],
  orders: readonly PlacedOrder[],
): Promise<void> {
  const seen: Exchange[] = [];
  const ask = async (id: string): Promise<string> => {
    const options: CallOptions = { query: { [name]: id } };
    const exchange = await t.party('maker_a').call(endpoint, options);
    seen.push(exchange);
    return tellingPart(exchange, orders);
  };
  await t.exclusively(async () => {
    const [one, other] = [await ask(ids[0]), await ask(ids[1])];
    const isTold = one !== other && (await ask(ids[1])) === other && (await ask(ids[0])) === one;
    t.assert(requirement, !isTold, {
      message: `${endpoint} answered a market maker otherwise for one ${name} than for another`,
      must: { words: 'the same answer whoever is named' },
      actual: { one, other },
      seen,
    });
  });
}

const sendersAlike: Check = {
  id: 'access.makers.senders-indistinguishable',
  title:
    'Two institutions ask for the same in turns; a maker that reads, quotes and filters learns nothing of which request is whose.',
  requirements: ['rfq.senders-not-told-apart', requirement],
  needs: { parties: ['sender', 'outsider', 'maker_a'], waitMs: 4_000 },
  async run(t) {
    const keeper = t.target.parties.outsider_custodian && t.party('outsider_custodian').partyId;
    const kept = keeper === undefined ? {} : { sender_custodian_party_id: keeper };
    const orders: PlacedOrder[] = [];
    for (const by of ['sender', 'outsider', 'sender', 'outsider', 'sender'] as const) {
      const order = await createOrder(t, by === 'outsider' ? kept : {}, { by, terms: 'round' });
      orders.push(order);
      await quote(t, 'maker_a', order, { rate: '1' });
      if (orders.length < 4) continue;
      await ownQuotesOf(t, order, 'maker_a');
      await t.party('maker_a').call('rfq.read', { params: paramsOf(order) });
    }
    await untilViewsAgree(t);
    const idOf = (name: 'sender' | 'outsider'): string => t.party(name).partyId ?? name;
    const custodianOf = (one: PlacedOrder | undefined): string =>
      String(one?.sent['sender_custodian_party_id']);
    for (const filter of filters) {
      const ids: [string, string] =
        filter.name === 'sender_party_id'
          ? [idOf('sender'), idOf('outsider')]
          : [custodianOf(orders[0]), custodianOf(orders[1])];
      if (ids[0] !== ids[1]) await assertSilent(t, filter, ids, orders);
    }
  },
};

export const senderAlikeChecks: readonly Check[] = [sendersAlike];

type Options = Parameters<typeof firstAndLastPage>[3];

/** Reads the part of a maker's list where a new item would appear. The rules judge its content. */
const look = (t: CheckContext, by: CastName, endpoint: EndpointName, options: Options = {}) =>
  firstAndLastPage(t, t.party(by), endpoint, options);

/** Every maker reads its quotes: under the request, over all requests, and filtered by state. */
async function readOwnQuotes(
  t: CheckContext,
  { intentId }: PlacedOrder,
  states: readonly string[],
): Promise<void> {
  for (const by of partiesOfRole(t, 'market-maker')) {
    await look(t, by, 'rfq.quotes', { params: { intent_id: intentId } });
    await look(t, by, 'quote.list');
    for (const status of states) await look(t, by, 'quote.list', { query: { status } });
  }
}

const accepters = ['sender', 'sender_custodian'] as const;

const ownQuotes = accepters.map<Check>((accepter) => ({
  id: `access.makers.own-quotes.${accepter}`,
  title: `Makers that quoted the same request find their own quotes only, before and after ${accepter} accepts one.`,
  requirements: ['rfq.quotes.own-only', 'quote.list.own-only'],
  needs: { parties: ['sender', 'maker_a', 'maker_b', accepter] },
  async run(t) {
    const order = await createOrder(t);
    const quotes: PlacedQuote[] = [];
    for (const maker of partiesOfRole(t, 'market-maker')) {
      quotes.push(await quote(t, maker, order));
    }
    await readOwnQuotes(t, order, ['PENDING']);
    const winner = quotes.at(accepter === 'sender' ? 0 : 1);
    if (!winner) return;
    await accept(t, order, winner, accepter);
    await readOwnQuotes(t, order, ['ACCEPTED', 'REJECTED']);
  },
}));

const bystander: Check = {
  id: 'access.makers.bystander',
  title: 'A maker that quoted another request finds no quotes under one that it did not quote.',
  requirements: ['rfq.quotes.own-only', 'quote.list.own-only'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'] },
  async run(t) {
    const [one, other] = [await createOrder(t), await createOrder(t)];
    await quote(t, 'maker_a', one);
    await quote(t, 'maker_b', other);
    for (const order of [one, other]) await readOwnQuotes(t, order, []);
  },
};

const ownSettlements = accepters.map<Check>((accepter) => ({
  id: `access.makers.settlements.${accepter}`,
  title: `Of two trades that ${accepter} made with two makers, each reads and lists the one it won.`,
  requirements: [
    'settlement.read.foreign-maker-refused',
    'settlement.list.won-only',
    'access.settlement.read.market-maker-allowed',
    servedRequirement,
  ],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', 'maker_b', accepter),
  async run(t) {
    const makers = partiesOfRole(t, 'market-maker');
    const trades: { readonly order: PlacedOrder; readonly winner: CastName }[] = [];
    for (const winner of ['maker_a', 'maker_b'] as const) {
      const order = await createOrder(t);
      await quote(t, winner === 'maker_a' ? 'maker_b' : 'maker_a', order);
      await accept(t, order, await quote(t, winner, order), accepter);
      trades.push({ order, winner });
    }
    for (const { order } of trades) await untilSettled(t, order);
    for (const { order, winner } of trades) {
      const losers = makers.filter((maker) => maker !== winner);
      const endpoint = 'settlement.read';
      await sendForbidden(
        t,
        { order },
        losers.map((by) => ({ by, endpoint })),
        [{ by: winner, endpoint }],
      );
    }
    for (const maker of makers) await look(t, maker, 'settlement.list');
  },
}));

export const makerPrivacyChecks: readonly Check[] = [...ownQuotes, bystander, ...ownSettlements];

const rivalries = rows(
  { id: 'second', before: ['maker_a'], last: 'maker_b' },
  { id: 'second-other-way', before: ['maker_b'], last: 'maker_a' },
  { id: 'third', before: ['maker_a', 'maker_b'], last: 'maker_c' },
  { id: 'third-other-way', before: ['maker_c', 'maker_b'], last: 'maker_a' },
);

/** A quote like the control on another order, valid for the same time. */
const likeControl = (t: CheckContext, order: PlacedOrder, control: PlacedQuote) =>
  retryWhileRefused(t, () => {
    const validForMs = control.validUntil - control.exchange.sent - t.target.clock.offset.most;
    return tryQuote(t, control.maker, order, { validForMs });
  });

export const severalMakersChecks = rivalries.map<Check>(({ id, before, last }) => ({
  id: `quote.submit.after-rivals.${id}`,
  title: `${last} may quote a request after ${before.join(' and ')}, as it may quote one before anybody else.`,
  requirements: ['service.several-makers-quote'],
  needs: { parties: ['sender', ...before, last], waitMs: 8_000 },
  async run(t) {
    const alone = await createOrder(t);
    const control = await quote(t, last, alone);
    const order = await createOrder(t);
    for (const maker of before) await quote(t, maker, order);
    const exchange = await likeControl(t, order, control);
    assertAllowed(t, 'service.several-makers-quote', exchange, 'a quote after those of rivals');
  },
}));
