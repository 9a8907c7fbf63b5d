import type { Target } from '../../client/contract.ts';
import type { Random } from '../../runtime/random.ts';
import type { Arrivals } from '../arrivals.ts';
import type { AnswerBook } from './answers.ts';
import { callAs, discoverer, type Ground, layGround } from './ground.ts';
import { observeGaps } from './observe.ts';
import { probeAccess, probeStream } from './probe-access.ts';
import { probeLateness } from './probe-lateness.ts';
import { probeLists } from './probe-lists.ts';
import { probeCreation, probeLife } from './probe-orders.ts';
import {
  probeAboveMaximum,
  probeAcceptance,
  probeAmounts,
  probeCancelled,
  probePart,
  probeProposal,
  probeRounding,
  probeValidity,
} from './probe-quotes.ts';
import type { Finding, Sight } from './sights.ts';

type Probe = readonly [name: string, run: (ground: Ground) => Promise<void>];

/** What later probes build on. */
const first: readonly Probe[] = [
  ['proposal', probeProposal],
  ['life', probeLife],
];

const then: readonly Probe[] = [
  ['creation', probeCreation],
  ['access', probeAccess],
  ['stream', probeStream],
  ['amounts', probeAmounts],
  ['rounding', probeRounding],
  ['part', probePart],
  ['validity', probeValidity],
  ['acceptance', probeAcceptance],
  ['cancelled', probeCancelled],
  ['above-maximum', probeAboveMaximum],
];

/** At the end: three orders have been created by then. */
const last: readonly Probe[] = [['lists', probeLists]];

/** Between groups of probes, so that what they create differs in its moment. */
const apartMs = 20;

/**
 * Finds a target's answers to the gaps that show within a few requests and no wait. Never fails a target; what it does
 * not find stays unknown. What it learns goes into the book.
 */
export async function discover(
  target: Target & { readonly arrivals?: Arrivals },
  book: AnswerBook,
  random: Random,
  also: readonly Sight[] = [],
): Promise<readonly Finding[]> {
  const { timeline } = target;
  const left: string[] = [];
  const learn = (): readonly Finding[] => {
    const findings = observeGaps(target.history, book.declared, also);
    book.learn(findings);
    return findings;
  };
  const run = async (probes: readonly Probe[]): Promise<void> => {
    await timeline.together(
      probes.map(([name, probe]) => {
        const own = layGround(target, random.fork(name), left);
        return [`${discoverer} ${name}`, () => probe(own)] as const;
      }),
    );
    learn();
  };
  return timeline.act(discoverer, async () => {
    if (target.arrivals) {
      await probeLateness(layGround(target, random.fork('lateness'), left), target.arrivals);
    }
    await run(first);
    await timeline.sleep(apartMs);
    await run(then);
    await timeline.sleep(apartMs);
    await run(last);
    const ground = layGround(target, random, left);
    for (const id of left) {
      await callAs(ground, 'sender', 'order.cancel', { params: { intent_id: id } });
    }
    return learn();
  });
}
