import type { Target } from '../../client/contract.ts';
import type { Random } from '../../random/random.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import { cancelOptions, type OrderRef } from '../../suite/actions/index.ts';
import type { LearnedGapAnswers } from '../../target/gap-answers.ts';
import type { GapObservation } from '../../target/gap-observations.ts';
import { observeGaps } from '../observe/observe-gaps.ts';
import { callAs, createProbeContext, discoveryActor, runProbe } from '../probe/probe-context.ts';
import type { ProbeOverTime, Seen } from './answer.ts';
import { closedRequestProbe, resumeProbe } from './events.ts';
import { expiryProbe } from './expiry.ts';
import { beyondValidityProbe, stepsProbe } from './settlement.ts';

/** In this order: a later one may lean on what an earlier one found. */
const probes: readonly ProbeOverTime[] = [
  stepsProbe,
  beyondValidityProbe,
  expiryProbe,
  closedRequestProbe,
  resumeProbe,
];

/** Gaps whose answers show only to whoever waits, or listens. */
export const gapsOverTime: readonly GapId[] = probes.flatMap(({ gaps }) => gaps);

/**
 * Finds a target's answers to some gaps by waiting for them: minutes of its time, which cost nothing where its clock is
 * driven. Only what is asked for is looked for; what is not found stays unknown.
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
    // What was looked for on purpose is closer than what merely went by.
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
