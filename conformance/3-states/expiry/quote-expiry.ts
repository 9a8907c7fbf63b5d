import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  retryWhileRefused,
  isBefore,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
  readOrder,
  assertNoServerFault,
  targetNow,
  targetTime,
  textOf,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../../shared/order-life.ts';
import { proposedOrder } from '../acceptance/proposal-acceptance.ts';
import { assertQuoteState, ownQuotesOf, findQuote, quotesOf } from '../../shared/listed-quotes.ts';
import { assertState, assertUntouched } from '../../shared/order-assertions.ts';
import {
  tryAccept,
  type Accepter,
  each,
  settlementTimeoutMs,
  stateOf,
  expiryLagMs,
  terminalStates,
  waits,
} from '../../shared/order-calls.ts';

/** Weeks are more milliseconds than 31 bits hold. */
const farOffMs = 30 * 24 * 3_600_000;

const farOff = defineCheck({
  id: 'quote.expiry.far-off',
  title: 'A quote that is valid for weeks, where a target takes one, can be accepted and settles.',
  requirements: [
    'error.refusal-is-4xx',
    'quote.state.pending-to-expired.not-early',
    ...lifeRequirementsOf(),
  ],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.settlement },
  async run(t) {
    const order = await createOrder(t);
    const params = paramsOf(order);
    const validUntil = targetNow(t).latest + farOffMs;
    const body = quoteBody(t, order, { validUntil });
    const exchange = await retryWhileRefused(t, () =>
      t.party('maker_a').call('quote.submit', { params, body }),
    );
    assertNoServerFault(t, 'error.refusal-is-4xx', exchange, 'a quote that is valid for weeks');
    const placed = placedQuote('maker_a', exchange);
    if (!placed) {
      return t.outOfScope('no quote is valid for so long here (gap quote.max_validity)');
    }
    await t.target.timeline.sleep(1_000);
    const early = 'quote.state.pending-to-expired.not-early';
    const when = 'a second after it was submitted, to be valid for weeks';
    await assertQuoteState(t, early, order, placed, ['PENDING'], when);
    await acceptAndSettle(t, { order, quote: placed, acceptedBy: 'sender' });
    return undefined;
  },
});

const requirements = [
  'quote.state.pending-to-expired',
  'quote.state.pending-to-expired.not-early',
  'quote.state.expired-absorbs',
] as const;

interface Look {
  readonly status: string | undefined;
  readonly exchange: Exchange;
}

/** How a quote stands in the lists of the sender, its custodian and its maker. */
async function looks(
  t: CheckContext,
  order: PlacedOrder,
  placed: PlacedQuote,
  by: readonly CastName[],
): Promise<readonly Look[]> {
  const seen: Look[] = [];
  for (const name of by) {
    const { items, exchange } =
      name === placed.maker ? await ownQuotesOf(t, order, name) : await quotesOf(t, order, name);
    seen.push({ status: textOf(findQuote(items, placed), 'status'), exchange });
  }
  return seen;
}

/** Judges a quote in every list: PENDING until its deadline, EXPIRED after it, and for good. */
async function assertLapse(
  t: CheckContext,
  order: PlacedOrder,
  placed: PlacedQuote,
  observers: readonly CastName[],
): Promise<void> {
  const { timeline, clock } = t.target;
  const deadline = placed.validUntil;
  await timeline.until(deadline - clock.offset.most - 400);
  for (const { status, exchange } of await looks(t, order, placed, observers)) {
    if (status === undefined || exchange.received + clock.offset.most >= deadline - 25) continue;
    t.assert('quote.state.pending-to-expired.not-early', status === 'PENDING', {
      message: `A quote was ${status} before its valid_until.`,
      expected: 'PENDING',
      actual: status,
      seen: [exchange],
    });
  }
  await timeline.until(deadline - clock.offset.least + expiryLagMs);
  for (const requirement of [
    'quote.state.pending-to-expired',
    'quote.state.expired-absorbs',
  ] as const) {
    for (const { status, exchange } of await looks(t, order, placed, observers)) {
      if (status === undefined) continue;
      t.assert(requirement, status === 'EXPIRED', {
        message: `A quote of ${placed.maker} was ${status} well after its valid_until.`,
        expected: 'EXPIRED',
        actual: status,
        seen: [exchange],
      });
    }
    await timeline.sleep(1_000);
  }
}

const lapses = each(
  [
    { id: 'alone', short: 'maker_a', long: [] },
    { id: 'after-its-proposal', short: 'maker_a', long: ['maker_b'], order: proposedOrder },
    { id: 'beside-a-rival', short: 'maker_b', long: ['maker_a'] },
    { id: 'before-two-rivals', short: 'maker_c', long: ['maker_b', 'maker_a'] },
  ] as const satisfies readonly {
    id: string;
    short: CastName;
    long: readonly CastName[];
    order?: (t: CheckContext) => Promise<PlacedOrder>;
  }[],
  ({ id, short, long, order: place = createOrder }) =>
    defineCheck({
      id: `quote.expiry.${id}`,
      title: `A quote of ${short} beside ${long.length} longer ones is EXPIRED after its deadline for its maker and for the order side; the order stays open.`,
      requirements: [
        ...requirements,
        'quote.state.other-orders-untouched',
        'order.state.other-orders-untouched',
        ...lifeRequirementsOf(),
      ],
      needs: {
        parties: ['sender', 'sender_custodian', short, ...long],
        waitMs: waits.quoteExpiry + waits.settlement,
      },
      async run(t) {
        const order = await place(t);
        const placed = await quote(t, short, order, { validForMs: 3_000 });
        const kept: PlacedQuote[] = [];
        for (const maker of long) kept.push(await quote(t, maker, order));
        await assertLapse(t, order, placed, ['sender', 'sender_custodian', short]);
        await assertUntouched(
          t,
          'order.state.other-orders-untouched',
          order,
          'after a quote on it had expired',
        );
        const [first] = kept;
        if (first) await acceptAndSettle(t, { order, quote: first, acceptedBy: 'sender' });
      },
    }),
);

/** A quote that was decided on has no deadline any more. */
const decided = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `quote.expiry.decided.${by}`,
    title: `After their deadlines a quote that ${by} selected is still ACCEPTED, its rival REJECTED and the order SETTLED.`,
    requirements: [
      'quote.state.rejected-absorbs',
      'order.state.settled-absorbs',
      ...lifeRequirementsOf(by),
    ],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
      waitMs: waits.quoteExpiry + waits.settlement,
    },
    async run(t) {
      const order = await createOrder(t);
      const rival = await quote(t, 'maker_a', order, { validForMs: 8_000 });
      const winner = await quote(t, 'maker_b', order, { validForMs: 8_000 });
      const acceptance = await acceptAndSettle(t, { order, quote: winner, acceptedBy: by });
      const now = await readOrder(t, order);
      if (stateOf(now.data) !== 'SETTLED') return;
      const { timeline, clock } = t.target;
      await timeline.until(winner.validUntil - clock.offset.least + expiryLagMs);
      const when = 'after the deadline that it once had';
      // On a slow target the rival, the older of the two, may have lapsed before one was selected.
      const rivalStood =
        acceptance && isBefore(targetTime(t, acceptance), rival.validUntil) === true;
      for (const observer of ['sender', 'its maker'] as const) {
        const kept = 'quote.state.accepted-stays-through-settlement';
        await assertQuoteState(t, kept, order, winner, ['ACCEPTED'], when, observer);
        const lost = 'quote.state.rejected-absorbs';
        if (rivalStood) await assertQuoteState(t, lost, order, rival, ['REJECTED'], when, observer);
      }
      const after = await readOrder(t, order);
      const stays = 'order.state.settled-absorbs';
      assertState(t, stays, after, ['SETTLED'], "after its quote's valid_until");
    },
  }),
);

/** Whether a settlement goes on beyond its quote's deadline is open; where it does, the quote is still the accepted one. */
const overtaken = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `quote.expiry.overtaken.${by}`,
    title: `A quote that ${by} selected and whose deadline passes while the order executes is still ACCEPTED once that has settled.`,
    requirements: ['quote.state.accepted-stays-through-settlement'],
    needs: {
      parties: [...new Set(['sender', 'maker_a', by] as const)],
      waitMs: waits.quoteExpiry + waits.settlement,
    },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_a', order, { validForMs: 2_500 });
      await accept(t, order, placed, by);
      const ended = await awaitStatus(t, order, terminalStates, settlementTimeoutMs);
      if (ended?.status !== 'SETTLED') {
        return t.outOfScope('here an order does not outlast the deadline of its quote');
      }
      const { timeline, clock } = t.target;
      await timeline.until(placed.validUntil - clock.offset.least + expiryLagMs);
      const when = 'though its order settled';
      for (const observer of ['sender', 'its maker'] as const) {
        const kept = 'quote.state.accepted-stays-through-settlement';
        await assertQuoteState(t, kept, order, placed, ['ACCEPTED'], when, observer);
      }
    },
  }),
);

/** That one deadline was heeded, or an acceptance refused for it, is no reason to forget the next. */
const oneByOne = defineCheck({
  id: 'quote.expiry.one-by-one',
  title:
    'Of two quotes that lapse one after the other each is EXPIRED; after a refused acceptance the order expires as well.',
  requirements: ['quote.state.pending-to-expired', 'order.state.pending-to-expired'],
  needs: {
    parties: ['sender', 'maker_a', 'maker_b'],
    waitMs: waits.quoteExpiry + waits.orderExpiry,
  },
  async run(t) {
    const order = await createOrder(t);
    const both = [
      await quote(t, 'maker_a', order, { validForMs: 1_500 }),
      await quote(t, 'maker_b', order, { validForMs: 3_000 }),
    ];
    const { timeline, clock } = t.target;
    const lapsed = 'quote.state.pending-to-expired';
    for (const one of both) {
      // A target may grant more time than was asked for.
      if (one.validUntil >= (order.expiresAt ?? 0)) break;
      await timeline.until(one.validUntil - clock.offset.least + expiryLagMs);
      if (targetNow(t).latest >= (order.expiresAt ?? 0)) break;
      await assertQuoteState(t, lapsed, order, one, ['EXPIRED'], 'well after its deadline');
      await tryAccept(t, order, one);
    }
    await untilExpired(t, order, expiryLagMs);
    const after = await readOrder(t, order);
    const expires = 'order.state.pending-to-expired';
    assertState(t, expires, after, ['EXPIRED'], 'well after its expires_at, its quotes lapsed');
  },
});

export const quoteExpiryChecks: readonly Check[] = [
  farOff,
  ...lapses,
  oneByOne,
  ...decided,
  ...overtaken,
];
