import { isPartyFault } from '../faults/faults.ts';
import { type CastName, castNames } from '../spec/requirements/requirement.ts';
import { expressionsIn } from './language/expression.ts';
import type { Scenario } from './language/load.ts';
import type { ActStep } from './language/steps/act.ts';
import type { SeesStep } from './language/steps/expect.ts';
import type { FaultStep } from './language/steps/fault.ts';
import { type Step, stepsIn } from './language/steps/index.ts';

/** Facts about a scenario, known before it runs. */
export interface Plan {
  /** Parties that act, look or listen, in the order of the cast. */
  readonly parties: readonly CastName[];
  /** Parties whose streams are open from the start: declared, or looked at. */
  readonly listeners: readonly CastName[];
  /** By institution: the other institution, as the receiver of its orders. It has no other part in the scenario. */
  readonly receivers: { readonly [name in CastName]?: CastName };
  /** Parties that must be reachable: those of the scenario, and those that their orders or expressions name. */
  readonly reaches: readonly CastName[];
  /** Longest single wait of known length, in milliseconds. */
  readonly longestWaitMs: number;
  /**
   * Sum of all waits of known length, in milliseconds: repeated ones count each time, and of steps together only the
   * longest.
   */
  readonly waitMs: number;
  /** Moments that depend on answers, as written: `order.expires_at - 1ms`. */
  readonly openWaits: readonly string[];
  readonly faults: readonly FaultStep[];
  readonly seesLedger: boolean;
  /** True if the scenario makes tokens with the target's own key. */
  readonly signs: boolean;
  /** True if the scenario itself accepts proposals. */
  readonly acceptsProposals: boolean;
  readonly steps: number;
}

/** Parties that an order of an institution names, if the target has them. */
const ordersName: { readonly [name in CastName]?: readonly CastName[] } = {
  sender: ['sender_custodian', 'receiver_custodian'],
  outsider: ['outsider_custodian', 'sender_custodian', 'receiver_custodian'],
};

const otherInstitution = { sender: 'outsider', outsider: 'sender' } as const;

function isAboutStream(step: Step): step is SeesStep | ActStep {
  if (step.kind === 'sees') return step.on === undefined;
  if (step.kind !== 'act' || step.on) return false;
  return step.action.value === 'drop stream' || step.action.value === 'resume stream';
}

const plans = new WeakMap<Scenario, Plan>();

/** Cached by scenario: the code that orders, opens and plays a scenario asks for the plan each time. */
export function planOf(scenario: Scenario): Plan {
  const known = plans.get(scenario) ?? planned(scenario);
  plans.set(scenario, known);
  return known;
}

function planned({ draft, templates }: Scenario): Plan {
  const lists = [draft.setup, draft.steps, draft.always];
  const steps = lists.flatMap((list) => [...walk(list, templates)]);
  const expressions = [...expressionsIn(steps)];
  const calls = (name: string): boolean =>
    expressions.some((one) => one.kind === 'call' && one.name === name);
  const declared = draft.parties.map(({ value }) => value);
  const acting = new Set<CastName>(declared);
  const listening = new Set<CastName>(declared);
  for (const step of steps) {
    if ('party' in step) acting.add(step.party);
    if (step.kind === 'fault' && isPartyFault(step.fault)) acting.add(step.fault.party);
    if (step.kind === 'as_each') {
      for (const { value } of [...step.parties, ...step.alike_for]) acting.add(value);
      for (const { value } of step.alike_for) listening.add(value);
    }
    const lookers = step.kind === 'sees' ? [step.party, ...step.or] : [];
    for (const one of lookers) acting.add(one);
    if (!isAboutStream(step)) continue;
    for (const one of [step.party, ...lookers]) listening.add(one);
  }
  const receivers = Object.fromEntries(
    Object.entries(otherInstitution).filter(
      ([name, other]) => acting.has(name as CastName) && !acting.has(other),
    ),
  );
  const named = new Set([
    ...[...acting].flatMap((name) => [name, ...(ordersName[name] ?? [])]),
    ...Object.values(receivers),
    ...castNames.filter((name) =>
      expressions.some((one) => one.kind === 'name' && one.name === name),
    ),
  ]);
  return {
    parties: castNames.filter((name) => acting.has(name)),
    listeners: castNames.filter((name) => listening.has(name)),
    receivers,
    reaches: castNames.filter((name) => named.has(name)),
    longestWaitMs: Math.max(0, ...steps.map(writtenWait)),
    waitMs: lists.reduce((sum, list) => sum + lengthOf(list, templates), 0),
    openWaits: steps.flatMap((step) =>
      step.kind === 'wait' && typeof step.value !== 'number' ? [step.value.source.trim()] : [],
    ),
    faults: steps.filter((step) => step.kind === 'fault'),
    seesLedger: calls('holdings'),
    signs: calls('signed'),
    acceptsProposals: steps.some(
      (step) => step.kind === 'act' && step.action.value === 'accept proposal' && !step.refused,
    ),
    steps: steps.length,
  };
}

/** All steps, including those of templates. */
function* walk(steps: readonly Step[], templates: Scenario['templates']): Generator<Step> {
  for (const step of steps) {
    yield step;
    for (const inner of stepsIn(step, templates)) yield* walk(inner, templates);
  }
}

/** Total wait of consecutive steps, in milliseconds. */
function lengthOf(steps: readonly Step[], templates: Scenario['templates']): number {
  const lengthOfOne = (step: Step): number => {
    const inner = stepsIn(step, templates).map((some) => lengthOf(some, templates));
    const longest = Math.max(0, ...inner);
    if (step.kind === 'as_each') return step.parties.length * (longest + writtenWait(step));
    if (step.kind !== 'repeat') return longest + writtenWait(step);
    const times = typeof step.times === 'number' && !step.at_once ? step.times : 1;
    return (times - 1) * Math.max(writtenWait(step), longest) + longest;
  };
  return steps.reduceRight(
    (rest, step) =>
      step.kind === 'meanwhile' ? Math.max(rest, lengthOfOne(step)) : rest + lengthOfOne(step),
    0,
  );
}

/** Longest single wait of this step itself, in milliseconds; 0 if its length is not written in the file. */
function writtenWait(step: Step): number {
  if (step.kind === 'wait') return typeof step.value === 'number' ? step.value : 0;
  if (step.kind === 'sees' || step.kind === 'as_each') return step.for?.value ?? 0;
  return step.kind === 'repeat' ? (step.every?.value ?? 0) : 0;
}
