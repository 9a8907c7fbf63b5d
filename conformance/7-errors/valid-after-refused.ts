import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  cancel,
  createOrder,
  type Fields,
  fieldsOf,
  retryWhileRefused,
  isRefusal,
  orderBody,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  readOrder,
  describeExchange,
  succeeded,
  targetNow,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { tryAccept, cancelOrder } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';
import { stateOf } from '../shared/order-fields.ts';
import { assertRead, assertOnList } from '../4-endpoints/makers/listed-requests.ts';
import { eventLatencyMs } from '../shared/streams.ts';
import {
  requireRefusedAcceptance,
  acceptanceNotRefused,
  dearAndCheapOf,
  lowMaximumTerms,
} from './unaffordable-quotes.ts';

const nothing = 'error.refusal-changes-nothing';
const usable = 'quote.state.usable-until-deadline';
const submits = 'access.quote.submit.market-maker-allowed';
const cancels = 'order.cancel.pending-with-quotes';

/**
 * Makes the request that is right after one that was refused, and judges that it is served. Where it is not, twins
 * that no refusal went before must be, right before and right after it, or else the check gives up: then something else
 * stands in the way, or the twin took the only room there was.
 */
async function thenRight(
  t: CheckContext,
  requirements: readonly RequirementId[],
  call: () => Promise<Exchange>,
  /** Gives up where it is refused. */
  twin: () => Promise<unknown>,
  what: string,
): Promise<Exchange> {
  let exchange = await retryWhileRefused(t, call);
  if (isRefusal(exchange)) {
    await twin();
    exchange = await call();
    if (isRefusal(exchange)) await twin();
  }
  for (const requirement of requirements) assertAllowed(t, requirement, exchange, what);
  return exchange;
}

/** A valid quote, to be valid no longer than one that this target took (gap `quote.max_validity`). */
const submitting =
  (t: CheckContext, maker: CastName, order: PlacedOrder, validForMs: number) =>
  (): Promise<Exchange> => {
    const body = quoteBody(t, order, { validForMs });
    return t.party(maker).call('quote.submit', { params: paramsOf(order), body });
  };

/** How long a quote of this maker may be valid here, by one that was taken on an order like those to come. */
async function takenFor(t: CheckContext, maker: CastName, terms: Fields = {}): Promise<number> {
  const { validUntil } = await quote(t, maker, await createOrder(t, terms));
  return validUntil - targetNow(t).latest;
}

const quotes = each(
  [
    { id: 'not-a-number', rate: 'broken', maker: 'maker_a', by: 'sender' },
    { id: 'negative', rate: '-1.5', maker: 'maker_b', by: 'sender_custodian' },
  ] as const,
  ({ id, rate, maker, by }) =>
    defineCheck({
      id: `error.then-right.quote.${id}`,
      title: `Once a quote of ${maker} with the rate "${rate}" was refused, its proper one on the same order is taken, and ${by} can accept it.`,
      requirements: [nothing, submits, usable],
      needs: { parties: [...new Set<CastName>(['sender', maker, by])] },
      async run(t) {
        const validForMs = await takenFor(t, maker);
        const order = await createOrder(t);
        const params = paramsOf(order);
        const party = t.party(maker);
        await retryWhileRefused(t, () => party.call('rfq.read', { params }));
        const body = { ...quoteBody(t, order, { validForMs }), fx_rate: rate };
        const no = await party.call('quote.submit', { params, body });
        // Whether it must be is judged elsewhere.
        if (!isRefusal(no)) return t.outOfScope('a quote with such a rate is not refused here');
        const yes = await thenRight(
          t,
          [nothing, submits],
          submitting(t, maker, order, validForMs),
          () => takenFor(t, maker),
          'the proper quote of a maker that was refused a wrong one',
        );
        const quoteId = textOf(fieldsOf(yes), 'quote_id');
        if (quoteId === undefined) return;
        const acceptance = await retryWhileRefused(t, () => tryAccept(t, order, { quoteId }, by));
        assertAllowed(t, usable, acceptance, 'a quote that came after one that was refused');
      },
    }),
);

/**
 * How many orders a party may have open is not shown (gap `limits.open_orders`): a creation that is refused shows
 * something only where others like it were taken right before and right after.
 */
async function takesAnother(t: CheckContext): Promise<boolean> {
  return succeeded(await t.party('sender').call('order.create', { body: orderBody(t) }));
}

const creation = defineCheck({
  id: 'error.then-right.creation',
  title:
    'Once creations with a wrong amount were refused, the same body put right, with the same contract and signature, makes an order.',
  requirements: [nothing, 'order.create.succeeds'],
  needs: { parties: ['sender'] },
  async run(t) {
    const sender = t.party('sender');
    const body = orderBody(t);
    const wrongs = [
      { ...body, source_amount_max: 'plenty' },
      { ...body, target_amount: '12.3.4' },
    ];
    for (const wrong of wrongs) {
      const no = await sender.call('order.create', { body: wrong });
      if (!isRefusal(no)) t.notExercised('a creation with a wrong amount was not refused', [no]);
    }
    const create = (): Promise<Exchange> => sender.call('order.create', { body });
    let yes = await create();
    if (isRefusal(yes)) {
      yes = await t.exclusively(async () => {
        const before = await takesAnother(t);
        const again = await create();
        const after = await takesAnother(t);
        if (before && after) return again;
        return t.notExercised(
          `${describeExchange(again)}, but another like it was not taken either`,
          [again],
        );
      });
    }
    const what = 'a body that was put right, while others like it were taken';
    for (const requirement of [nothing, 'order.create.succeeds'] as const) {
      assertAllowed(t, requirement, yes, what);
    }
  },
});

/** The rate that costs more than the maximum here: which one it is depends on how a rate is meant. */
async function dearRate(t: CheckContext): Promise<string> {
  requireRefusedAcceptance(t);
  const order = await createOrder(t, lowMaximumTerms);
  const rivals = await dearAndCheapOf(t, order, [
    await quote(t, 'maker_a', order, { rate: '2' }),
    await quote(t, 'maker_b', order, { rate: '0.5' }),
  ]);
  const rate = textOf(rivals?.dear.sent, 'fx_rate');
  return rate ?? t.outOfScope('no rate told a dear quote from a fair one');
}

/** An open order whose only quote was too dear to be accepted. */
async function orderTooDear(t: CheckContext): Promise<PlacedOrder> {
  const rate = await dearRate(t);
  const order = await createOrder(t, lowMaximumTerms);
  const dear = await quote(t, 'maker_a', order, { rate });
  const no = await tryAccept(t, order, dear);
  // It may also be what fails the order, at once or a little later.
  await t.target.timeline.sleep(eventLatencyMs);
  const { data, exchange } = await readOrder(t, order);
  if (!isRefusal(no) || stateOf(data) === 'FAILED') return t.outOfScope(acceptanceNotRefused);
  if (stateOf(data) !== 'PENDING') return t.notExercised('the order did not stay open', [exchange]);
  return order;
}

const tooDear = defineCheck({
  id: 'error.then-right.above-maximum.other-quote',
  title:
    'Once the acceptance of a quote above the maximum was refused, the request is there for another maker as before, and its affordable quote is taken and can be accepted.',
  requirements: [
    nothing,
    'rfq.list.still-listed-once-quoted',
    'rfq.read.returns-that-request',
    'rfq.read.agrees-with-list',
    submits,
    usable,
  ],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 2 * eventLatencyMs },
  async run(t) {
    const validForMs = await takenFor(t, 'maker_b', lowMaximumTerms);
    const order = await orderTooDear(t);
    const when = 'after an acceptance was refused';
    const listed = ['rfq.list.still-listed-once-quoted', nothing] as const;
    const item = await assertOnList(t, 'maker_b', order, listed, when);
    await assertRead(t, 'maker_b', order, item);
    const taken = await thenRight(
      t,
      [nothing, submits],
      submitting(t, 'maker_b', order, validForMs),
      () => takenFor(t, 'maker_b', lowMaximumTerms),
      'an affordable quote on an order with one above its maximum',
    );
    const quoteId = textOf(fieldsOf(taken), 'quote_id');
    if (quoteId === undefined) return;
    const yes = await retryWhileRefused(t, () => tryAccept(t, order, { quoteId }));
    assertAllowed(t, usable, yes, 'an affordable quote on an order with one above its maximum');
  },
});

const tooDearCancelled = defineCheck({
  id: 'error.then-right.above-maximum.cancel',
  title:
    'Once the acceptance of a quote above the maximum was refused, the order can be cancelled as before.',
  requirements: [nothing, cancels],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 2 * eventLatencyMs },
  async run(t) {
    const order = await orderTooDear(t);
    await thenRight(
      t,
      [nothing, cancels],
      () => cancelOrder(t, order),
      async () => cancel(t, await createOrder(t, lowMaximumTerms)),
      'the cancel of an order whose quote was too dear',
    );
  },
});

export const validAfterRefusedChecks: readonly Check[] = [
  ...quotes,
  creation,
  tooDear,
  tooDearCancelled,
];
