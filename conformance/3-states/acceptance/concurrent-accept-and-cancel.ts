import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  createOrder,
  retryWhileRefused,
  matchesQuote,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  readOrder,
  describeExchange,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { assertQuoteState } from '../../shared/listed-quotes.ts';
import { assertAcceptedTerms } from '../../shared/accepted-terms.ts';
import { assertState } from '../../shared/order-assertions.ts';
import {
  acceptanceFields,
  tryAccept,
  type Accepter,
  simultaneously,
  tryCancel,
  each,
  isSet,
  viewLagMs,
  settlementTimeoutMs,
  stateOf,
  terminalStates,
  unsettledStates,
  waits,
} from '../../shared/order-calls.ts';
import { lifeRequirements } from '../../shared/order-life.ts';

/** Whatever an acceptance that won a race goes on to be judged by. */
const afterRace = [
  'quote.state.one-accepted-under-race',
  'quote.state.one-accepted-per-order',
  'quote.state.pending-to-rejected',
  ...lifeRequirements,
] as const;

interface Attempt {
  readonly by: Accepter;
  readonly quote: PlacedQuote;
  readonly exchange: Exchange;
}

/** Of acceptances that were sent at once, at most one quote's succeeds, and that one is what the order shows. */
async function assertRace(
  t: CheckContext,
  order: PlacedOrder,
  placed: readonly PlacedQuote[],
  attempts: readonly Attempt[],
): Promise<void> {
  const won = attempts.filter(({ exchange }) => succeeded(exchange));
  const quotes = [...new Set(won.map((attempt) => attempt.quote))];
  t.assert('quote.state.one-accepted-under-race', quotes.length <= 1, {
    message: `${quotes.length} quotes of one order were accepted by requests that were sent at once.`,
    expected: 'at most one',
    actual: won.map(({ by, quote: one }) => `${by}: ${one.maker}`),
    seen: attempts.map(({ exchange }) => exchange),
  });
  const [winner] = quotes;
  if (!winner || quotes.length > 1) return;
  const settled = await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
  const end = settled ?? (await readOrder(t, order));
  assertState(
    t,
    'order.state.executing-to-settled',
    end,
    ['SETTLED'],
    '15 s after its quote was accepted',
  );
  assertAcceptedTerms(t, { order, quote: winner }, end);
  const one = 'quote.state.one-accepted-per-order';
  await assertQuoteState(t, one, order, winner, ['ACCEPTED'], 'after it had won a race');
  const decided = Math.max(...attempts.map(({ exchange }) => exchange.received)) + viewLagMs;
  const latest = decided + t.target.clock.offset.most;
  // One that was about to lapse anyway may do so first.
  const losers = placed.filter((other) => other !== winner && other.validUntil > latest);
  for (const loser of losers) {
    const lost = 'quote.state.pending-to-rejected';
    await assertQuoteState(t, lost, order, loser, ['REJECTED'], 'after it had lost a race');
    await assertQuoteState(
      t,
      lost,
      order,
      loser,
      ['REJECTED'],
      'after it had lost a race',
      'its maker',
    );
  }
}

const acceptances = each(
  [
    { id: 'institution-and-custodian', by: ['sender', 'sender_custodian'] },
    { id: 'custodian-and-institution', by: ['sender_custodian', 'sender'] },
    { id: 'institution-twice', by: ['sender', 'sender'] },
    { id: 'custodian-twice', by: ['sender_custodian', 'sender_custodian'] },
    { id: 'three-quotes', by: ['sender', 'sender_custodian', 'sender'] },
  ] as const satisfies readonly { id: string; by: readonly Accepter[] }[],
  ({ id, by }) =>
    defineCheck({
      id: `order.race.accept.${id}`,
      title: `When ${by.join(' and ')} accept different quotes of one order at once, at most one is accepted and the rest are rejected.`,
      requirements: afterRace,
      needs: {
        parties: [...new Set(['sender', 'maker_a', 'maker_b', 'maker_c', ...by] as const)],
        waitMs: waits.settlement,
      },
      async run(t) {
        const order = await createOrder(t);
        const makers = (['maker_a', 'maker_b', 'maker_c'] as const).slice(0, by.length);
        const placed: PlacedQuote[] = [];
        for (const maker of makers) placed.push(await quote(t, maker, order));
        const tries = placed.flatMap((one, index) => {
          const accepter = by[index];
          return accepter === undefined ? [] : [{ by: accepter, quote: one }];
        });
        const answers = await simultaneously(
          t,
          tries.map((one) => () => tryAccept(t, order, one.quote, one.by)),
        );
        const attempts = tries.flatMap((one, index) => {
          const exchange = answers[index];
          return exchange ? [{ ...one, exchange }] : [];
        });
        await assertRace(t, order, placed, attempts);
      },
    }),
);

/** The same quote from both sides: both may succeed (gap `accept.again`), with one effect. */
const sameQuote = defineCheck({
  id: 'order.race.accept.same-quote',
  title:
    'When both sides accept the same quote at once, it is accepted once and the order settles.',
  requirements: afterRace,
  needs: {
    parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b'],
    waitMs: waits.settlement,
  },
  async run(t) {
    const order = await createOrder(t);
    const placed = [await quote(t, 'maker_a', order), await quote(t, 'maker_b', order)];
    const [chosen] = placed;
    if (!chosen) return;
    const both = ['sender', 'sender_custodian'] as const;
    const answers = await simultaneously(
      t,
      both.map((by) => () => tryAccept(t, order, chosen, by)),
    );
    const attempts = both.flatMap((by, index) => {
      const exchange = answers[index];
      return exchange ? [{ by, quote: chosen, exchange }] : [];
    });
    await assertRace(t, order, placed, attempts);
  },
});

/** What an acceptance and a cancel at once may leave, by their answers. */
async function assertAgainstCancel(
  t: CheckContext,
  order: PlacedOrder,
  placed: PlacedQuote,
  acceptance: Exchange,
  cancel: Exchange,
): Promise<void> {
  const requirement = 'order.state.legal-under-race';
  const [accepted, cancelled] = [succeeded(acceptance), succeeded(cancel)];
  // Both refused may be a conflict that neither survived: then nothing is known of the order of effects.
  if (!accepted && !cancelled) return;
  await awaitStatus(t, order, terminalStates, settlementTimeoutMs);
  const end = await readOrder(t, order);
  const wanted = cancelled ? unsettledStates : (['SETTLED'] as const);
  const told = `after an acceptance that ${accepted ? 'succeeded' : 'was refused'} and a cancel that ${cancelled ? 'succeeded' : 'was refused'}`;
  assertState(t, requirement, end, wanted, told);
  const set = acceptanceFields.filter((name) => isSet(end.data, name));
  if (!accepted) {
    t.assert(requirement, set.length === 0, {
      message: `An order whose acceptance was refused showed ${set.join(', ')}.`,
      seen: [acceptance, cancel, end.exchange],
    });
  } else if (stateOf(end.data) === 'SETTLED') {
    t.assert(requirement, matchesQuote(placed)(end.data), {
      message: 'An order settled with another quote than the accepted one.',
      expected: placed.quoteId,
      actual: end.data['quote_id'],
      seen: [acceptance, end.exchange],
    });
  }
}

const againstCancel = each(
  [
    { id: 'accept-first', by: 'sender', cancelFirst: false },
    { id: 'cancel-first', by: 'sender', cancelFirst: true },
    { id: 'custodian-accepts', by: 'sender_custodian', cancelFirst: false },
    { id: 'before-custodian', by: 'sender_custodian', cancelFirst: true },
  ] as const,
  ({ id, by, cancelFirst }) =>
    defineCheck({
      id: `order.race.cancel.${id}`,
      title: `When ${by} accepts and the sender cancels at once, the order is either cancelled for good or settles.`,
      requirements: ['order.state.legal-under-race'],
      needs: {
        parties: [...new Set(['sender', 'maker_a', by] as const)],
        waitMs: waits.settlement,
      },
      async run(t) {
        const order = await createOrder(t);
        const placed = await quote(t, 'maker_a', order);
        const accept = () => tryAccept(t, order, placed, by);
        const cancel = () => tryCancel(t, order);
        const answers = await simultaneously(t, cancelFirst ? [cancel, accept] : [accept, cancel]);
        const [first, second] = answers;
        if (!first || !second) return;
        const [acceptance, cancellation] = cancelFirst ? [second, first] : [first, second];
        await assertAgainstCancel(t, order, placed, acceptance, cancellation);
      },
    }),
);

const rival = 'maker_b';

/** An order with a quote on it, and a rival whose backend knows of it. */
async function contested(
  t: CheckContext,
): Promise<{ readonly order: PlacedOrder; readonly placed: PlacedQuote }> {
  const order = await createOrder(t);
  const placed = await quote(t, 'maker_a', order);
  await retryWhileRefused(t, () => t.party(rival).call('rfq.read', { params: paramsOf(order) }));
  return { order, placed };
}

const rivalCall = (t: CheckContext, order: PlacedOrder): Promise<Exchange> =>
  t.party(rival).call('quote.submit', { params: paramsOf(order), body: quoteBody(t, order) });

/** A quote that comes at the moment in which the order is decided: what becomes of it is open, the order is not. */
const againstQuote = each(
  [
    { id: 'quote-first', by: 'sender', quoteFirst: true },
    { id: 'accept-first', by: 'sender_custodian', quoteFirst: false },
  ] as const,
  ({ id, by, quoteFirst }) =>
    defineCheck({
      id: `order.race.quote.${id}`,
      title: `When ${by} accepts while a rival's quote comes in, the order goes on with what was accepted.`,
      requirements: afterRace,
      needs: {
        parties: [...new Set(['sender', 'maker_a', rival, by] as const)],
        waitMs: waits.settlement,
      },
      async run(t) {
        const { order, placed } = await contested(t);
        const accepting = () => tryAccept(t, order, placed, by);
        const quoting = () => rivalCall(t, order);
        const answers = await simultaneously(
          t,
          quoteFirst ? [quoting, accepting] : [accepting, quoting],
        );
        const exchange = answers[quoteFirst ? 1 : 0];
        if (!exchange) return;
        if (!succeeded(exchange)) {
          t.notExercised(`the quote was not accepted: ${describeExchange(exchange)}`, answers);
        }
        await assertRace(t, order, [placed], [{ by, quote: placed, exchange }]);
      },
    }),
);

const quoteAgainstCancel = defineCheck({
  id: 'order.race.quote.cancelled',
  title: 'A quote that comes in while the sender cancels does not bring the order back.',
  requirements: ['order.state.cancel-ends-order'],
  needs: { parties: ['sender', 'maker_a', rival], waitMs: waits.settlement },
  async run(t) {
    const { order } = await contested(t);
    const answers = await simultaneously(t, [() => tryCancel(t, order), () => rivalCall(t, order)]);
    const [cancel] = answers;
    if (!cancel || !succeeded(cancel)) t.notExercised('the cancel was not taken', answers);
    await awaitStatus(t, order, unsettledStates, 5_000);
    await t.target.timeline.sleep(viewLagMs);
    const end = await readOrder(t, order);
    const told = 'after a cancel while a quote came in';
    assertState(t, 'order.state.cancel-ends-order', end, unsettledStates, told);
  },
});

const cancelTwice = defineCheck({
  id: 'order.race.cancel.twice',
  title: 'Two cancels at once end the order once, unsettled.',
  requirements: ['order.state.cancel-ends-order'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    const cancel = () => tryCancel(t, order);
    const answers = await simultaneously(t, [cancel, cancel]);
    if (!answers.some(succeeded)) t.notExercised('neither cancel succeeded', answers);
    await awaitStatus(t, order, unsettledStates, 5_000);
    const end = await readOrder(t, order);
    assertState(
      t,
      'order.state.cancel-ends-order',
      end,
      unsettledStates,
      'after two cancels at once',
    );
  },
});

export const raceChecks: readonly Check[] = [
  ...acceptances,
  sameQuote,
  ...againstCancel,
  ...againstQuote,
  quoteAgainstCancel,
  cancelTwice,
];
