import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  answerEvidence,
  type Fields,
  fieldsOf,
  isRefusal,
  itemsOf,
  matchesOrder,
  succeeded,
} from '../../src/protocol/answers.ts';
import { assertAllowed, assertRefused } from '../../src/suite/actions/refusal-assertions.ts';
import {
  createOrder,
  orderBody,
  paramsOf,
  placedOrder,
  readOrder,
  openForQuotes,
  type PlacedOrder,
} from '../../src/suite/actions/orders.ts';
import { isByUndeclaredMaker, retryWhileRefused } from '../../src/suite/actions/context.ts';
import { openLimitExcuse } from '../../src/suite/actions/excuses.ts';
import { quote, accept, quoteBody } from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import type { Exchange } from '../../src/history/records.ts';
import { equalValues } from '../../src/protocol/equality.ts';
import { Order } from '../../src/spec/resources.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { quotesOf, cancelOrder, readAs } from '../shared/order-life.ts';
import { isSet } from '../shared/order-states.ts';
import { viewLagMs, rows, needsOf, settlementTimeoutMs, waits } from '../shared/waits.ts';
import { pollList, walkUnchanged } from './list-pages.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';

const bodies: readonly {
  readonly id: string;
  readonly title: string;
  readonly by: 'sender' | 'outsider';
  readonly changes: Fields;
  /** All its values are beyond doubt. Absent: a target may have a reason to refuse it. */
  readonly plain?: true;
}[] = [
  { id: 'usual', title: 'A whole order', by: 'sender', changes: {}, plain: true },
  {
    id: 'outsider',
    title: "Another institution's order, with digits alone as its memo",
    by: 'outsider',
    changes: { memo: '0070' },
    plain: true,
  },
  {
    id: 'long-decimals',
    title: 'An order with amounts of many decimals',
    by: 'sender',
    changes: { target_amount: '1234.56789012', source_amount_max: '98765.43210987' },
  },
  {
    id: 'longer-decimals',
    title: 'An order with amounts of ten decimals',
    by: 'sender',
    changes: { target_amount: '2.0000000001', source_amount_max: '9.0000000009' },
  },
  {
    id: 'large',
    title: 'An order over an amount beyond the reach of floating point',
    by: 'sender',
    changes: { target_amount: '12345678901234567.89', source_amount_max: '98765432109876543.21' },
  },
  {
    id: 'small',
    title: 'An order over a hundredth',
    by: 'outsider',
    changes: { target_amount: '0.01', source_amount_max: '0.02' },
  },
];

/**
 * Creates an order. If one of the other institution is refused, it is created again with that institution's own
 * custodian: the customers of the sender's custodian are open (gap `order.party_check`). `certain`: nothing in the
 * order gave a reason to refuse it.
 */
async function place(t: CheckContext, by: CastName, body: Fields) {
  const party = t.party(by);
  const exchange = await party.call('order.create', { body });
  if (by === 'sender' || !isRefusal(exchange)) return { body, exchange, certain: true };
  if (!t.target.parties.outsider_custodian) return { body, exchange, certain: false };
  const keeper = t.party('outsider_custodian').partyId;
  const own: Fields = { ...body, sender_custodian_party_id: keeper };
  return { body: own, exchange: await party.call('order.create', { body: own }), certain: true };
}

/** Reason why a party can have no further order now, if a usual order is refused as well. */
const noRoomFor = async (t: CheckContext, by: CastName): Promise<string | undefined> =>
  openLimitExcuse(t, await t.party(by).call('order.create', { body: orderBody(t, {}, by) }), 1);

const created = bodies.map<Check>(({ id, title, by, changes, plain }) => ({
  id: `order.create.${id}`,
  title: `${title} is created once, returned, readable and listed, as it was sent.`,
  requirements: [
    ...(plain ? (['order.create.succeeds'] as const) : []),
    'order.create.returns-order',
    'order.create.returns-pending',
    'order.create.assigns-intent-id',
    'order.create.readable-afterwards',
    'order.create.listed-afterwards',
    'order.create.once',
    'order.read.returns-that-order',
    'order.list.agrees-with-read',
  ],
  needs: { parties: [by] },
  async run(t) {
    const { body, exchange, certain } = await place(t, by, orderBody(t, changes, by));
    if (plain && certain) {
      const full = isRefusal(exchange) ? await noRoomFor(t, by) : undefined;
      if (full !== undefined) t.notExercised(full, [exchange]);
      assertAllowed(t, 'order.create.succeeds', exchange, 'a complete and valid order');
    }
    const order = placedOrder(by, body, exchange);
    if (!order) return t.notExercised('no order was created', [exchange]);
    const read = await readAs(t, by, 'order.read', order);
    const readable = 'order.create.readable-afterwards';
    if (assertAllowed(t, readable, read, 'a read of an order just created')) {
      const data = fieldsOf(read);
      const different = Object.keys(Order.properties).filter(
        (name) => isSet(body, name) && !equalValues(name, body[name], data[name]),
      );
      t.assert(readable, different.length === 0, {
        message: 'An order just created was read otherwise than it was sent.',
        expected: Object.fromEntries(different.map((name) => [name, body[name]])),
        actual: Object.fromEntries(different.map((name) => [name, data[name] ?? null])),
      });
    }
    await pollList(t, { by, endpoint: 'order.list' }, matchesOrder(order));
  },
}));

const alike: Check = {
  id: 'order.create.alike-contracts',
  title:
    'Orders over contracts that differ in one digit of their hash, or in their index alone, are orders of their own.',
  requirements: ['order.intent-id.unique', 'order.source-contract-id.echo', 'order.create.once'],
  needs: { parties: ['sender'] },
  async run(t) {
    const hash = t.random.hex(62);
    const contracts = [`a${hash}0#1`, `a${hash}0#2`, `a${hash}0#12`, `a${hash}1#1`, `b${hash}0#1`];
    const refused: Exchange[] = [];
    for (const source_contract_id of contracts) {
      const body = orderBody(t, { source_contract_id });
      const exchange = await t.party('sender').call('order.create', { body });
      const order = placedOrder('sender', body, exchange);
      if (order) await readOrder(t, order);
      else refused.push(exchange);
    }
    if (refused.length === contracts.length) t.notExercised('no order was created', refused);
  },
};

const complete = rows(
  { by: 'sender', requirement: 'order.list.complete', creators: ['sender'] },
  { by: 'outsider', requirement: 'order.list.complete', creators: ['outsider'] },
  {
    by: 'sender_custodian',
    requirement: 'order.list.sender-custodian-included',
    creators: ['sender', 'outsider'],
  },
).map<Check>(({ by, requirement, creators }) => ({
  id: `order.list.complete.${by}`,
  title: `The list of ${by} holds every order that was created for it, some a moment before.`,
  requirements: [requirement],
  needs: { parties: [by, ...creators], waitMs: 20_000 },
  async run(t) {
    await t.target.timeline.sleep(12_000);
    for (const creator of creators) await createOrder(t, {}, { by: creator });
    const cancelled = await createOrder(t, {}, { by: creators[0] });
    await cancelOrder(t, cancelled, cancelled.by);
    await t.target.timeline.sleep(viewLagMs + 100);
    await walkUnchanged(t, { by, endpoint: 'order.list' });
  },
}));

const unknown: Check = {
  id: 'order.read.unknown',
  title:
    'An id that no order has is refused to its institution and its custodian; a real one is read.',
  requirements: ['order.read.unknown-refused', 'order.quotes.unknown-refused'],
  needs: { parties: ['sender', 'sender_custodian', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    for (const by of ['sender', 'sender_custodian'] as const) {
      const party = t.party(by);
      const real = await retryWhileRefused(t, () =>
        party.call('order.read', { params: paramsOf(order) }),
      );
      if (!succeeded(real)) t.notExercised('the real order was not read either', [real]);
      const params = { intent_id: t.random.uuid() };
      const read = await party.call('order.read', { params });
      assertRefused(t, 'order.read.unknown-refused', read, 'a read of no order');
      const listed = await party.call('order.quotes', { params });
      // An empty list below an id that nothing has says as much (gap `access.unknown`).
      const none = succeeded(listed) && itemsOf(listed).length === 0;
      if (none) t.assert('order.quotes.unknown-refused', true, { message: '' });
      else assertRefused(t, 'order.quotes.unknown-refused', listed, 'the quotes of no order');
    }
  },
};

const empty: Check = {
  id: 'order.quotes.empty',
  title: 'The quotes of an order that has none are an empty list, though another order has some.',
  requirements: ['order.quotes.empty-without-quotes', 'order.quotes.only-that-order'],
  needs: { parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b'], waitMs: viewLagMs },
  async run(t) {
    const bare = await createOrder(t);
    const other = await createOrder(t);
    await quote(t, 'maker_a', other);
    await quote(t, 'maker_b', other);
    await t.target.timeline.sleep(viewLagMs);
    for (const by of ['sender', 'sender_custodian'] as const) {
      const { items, exchange } = await quotesOf(t, bare, by);
      if (isRefusal(exchange) && by !== 'sender') continue;
      const ours = items.filter((item) => !isByUndeclaredMaker(t, item));
      t.assert('order.quotes.empty-without-quotes', succeeded(exchange) && ours.length === 0, {
        message: 'The quotes of an order without any were not an empty list.',
        expected: [],
        actual: answerEvidence(exchange),
        seen: [exchange],
      });
      await quotesOf(t, other, by);
    }
  },
};

export const orderEndpointChecks: readonly Check[] = [
  ...created,
  alike,
  ...complete,
  unknown,
  empty,
];

/** An order whose memo two sides may show differently; a plain order if such a memo is refused (gap `text.length`). */
async function createWithUnusualMemo(t: CheckContext): Promise<PlacedOrder> {
  const memo = 'Grüße — 送金 #4';
  const body = orderBody(t, { memo });
  const order = placedOrder('sender', body, await t.party('sender').call('order.create', { body }));
  if (!order) return createOrder(t);
  await openForQuotes(t, order);
  return order;
}

export const custodianViewChecks: readonly Check[] = rows(
  { id: 'by-sender', by: 'sender' },
  { id: 'by-custodian', by: 'sender_custodian' },
).map<Check>(({ id, by }) => ({
  id: `order.read.custodian-view.${id}`,
  title: `From creation to settlement, accepted ${id}, the custodian reads the order that the sender reads.`,
  requirements: ['order.read.custodian-sees-same', 'order.quotes.custodian-sees-same'],
  needs: needsOf(
    waits.settlement + 2 * viewLagMs,
    'sender',
    'sender_custodian',
    'maker_a',
    'maker_b',
  ),
  async run(t) {
    const order = await createWithUnusualMemo(t);
    const look = async (): Promise<void> => {
      for (const reader of ['sender', 'sender_custodian'] as const) {
        await readOrder(t, order, reader);
        await quotesOf(t, order, reader);
      }
    };
    await look();
    await quote(t, 'maker_a', order);
    const second = await quote(t, 'maker_b', order);
    await t.target.timeline.sleep(viewLagMs + 100);
    await look();
    await accept(t, order, second, by);
    await look();
    await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    await t.target.timeline.sleep(viewLagMs);
    await look();
  },
}));

const longAgo = '2001-01-01T00:00:00.000Z';

/** Fields of an order that only the service sets (2.2). A body may ask for a lifetime. */
const orderFields = ({ random }: CheckContext): Fields => ({
  intent_id: random.uuid(),
  status: 'SETTLED',
  sender_party_id: `Somebody::${random.hex(40)}`,
  created_at: longAgo,
  quote_id: random.uuid(),
  market_maker_party_id: `Maker::${random.hex(40)}`,
  fx_rate: '9',
  source_amount_actual: '0.01',
  quote_accepted_at: longAgo,
  transaction_hash: random.hex(64),
  settled_at: longAgo,
});

/** Fields of a quote that are set by the service (2.3). */
const quoteFields = ({ random }: CheckContext): Fields => ({
  quote_id: random.uuid(),
  status: 'ACCEPTED',
  market_maker_party_id: `Maker::${random.hex(40)}`,
  submitted_at: longAgo,
  source_amount: '0.01',
});

/** Ends the check if a body with unknown fields is refused, which is admissible (gap `order.unknown_fields`). */
function outOfScopeIfRefused(t: CheckContext, exchange: Exchange): void {
  if (isRefusal(exchange)) t.outOfScope('a body with more than its fields is refused here');
}

const ofOrders: Check = {
  id: 'order.create.service-assigns',
  title: 'What the service sets of an order cannot be set by whoever creates it.',
  requirements: [
    'order.create.returns-pending',
    'order.create.assigns-intent-id',
    'order.sender-party-id.is-creator',
    'order.quote-id.not-before-acceptance',
  ],
  needs: { parties: ['sender'] },
  async run(t) {
    const body = { ...orderBody(t), ...orderFields(t) };
    outOfScopeIfRefused(t, await t.party('sender').call('order.create', { body }));
  },
};

const ofQuotes: Check = {
  id: 'quote.submit.service-assigns',
  title: 'What the service sets of a quote cannot be set by whoever submits it.',
  requirements: [
    'quote.state.starts-pending',
    'quote.quote-id.unique',
    'quote.market-maker-party-id.is-submitter',
    'own-quote.intent-id.echo',
  ],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const create = () => createOrder(t, {}, { terms: 'round' });
    const [other, order] = [await create(), await create()];
    const maker = t.party('maker_a');
    const params = paramsOf(order);
    const body = { ...quoteBody(t, order), ...quoteFields(t), intent_id: other.intentId };
    // Waits for the request first, so that a refusal is about the body.
    await retryWhileRefused(t, () => maker.call('rfq.read', { params }));
    outOfScopeIfRefused(t, await maker.call('quote.submit', { params, body }));
    await quotesOf(t, order);
  },
};

/** Bodies with fields in them that are not their sender's to set. */
export const serviceAssignedChecks: readonly Check[] = [ofOrders, ofQuotes];
