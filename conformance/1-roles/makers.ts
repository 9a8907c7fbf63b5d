import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  findInList,
  matchesOrder,
  paramsOf,
  settledOrder,
  createOrder,
  dataOf,
  fieldsOf,
  itemsOf,
  paginationOf,
  type PlacedOrder,
  quote,
  sameId,
  succeeded,
  accept,
  firstAndLastPage,
  type PlacedQuote,
  assertAllowed,
  retryWhileRefused,
  quoteBody,
} from '../../src/suite/actions/index.ts';
import {
  partiesOfRole,
  sendForbidden,
  servedRequirement,
  settlementWaitMs,
  untilSettled,
} from '../shared/endpoint-requests.ts';
import { waits, untilViewsAgree, needsOf } from '../shared/waits.ts';
import type { CallOptions } from '../../src/client/contract.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/history/records.ts';
import { ownQuotesOf } from '../shared/order-life.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';

/** 1.2, 2.4: makers see requests without the identity of the sender, in lists, reads, events and settlements. */
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
  if (!Array.isArray(dataOf(exchange))) return JSON.stringify(fieldsOf(exchange));
  const items = itemsOf(exchange);
  const held = orders.map(({ intentId }) =>
    items.some((one) => sameId(one, 'intent_id', intentId)),
  );
  return `${paginationOf(exchange)?.total_items ?? items.length} items, ${held.map(Number).join('')}`;
}

/** Asks twice for each of the two ids: a value that changes by itself differs between the two times. */
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
    const isTold = one !== other && (await ask(ids[0])) === one && (await ask(ids[1])) === other;
    t.assert(requirement, !isTold, {
      message: `${endpoint} answered a market maker otherwise for one ${name} than for another`,
      must: { words: 'the same answer whoever is named' },
      actual: { one, other },
      seen,
    });
  });
}

/** 2.4: a request is anonymous: no field of it stands for its sender, and no query reveals the sender. */
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
      const order = await createOrder(t, by === 'outsider' ? kept : {}, {
        by,
        terms: 'round',
      });
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

/** 4.4: a maker lists its own quotes, and no other maker's. */
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

/** 4.4: a maker that has not quoted a request finds no quotes under it. */
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

/** 4.4: a maker reads and lists the settlements of the trades that it won, and no others. */
const ownSettlements = accepters.map<Check>((accepter) => ({
  id: `access.makers.settlements.${accepter}`,
  title: `Of two trades that ${accepter} made with two makers, each reads and lists the one it won.`,
  requirements: [
    'settlement.read.foreign-maker-refused',
    'settlement.list.won-only',
    'access.settlement.read.market-maker-allowed',
    servedRequirement,
  ],
  needs: needsOf(settlementWaitMs, 'sender', 'maker_a', 'maker_b', accepter),
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

interface Rivalry {
  readonly id: string;
  readonly before: readonly CastName[];
  readonly last: CastName;
}

const rivalries: readonly Rivalry[] = [
  { id: 'second', before: ['maker_a'], last: 'maker_b' },
  { id: 'second-other-way', before: ['maker_b'], last: 'maker_a' },
  { id: 'third', before: ['maker_a', 'maker_b'], last: 'maker_c' },
  { id: 'third-other-way', before: ['maker_c', 'maker_b'], last: 'maker_a' },
];

/** A quote like the control on another order, valid for the same time. */
const likeControl = (t: CheckContext, order: PlacedOrder, control: PlacedQuote) =>
  retryWhileRefused(t, () => {
    const validForMs = control.validUntil - control.exchange.sent - t.target.clock.offset.most;
    const body = quoteBody(t, order, { validForMs });
    return t.party(control.maker).call('quote.submit', { params: paramsOf(order), body });
  });

/** 1.2: several makers quote one request: quotes of others are no reason to refuse a quote. */
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
