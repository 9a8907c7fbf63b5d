import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  cancel,
  createOrder,
  type Fields,
  fieldsOf,
  insist,
  isRefusal,
  orderBody,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  readOrder,
  said,
  succeeded,
  targetNow,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { acceptCall, cancelling, each, stateOf } from '../3-states/words.ts';
import { judgeRead, judgeThere } from '../4-endpoints/requests-seen.ts';
import { travelMs } from '../6-events/listening.ts';
import {
  onlyWhereAcceptanceRefuses,
  notSimplyRefused,
  rivalsOf,
  tightTerms,
} from './tight-terms.ts';

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
  trial: Trial,
  requirements: readonly RequirementId[],
  call: () => Promise<Exchange>,
  /** Gives up where it is refused. */
  twin: () => Promise<unknown>,
  what: string,
): Promise<Exchange> {
  let exchange = await insist(trial, call);
  if (isRefusal(exchange)) {
    await twin();
    exchange = await call();
    if (isRefusal(exchange)) await twin();
  }
  for (const requirement of requirements) allowed(trial, requirement, exchange, what);
  return exchange;
}

/** A valid quote, to be valid no longer than one that this target took (gap `quote.max_validity`). */
const submitting =
  (trial: Trial, maker: CastName, order: PlacedOrder, validForMs: number) =>
  (): Promise<Exchange> => {
    const body = quoteBody(trial, order, { validForMs });
    return trial.party(maker).call('quote.submit', { params: paramsOf(order), body });
  };

/** How long a quote of this maker may be valid here, by one that was taken on an order like those to come. */
async function takenFor(trial: Trial, maker: CastName, terms: Fields = {}): Promise<number> {
  const { validUntil } = await quote(trial, maker, await createOrder(trial, terms));
  return validUntil - targetNow(trial).latest;
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
      async run(trial) {
        const validForMs = await takenFor(trial, maker);
        const order = await createOrder(trial);
        const params = paramsOf(order);
        const party = trial.party(maker);
        await insist(trial, () => party.call('rfq.read', { params }));
        const body = { ...quoteBody(trial, order, { validForMs }), fx_rate: rate };
        const no = await party.call('quote.submit', { params, body });
        // Whether it must be is judged elsewhere.
        if (!isRefusal(no)) return trial.outOfScope('a quote with such a rate is not refused here');
        const yes = await thenRight(
          trial,
          [nothing, submits],
          submitting(trial, maker, order, validForMs),
          () => takenFor(trial, maker),
          'the proper quote of a maker that was refused a wrong one',
        );
        const quoteId = textOf(fieldsOf(yes), 'quote_id');
        if (quoteId === undefined) return;
        const acceptance = await insist(trial, () => acceptCall(trial, order, { quoteId }, by));
        allowed(trial, usable, acceptance, 'a quote that came after one that was refused');
      },
    }),
);

/**
 * How many orders a party may have open is not shown (gap `limits.open_orders`): a creation that is refused shows
 * something only where others like it were taken right before and right after.
 */
async function takesAnother(trial: Trial): Promise<boolean> {
  return succeeded(await trial.party('sender').call('order.create', { body: orderBody(trial) }));
}

const creation = defineCheck({
  id: 'error.then-right.creation',
  title:
    'Once creations with a wrong amount were refused, the same body put right, with the same contract and signature, makes an order.',
  requirements: [nothing, 'order.create.succeeds'],
  needs: { parties: ['sender'] },
  async run(trial) {
    const sender = trial.party('sender');
    const body = orderBody(trial);
    const wrongs = [
      { ...body, source_amount_max: 'plenty' },
      { ...body, target_amount: '12.3.4' },
    ];
    for (const wrong of wrongs) {
      const no = await sender.call('order.create', { body: wrong });
      if (!isRefusal(no)) trial.giveUp('a creation with a wrong amount was not refused', [no]);
    }
    const create = (): Promise<Exchange> => sender.call('order.create', { body });
    let yes = await create();
    if (isRefusal(yes)) {
      yes = await trial.quietly(async () => {
        const before = await takesAnother(trial);
        const again = await create();
        const after = await takesAnother(trial);
        if (before && after) return again;
        return trial.giveUp(`${said(again)}, but another like it was not taken either`, [again]);
      });
    }
    const what = 'a body that was put right, while others like it were taken';
    for (const requirement of [nothing, 'order.create.succeeds'] as const) {
      allowed(trial, requirement, yes, what);
    }
  },
});

/** The rate that costs more than the maximum here: which one it is depends on how a rate is meant. */
async function dearRate(trial: Trial): Promise<string> {
  onlyWhereAcceptanceRefuses(trial);
  const order = await createOrder(trial, tightTerms);
  const rivals = await rivalsOf(trial, order, [
    await quote(trial, 'maker_a', order, { rate: '2' }),
    await quote(trial, 'maker_b', order, { rate: '0.5' }),
  ]);
  const rate = textOf(rivals?.dear.sent, 'fx_rate');
  return rate ?? trial.outOfScope('no rate told a dear quote from a fair one');
}

/** An open order whose only quote was too dear to be accepted. */
async function orderTooDear(trial: Trial): Promise<PlacedOrder> {
  const rate = await dearRate(trial);
  const order = await createOrder(trial, tightTerms);
  const dear = await quote(trial, 'maker_a', order, { rate });
  const no = await acceptCall(trial, order, dear);
  // It may also be what fails the order, at once or a little later.
  await trial.target.timeline.sleep(travelMs);
  const { data, exchange } = await readOrder(trial, order);
  if (!isRefusal(no) || stateOf(data) === 'FAILED') return trial.outOfScope(notSimplyRefused);
  if (stateOf(data) !== 'PENDING') return trial.giveUp('the order did not stay open', [exchange]);
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
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 2 * travelMs },
  async run(trial) {
    const validForMs = await takenFor(trial, 'maker_b', tightTerms);
    const order = await orderTooDear(trial);
    const when = 'after an acceptance was refused';
    const listed = ['rfq.list.still-listed-once-quoted', nothing] as const;
    const item = await judgeThere(trial, 'maker_b', order, listed, when);
    await judgeRead(trial, 'maker_b', order, item);
    const taken = await thenRight(
      trial,
      [nothing, submits],
      submitting(trial, 'maker_b', order, validForMs),
      () => takenFor(trial, 'maker_b', tightTerms),
      'an affordable quote on an order with one above its maximum',
    );
    const quoteId = textOf(fieldsOf(taken), 'quote_id');
    if (quoteId === undefined) return;
    const yes = await insist(trial, () => acceptCall(trial, order, { quoteId }));
    allowed(trial, usable, yes, 'an affordable quote on an order with one above its maximum');
  },
});

const tooDearCancelled = defineCheck({
  id: 'error.then-right.above-maximum.cancel',
  title:
    'Once the acceptance of a quote above the maximum was refused, the order can be cancelled as before.',
  requirements: [nothing, cancels],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 2 * travelMs },
  async run(trial) {
    const order = await orderTooDear(trial);
    await thenRight(
      trial,
      [nothing, cancels],
      () => cancelling(trial, order),
      async () => cancel(trial, await createOrder(trial, tightTerms)),
      'the cancel of an order whose quote was too dear',
    );
  },
});

export const thenRightChecks: readonly Check[] = [...quotes, creation, tooDear, tooDearCancelled];
