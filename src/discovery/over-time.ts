import type { GapId } from '../spec/gaps/index.ts';
import {
  type ProbeContext,
  submitQuote,
  callAs,
  createProbeContext,
  discoveryActor,
  runProbe,
} from './probe/probe-context.ts';
import type { Exchange, Frame } from '../history/records.ts';
import { fieldsOf, succeeded, textOf } from '../protocol/answers.ts';
import { parseTimestamp } from '../spec/forms.ts';
import { unsettledStates } from '../spec/states.ts';
import {
  paramsOf,
  type PlacedOrder,
  cancelOptions,
  type OrderRef,
} from '../suite/actions/orders.ts';
import { targetNow } from '../suite/actions/context.ts';
import { acceptQuote, openOrder } from './probe/probes.ts';
import type { EventStream, Target } from '../client/contract.ts';
import { heartbeat } from '../spec/events.ts';
import type { Random } from '../random/random.ts';
import type { LearnedGapAnswers } from '../target/gap-answers.ts';
import type { GapObservation } from '../target/gap-observations.ts';
import { observeGaps } from './observe/observe-gaps.ts';
import { failureReasonIn } from '../protocol/failure-reason.ts';

/** Gap answers that a probe saw, in the words of the register if they fit. */
export type Seen = readonly (readonly [gap: GapId, answer: string])[];

/** A probe that waits for its answers. On a driven clock, waiting costs nothing. */
export interface ProbeOverTime {
  readonly name: string;
  /** The gaps that it finds answers to. */
  readonly gaps: readonly GapId[];
  /** @param known answers that earlier probes found, or that the target file declares */
  readonly run: (t: ProbeContext, known: (gap: GapId) => string | undefined) => Promise<Seen>;
}

/** Longer than any immediate effect takes. One backend may learn of it later than another. */
export const soonMs = 3_500;

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

const speaksOf =
  (event: string, { intentId }: PlacedOrder) =>
  (frame: Frame): boolean =>
    frame.event === event &&
    JSON.stringify(frame.data ?? null)
      .toLowerCase()
      .includes(intentId.toLowerCase());

const heard = (stream: EventStream, event: string, order: PlacedOrder): boolean =>
  stream.frames.some(speaksOf(event, order));

const cancel = async (t: ProbeContext, order: PlacedOrder): Promise<void> => {
  await t.party('sender').call('order.cancel', cancelOptions(t, order));
};

/** Listens while a request is cancelled, accepted and left to expire: one maker quoted it, another did not. */
export const closedRequestProbe: ProbeOverTime = {
  name: 'closed requests',
  gaps: ['event.rfq_closed', 'event.rfq_closed_to'],
  async run(t) {
    const quoting = await t.party('maker_a').listen();
    const silent = t.has('maker_b') ? await t.party('maker_b').listen() : undefined;
    const streams = [quoting, ...(silent ? [silent] : [])];
    try {
      return await closingsSeen(t, streams);
    } finally {
      for (const stream of streams) await stream.close();
    }
  },
};

async function closingsSeen(t: ProbeContext, streams: readonly EventStream[]): Promise<Seen> {
  const { timeline, clock } = t.target;
  const cancelled = await openOrder(t);
  await submitQuote(t, cancelled);
  await cancel(t, cancelled);
  const accepted = await openOrder(t);
  const { id } = await submitQuote(t, accepted);
  const expired = await openOrder(t);
  await submitQuote(t, expired);
  const { expiresAt } = expired;
  if (id === undefined || expiresAt === undefined) return [];
  await acceptQuote(t, accepted, id);
  if (expiresAt - targetNow(t).latest > clock.maxWaitMs) return [];
  await timeline.until(expiresAt - clock.offset.least + soonMs);
  const told = (order: PlacedOrder): readonly boolean[] =>
    streams.map((stream) => heard(stream, 'quote_request_expired', order));
  const onExpiry = told(expired);
  const closes = [cancelled, accepted].map((order) => told(order).includes(true));
  return onExpiry.includes(true) ? [...causesOf(closes), ...addresseesOf(onExpiry)] : [];
}

function causesOf([onCancel, onAccept]: readonly boolean[]): Seen {
  if (onCancel && onAccept) return [['event.rfq_closed', 'every-end']];
  if (onAccept) return [['event.rfq_closed', 'expiry and accept']];
  return [['event.rfq_closed', onCancel ? 'expiry-and-cancel' : 'expiry-only']];
}

/** Empty if only one maker is declared. */
function addresseesOf([quoting, silent]: readonly (boolean | undefined)[]): Seen {
  if (silent === undefined) return [];
  if (quoting && silent) return [['event.rfq_closed_to', 'all']];
  return [['event.rfq_closed_to', quoting ? 'quoted' : 'not-quoted']];
}

/** Listens while an order is created, and resumes after its end was missed. */
export const resumeProbe: ProbeOverTime = {
  name: 'resumed stream',
  gaps: ['stream.resume', 'event.creation'],
  async run(t) {
    const { timeline } = t.target;
    const sender = t.party('sender');
    const before = await sender.listen();
    // The observers tell from the first events of an order whether its creation was one (gap `event.creation`).
    const seen = await openOrder(t);
    const missed = await openOrder(t);
    await cancel(t, seen);
    await timeline.sleep(soonMs);
    await before.close();
    await cancel(t, missed);
    await timeline.sleep(soonMs);
    const lastEventId = before.frames.findLast(
      ({ eventId, event }) => eventId !== undefined && event !== heartbeat,
    )?.eventId;
    if (lastEventId === undefined) return [['stream.resume', 'none']];
    const after = await sender.listen({ lastEventId });
    await timeline.sleep(soonMs);
    await after.close();
    if (!heard(before, 'order_updated', seen)) return [];
    const resumed = heard(after, 'order_updated', missed);
    return [['stream.resume', resumed ? 'last-event-id' : 'none']];
  },
};

/** Amounts for which a quote at the rate "1" is above the maximum, in either rate orientation. */
const tooDear = { target_amount: '100.00', source_amount_max: '50.00' };

async function untilExpired(t: ProbeContext, { expiresAt }: PlacedOrder): Promise<void> {
  if (expiresAt === undefined) return t.notExercised('an order shows no deadline');
  if (expiresAt - targetNow(t).latest > t.target.clock.maxWaitMs) {
    return t.notExercised('orders live longer than may be waited');
  }
  await t.target.timeline.until(expiresAt - t.target.clock.offset.least + soonMs);
}

/** Lets three orders expire: one that nobody quoted, one with a quote, one with a quote above its maximum. */
const expiryProbe: ProbeOverTime = {
  name: 'expiry',
  gaps: ['expiry.reason', 'slippage.meaning'],
  async run(t) {
    const bare = await openOrder(t);
    const quoted = await openOrder(t);
    await submitQuote(t, quoted);
    const dear = await openOrder(t, tooDear);
    const { id: taken } = await submitQuote(t, dear);
    await untilExpired(t, dear);
    const reasonOf = async (order: PlacedOrder): Promise<string | undefined> =>
      failureReasonIn(
        fieldsOf(await t.party('sender').call('order.read', { params: paramsOf(order) })),
      );
    // The observers read `expiry.reason` from these answers.
    await reasonOf(bare);
    await reasonOf(quoted);
    const reason = await reasonOf(dear);
    return taken !== undefined && reason === 'SLIPPAGE'
      ? [['slippage.meaning', 'above-maximum']]
      : [];
  },
};

/** In this order, because a later probe may use the answers of an earlier one. */
const probes: readonly ProbeOverTime[] = [
  stepsProbe,
  beyondValidityProbe,
  expiryProbe,
  closedRequestProbe,
  resumeProbe,
];

/** Gaps whose answers show only after waiting or listening. */
export const gapsOverTime: readonly GapId[] = probes.flatMap(({ gaps }) => gaps);

/**
 * Finds a target's answers to the wanted gaps by waiting for them: minutes of target time, which cost nothing if its
 * clock is driven. An answer that is not found stays unknown.
 */
export async function discoverOverTime(
  target: Target,
  book: LearnedGapAnswers,
  random: Random,
  wanted: readonly GapId[],
  also: readonly GapObservation[] = [],
): Promise<void> {
  const leftOpen: OrderRef[] = [];
  const found: Seen[number][] = [];
  const learn = (): void => {
    book.learn(observeGaps(target.history, book.declared, also));
    // Answers of a probe are more exact than passing observations, so they are learned last.
    book.learn(
      found.map(([gap, observed]) => ({ gap, observed, consistent: true, seen: [], evidence: [] })),
    );
  };
  await target.timeline.act(discoveryActor, async () => {
    for (const { name, gaps, run } of probes) {
      if (!gaps.some((gap) => wanted.includes(gap))) continue;
      const t = createProbeContext(target, random.fork(name), leftOpen);
      const probe = async (): Promise<void> => {
        found.push(...(await run(t, (gap) => book.get(gap))));
      };
      await runProbe(probe());
      learn();
    }
    const t = createProbeContext(target, random, leftOpen);
    for (const order of leftOpen) {
      await callAs(t, 'sender', 'order.cancel', cancelOptions(t, order));
    }
  });
}
