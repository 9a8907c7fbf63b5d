import type { Target } from '../../client/contract.ts';
import type { Random } from '../../random/random.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import {
  cancelOptions,
  type OrderRef,
  paramsOf,
  type PlacedOrder,
  targetNow,
} from '../../suite/actions/index.ts';
import type { LearnedGapAnswers } from '../../target/gap-answers.ts';
import type { GapObservation } from '../../target/gap-observations.ts';
import { observeGaps } from '../observe/observe-gaps.ts';
import {
  callAs,
  createProbeContext,
  discoveryActor,
  type ProbeContext,
  runProbe,
  submitQuote,
} from '../probe/probe-context.ts';
import { type ProbeOverTime, type Seen, soonMs } from './answer.ts';
import { closedRequestProbe, resumeProbe } from './events.ts';
import { beyondValidityProbe, stepsProbe } from './settlement.ts';
import { openOrder } from '../probe/quotes.ts';
import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { fieldsOf } from '../../protocol/answers.ts';

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
