import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { accept, type PlacedQuote, quote, quoteBody } from '../../src/suite/actions/quotes.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
  orderBody,
} from '../../src/suite/actions/orders.ts';
import { isBefore, targetTime } from '../../src/suite/actions/context.ts';
import {
  isRefusal,
  fieldsOf,
  matchesOrder,
  succeeded,
  textOf,
} from '../../src/protocol/answers.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import type { Exchange, Frame } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import {
  ownQuotesOf,
  quotesOnceListed,
  cancelOrder,
  tryAccept,
  tryCancel,
  quotesOf,
  tryQuote,
} from '../shared/order-life.ts';
import { stateOf, eventLatencyMs } from '../shared/order-states.ts';
import { sentAsText } from './body-errors.ts';
import {
  acceptanceNotRefused,
  dearAndCheapOf,
  lowMaximumTerms,
  requireRefusedAcceptance,
} from './valid-after-refused.ts';
import { rows, needsOf, viewLagMs } from '../shared/waits.ts';
import { intentIdOf, payloadOf } from '../../src/protocol/event-payload.ts';
import { partiesOfRole } from '../shared/endpoint-requests.ts';

const nothing = 'error.refusal-changes-nothing';
const silence = 'error.refusal-sends-no-event';

/** An order and its quotes, as the sender and the makers see them: rules compare it before and after a refusal. */
async function readAll(t: CheckContext, order: PlacedOrder, quotes: readonly PlacedQuote[]) {
  await quotesOnceListed(t, order, quotes);
  for (const { maker } of quotes) await ownQuotesOf(t, order, maker);
  return readOrder(t, order);
}

/**
 * Makes requests that must be refused, with reads before and after them and time for events. Other checks judge the
 * refusals: if a request is served, this check shows nothing.
 */
async function refusedAmidReads(
  t: CheckContext,
  order: PlacedOrder,
  quotes: readonly PlacedQuote[],
  attempt: () => Promise<readonly Exchange[]>,
): Promise<void> {
  await t.target.timeline.sleep(eventLatencyMs);
  await readAll(t, order, quotes);
  const served = (await attempt()).filter((answer) => !isRefusal(answer));
  if (served.length > 0) t.notExercised('what must be refused was served', served);
  await t.target.timeline.sleep(eventLatencyMs);
  await readAll(t, order, quotes);
}

/** Requests that must be refused on an open order with a quote, by their fault. */
const wrongs: readonly {
  readonly id: string;
  readonly title: string;
  readonly parties: readonly CastName[];
  readonly attempts: (
    t: CheckContext,
    order: PlacedOrder,
    placed: PlacedQuote,
  ) => readonly (() => Promise<Exchange>)[];
}[] = [
  {
    id: 'acceptances',
    title: 'acceptances by unrelated parties, by the receiver side and of unknown quotes',
    parties: ['outsider', 'receiver_custodian', 'outsider_custodian'],
    attempts: (t, order, placed) => [
      () => tryAccept(t, order, placed, 'outsider'),
      () => tryAccept(t, order, placed, 'receiver_custodian'),
      () => tryAccept(t, order, placed, 'outsider_custodian'),
      () => tryAccept(t, order, { quoteId: t.random.uuid() }),
      () => tryAccept(t, { intentId: t.random.uuid() }, placed),
    ],
  },
  {
    id: 'cancels',
    title: 'cancels by unrelated parties and by custodians',
    parties: ['outsider', 'sender_custodian', 'receiver_custodian'],
    attempts: (t, order) =>
      (['outsider', 'sender_custodian', 'receiver_custodian'] as const).map(
        (by) => () => tryCancel(t, order, by),
      ),
  },
  {
    id: 'other-quotes',
    title: 'quotes by parties that are no makers, and broken ones',
    parties: ['sender_custodian', 'maker_b'],
    attempts: (t, order, { sent }) =>
      (['sender', 'sender_custodian', 'maker_b'] as const).map((by) => () => {
        const body = by === 'maker_b' ? { ...sent, fx_rate: 'broken' } : sent;
        return t.party(by).call('quote.submit', { params: paramsOf(order), body });
      }),
  },
];

const open = wrongs.map<Check>(({ id, title, parties, attempts }) => ({
  id: `error.refused-tells-nobody.${id}`,
  title: `On an open order ${title} are refused, send no event and change nothing.`,
  requirements: [silence, nothing],
  needs: needsOf(2 * eventLatencyMs, 'sender', 'maker_a', ...parties),
  async run(t) {
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_a', order);
    await refusedAmidReads(t, order, [placed], async () => {
      const answers: Exchange[] = [];
      for (const attempt of attempts(t, order, placed)) answers.push(await attempt());
      return answers;
    });
    // Control case: a request that is served sends events.
    await accept(t, order, placed);
  },
}));

const cancelled: Check = {
  id: 'error.refused-tells-nobody.ended',
  title: 'On an order that was cancelled further acceptances are refused and send no event.',
  requirements: [silence, nothing],
  needs: needsOf(2 * eventLatencyMs, 'sender', 'sender_custodian', 'maker_a', 'maker_b'),
  async run(t) {
    const order = await createOrder(t);
    const quotes = [await quote(t, 'maker_a', order), await quote(t, 'maker_b', order)];
    const answer = await cancelOrder(t, order);
    if (isRefusal(answer)) t.notExercised('the order could not be cancelled', [answer]);
    await refusedAmidReads(t, order, quotes, async () => {
      const answers: Exchange[] = [];
      for (const placed of quotes) {
        answers.push(await tryAccept(t, order, placed));
        answers.push(await tryAccept(t, order, placed, 'sender_custodian'));
      }
      return answers;
    });
  },
};

/**
 * 7: where a quote above the maximum may stand and its acceptance is refused (gap `quote.above_max`), that refusal is one
 * like any other. Of the rates 2 and 0.5 one is dear and one is not, whichever way a rate is meant.
 */
const aboveMaximum = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `error.refused-tells-nobody.above-maximum.${by}`,
  title: `When ${by} is refused a quote above the maximum, the order and a rival quote stand as before, and the rival can be accepted.`,
  requirements: [nothing, silence],
  needs: needsOf(2 * eventLatencyMs, 'sender', 'maker_a', 'maker_b', by),
  async run(t) {
    requireRefusedAcceptance(t);
    const order = await createOrder(t, lowMaximumTerms);
    const rivals = await dearAndCheapOf(t, order, [
      await quote(t, 'maker_a', order, { rate: '2' }),
      await quote(t, 'maker_b', order, { rate: '0.5' }),
    ]);
    if (!rivals) return t.outOfScope('no rate made one of two quotes dear');
    const { dear, fair } = rivals;
    await t.target.timeline.sleep(eventLatencyMs);
    await readAll(t, order, [dear, fair]);
    const no = await tryAccept(t, order, dear, by);
    await readAll(t, order, [dear, fair]);
    if (!isRefusal(no)) return t.outOfScope(acceptanceNotRefused);
    // The acceptance may also fail the order, at once or a little later.
    await t.target.timeline.sleep(eventLatencyMs);
    const { data } = await readAll(t, order, [dear, fair]);
    if (stateOf(data) === 'FAILED') return t.outOfScope(acceptanceNotRefused);
    const deadline = Math.min(fair.validUntil, order.expiresAt ?? fair.validUntil);
    const yes = await tryAccept(t, order, fair, by);
    // Quotes and orders may live for less long than events are waited for here.
    if (isBefore(targetTime(t, yes), deadline) !== true) return undefined;
    assertAllowed(t, nothing, yes, 'the acceptance of a quote beside one that was refused');
  },
}));

/** 7: a maker that is refused a second quote keeps the one that it has, whether or not it might have two (gap `quote.twice`). */
const ownQuoteKept = rows(
  { maker: 'maker_a', by: 'sender' },
  { maker: 'maker_b', by: 'sender_custodian' },
).map<Check>(({ maker, by }) => ({
  id: `quote.submit.refused-beside-own.${maker}`,
  title: `Broken quotes of ${maker} leave the one that it has as it was, and ${by} can accept that.`,
  requirements: [nothing],
  needs: { parties: ['sender', maker, by], waitMs: 3_000 },
  async run(t) {
    const order = await createOrder(t);
    const standing = await quote(t, maker, order);
    const valid = quoteBody(t, order);
    await readAll(t, order, [standing]);
    for (const options of [
      { body: { ...valid, fx_rate: 'broken' } },
      { body: { ...valid, valid_until: 'soon' } },
      sentAsText('please quote'),
    ]) {
      const params = paramsOf(order);
      const no = await t.party(maker).call('quote.submit', { ...options, params });
      // If a broken quote is taken, it may have replaced the first one.
      if (!isRefusal(no)) return t.notExercised('a broken quote was not refused', [no]);
    }
    await t.target.timeline.sleep(2_000);
    await readAll(t, order, [standing]);
    const yes = await tryAccept(t, order, standing, by);
    assertAllowed(t, nothing, yes, 'the acceptance of a quote beside refused ones');
  },
}));

export const changesNothingChecks: readonly Check[] = [
  ...open,
  cancelled,
  ...aboveMaximum,
  ...ownQuoteKept,
];

/**
 * Shorter than the longest latency of an event. A later event is missed: that blames nobody, and there are many
 * rounds. Other parties may trade at regular intervals, but not in step with all rounds.
 */
const roundMs = 2_000;
const rounds = 5;

/** An amount that no other order has. */
const ownAmount = ({ random }: CheckContext): string => `7.3${random.digits(8)}`;

/** Creations that must be refused: one for its content, one for its missing token. */
async function refusedCreations(t: CheckContext, amount: string): Promise<void> {
  const sender = t.party('sender');
  const wrong = orderBody(t, { target_amount: amount, source_amount_max: 'plenty' });
  const whole = orderBody(t, { target_amount: amount });
  const answers = [
    await sender.call('order.create', { body: wrong }),
    await sender.call('order.create', { body: whole, credential: { label: 'none' } }),
  ];
  // Other checks judge the refusals.
  const taken = answers.filter((no) => !isRefusal(no));
  if (taken.length > 0)
    t.notExercised('a creation with a wrong maximum or without a token was not refused', taken);
}

/** Ids of all orders of this run. */
const ownOrders = ({ target }: CheckContext): readonly (string | undefined)[] =>
  target.history.records.flatMap((record) =>
    record.kind === 'exchange' && record.endpoint === 'order.create'
      ? textOf(fieldsOf(record), 'intent_id')?.toLowerCase()
      : [],
  );

/** Announcements during an action and shortly after it, of requests that are not of this run and cannot be read. */
async function unfounded(t: CheckContext, by: readonly CastName[], act: () => Promise<void>) {
  const streams = by.map((name) => {
    const { events } = t.party(name);
    return { name, events, opened: events.opened.id, from: events.frames.length };
  });
  await act();
  await t.target.timeline.sleep(roundMs);
  if (streams.some(({ events, opened }) => !events.isOpen || events.opened.id !== opened))
    t.notExercised('a stream of a maker was not open all the while');
  const own = ownOrders(t);
  const found: Frame[] = [];
  for (const { name, events, from } of streams) {
    for (const frame of events.frames.slice(from)) {
      const id = intentIdOf(frame, payloadOf(frame));
      if (frame.event !== 'quote_request_new' || id === undefined) continue;
      if (own.includes(id.toLowerCase())) continue;
      const read = await t.party(name).call('rfq.read', { params: { intent_id: id } });
      if (isRefusal(read)) found.push(frame);
    }
  }
  return found;
}

/**
 * 7: a refused creation announces no request. Rules look for the drawn amount. An announcement without a known value
 * shows only by comparison with as many rounds without a creation: other parties may create orders at any time, and end
 * them at once.
 */
const creation: Check = {
  id: 'error.no-trace.creation-announced',
  title: 'Creations that are refused announce no request to any maker.',
  requirements: [silence],
  needs: { parties: ['sender', 'maker_a'], waitMs: 2 * rounds * roundMs },
  async run(t) {
    const by = partiesOfRole(t, 'market-maker');
    const after: (readonly Frame[])[] = [];
    const idle: (readonly Frame[])[] = [];
    const acts = [
      async () => after.push(await unfounded(t, by, () => refusedCreations(t, ownAmount(t)))),
      async () => idle.push(await unfounded(t, by, async () => {})),
    ];
    for (let round = 0; round < rounds; round += 1) {
      const idleFirst = t.random.below(2) === 0;
      for (const act of idleFirst ? acts.toReversed() : acts) await act();
    }
    const eachTime = after.every(({ length }) => length > 0);
    const otherwiseToo = idle.some(({ length }) => length > 0);
    t.assert(silence, !eachTime || otherwiseToo, {
      message: 'Each creation that was refused announced a request that its maker cannot read.',
      must: { absent: true },
      actual: after.flat().map(({ data }) => data),
      seen: after.flat().slice(0, 5),
    });
  },
};

const lateQuote: Check = {
  id: 'error.no-trace.late-quote',
  title:
    'A quote that is refused because its order was cancelled is on no list, for a maker with a quote or without.',
  requirements: ['error.refusal-changes-nothing'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 2 * viewLagMs },
  async run(t) {
    const taken = 'this target takes quotes that come too late (gap quote.late)';
    if (t.target.answers.get('quote.late') === 'taken') return t.outOfScope(taken);
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    const cancelled = await cancelOrder(t, order);
    if (!succeeded(cancelled)) t.notExercised('the order could not be cancelled', [cancelled]);
    await t.target.timeline.sleep(viewLagMs);
    for (const maker of ['maker_a', 'maker_b'] as const) {
      const no = await tryQuote(t, maker, order);
      if (!isRefusal(no)) return t.outOfScope(taken);
    }
    await t.target.timeline.sleep(viewLagMs);
    await quotesOf(t, order);
    for (const maker of ['maker_a', 'maker_b'] as const) {
      await ownQuotesOf(t, order, maker);
      await findInList(t, t.party(maker), 'quote.list', matchesOrder(order));
    }
  },
};

export const noTraceChecks: readonly Check[] = [creation, lateQuote];
