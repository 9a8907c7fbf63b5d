import type { CheckContext, Check } from '../../src/suite/engine/check.ts';
import { findInList, type FoundItem } from '../../src/suite/actions/find-in-list.ts';
import {
  matchesOrder,
  type Fields,
  succeeded,
  isRefusal,
  describeExchange,
} from '../../src/protocol/answers.ts';
import { pollUntil, targetNow, retryWhileRefused } from '../../src/suite/actions/context.ts';
import {
  paramsOf,
  type PlacedOrder,
  createOrder,
  disturbedOrder,
  readOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { accept, quote, quoteBody } from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import { assertRefused } from '../../src/suite/actions/refusal-assertions.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { pollList, walkUnchanged } from './list-pages.ts';
import { formatTimestamp } from '../../src/spec/forms.ts';
import { proposedOrder } from '../3-states/custodians.ts';
import { untilNear, cancelOrder, tryQuote } from '../shared/order-life.ts';
import {
  settlementTimeoutMs,
  expiryLagMs,
  waits,
  rows,
  viewLagMs,
  makers,
} from '../shared/waits.ts';
import { stateOf } from '../shared/order-states.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import type { Exchange } from '../../src/history/records.ts';

/** Looks for a request on a maker's list until it is there, or the list had time to catch up. */
const findRequest = (t: CheckContext, maker: CastName, order: PlacedOrder): Promise<FoundItem> =>
  pollList(t, { by: maker, endpoint: 'rfq.list' }, matchesOrder(order));

/** Maximum number of pages in a walk over requests: more than a run has open at a time. */
const mostPages = 12;

/** Looks for a request on the lists of makers, and reads it. */
async function findAndRead(
  t: CheckContext,
  order: PlacedOrder,
  by: readonly CastName[] = makers,
): Promise<void> {
  for (const maker of by) {
    await findRequest(t, maker, order);
    await t.party(maker).call('rfq.read', { params: paramsOf(order) });
  }
}

/** Like `findAndRead`, but walks over each list to its end, which shows other missing items. */
async function listAndRead(
  t: CheckContext,
  order: PlacedOrder,
  by: readonly CastName[] = makers,
): Promise<void> {
  for (const maker of by) {
    const { items } = await walkUnchanged(t, { by: maker, endpoint: 'rfq.list' }, { mostPages });
    if (!items.some(matchesOrder(order))) await findRequest(t, maker, order);
    await t.party(maker).call('rfq.read', { params: paramsOf(order) });
  }
}

const there = [
  'rfq.list.holds-new-request',
  'rfq.list.complete',
] as const satisfies readonly RequirementId[];
const readable = [
  'rfq.read.returns-that-request',
  'rfq.read.agrees-with-list',
] as const satisfies readonly RequirementId[];

type Create = (t: CheckContext) => Promise<PlacedOrder>;
const ofFields = (fields: Fields) => (t: CheckContext) => createOrder(t, fields);
const sameCustodian: Create = (t) =>
  createOrder(t, { receiver_custodian_party_id: t.party('sender_custodian').partyId });
const manyDecimals = { target_amount: '1234.567890123', source_amount_max: '98765.43' };

/** Kinds of new requests: name, further parties, and creation. */
const newRequests: readonly (readonly [string, readonly CastName[], Create])[] = [
  ['plain', ['sender'], ofFields({})],
  ['of-outsider', ['sender', 'outsider'], (t) => createOrder(t, {}, { by: 'outsider' })],
  ['other-currencies', ['sender'], ofFields({ source_currency: 'GBP', target_currency: 'CHF' })],
  ['of-accepted-proposal', ['sender', 'sender_custodian'], proposedOrder],
  ['unusual.one-custodian', ['sender', 'sender_custodian'], sameCustodian],
  ['unusual.many-decimals', ['sender'], ofFields(manyDecimals)],
];

const listed = newRequests.map<Check>(([id, parties, create]) => ({
  id: `rfq.list.${id}`,
  title: `A new request (${id}) is on every maker's list, and still there for the others once one has quoted.`,
  requirements: [
    ...there,
    'rfq.list.same-for-every-maker',
    'rfq.list.still-listed-once-quoted',
    ...readable,
  ],
  needs: { parties: [...parties, ...makers], waitMs: 10_000 },
  async run(t) {
    await createOrder(t);
    const order = await create(t);
    // Whole lists are walked over for the usual ones: of the others nothing but their own place can differ.
    await (id === 'plain' || id === 'of-outsider' ? listAndRead : findAndRead)(t, order);
    await quote(t, 'maker_b', order);
    await findAndRead(t, order, ['maker_a', 'maker_c']);
    await quote(t, 'maker_c', order);
    await findAndRead(t, order, ['maker_a']);
  },
}));

/** Looks until none of some requests is on a maker's list. */
const lookUntilGone = async (t: CheckContext, ...orders: readonly PlacedOrder[]): Promise<void> => {
  const isAny = (item: Fields): boolean => orders.some((order) => matchesOrder(order)(item));
  for (const maker of makers) {
    await pollUntil(
      t,
      () => findInList(t, t.party(maker), 'rfq.list', isAny),
      ({ item }) => item === undefined,
    );
  }
};

const left = rows(
  { id: 'accepted', by: 'sender', requirement: 'rfq.list.accepted-order-left' },
  {
    id: 'accepted-by-custodian',
    by: 'sender_custodian',
    requirement: 'rfq.list.accepted-order-left',
  },
  { id: 'cancelled', by: undefined, requirement: 'order.cancel.request-closes' },
).map<Check>(({ id, by, requirement }) => ({
  id: `rfq.list.left.${id}`,
  title: `A request whose order is ${id} leaves every maker's list; the one beside it stays.`,
  requirements: [requirement, ...there],
  needs: { parties: ['sender', ...(by ? [by] : []), ...makers], waitMs: 10_000 },
  async run(t) {
    const beside = await createOrder(t);
    const order = await createOrder(t);
    await findAndRead(t, order);
    const placed = await quote(t, 'maker_a', order);
    await quote(t, 'maker_b', order);
    if (by) await accept(t, order, placed, by);
    else await cancelOrder(t, order);
    await lookUntilGone(t, order);
    await listAndRead(t, beside, ['maker_c']);
  },
}));

const withdrawn: Check = {
  id: 'rfq.list.left.withdrawn',
  title:
    "A request whose order the operator has withdrawn leaves every maker's list; the one beside it stays.",
  requirements: ['rfq.list.failed-order-left', ...there],
  needs: {
    parties: ['sender', ...makers],
    controls: ['withdraw_order'],
    waitMs: 10_000 + settlementTimeoutMs,
  },
  async run(t) {
    const beside = await createOrder(t);
    const order = await disturbedOrder(t, 'withdraw_order');
    const ended = await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    if (!ended) t.notExercised('the order was not withdrawn while it was PENDING');
    await lookUntilGone(t, order);
    await listAndRead(t, beside, ['maker_c']);
  },
};

const expired: Check = {
  id: 'rfq.list.left.expired',
  title:
    "Requests whose orders have expired, quoted or not, leave every maker's list and take no quote.",
  requirements: ['rfq.list.expired-order-left', 'quote.submit.expired-request-refused'],
  needs: { parties: ['sender', ...makers], waitMs: waits.orderExpiry },
  async run(t) {
    const bare = await createOrder(t);
    const quoted = await createOrder(t);
    for (const maker of makers) await findRequest(t, maker, bare);
    await quote(t, 'maker_a', quoted);
    // The control case: while it lasts, the request takes a quote.
    const taken = await quote(t, 'maker_c', bare);
    // Two orders of one moment need not live as long as each other.
    for (const order of [bare, quoted]) await untilExpired(t, order, expiryLagMs);
    for (const order of [bare, quoted]) await readOrder(t, order);
    await lookUntilGone(t, bare, quoted);
    for (const [maker, order] of [
      ['maker_b', bare],
      ['maker_a', bare],
      ['maker_c', quoted],
    ] as const) {
      const body = { ...taken.sent, valid_until: formatTimestamp(targetNow(t).latest + 30_000) };
      await t.party(maker).call('quote.submit', { params: paramsOf(order), body });
    }
  },
};

const lapsed: Check = {
  id: 'rfq.list.all-quotes-lapsed',
  title:
    'A request whose quotes have all lapsed is listed for a maker that has not quoted, who can read it.',
  requirements: ['rfq.list.still-listed-once-quoted', ...readable],
  needs: { parties: ['sender', ...makers], waitMs: waits.quoteExpiry },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order, { validForMs: 1_500 });
    const { validUntil } = await quote(t, 'maker_b', order, { validForMs: 1_500 });
    const { timeline, clock } = t.target;
    await timeline.until(validUntil - clock.offset.least + expiryLagMs);
    const { data, exchange } = await readOrder(t, order);
    if (stateOf(data) !== 'PENDING')
      t.notExercised('the order did not outlast its quotes', [exchange]);
    await listAndRead(t, order, ['maker_c']);
  },
};

/** Near enough to a deadline that a list which closes early has closed, and far enough to be asked twice. */
const beforeEndMs = 4_000;

const untilTheEnd: Check = {
  id: 'rfq.list.until-the-end',
  title: 'Some seconds before its order expires a request is still listed, and can be read.',
  requirements: ['rfq.list.holds-new-request', ...readable],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    await untilNear(t, order, beforeEndMs);
    await listAndRead(t, order, ['maker_a']);
  },
};

const quoted = rows(
  { id: 'after-quotes', by: makers, title: 'by this maker and by others, is read as before' },
  { id: 'once-quoted', by: ['maker_a'], title: 'and is listed still, can be read by its maker' },
).map<Check>(({ id, by, title }) => ({
  id: `rfq.read.${id}`,
  title: `A request that was quoted, ${title}.`,
  requirements: readable,
  needs: { parties: ['sender', ...by] },
  async run(t) {
    const order = await createOrder(t, { target_amount: '777.25', source_amount_max: '1999.50' });
    for (const maker of by) {
      await findAndRead(t, order, [maker]);
      await quote(t, maker, order);
      await findAndRead(t, order, [maker]);
    }
  },
}));

export const requestChecks: readonly Check[] = [
  ...listed,
  ...left,
  withdrawn,
  expired,
  lapsed,
  untilTheEnd,
  ...quoted,
];

const unknown: Check = {
  id: 'rfq.unknown',
  title: 'An id that no request has can be neither read nor quoted, while a real one can.',
  requirements: ['rfq.read.unknown-refused', 'quote.submit.unknown-request-refused'],
  needs: { parties: ['sender', ...makers] },
  async run(t) {
    const order = await createOrder(t);
    for (const maker of makers) {
      const party = t.party(maker);
      const real = await retryWhileRefused(t, () =>
        party.call('rfq.read', { params: paramsOf(order) }),
      );
      if (!succeeded(real))
        t.notExercised(`the real request was not read either: ${describeExchange(real)}`, [real]);
      const params = { intent_id: t.random.uuid() };
      const read = await party.call('rfq.read', { params });
      assertRefused(t, 'rfq.read.unknown-refused', read, 'a read of no request');
      const no = await party.call('quote.submit', { params, body: quoteBody(t, order) });
      if (isRefusal(no)) await quote(t, maker, order);
      assertRefused(t, 'quote.submit.unknown-request-refused', no, 'a quote on no request');
    }
  },
};

const closed = rows(
  { id: 'accepted', by: 'sender' },
  { id: 'accepted-by-custodian', by: 'sender_custodian' },
  { id: 'cancelled', by: undefined },
).map<Check>(({ id, by }) => ({
  id: `quote.submit.closed.${id}`,
  title: `A request whose order was ${id} takes no further quote, of a maker with one or without.`,
  requirements: ['quote.submit.closed-request-refused'],
  needs: { parties: ['sender', ...(by ? [by] : []), 'maker_a', 'maker_b'], waitMs: 5_000 },
  async run(t) {
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_a', order);
    if (by) await accept(t, order, placed, by);
    else await cancelOrder(t, order);
    await t.target.timeline.sleep(viewLagMs);
    // Taken and never selected is an answer as well (gap `quote.late`).
    if (t.target.answers.get('quote.late') === 'taken') {
      return t.outOfScope('this target takes quotes that come too late (gap quote.late)');
    }
    const quoteLate = async (maker: (typeof makers)[number]): Promise<Exchange> =>
      tryQuote(t, maker, order);
    // A second quote of one maker may be refused for that (gap `quote.twice`), and says less of the request.
    const first = await quoteLate('maker_b');
    if (succeeded(first)) {
      return t.outOfScope('this target takes quotes that come too late (gap quote.late)');
    }
    for (const no of [first, await quoteLate('maker_a')]) {
      const what = 'a quote on a closed request';
      assertRefused(t, 'quote.submit.closed-request-refused', no, what);
    }
  },
}));

export const closedRequestChecks: readonly Check[] = [unknown, ...closed];
