import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  type PlacedQuote,
  quote,
  quoteBody,
  settledOrder,
} from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  untilExpired,
  type OrderRef,
  readOrder,
} from '../../src/suite/actions/orders.ts';
import {
  isRefusal,
  matchesQuote,
  succeeded,
  textOf,
  matchesOrder,
} from '../../src/protocol/answers.ts';
import { pollUntil, retryWhileRefused } from '../../src/suite/actions/context.ts';
import { assertRefused } from '../../src/suite/actions/refusal-assertions.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import {
  ownQuotesOf,
  findQuote,
  quotesOf,
  quotesOnceListed,
  cancelOrder,
  readAs,
} from '../shared/order-life.ts';
import { needsOf, viewLagMs, settlementTimeoutMs, waits, rows, makers } from '../shared/waits.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import { pollList, walkUnchanged } from './list-pages.ts';
import { eventLatencyMs, stateOf } from '../shared/order-states.ts';

const wholeSecond: Check = {
  id: 'quote.whole-second-deadline',
  title: 'A quote whose deadline is a whole second shows it with milliseconds, wherever it stands.',
  requirements: [],
  needs: { parties: ['sender', 'maker_b'] },
  async run(t) {
    const order = await createOrder(t);
    const usual = parseTimestamp(quoteBody(t, order)['valid_until']) ?? 0;
    const validUntil = Math.floor(usual / 1_000) * 1_000;
    const placed = await quote(t, 'maker_b', order, { validUntil });
    await ownQuotesOf(t, order, 'maker_b');
    await quotesOf(t, order);
    await accept(t, order, placed);
  },
};

interface QuotedByAll {
  readonly order: PlacedOrder;
  readonly placed: readonly PlacedQuote[];
}

/** Looks for quotes in their lists: the order's, their makers' under the request, their makers'. */
async function lookInLists(
  t: CheckContext,
  quoted: readonly QuotedByAll[],
  sides: readonly CastName[] = ['sender'],
): Promise<void> {
  for (const { order, placed } of quoted) {
    for (const by of sides) await quotesOnceListed(t, order, placed, by);
    for (const one of placed) {
      const isThere = ({ items }: Awaited<ReturnType<typeof ownQuotesOf>>): boolean =>
        findQuote(items, one) !== undefined;
      await pollUntil(t, () => ownQuotesOf(t, order, one.maker), isThere);
    }
  }
  for (const by of makers) {
    const own = quoted.flatMap(({ placed }) => placed.filter(({ maker }) => maker === by));
    await pollList(t, { by, endpoint: 'quote.list' }, ...own.map(matchesQuote));
  }
}

const ofLists = [
  'rfq.quotes.complete',
  'rfq.quotes.only-that-request',
  'quote.list.complete',
  'quote.list.agrees-with-request',
  'order.quotes.complete',
  'quote.submit.shown-to-order-side',
] as const satisfies readonly RequirementId[];

const shown = rows(
  { id: 'three-makers', rates: ['1', '1', '1'] },
  { id: 'different-rates', rates: ['1', '1.0125', '0.9875'] },
).map<Check>(({ id, rates }) => ({
  id: `quote.lists.${id}`,
  title: `Three makers' quotes (${id}) on each of two orders are in all lists that they belong in, and in no other.`,
  requirements: [...ofLists, 'order.quotes.custodian-sees-same'],
  needs: { parties: ['sender', 'sender_custodian', ...makers], waitMs: 15_000 },
  async run(t) {
    const orders = [await createOrder(t), await createOrder(t)];
    const quoted: QuotedByAll[] = [];
    for (const order of orders) {
      const placed: PlacedQuote[] = [];
      for (const [index, maker] of makers.entries()) {
        placed.push(await quote(t, maker, order, { rate: rates[index] ?? '1' }));
        await quotesOnceListed(t, order, placed);
      }
      quoted.push({ order, placed });
    }
    await t.target.timeline.sleep(viewLagMs + 100);
    await lookInLists(t, quoted, ['sender', 'sender_custodian']);
  },
}));

const states = rows(
  { id: 'settled', by: 'sender' },
  { id: 'settled-by-custodian', by: 'sender_custodian' },
).map<Check>(({ id, by }) => ({
  id: `quote.lists.${id}`,
  title: `Quotes that won, lost and lapsed before an order was ${id} are still in the lists of their makers.`,
  requirements: ofLists,
  needs: needsOf(waits.settlement + 5_000, 'sender', by, ...makers),
  async run(t) {
    const order = await createOrder(t);
    const lapsed = await quote(t, 'maker_c', order, { validForMs: 2_500 });
    const won = await quote(t, 'maker_a', order);
    const lost = await quote(t, 'maker_b', order);
    await t.target.timeline.sleep(3_000);
    await accept(t, order, won, by);
    await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    await t.target.timeline.sleep(viewLagMs);
    await lookInLists(t, [{ order, placed: [lapsed, won, lost] }]);
  },
}));

/**
 * 4.2, 4.3: an acceptance needs no body. Only a success with a body proves that the missing body was the reason of a
 * refusal.
 */
const bare = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.accept.without-body.${by}`,
  title: `A quote that ${by} accepts without a body is accepted; one with a body is not the only way.`,
  requirements: ['quote.accept.no-body-needed'],
  needs: { parties: ['sender', by, 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { quoteId } = await quote(t, 'maker_a', order);
    const params = { ...paramsOf(order), quote_id: quoteId };
    const party = t.party(by);
    const no = await retryWhileRefused(t, () => party.call('quote.accept', { params }));
    const yes = isRefusal(no) ? await party.call('quote.accept', { params, body: {} }) : no;
    if (!succeeded(yes)) t.notExercised('the quote could not be accepted at all', [no, yes]);
  },
}));

export const quoteEndpointChecks: readonly Check[] = [...shown, ...states, ...bare, wholeSecond];

/** Two quotes of one maker on an order; out of scope if it may quote once only. */
async function twoQuotes(t: CheckContext, order: PlacedOrder, maker: CastName) {
  const first = await quote(t, maker, order);
  if (t.target.answers.get('quote.twice') === 'refuse') {
    t.outOfScope('a maker quotes once here (gap quote.twice)');
  }
  const second = await quote(t, maker, order, { rate: '1.02' });
  await t.target.timeline.sleep(viewLagMs + 100);
  return [first, second] as const;
}

/**
 * Two quotes of one maker, both PENDING for the order's side. Out of scope if not: their further states are open then.
 * @returns the first
 */
async function firstOfTwo(t: CheckContext, order: PlacedOrder, maker: CastName) {
  const [first] = await twoQuotes(t, order, maker);
  const { items } = await quotesOf(t, order);
  const standing = items.filter((item) => textOf(item, 'status') === 'PENDING');
  if (standing.length < 2)
    t.outOfScope('a second quote does not stand beside the first (gap quote.twice)');
  return first;
}

/**
 * 4.2 to 4.4: a second quote of a maker is on every list that shows the first. It may replace the first (gap
 * `quote.twice`).
 */
const listed: Check = {
  id: 'quote.two-of-one-maker.listed',
  title:
    'Where two quotes of one maker stand on an order, each has an id of its own, and its maker finds both in its lists.',
  requirements: [
    'quote.quote-id.unique',
    'rfq.quotes.complete',
    'rfq.quotes.only-that-request',
    'quote.list.complete',
    'quote.list.status-filter.complete',
    'quote.list.agrees-with-request',
    'order.quotes.complete',
    'quote.submit.shown-to-order-side',
  ],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: viewLagMs + 6_000 },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    const both = await twoQuotes(t, order, 'maker_b');
    await ownQuotesOf(t, order, 'maker_b');
    await quotesOf(t, order);
    for (const query of [{}, { status: 'PENDING' }, {}]) {
      const listing = { by: 'maker_b', endpoint: 'quote.list', query } as const;
      await pollList(t, listing, ...both.map(matchesQuote));
    }
  },
};

const selected: Check = {
  id: 'quote.two-of-one-maker.first-selected',
  title: "Of a maker's two quotes the one that the path names is accepted, though it is the older.",
  requirements: ['quote.accept.selects-named-quote', 'order.quote-id.names-accepted-quote'],
  needs: { parties: ['sender', 'maker_a'], waitMs: viewLagMs + 6_000 },
  async run(t) {
    const order = await createOrder(t);
    await accept(t, order, await firstOfTwo(t, order, 'maker_a'));
  },
};

const bothRejected: Check = {
  id: 'quote.two-of-one-maker.both-rejected',
  title:
    "When a rival's quote is selected both quotes of a maker are REJECTED, on the order's side and under the request, and the maker is told.",
  requirements: ['quote.state.pending-to-rejected', 'event.quote-rejected.sent'],
  needs: needsOf(viewLagMs + eventLatencyMs, 'sender', 'sender_custodian', 'maker_a', 'maker_b'),
  async run(t) {
    const order = await createOrder(t);
    await firstOfTwo(t, order, 'maker_b');
    // A rate that occurs in no quote of the losing maker and in no amount, so that a rule recognizes it if it leaks.
    const winner = await quote(t, 'maker_a', order, { rate: '1.015' });
    await accept(t, order, winner, 'sender_custodian');
    await t.target.timeline.sleep(eventLatencyMs);
    await quotesOf(t, order);
    await ownQuotesOf(t, order, 'maker_b');
  },
};

const afterExpiry: Check = {
  id: 'quote.list.after-expiry',
  title: 'Quotes on an order that has expired stay on the list of their makers.',
  requirements: ['quote.list.complete'],
  needs: { parties: ['sender', 'maker_a', 'maker_c'], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    const placed = [await quote(t, 'maker_a', order), await quote(t, 'maker_c', order)];
    await untilExpired(t, order);
    await t.target.timeline.sleep(viewLagMs);
    for (const one of placed) {
      await pollList(t, { by: one.maker, endpoint: 'quote.list' }, matchesQuote(one));
    }
  },
};

export const twoQuotesChecks: readonly Check[] = [listed, selected, bothRejected, afterExpiry];

const list = (by: CastName) => ({ by, endpoint: 'settlement.list' }) as const;

/** Looks for a settlement on a maker's list, and reads it. */
async function listAndRead(t: CheckContext, maker: CastName, order: OrderRef): Promise<void> {
  await pollList(t, list(maker), matchesOrder(order));
  await t.party(maker).call('settlement.read', { params: paramsOf(order) });
}

const won = rows(
  { maker: 'maker_a', acceptedBy: 'sender', rate: '1' },
  { maker: 'maker_b', acceptedBy: 'sender_custodian', rate: '1' },
  { maker: 'maker_c', acceptedBy: 'sender', rate: '1.0372' },
  { maker: 'maker_a', acceptedBy: 'sender_custodian', rate: '0.98765' },
).map<Check>(({ maker, acceptedBy, rate }) => ({
  id: `settlement.list.${maker}.${acceptedBy}`,
  title: `Trades that ${maker} won at ${rate} and ${acceptedBy} accepted are settlements of ${maker} once settled.`,
  requirements: [
    'settlement.list.holds-won',
    'settlement.read.returns-that-settlement',
    'settlement.read.agrees-with-list',
  ],
  needs: needsOf(2 * waits.settlement, 'sender', acceptedBy, maker),
  async run(t) {
    for (let trade = 0; trade < 2; trade += 1) {
      const { order } = await settledOrder(t, { maker, acceptedBy, rate });
      await listAndRead(t, maker, order);
    }
  },
}));

const early = (['sender', 'sender_custodian'] as const).map<Check>((acceptedBy) => ({
  id: `settlement.list.early.${acceptedBy}`,
  title: `Until a trade that ${acceptedBy} accepted has settled, it is no settlement of its maker.`,
  requirements: ['settlement.list.settled-only', 'settlement.read.unsettled-refused'],
  needs: needsOf(waits.settlement, 'sender', acceptedBy, 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_a', order);
    await walkUnchanged(t, list('maker_a'));
    const params = paramsOf(order);
    const no = await t.party('maker_a').call('settlement.read', { params });
    if (stateOf((await readOrder(t, order)).data) === 'PENDING') {
      const what = 'the settlement of a PENDING order';
      assertRefused(t, 'settlement.read.unsettled-refused', no, what);
    }
    await accept(t, order, placed, acceptedBy);
    for (let look = 0; look < 4; look += 1) {
      await walkUnchanged(t, list('maker_a'));
      await t.party('maker_a').call('settlement.read', { params });
      // An order that is not SETTLED now was not SETTLED when the list was made either.
      const state = stateOf((await readOrder(t, order)).data);
      if (terminalOrderStates.some((end) => end === state)) return;
      await t.target.timeline.sleep(800 * 2 ** look);
    }
  },
}));

const unknown: Check = {
  id: 'settlement.read.unknown',
  title: 'An id that no settlement has is refused to every maker; a settlement of its own is read.',
  requirements: ['settlement.read.unknown-refused', 'settlement.read.unsettled-refused'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: waits.settlement },
  async run(t) {
    const pending = await createOrder(t);
    const { order } = await settledOrder(t, { maker: 'maker_a' });
    const real = await readAs(t, 'maker_a', 'settlement.read', order);
    if (isRefusal(real)) t.notExercised('the real settlement was not read either', [real]);
    for (const maker of ['maker_a', 'maker_b'] as const) {
      const read = (intentId: string) =>
        t.party(maker).call('settlement.read', { params: { intent_id: intentId } });
      const no = await read(t.random.uuid());
      assertRefused(t, 'settlement.read.unknown-refused', no, 'the settlement of no order');
      const what = 'that of an order without quotes';
      const unsettled = await read(pending.intentId);
      assertRefused(t, 'settlement.read.unsettled-refused', unsettled, what);
    }
  },
};

const cancelled: Check = {
  id: 'settlement.list.cancelled',
  title: 'An order that was cancelled, quoted or not, is no settlement of anybody.',
  requirements: ['settlement.list.settled-only'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 10_000 },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    await cancelOrder(t, order);
    await t.target.timeline.sleep(6_000);
    await readOrder(t, order);
    await t.party('sender').call('order.quotes', { params: paramsOf(order) });
    await t.party('maker_a').call('rfq.quotes', { params: paramsOf(order) });
    for (const maker of ['maker_a', 'maker_b'] as const) await walkUnchanged(t, list(maker));
  },
};

const others: Check = {
  id: 'settlement.list.others',
  title:
    'A settled trade is on the list of the maker that won it, and of no maker that quoted it too.',
  requirements: ['settlement.list.won-only', 'settlement.list.holds-won'],
  needs: { parties: ['sender', 'maker_a', 'maker_b', 'maker_c'], waitMs: waits.settlement },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    await accept(t, order, await quote(t, 'maker_b', order));
    if (!(await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs)))
      t.notExercised('the order did not settle');
    await t.target.timeline.sleep(viewLagMs);
    for (const maker of makers) {
      await pollList(t, list(maker), matchesOrder(order));
    }
  },
};

export const settlementEndpointChecks: readonly Check[] = [
  ...won,
  ...early,
  unknown,
  cancelled,
  others,
];
