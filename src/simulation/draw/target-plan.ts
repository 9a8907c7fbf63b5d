import type { Target } from '../../client/contract.ts';
import { random as randomOf } from '../../random/random.ts';
import { parseSeed } from '../../random/seed.ts';
import { type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import { castNames, type ControlName, controls } from '../../spec/requirements/requirement.ts';
import { faultOf } from '../../faults/faults.ts';
import {
  type AnswerChanges,
  type FaultName,
  faultNames,
  type Plan,
  type PlannedParty,
} from '../plan.ts';
import { drawPlan } from './draw-plan.ts';
import { dayMs, longestWaitMs } from './draw-moment.ts';
import type { SwarmLimits } from './swarm.ts';

/** Facts of a target that are known before a world is drawn for it. */
export type KnownTarget = Pick<
  Target,
  'parties' | 'clock' | 'controls' | 'orderDefaults' | 'answers'
> & { readonly timeline: Pick<Target['timeline'], 'now'> };

/** The control that causes a fault of an order. Undefined for other faults. */
const controlFor = (name: FaultName): ControlName | undefined =>
  controls.find((control) => faultOf[control].fault === name);

/** True for faults that a party causes at its own end of the connection, whatever the target is. */
const isOwn = (fault: FaultName): boolean =>
  !['streams drop', 'host pauses', 'restart', 'disk full'].includes(fault) && !controlFor(fault);

/** Faults that can strike at a target: those of its controls, and those at our end of the connection. */
export function possibleFaults({ clock, controls }: Pick<KnownTarget, 'clock' | 'controls'>) {
  return faultNames.filter((fault) => {
    const control = controlFor(fault);
    if (control) return controls[control] !== undefined;
    // Other faults take time, and the clock of some targets cannot be moved.
    return clock.kind === 'system' ? fault === 'streams break' : isOwn(fault);
  });
}

const partiesOf = ({ parties }: KnownTarget): readonly PlannedParty[] =>
  castNames.flatMap((name) => {
    const party = parties[name];
    return party ? [{ name, role: party.role, skewMs: 0 }] : [];
  });

/** The target's gap answers as changes of the default ones, so that the same plan can be played on the reference. */
export function answersOf({ answers }: Pick<KnownTarget, 'answers'>): AnswerChanges {
  const changes: { [id in GapId]?: string } = {};
  for (const id of gapIds) {
    const answer = answers.get(id);
    if (answer !== undefined && answer !== gaps[id].values[0]) changes[id] = answer;
  }
  return changes;
}

/** Currencies of every target whose file does not name others. */
const usualCurrencies = ['USD', 'EUR'] as const;

/** A backend may know few currencies: half of the worlds keep to the usual ones. */
function currenciesFor({ orderDefaults }: KnownTarget, seed: bigint) {
  const { source_currency: source, target_currency: target } = orderDefaults;
  const named = [source, target].filter((one) => typeof one === 'string');
  if (named.length > 0) return [...named, ...usualCurrencies].slice(0, 2);
  return randomOf(seed, 'currencies').chance(0.5) ? usualCurrencies : undefined;
}

const longestPauseMs = { virtual: undefined, controlled: undefined, system: 2_200 } as const;

/** Draws a world for an open target, with its parties, its moment and its answers to the gaps. */
export function drawTargetPlan(
  seed: string,
  known: KnownTarget,
  limits: Pick<SwarmLimits, 'faults' | 'steps'> = {},
): Plan {
  const { clock, timeline } = known;
  const possible: readonly string[] = possibleFaults(known);
  return drawPlan(
    seed,
    {
      steps: limits.steps,
      faults: limits.faults?.filter((fault) => possible.includes(fault)) ?? possible,
      currencies: currenciesFor(known, parseSeed(seed) ?? 0n),
      longestPauseMs: longestPauseMs[clock.kind],
    },
    {
      parties: partiesOf(known),
      startMs: timeline.now(),
      assignment: answersOf(known),
      longestWaitMs: Math.min(clock.maxWaitMs, longestWaitMs),
      mayWaitForMidnight: clock.kind !== 'system' && clock.maxWaitMs >= dayMs,
    },
  );
}
