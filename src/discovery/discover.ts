import type { Target } from '../client/contract.ts';
import type { Random } from '../random/random.ts';
import type { ViewLags } from '../target/clock/view-lags.ts';
import type { LearnedGapAnswers } from '../target/gap-answers.ts';
import { cancelOptions, type OrderRef } from '../suite/actions/orders.ts';
import { concurrentlyEach } from '../suite/actions/context.ts';
import {
  callAs,
  createProbeContext,
  discoveryActor,
  type ProbeContext,
  runProbe,
} from './probe/probe-context.ts';
import { observeGaps } from './observe/observe-gaps.ts';
import {
  probeAccess,
  probeStream,
  probeCreation,
  probeOrderLife,
  probeLists,
  probeAboveMaximum,
  probeAcceptance,
  probeAmounts,
  probeCancelled,
  probePartialAmount,
  probeProposal,
  probeRounding,
  probeValidity,
} from './probe/probes.ts';
import { probeViewLags } from './probe/view-lags.ts';
import type { GapFinding, GapObservation } from '../target/gap-observations.ts';

type Probe = readonly [name: ProbeName, run: (context: ProbeContext) => Promise<void>];

/** Every probe by its name. */
const probeNames = [
  'proposal',
  'life',
  'creation',
  'access',
  'stream',
  'amounts',
  'rounding',
  'part',
  'validity',
  'acceptance',
  'cancelled',
  'above-maximum',
  'lists',
] as const;
export type ProbeName = (typeof probeNames)[number];

/** Probes that later probes build on. */
const first: readonly Probe[] = [
  ['proposal', probeProposal],
  ['life', probeOrderLife],
];

const then: readonly Probe[] = [
  ['creation', probeCreation],
  ['access', probeAccess],
  ['stream', probeStream],
  ['amounts', probeAmounts],
  ['rounding', probeRounding],
  ['part', probePartialAmount],
  ['validity', probeValidity],
  ['acceptance', probeAcceptance],
  ['cancelled', probeCancelled],
  ['above-maximum', probeAboveMaximum],
];

/** Last, because three orders have been created by then. */
const last: readonly Probe[] = [['lists', probeLists]];

async function cancelAll(t: ProbeContext, orders: readonly OrderRef[]): Promise<void> {
  await concurrentlyEach(t, orders, (order) =>
    callAs(t, 'sender', 'order.cancel', cancelOptions(t, order)),
  );
}

/** Pause between groups of probes, so that their orders have different creation times. */
const pauseBetweenGroupsMs = 20;

/**
 * Finds a target's answers to the gaps that show within a few requests and no wait. Never fails a target; an answer
 * that it does not find stays unknown. Found answers go into the book.
 * @param which the probes to run; all by default
 */
export async function discover(
  target: Target & { readonly views?: ViewLags },
  book: LearnedGapAnswers,
  random: Random,
  also: readonly GapObservation[] = [],
  which: readonly ProbeName[] = probeNames,
): Promise<readonly GapFinding[]> {
  const { timeline } = target;
  const leftOpen: OrderRef[] = [];
  const learn = (): readonly GapFinding[] => {
    const findings = observeGaps(target.history, book.declared, also);
    book.learn(findings);
    return findings;
  };
  const run = async (group: readonly Probe[]): Promise<void> => {
    const probes = group.filter(([name]) => which.includes(name));
    if (probes.length === 0) return;
    if (group !== first) await timeline.sleep(pauseBetweenGroupsMs);
    await timeline.together(
      probes.map(([name, probe]) => {
        const own = createProbeContext(target, random.fork(name), leftOpen);
        return [`${discoveryActor} ${name}`, () => runProbe(probe(own))] as const;
      }),
    );
    learn();
  };
  return timeline.act(discoveryActor, async () => {
    if (target.views) {
      const own = createProbeContext(target, random.fork('lateness'), leftOpen);
      await runProbe(probeViewLags(own, target.views));
    }
    await run(first);
    await run(then);
    await run(last);
    const context = createProbeContext(target, random, leftOpen);
    await runProbe(cancelAll(context, leftOpen));
    return learn();
  });
}
