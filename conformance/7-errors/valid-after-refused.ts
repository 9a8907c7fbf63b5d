import type { CheckContext, Check } from '../../src/suite/engine/check.ts';
import {
  type PlacedOrder,
  cancel,
  createOrder,
  orderBody,
  paramsOf,
  readOrder,
} from '../../src/suite/actions/orders.ts';
import { type PlacedQuote, quote, quoteBody } from '../../src/suite/actions/quotes.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import {
  type Fields,
  fieldsOf,
  matchesOrder,
  isRefusal,
  textOf,
} from '../../src/protocol/answers.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import { retryWhileRefused, targetNow } from '../../src/suite/actions/context.ts';
import { compare, parseDecimal } from '../../src/protocol/decimal.ts';
import { findQuote, quotesOf, tryAccept, cancelOrder, tryQuote } from '../shared/order-life.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { stateOf, eventLatencyMs } from '../shared/order-states.ts';
import { rows } from '../shared/waits.ts';

const maximum = '1500.00';

/** Terms of an order for which one of the rates 2 and 0.5 is above the maximum, in either rate orientation. */
export const lowMaximumTerms = { target_amount: '1000.00', source_amount_max: maximum };

interface DearAndCheap {
  readonly dear: PlacedQuote;
  readonly fair: PlacedQuote;
}

export const acceptanceNotRefused =
  'this backend does not refuse the acceptance of a quote above source_amount_max';

/**
 * Ends the check if a quote above the maximum is known to be refused at its submission, or its acceptance to fail the
 * order.
 */
export function requireRefusedAcceptance(t: CheckContext): void {
  const known = t.target.answers.get('quote.above_max');
  if (known === 'refuse-submit' || known === 'fail-order') t.outOfScope(acceptanceNotRefused);
}

/**
 * Finds the one of two quotes that costs more than the maximum, as the order side lists them; undefined if not exactly
 * one does.
 */
export async function dearAndCheapOf(
  t: CheckContext,
  order: PlacedOrder,
  quotes: readonly [PlacedQuote, PlacedQuote],
): Promise<DearAndCheap | undefined> {
  const { items } = await quotesOf(t, order);
  const most = parseDecimal(maximum);
  const isDear = (one: PlacedQuote): boolean | undefined => {
    const cost = parseDecimal(findQuote(items, one)?.['source_amount']);
    return cost && most ? compare(cost, most) > 0 : undefined;
  };
  const [a, b] = quotes;
  const [first, second] = [isDear(a), isDear(b)];
  if (first === undefined || second === undefined || first === second) return undefined;
  return first ? { dear: a, fair: b } : { dear: b, fair: a };
}

const nothing = 'error.refusal-changes-nothing';
const cancels = 'order.cancel.pending-with-quotes';

/**
 * Makes the correct request after a refused one, and judges that it is served. If it is refused, controls without an
 * earlier refusal are sent right before and right after a second attempt. If a control is refused, the check ends:
 * there is another reason, or the control used up the last free place.
 */
async function thenRight(
  t: CheckContext,
  requirements: readonly RequirementId[],
  call: () => Promise<Exchange>,
  /** Ends the check if it is refused. */
  control: () => Promise<unknown>,
  what: string,
): Promise<Exchange> {
  let exchange = await retryWhileRefused(t, call);
  if (isRefusal(exchange)) {
    await control();
    exchange = await call();
    if (isRefusal(exchange)) await control();
  }
  for (const requirement of requirements) assertAllowed(t, requirement, exchange, what);
  return exchange;
}

/** Admissible validity of this maker's quotes, in milliseconds: that of a quote taken on an order of these terms. */
async function takenFor(t: CheckContext, maker: CastName, terms: Fields): Promise<number> {
  const { validUntil } = await quote(t, maker, await createOrder(t, terms));
  return validUntil - targetNow(t).latest;
}

/** A valid quote, valid no longer than one that this target took (gap `quote.max_validity`), is taken and can be accepted. */
async function assertQuotable(
  t: CheckContext,
  order: PlacedOrder,
  { maker, by, validForMs, terms = {} }: Quoting,
  what: string,
): Promise<void> {
  const submit = () => tryQuote(t, maker, order, { validForMs });
  const taken = await thenRight(t, [nothing], submit, () => takenFor(t, maker, terms), what);
  const quoteId = textOf(fieldsOf(taken), 'quote_id');
  if (quoteId === undefined) return;
  const acceptance = await retryWhileRefused(t, () => tryAccept(t, order, { quoteId }, by));
  assertAllowed(t, nothing, acceptance, what);
}

interface Quoting {
  readonly maker: CastName;
  readonly by: CastName;
  readonly validForMs: number;
  readonly terms?: Fields;
}

const quotes = rows(
  { id: 'not-a-number', rate: 'broken', maker: 'maker_a', by: 'sender' },
  { id: 'negative', rate: '-1.5', maker: 'maker_b', by: 'sender_custodian' },
).map<Check>(({ id, rate, maker, by }) => ({
  id: `error.valid-after-refused.quote.${id}`,
  title: `Once a quote of ${maker} with the rate "${rate}" was refused, its proper one on the same order is taken, and ${by} can accept it.`,
  requirements: [nothing],
  needs: { parties: ['sender', maker, by] },
  async run(t) {
    const validForMs = await takenFor(t, maker, {});
    const order = await createOrder(t);
    const params = paramsOf(order);
    const party = t.party(maker);
    await retryWhileRefused(t, () => party.call('rfq.read', { params }));
    const body = { ...quoteBody(t, order, { validForMs }), fx_rate: rate };
    const no = await party.call('quote.submit', { params, body });
    // Other checks judge if it must be refused.
    if (!isRefusal(no)) return t.outOfScope('a quote with such a rate is not refused here');
    const what = 'the proper quote of a maker that was refused a wrong one';
    await assertQuotable(t, order, { maker, by, validForMs }, what);
  },
}));

const creation: Check = {
  id: 'error.valid-after-refused.creation',
  title:
    'Once creations with a wrong amount were refused, the same body put right, with the same contract and signature, makes an order.',
  requirements: [nothing, 'order.create.succeeds'],
  needs: { parties: ['sender'] },
  async run(t) {
    const sender = t.party('sender');
    const body = orderBody(t);
    for (const wrong of [{ source_amount_max: 'plenty' }, { target_amount: '12.3.4' }]) {
      const no = await sender.call('order.create', { body: { ...body, ...wrong } });
      if (!isRefusal(no)) t.notExercised('a creation with a wrong amount was not refused', [no]);
    }
    // A party's limit of open orders is unknown (gap `limits.open_orders`): no other check may create any meanwhile.
    await t.exclusively(() =>
      thenRight(
        t,
        [nothing, 'order.create.succeeds'],
        () => sender.call('order.create', { body }),
        () => createOrder(t),
        'a body that was put right, while others like it were taken',
      ),
    );
  },
};

/** The rate that costs more than the maximum here: which one it is depends on how a rate is meant. */
async function dearRate(t: CheckContext): Promise<string> {
  requireRefusedAcceptance(t);
  const order = await createOrder(t, lowMaximumTerms);
  const rivals = await dearAndCheapOf(t, order, [
    await quote(t, 'maker_a', order, { rate: '2' }),
    await quote(t, 'maker_b', order, { rate: '0.5' }),
  ]);
  const rate = textOf(rivals?.dear.sent, 'fx_rate');
  return rate ?? t.outOfScope('no rate made one of two quotes dear');
}

/** An open order whose only quote was too expensive to be accepted. */
async function orderTooDear(t: CheckContext): Promise<PlacedOrder> {
  const rate = await dearRate(t);
  const order = await createOrder(t, lowMaximumTerms);
  const dear = await quote(t, 'maker_a', order, { rate });
  const no = await tryAccept(t, order, dear);
  // The acceptance may also fail the order, at once or a little later.
  await t.target.timeline.sleep(eventLatencyMs);
  const { data, exchange } = await readOrder(t, order);
  if (!isRefusal(no) || stateOf(data) === 'FAILED') return t.outOfScope(acceptanceNotRefused);
  if (stateOf(data) !== 'PENDING') return t.notExercised('the order did not stay open', [exchange]);
  return order;
}

/** 7: where an acceptance above the maximum is refused (gap `quote.above_max`), the order stays open for other quotes. */
const tooDear: Check = {
  id: 'error.valid-after-refused.above-maximum.other-quote',
  title:
    'Once the acceptance of a quote above the maximum was refused, the request is there for another maker as before, and its affordable quote is taken and can be accepted.',
  requirements: [nothing],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 2 * eventLatencyMs },
  async run(t) {
    const validForMs = await takenFor(t, 'maker_b', lowMaximumTerms);
    const order = await orderTooDear(t);
    await findInList(t, t.party('maker_b'), 'rfq.list', matchesOrder(order));
    await t.party('maker_b').call('rfq.read', { params: paramsOf(order) });
    const quoting = { maker: 'maker_b', by: 'sender', validForMs, terms: lowMaximumTerms } as const;
    const what = 'an affordable quote on an order with one above its maximum';
    await assertQuotable(t, order, quoting, what);
  },
};

const tooDearCancelled: Check = {
  id: 'error.valid-after-refused.above-maximum.cancel',
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
};

export const validAfterRefusedChecks: readonly Check[] = [
  ...quotes,
  creation,
  tooDear,
  tooDearCancelled,
];
