import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  fieldsOf,
  findInList,
  isRefusal,
  matchesOrder,
  orderBody,
  paramsOf,
  quote,
  quoteBody,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { Frame } from '../../src/history/records.ts';
import { intentIdOf, payloadOf } from '../../src/protocol/event-payload.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { partiesOfRole } from '../shared/endpoint-operations.ts';
import { ownQuotesOf, quotesOf } from '../shared/listed-quotes.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { viewLagMs } from '../shared/waits.ts';

const silence = 'error.refusal-sends-no-event';

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
      must: { words: 'no quote_request_new' },
      actual: after.flat().map(({ data }) => data),
      seen: after.flat().slice(0, 5),
    });
  },
};

/** 7: a quote that is refused since its order has ended is on no list, of a maker with a quote or without. */
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
      const body = quoteBody(t, order);
      const no = await t.party(maker).call('quote.submit', { params: paramsOf(order), body });
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
