import type { Target } from '../client/contract.ts';
import type { HistoryRecord } from '../history/records.ts';
import { claimsFor } from '../reproduce/claims/index.ts';
import { driverOf, evidenceOf } from '../reproduce/driver.ts';
import { CannotExport } from '../reproduce/credentials.ts';
import { type ControlFields, controlOf, stepsOf } from '../reproduce/lift.ts';
import { scenarioText } from '../reproduce/scenario.ts';
import { extents, ordersOf, sliceOf } from '../reproduce/slice.ts';
import { isPlayable, type Reproduction, type Shown } from '../reproduce/steps.ts';
import type { Failure, RunReport } from '../results/run-report.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import {
  type CastName,
  castNames,
  controls as controlNames,
  requirements,
} from '../spec/requirements/index.ts';
import { applyRules } from '../suite/engine/apply-rules.ts';
import { ruleContext, type TargetFacts } from '../suite/engine/rule-context.ts';
import {
  loadWritten,
  type Trial,
  type TrialTarget,
  tryOnSound,
  tryOnTarget,
} from './try-reproduction.ts';

/** A run of one check, as far as its failures are to be shown again. */
export interface RecordedRun {
  readonly check: string;
  readonly report: Pick<RunReport, 'checks' | 'rules'>;
  readonly records: readonly HistoryRecord[];
  readonly facts: TargetFacts;
  readonly controls: readonly ControlFields[];
}

/** The controls of a target that are fields of its orders. */
export const controlsOf = (controls: Target['controls']): readonly ControlFields[] =>
  controlNames.flatMap((name) => {
    const fields = controls[name]?.order;
    return fields ? [{ name, fields }] : [];
  });

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

interface Chosen {
  readonly source: string;
  /** Who drove what it rests on. */
  readonly driver: string;
  readonly failure: Failure;
}

/** The most findings that are looked at, and the most ways to say one of them. */
const mostFindings = 8;
const mostClaims = 16;
const fewClaims = 4;
/** Once a flow is known that only rules tell, so many findings may still have one that tells by itself. */
const mostAfterRule = 3;
const mostLeftOut = 40;

/** Looks for the shortest flow that fails on the target for what the check found, and passes on our reference. */
export async function reproduce(
  run: RecordedRun,
  target: TrialTarget,
  wanted?: string,
): Promise<Search> {
  const reasons: string[] = [];
  let byRule: Found | undefined;
  let findings = 0;
  for (const chosen of failuresOf(run, wanted).slice(0, mostFindings)) {
    for (const extent of extents) {
      const tried = await tryExtent(chosen, extent, run, target);
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
  target: TrialTarget,
): Promise<Found | string> {
  const { failure, driver } = chosen;
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
  const onTarget = await tryOnTarget(scenarioText(bare), target);
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
    if (one.every(isPlayable) && (await isProven(found, target, onTarget))) {
      const proves = (less: Reproduction) => isProven(less, target, onTarget);
      return { reproduction: await shortened(found, target, proves), proof: 'claims' };
    }
  }
  if (!same || !isSound)
    return same ? 'it fails on our reference as well' : 'it does not fail again';
  const unplayable = claims.find((one) => !one.every(isPlayable)) ?? [];
  const proves = (less: Reproduction) => isToldByRules({ ...less, claims: [] }, target);
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
  target: TrialTarget,
  bare: Trial,
): Promise<boolean> {
  const text = scenarioText(reproduction);
  if (!canBeRead(text)) return false;
  const sound = await tryOnSound(text, target.seed);
  if (sound.isUndecided || sound.failed !== 'no') return false;
  const broken = await tryOnTarget(text, target);
  if (broken.failed !== 'steps') return false;
  const isStatus = reproduction.claims.some(({ kind }) => kind === 'status');
  return bare.failed !== 'steps' || isStatus;
}

/** A rule finds the same there, and nothing on the reference. */
async function isToldByRules(reproduction: Reproduction, target: TrialTarget): Promise<boolean> {
  if (!reproduction.steps.some(({ kind }) => kind === 'call')) return false;
  const text = scenarioText(reproduction);
  if (!canBeRead(text)) return false;
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

/** The failures that rest on what the check did, its own first; else those of what was asked before it. */
function failuresOf(run: RecordedRun, wanted: string | undefined): readonly Chosen[] {
  const { check, report, records } = run;
  const own = report.checks
    .filter(({ id }) => id === check)
    .flatMap(({ id, failures }) =>
      failures.map((failure) => ({ source: id, driver: id, failure })),
    );
  const alone = records.filter(({ by }) => by === check || by.startsWith('party.'));
  const context = ruleContext(run.facts, disturbedIn(run));
  const judged = applyRules(allRules, () => viewOf({ records: alone }, context), requirements);
  const known = new Set(
    report.rules.flatMap(({ id, failures }) =>
      failures.map(({ requirement }) => `${id} ${requirement}`),
    ),
  );
  const ofRules = judged.flatMap(({ id, failures }) =>
    failures
      .filter(({ requirement }) => known.has(`${id} ${requirement}`))
      .filter(({ exchanges }) => driverOf(records, exchanges) === check)
      .map((failure) => ({ source: id, driver: check, failure })),
  );
  const before = report.rules.flatMap(({ id, failures }) =>
    failures.map((failure) => ({
      source: id,
      driver: driverOf(records, failure.exchanges) ?? '',
      failure,
    })),
  );
  return [...own, ...ofRules, ...before]
    .filter(({ failure }) => failure.outcome === 'fail' || failure.outcome === 'warn')
    .filter(({ failure }) => wanted === undefined || failure.requirement === wanted)
    .toSorted((a, b) => weight(a.failure) - weight(b.failure));
}

const weight = ({ outcome }: Failure): number => (outcome === 'fail' ? 0 : 1);

/** Orders that were created with what a control asks for. */
function disturbedIn({ records, controls }: RecordedRun): ReadonlySet<string> {
  const pushed = records.filter(
    (record) => record.kind === 'exchange' && controlOf(record, controls) !== undefined,
  );
  return new Set(pushed.flatMap((record) => (record.kind === 'exchange' ? ordersOf(record) : [])));
}
