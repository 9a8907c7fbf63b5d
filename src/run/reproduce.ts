import { claimsFor } from '../reproduce/claims/index.ts';
import { evidenceOf } from '../reproduce/driver.ts';
import { CannotExport } from '../reproduce/credentials.ts';
import { stepsOf } from '../reproduce/lift.ts';
import { scenarioText } from '../reproduce/scenario.ts';
import { extents, sliceOf } from '../reproduce/slice.ts';
import { type Chosen, failuresOf, type RecordedRun } from './failures-of-check.ts';
import { isPlayable, type Reproduction, type Shown } from '../reproduce/steps.ts';
import { type CastName, castNames, requirements } from '../spec/requirements/index.ts';
import type { TargetFacts } from '../suite/engine/rule-context.ts';
import {
  loadWritten,
  type Trial,
  type TrialTarget,
  tryOnSound,
  tryOnTarget,
} from './try-reproduction.ts';

/** What came of looking for a way to show a failure. */
export interface Found {
  readonly reproduction: Reproduction;
  /** `claims`: a step of it fails here and holds on the reference. `rule`: only rules of `assay play` tell. */
  readonly proof: 'claims' | 'rule';
}

export type Search =
  | { readonly ok: true; readonly found: Found }
  /** Why not, for each finding that was tried. */
  | { readonly ok: false; readonly reasons: readonly string[] };

/** The most findings that are looked at, and the most ways to say one of them. */
const mostFindings = 8;
const mostClaims = 16;
const fewClaims = 4;
/** Once a flow is known that only rules tell, so many findings may still have one that tells by itself. */
const mostAfterRule = 3;
const mostLeftOut = 40;

/** How often the target may still be asked: where its clock is not driven, each trial takes as long as its waits. */
interface Budget {
  trials: number;
}
const manyTrials = 250;
const fewTrials = 12;

interface Trying {
  readonly target: TrialTarget;
  readonly budget: Budget;
}

/** Looks for the shortest flow that fails on the target for what the check found, and passes on our reference. */
export async function reproduce(
  run: RecordedRun,
  target: TrialTarget,
  wanted?: string,
): Promise<Search> {
  const reasons: string[] = [];
  const budget: Budget = { trials: run.facts.clock.kind === 'system' ? fewTrials : manyTrials };
  let byRule: Found | undefined;
  let findings = 0;
  for (const chosen of failuresOf(run, wanted).slice(0, mostFindings)) {
    for (const extent of extents) {
      const tried = await tryExtent(chosen, extent, run, { target, budget });
      if (typeof tried === 'string') reasons.push(`${chosen.failure.requirement}: ${tried}`);
      else if (tried.proof === 'claims') return { ok: true, found: tried };
      else {
        byRule ??= tried;
        // More of what the check did says no more.
        break;
      }
    }
    if (byRule && (findings += 1) >= mostAfterRule) break;
  }
  if (byRule) return { ok: true, found: byRule };
  return { ok: false, reasons: [...new Set(reasons)] };
}

async function tryExtent(
  chosen: Chosen,
  extent: (typeof extents)[number],
  run: RecordedRun,
  trying: Trying,
): Promise<Found | string> {
  const { failure, driver } = chosen;
  const { target, budget } = trying;
  if (budget.trials <= 0) return 'too many ways were tried before';
  const partyIds = partyIdsOf(run.facts);
  const slice = sliceOf(run, driver, failure.exchanges, extent);
  let steps: Reproduction['steps'];
  try {
    steps = stepsOf(slice, {
      partyIds,
      aheadMs: run.facts.clock.offset.least,
      controls: run.controls,
    });
  } catch (error) {
    if (error instanceof CannotExport) return error.message;
    throw error;
  }
  if (!steps.some(({ kind }) => kind === 'call')) return 'no request of the check is behind it';
  const shown = shownOf(chosen, run.check);
  const bare: Reproduction = { shown, steps, claims: [] };
  budget.trials -= 1;
  const onTarget = await tryOnTarget(scenarioText(bare), target);
  if (onTarget.isUndecided) return onTarget.messages.join('; ');
  const onSound = await tryOnSound(scenarioText(bare), target.seed);
  const isSound = !onSound.isUndecided && onSound.failed === 'no';
  const same = failure.requirement !== undefined && onTarget.broken.has(failure.requirement);
  // What a rule found it finds again, mostly: where not, only the likeliest ways to say it are worth a try.
  const isLikely = same || chosen.source === run.check;
  const claims = claimsFor({
    message: failure.message,
    expected: failure.expected,
    actual: failure.actual,
    evidence: evidenceOf(run.records, failure.exchanges),
    steps,
    partyIds,
  });
  for (const one of claims.slice(0, isLikely ? mostClaims : fewClaims)) {
    const found = { ...bare, claims: one };
    if (one.every(isPlayable) && (await isProven(found, trying, onTarget))) {
      const proves = (less: Reproduction) => isProven(less, trying, onTarget);
      return { reproduction: await shortened(found, target, proves), proof: 'claims' };
    }
  }
  if (!same || !isSound)
    return same ? 'it fails on our reference as well' : 'it does not fail again';
  const unplayable = claims.find((one) => !one.every(isPlayable)) ?? [];
  const proves = (less: Reproduction) => isToldByRules({ ...less, claims: [] }, trying);
  const found = await shortened({ ...bare, claims: unplayable }, target, proves);
  return { reproduction: found, proof: 'rule' };
}

/** Leaves out one step after the other for as long as the rest shows the same. Costs plays, so where they are cheap. */
async function shortened(
  reproduction: Reproduction,
  target: TrialTarget,
  proves: (less: Reproduction) => Promise<boolean>,
): Promise<Reproduction> {
  if (target.chosen.kind !== 'embedded') return reproduction;
  let shortest = reproduction;
  const claimed = new Set(
    reproduction.claims.map((claim) => (claim.kind === 'event' ? claim.stream : claim.step)),
  );
  for (const step of reproduction.steps.toReversed().slice(0, mostLeftOut)) {
    if (step.kind !== 'wait' && claimed.has(step.name)) continue;
    const rest = { ...shortest, steps: shortest.steps.filter((one) => one !== step) };
    if (await proves(rest)) shortest = rest;
  }
  return shortest;
}

/** A step fails there that holds on the reference, and it is not the preparation that fails. */
async function isProven(
  reproduction: Reproduction,
  { target, budget }: Trying,
  bare: Trial,
): Promise<boolean> {
  const text = scenarioText(reproduction);
  if (budget.trials <= 0 || !canBeRead(text)) return false;
  const sound = await tryOnSound(text, target.seed);
  if (sound.isUndecided || sound.failed !== 'no') return false;
  budget.trials -= 1;
  const broken = await tryOnTarget(text, target);
  if (broken.failed !== 'steps') return false;
  const isStatus = reproduction.claims.some(({ kind }) => kind === 'status');
  return bare.failed !== 'steps' || isStatus;
}

/** A rule finds the same there, and nothing on the reference. */
async function isToldByRules(
  reproduction: Reproduction,
  { target, budget }: Trying,
): Promise<boolean> {
  if (!reproduction.steps.some(({ kind }) => kind === 'call')) return false;
  const text = scenarioText(reproduction);
  if (budget.trials <= 0 || !canBeRead(text)) return false;
  budget.trials -= 1;
  const { broken } = await tryOnTarget(text, target);
  if (!broken.has(reproduction.shown.requirement)) return false;
  const sound = await tryOnSound(text, target.seed);
  return !sound.isUndecided && sound.failed === 'no';
}

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
  const { part = '', summary = message } =
    (requirements as Readonly<Record<string, { part: string; summary: string }>>)[requirement] ??
    {};
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

export const partyIdsOf = (facts: TargetFacts): ReadonlyMap<string, CastName> =>
  new Map(
    castNames
      .filter((name) => facts.parties[name])
      .map((name) => [facts.party(name, 'judge').partyId, name] as const)
      .filter(([id]) => id !== ''),
  );
