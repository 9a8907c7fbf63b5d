import { claimsFor, lineClaims } from '../reproduce/claims/index.ts';
import { CannotExport, withFirstToken } from '../reproduce/credentials.ts';
import { evidenceOf } from '../reproduce/driver.ts';
import { shortened, simplify } from '../reproduce/simplify.ts';
import { repaged, sliceOf, strategies, type Strategy } from '../reproduce/slice.ts';
import { scenarioText } from '../reproduce/scenario.ts';
import { stepsOf } from '../reproduce/steps-of-history.ts';
import {
  isNamed,
  referredIn,
  type FaultEvent,
  type Reproduction,
  type Shown,
} from '../reproduce/steps.ts';
import { createLocator } from '../results/causes/index.ts';
import {
  type CastName,
  castNames,
  isRequirementId,
  requirements,
} from '../spec/requirements/index.ts';
import type { TargetFacts } from '../suite/engine/apply-rules.ts';
import type { Chosen, RecordedRun } from './failures-of-check.ts';
import { withNeededAnswers } from './needed-answers.ts';
import {
  loadWritten,
  tryOnSound,
  tryOnTarget,
  type Trial,
  type TrialTarget,
} from './try-reproduction.ts';
import { gapIds, type Assignment } from '../spec/gaps/index.ts';
import { assign } from '../target/embedded/assignment.ts';

/** Reproduction of a failure that the search found. */
export interface Found {
  readonly reproduction: Reproduction;
  /**
   * `claims`: a step fails here and passes on the reference. `rule`: only the rules of `assay play` show the failure.
   */
  readonly proof: 'claims' | 'rule';
}

export type Search =
  | { readonly ok: true; readonly found: Found }
  /** One reason for each finding that was tried. */
  | { readonly ok: false; readonly reasons: readonly string[] };

/** Maximum number of claim sets that are tried for one finding. */
const mostClaims = 40;
const fewClaims = 6;
/** Maximum number of steps. A history of many drivers may have thousands, too many for a scenario or a reader. */
const mostSteps = 500;

/** Number of trials left on the target. If its clock is not driven, each trial takes as long as its waits. */
interface Budget {
  trials: number;
  /** True if no time is left. */
  readonly isSpent?: (() => boolean) | undefined;
}
const manyTrials = 400;
const fewTrials = 12;

export const budgetFor = (facts: RecordedTarget, isSpent?: Budget['isSpent']): Budget => ({
  trials: facts.clock.kind === 'system' ? fewTrials : manyTrials,
  isSpent,
});
const isUsedUp = ({ trials, isSpent }: Budget): boolean => trials <= 0 || isSpent?.() === true;

export interface Trying {
  readonly target: TrialTarget;
  readonly budget: Budget;
  /**
   * Answers of the sound reference to gaps. Undefined if the target is embedded: then the flow itself has the answers.
   */
  readonly answers: Assignment | undefined;
}

/** Facts that a flow needs about the target on which it was recorded. */
export interface RecordedTarget {
  readonly clock: Pick<TargetFacts['clock'], 'kind' | 'offset'>;
  readonly parties: TargetFacts['parties'];
  party(name: CastName, by: string): { readonly partyId: string };
  /** Present if the target offers the key that signs its tokens. */
  readonly signing?: object;
  readonly answers: TargetFacts['answers'];
}

/** Records of a run by any driver, and facts about its target. */
export interface Recording extends Pick<RecordedRun, 'records' | 'controls'> {
  readonly facts: RecordedTarget;
  /** Deliberate faults that the history does not show. */
  readonly faultEvents?: readonly FaultEvent[];
  /** Answers to gaps of the reference on which it was recorded. */
  readonly answers?: Reproduction['answers'];
}

/** Searches for a flow that shows one failure, and shortens it as far as possible. */
export async function tryFailure(
  chosen: Chosen,
  shownBy: string,
  recording: Recording,
  spent: Omit<Trying, 'answers'>,
): Promise<Search> {
  const reasons: string[] = [];
  const trying = { ...spent, answers: answersOf(recording, spent.target) };
  // Failures from a report have their places already.
  const { failure } = chosen;
  const located = failure.places ? failure : createLocator(recording)(failure);
  for (const one of strategies) {
    // On a clock that is not driven, waiting for an hour of the day would take too long.
    if (one.begins !== 'at once' && recording.facts.clock.kind === 'system') continue;
    const tried = await tryExtent({ ...chosen, failure: located }, one, shownBy, recording, trying);
    if (tried === undefined) continue;
    // Once a rule shows the failure, a longer flow adds nothing.
    if (typeof tried !== 'string') return { ok: true, found: tried };
    reasons.push(`${chosen.failure.requirement ?? chosen.source}: ${tried}`);
  }
  return { ok: false, reasons };
}

/** Answers of the target, as far as known; default answers otherwise. Undefined if the target is embedded. */
function answersOf({ facts }: Recording, { chosen }: TrialTarget): Assignment | undefined {
  if (chosen.kind === 'embedded') return undefined;
  const known = gapIds.flatMap((gap) => {
    const answer = facts.answers.get(gap);
    return answer === undefined ? [] : [[gap, answer] as const];
  });
  return assign(Object.fromEntries(known));
}

/** Undefined if there is no later page to look for. */
async function tryExtent(
  chosen: Chosen,
  { extent, paging, begins }: Strategy,
  shownBy: string,
  recording: Recording,
  trying: Trying,
): Promise<Found | string | undefined> {
  const { failure, driver } = chosen;
  const { target, budget } = trying;
  if (budget.isSpent?.()) return 'the time for it is over';
  if (isUsedUp(budget)) return 'too many ways were tried before';
  const partyIds = partyIdsOf(recording.facts);
  const asItWas = sliceOf(recording, driver, failure.exchanges, extent);
  if (asItWas.unnamed !== undefined) {
    return `it rests on an order of ${asItWas.unnamed}, a party that no scenario can name`;
  }
  const slice = repaged(asItWas, failure.exchanges, paging);
  if (!slice) return undefined;
  const known = {
    partyIds,
    aheadMs: recording.facts.clock.offset.least,
    controls: recording.controls,
    begins,
    faultEvents: recording.faultEvents ?? [],
    withFirstToken: withFirstToken(recording.records),
    canSign: recording.facts.signing !== undefined,
  };
  let parameterized: Reproduction['steps'];
  try {
    parameterized = stepsOf(slice, known);
  } catch (error) {
    if (error instanceof CannotExport) return error.message;
    throw error;
  }
  if (!parameterized.some(isNamed)) return 'no request of the check is behind it';
  if (parameterized.length > mostSteps)
    return `it rests on ${parameterized.length} steps, too many for one flow`;
  // The answers of another target cannot be set.
  const answers = target.chosen.kind === 'embedded' ? (recording.answers ?? {}) : {};
  const strict: Reproduction = {
    shown: shownOf(chosen, shownBy),
    steps: parameterized,
    claims: [],
    answers,
  };
  const text = scenarioText(strict);
  if (!canBeRead(text)) return 'no scenario holds as much as was sent or answered there';
  const onSound = await tryAsSeen(text, trying);
  // A sound backend may refuse a request of the flow, if no other step depends on its answer.
  const bare = onSound.failed === 'steps' ? { ...strict, steps: lenient(parameterized) } : strict;
  budget.trials -= 1;
  const onTarget = await tryOnTarget(scenarioText(bare), target);
  if (onTarget.isUndecided) return onTarget.messages.join('; ');
  const same = onTarget.broken.has(toldBy(strict.shown));
  // A rule mostly finds its failure again. If it does not, only the likeliest claims are tried. For a warning the rule
  // shows nothing here: a warning breaks no requirement.
  const isLikely = same || chosen.source === shownBy || failure.outcome === 'warn';
  const told = {
    ...failure,
    evidence: evidenceOf(recording.records, failure.exchanges),
    steps: bare.steps,
    partyIds,
  };
  const complete = async (one: Reproduction): Promise<Reproduction> => {
    const { answers: seen } = trying;
    const holds = isSound(await tryOnSound(scenarioText(one), target.seed, seen));
    return withNeededAnswers(one, target.seed, holds ? seen : undefined);
  };
  const claims = claimsFor(told);
  for (const one of claims.slice(0, isLikely ? mostClaims : fewClaims)) {
    const found = { ...bare, claims: one };
    if (!(await isProven(found, trying, onTarget))) continue;
    const proves = (less: Reproduction) => isProven(less, trying, onTarget);
    const reproduction = await complete(await shortest(found, target, proves));
    if (await proves(reproduction)) return { reproduction, proof: 'claims' };
  }
  if (!same) return 'it does not fail again';
  if (!(await isToldByRules(bare, trying))) return 'it fails on our reference as well';
  const proves = (less: Reproduction) => isToldByRules(less, trying);
  const byRule = { ...bare, inScript: lineClaims(told) };
  const reproduction = await complete(await shortest(byRule, target, proves));
  if (await proves(reproduction)) return { reproduction, proof: 'rule' };
  return 'it rests on an answer to a gap that is not known of this target';
}

/** Shortens a flow if plays cost nothing. */
const shortest = async (
  found: Reproduction,
  { chosen }: TrialTarget,
  proves: (less: Reproduction) => Promise<boolean>,
): Promise<Reproduction> =>
  chosen.kind === 'embedded' ? simplify(await shortened(found, proves), proves) : found;

const isSound = ({ failed, isUndecided }: Trial): boolean => failed === 'no' && !isUndecided;

/**
 * Plays a flow on the reference with the answers that were seen of the target. An answer of a defective target may be its
 * defect: if the flow fails with them, the usual answers count.
 */
async function tryAsSeen(
  text: string,
  { target: { seed }, answers }: Pick<Trying, 'target' | 'answers'>,
): Promise<Trial> {
  const asSeen = await tryOnSound(text, seed, answers);
  return !answers || isSound(asSeen) ? asSeen : tryOnSound(text, seed);
}

/** Allows each step to be refused if no other step uses its answer. */
function lenient(steps: Reproduction['steps']): Reproduction['steps'] {
  const referred = new Set(referredIn(steps));
  return steps.map((step) =>
    step.kind === 'call' && !referred.has(step.name) ? { ...step, mayBeRefused: true } : step,
  );
}

/** True if a step fails on the target and passes on the reference, and the preparation does not fail. */
async function isProven(
  reproduction: Reproduction,
  { target, budget, answers }: Trying,
  bare: Trial,
): Promise<boolean> {
  const text = scenarioText(reproduction);
  if (isUsedUp(budget) || !canBeRead(text)) return false;
  if (!isSound(await tryAsSeen(text, { target, answers }))) return false;
  budget.trials -= 1;
  const broken = await tryOnTarget(text, target);
  if (broken.failed !== 'steps') return false;
  const isStatus = reproduction.claims.some(({ kind }) => kind === 'status');
  return bare.failed !== 'steps' || isStatus;
}

/** True if a rule finds the failure again on the target, and nothing on the reference. */
async function isToldByRules(
  reproduction: Reproduction,
  { target, budget, answers }: Trying,
): Promise<boolean> {
  if (!reproduction.steps.some(isNamed)) return false;
  const text = scenarioText(reproduction);
  if (isUsedUp(budget) || !canBeRead(text)) return false;
  budget.trials -= 1;
  const { broken } = await tryOnTarget(text, target);
  if (!broken.has(toldBy(reproduction.shown))) return false;
  return isSound(await tryAsSeen(text, { target, answers }));
}

/** Key of a rule's finding: the requirement, or the id of the rule if it breaks none. */
const toldBy = ({ requirement, source }: Shown): string => requirement || source;

function canBeRead(text: string): boolean {
  try {
    loadWritten(text);
    return true;
  } catch {
    return false;
  }
}

function shownOf({ source, failure }: Chosen, check: string): Shown {
  const { requirement = '', message, expected, actual } = failure;
  const { part, summary } = isRequirementId(requirement)
    ? requirements[requirement]
    : { part: '', summary: message };
  return {
    check,
    source,
    requirement,
    part,
    summary,
    message,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  };
}

export const partyIdsOf = (facts: RecordedTarget): ReadonlyMap<string, CastName> =>
  new Map(
    castNames
      .filter((name) => facts.parties[name])
      .map((name) => [facts.party(name, 'judge').partyId, name] as const)
      .filter(([id]) => id !== ''),
  );
