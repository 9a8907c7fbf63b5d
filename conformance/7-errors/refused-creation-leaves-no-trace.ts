import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  compare,
  createOrder,
  parseDecimal,
  type Fields,
  fieldsOf,
  findInList,
  matchesOrder,
  isRefusal,
  orderBody,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  sameId,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { partiesOfRole } from '../shared/endpoint-operations.ts';
import { ownQuotesOf, quotesOf } from '../shared/listed-quotes.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { viewLagMs } from '../shared/waits.ts';
import { textInFrame } from '../shared/streams.ts';

const silence = 'error.refusal-sends-no-event';
const nothing = 'error.refusal-changes-nothing';

/**
 * Shorter than an event may travel: one that comes later is missed, which blames nobody, and there are many rounds.
 * Where strangers trade in a rhythm of their own, so many do not fall in with it.
 */
const roundMs = 2_000;
const rounds = 5;

/** An amount that nobody else asks for. */
const ownAmount = ({ random }: CheckContext): string =>
  `7.3${Array.from({ length: 8 }, () => 1 + random.below(9)).join('')}`;

/** Creations that must be refused: one for what it asks, one for having no token. */
async function refusedCreations(t: CheckContext, amount: string): Promise<void> {
  const sender = t.party('sender');
  const wrong = orderBody(t, { target_amount: amount, source_amount_max: 'plenty' });
  const whole = orderBody(t, { target_amount: amount });
  const answers = [
    await sender.call('order.create', { body: wrong }),
    await sender.call('order.create', { body: whole, credential: { label: 'none' } }),
  ];
  // That they are refused is judged elsewhere.
  const taken = answers.filter((no) => !isRefusal(no));
  if (taken.length > 0)
    t.notExercised('a creation with a wrong maximum or without a token was not refused', taken);
}

const asksFor =
  (amount: string) =>
  (frame: Frame): boolean => {
    const [is, was] = [parseDecimal(textInFrame(frame, 'target_amount')), parseDecimal(amount)];
    return is !== undefined && was !== undefined && compare(is, was) === 0;
  };

interface Announced {
  readonly to: CastName;
  readonly frame: Frame;
}

/** What makers were told of new requests while something was done, and a little longer. */
async function announced(
  t: CheckContext,
  by: readonly CastName[],
  act: () => Promise<void>,
): Promise<readonly Announced[]> {
  const streams = by.map((name) => {
    const { events } = t.party(name);
    return { to: name, events, opened: events.opened.id, from: events.frames.length };
  });
  await act();
  await t.target.timeline.sleep(roundMs);
  if (streams.some(({ events, opened }) => !events.isOpen || events.opened.id !== opened))
    t.notExercised('a stream of a maker was not open all the while');
  return streams.flatMap(({ to, events, from }) =>
    events.frames
      .slice(from)
      .filter(({ event }) => event === 'quote_request_new')
      .map((frame) => ({ to, frame })),
  );
}

/** Orders of this run, whatever became of them. */
const ownOrders = ({ target }: CheckContext): readonly (string | undefined)[] =>
  target.history.records.flatMap((record) =>
    record.kind === 'exchange' && record.endpoint === 'order.create'
      ? textOf(fieldsOf(record), 'intent_id')?.toLowerCase()
      : [],
  );

/** Announcements of requests that are none of this run, and that cannot be read. */
async function unfounded(t: CheckContext, all: readonly Announced[]): Promise<readonly Frame[]> {
  const own = ownOrders(t);
  const found: Frame[] = [];
  for (const { to, frame } of all) {
    const id = textInFrame(frame, 'intent_id');
    if (id === undefined || own.includes(id.toLowerCase())) continue;
    const read = await t.party(to).call('rfq.read', { params: { intent_id: id } });
    if (isRefusal(read)) found.push(frame);
  }
  return found;
}

/**
 * Strangers may create orders at any time, and end them at once; but not with the drawn amount, nor each time a
 * creation of this run is refused and never else.
 */
const creation = defineCheck({
  id: 'error.no-trace.creation-announced',
  title: 'Creations that are refused announce no request to any maker.',
  requirements: [silence],
  needs: { parties: ['sender', 'maker_a'], waitMs: 2 * rounds * roundMs },
  async run(t) {
    const by = partiesOfRole(t, 'market-maker');
    const after: (readonly Frame[])[] = [];
    const quiet: (readonly Frame[])[] = [];
    const idle = async (): Promise<void> => {
      quiet.push(await unfounded(t, await announced(t, by, async () => {})));
    };
    for (let round = 0; round < rounds; round += 1) {
      const idleFirst = t.random.below(2) === 0;
      if (idleFirst) await idle();
      const amount = ownAmount(t);
      const frames = await announced(t, by, () => refusedCreations(t, amount));
      const itself = frames.map(({ frame }) => frame).find(asksFor(amount));
      t.assert(silence, itself === undefined, {
        message: 'quote_request_new told a maker of an order that was refused.',
        expected: 'no request over such an amount',
        actual: itself?.data,
        seen: itself ? [itself] : [],
      });
      after.push(await unfounded(t, frames));
      if (!idleFirst) await idle();
    }
    const eachTime = after.every(({ length }) => length > 0);
    const otherwiseToo = quiet.some(({ length }) => length > 0);
    t.assert(silence, !eachTime || otherwiseToo, {
      message: 'Each creation that was refused announced a request that its maker cannot read.',
      expected: 'no quote_request_new',
      actual: after.flat().map(({ data }) => data),
      seen: after.flat().slice(0, 5),
    });
  },
});

/** A quote of a maker on an order that is none of those that were taken, on any list that shows such. */
async function assertUnlisted(
  t: CheckContext,
  order: PlacedOrder,
  maker: CastName,
  taken: readonly string[],
): Promise<void> {
  const { partyId } = t.party(maker);
  const isOther = (item: Fields): boolean => !taken.some((id) => sameId(item, 'quote_id', id));
  const own = await findInList(
    t,
    t.party(maker),
    'quote.list',
    (item) => matchesOrder(order)(item) && isOther(item),
  );
  const ofRequest = await ownQuotesOf(t, order, maker);
  const ofOrder = await quotesOf(t, order);
  const theirs = ofOrder.items.filter((item) => textOf(item, 'market_maker_party_id') === partyId);
  const looks = [
    { items: own.item ? [own.item] : [], exchange: own.pages.at(-1) },
    ofRequest,
    { ...ofOrder, items: theirs },
  ];
  for (const { items, exchange } of looks) {
    // A request that is closed may not be readable any more, nor its quotes (gap `rfq.closed`).
    if (!exchange || !succeeded(exchange)) continue;
    const other = items.find(isOther);
    t.assert(nothing, other === undefined, {
      message: `A quote of ${maker} that was refused stood in a list all the same.`,
      expected: taken,
      actual: other,
      seen: [exchange],
    });
  }
}

const lateQuote = defineCheck({
  id: 'error.no-trace.late-quote',
  title:
    'A quote that is refused because its order was cancelled is on no list, for a maker with a quote or without.',
  requirements: [nothing],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 2 * viewLagMs },
  async run(t) {
    const taken = 'this target takes quotes that come too late (gap quote.late)';
    if (t.target.answers.get('quote.late') === 'taken') return t.outOfScope(taken);
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_a', order);
    const cancelled = await cancelOrder(t, order);
    if (!succeeded(cancelled)) t.notExercised('the order could not be cancelled', [cancelled]);
    await t.target.timeline.sleep(viewLagMs);
    for (const maker of ['maker_a', 'maker_b'] as const) {
      const body = quoteBody(t, order);
      const no = await t.party(maker).call('quote.submit', { params: paramsOf(order), body });
      if (!isRefusal(no)) return t.outOfScope(taken);
    }
    await t.target.timeline.sleep(viewLagMs);
    await assertUnlisted(t, order, 'maker_a', [placed.quoteId]);
    await assertUnlisted(t, order, 'maker_b', []);
  },
});

export const noTraceChecks: readonly Check[] = [creation, lateQuote];
