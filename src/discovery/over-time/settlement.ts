import type { Exchange } from '../../history/records.ts';
import { fieldsOf, succeeded, textOf } from '../../protocol/answers.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import { unsettledStates } from '../../spec/states.ts';
import { paramsOf, type PlacedOrder, targetNow } from '../../suite/actions/index.ts';
import { type ProbeContext, submitQuote } from '../probe/probe-context.ts';
import { acceptQuote, openOrder } from '../probe/quotes.ts';
import { type ProbeOverTime, soonMs } from './answer.ts';

/** "About 4 seconds" is over by then. */
const longestMs = 16_000;
/** Step of each look at the start of a settlement, in milliseconds. Each look has an order of its own. */
const steps = [100, 10, 1] as const;

const readAs = (t: ProbeContext, order: PlacedOrder): Promise<Exchange> =>
  t.party('sender').call('order.read', { params: paramsOf(order) });

interface Accepted {
  readonly order: PlacedOrder;
  /** On our clock. */
  readonly at: number;
  readonly exchange: Exchange;
}

/** An order accepted now. `validForMs`: validity of its quote; the default validity if absent. */
async function acceptedOrder(t: ProbeContext, validForMs?: number): Promise<Accepted> {
  const order = await openOrder(t);
  const validUntil =
    validForMs === undefined ? {} : { validUntil: targetNow(t).latest + validForMs };
  const { id } = await submitQuote(t, order, validUntil);
  if (id === undefined) return t.notExercised('no quote was taken');
  const exchange = await acceptQuote(t, order, id);
  if (!succeeded(exchange)) return t.notExercised('no quote was accepted');
  return { order, at: exchange.received, exchange };
}

/**
 * Start of the settlement of an order, in milliseconds after its acceptance: the first look that finds it EXECUTING.
 * @param from time of the first look, in milliseconds after the acceptance
 */
async function startWithin(t: ProbeContext, { order, at }: Accepted, from: number, stepMs: number) {
  for (let after = from; after <= longestMs; after += stepMs) {
    await t.target.timeline.until(at + after);
    const status = fieldsOf(await readAs(t, order))['status'];
    if (status === 'EXECUTING' || status === 'SETTLED') return after;
    if (unsettledStates.some((state) => state === status)) return undefined;
  }
  return undefined;
}

const momentIn = (exchange: Exchange, field: string): number | undefined =>
  parseTimestamp(textOf(fieldsOf(exchange), field));

/** Milliseconds from the acceptance of an order to its settlement, by its own timestamps. */
async function endOf(t: ProbeContext, { order, at }: Accepted): Promise<number | undefined> {
  await t.target.timeline.until(at + longestMs);
  const settled = await readAs(t, order);
  const [accepted, end] = ['quote_accepted_at', 'settled_at'].map((field) =>
    momentIn(settled, field),
  );
  return accepted === undefined || end === undefined ? undefined : end - accepted;
}

/** Finds the start and the end of settlement, to the millisecond. */
export const stepsProbe: ProbeOverTime = {
  name: 'settlement steps',
  gaps: ['settlement.steps'],
  async run(t) {
    let start = 0;
    let end: number | undefined;
    for (const stepMs of steps) {
      const trade = await acceptedOrder(t);
      const from = Math.max(0, start - (stepMs === steps[0] ? 0 : 10 * stepMs));
      const found = await startWithin(t, trade, from, stepMs);
      if (found === undefined) return [];
      start = found;
      end ??= await endOf(t, trade);
    }
    return end === undefined ? [] : [['settlement.steps', `${start}ms-${end}ms`]];
  },
};

/** Used if `settlement.steps` is unknown: by then most settlements have begun, and none is over. */
const usualMiddleMs = 2_500;

/** Accepts a quote whose time passes while its order is EXECUTING. */
export const beyondValidityProbe: ProbeOverTime = {
  name: 'beyond validity',
  gaps: ['settlement.beyond_validity'],
  async run(t, known) {
    const [start, end] = (known('settlement.steps') ?? '')
      .split('-')
      .map((text) => parseInt(text, 10));
    const middle = start !== undefined && end !== undefined ? (start + end) / 2 : usualMiddleMs;
    const trade = await acceptedOrder(t, Math.round(middle));
    await t.target.timeline.until(trade.at + longestMs + soonMs);
    const status = fieldsOf(await readAs(t, trade.order))['status'];
    if (status === 'SETTLED') return [['settlement.beyond_validity', 'settles']];
    return unsettledStates.some((state) => state === status)
      ? [['settlement.beyond_validity', 'fails']]
      : [];
  },
};
