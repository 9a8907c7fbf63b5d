import { checks } from '../../conformance/index.ts';
import { type Mutation, mutations } from '../../mutants/index.ts';
import { random } from '../../src/random/random.ts';
import { driverOf } from '../../src/reproduce/driver.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import { noScript, scriptText } from '../../src/reproduce/script/script.ts';
import type { Reproduction } from '../../src/reproduce/steps.ts';
import { servedReference } from '../../src/cli/replay/served-reference.ts';
import { tryOnSound, tryOnTarget } from '../../src/run/try-reproduction.ts';
import { controlsOf, type RecordedRun } from '../../src/run/failures-of-check.ts';
import { reproduce, reproduceFailure } from '../../src/run/reproduce.ts';
import type { Search } from '../../src/run/try-failure.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { type Assignment, type GapId, gapIds, gaps } from '../../src/spec/gaps/index.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

export const seed = 1n;

/** So many mutations, drawn by a number. */
export const drawn = (draw: bigint, count: number): readonly Mutation[] =>
  random(draw)
    .fork('reproduce')
    .shuffle([...mutations])
    .slice(0, count);

/** Runs some checks on a mutated reference; returns the facts that it can give before it closes. */
export async function recorded(mutation: Mutation, only?: readonly string[]): Promise<RecordedRun> {
  const target = await openEmbedded({ seed, tamper: mutation.tamper() });
  try {
    const report = await runTarget(target, {
      ...silentObserver,
      checks,
      seed,
      ...(only && { only }),
    });
    const controls = controlsOf(target.controls);
    const [check = ''] = only ?? [];
    return { check, report, records: target.history.records, facts: target, controls };
  } finally {
    await target.close();
  }
}

interface Failing {
  readonly check: string;
  readonly requirement: string;
}

/** Failed requirements among those that the mutation breaks; all failed ones if none is. */
function failedRequirements(
  { breaks }: Mutation,
  { report }: Pick<RecordedRun, 'report'>,
): readonly string[] {
  const failing = [
    ...new Set(
      [...report.checks, ...report.rules].flatMap(({ failures }) =>
        failures.flatMap(({ outcome, requirement }) =>
          outcome === 'inconclusive' || requirement === undefined ? [] : [requirement],
        ),
      ),
    ),
  ];
  const named = breaks.filter((id) => failing.includes(id));
  return named.length > 0 ? named : failing;
}

/** Checks that show a requirement of the mutation broken, in the order of the report. */
export function failingChecks(
  mutation: Mutation,
  { report, records }: Pick<RecordedRun, 'report' | 'records'>,
): readonly Failing[] {
  const known = new Set(checks.map(({ id }) => id));
  const requirements = failedRequirements(mutation, { report });
  const found = requirements.flatMap((requirement): Failing[] => {
    const fails = (one: { readonly requirement?: string; readonly outcome: string }): boolean =>
      one.requirement === requirement && one.outcome !== 'inconclusive';
    const own = report.checks.filter(({ failures }) => failures.some(fails)).map(({ id }) => id);
    const ofRules = report.rules.flatMap(({ failures }) => failures.filter(fails));
    const drivers = ofRules.map(({ exchanges }) => driverOf(records, exchanges) ?? '');
    // Every check begins with discovery, so any check shows a failure in it.
    const any = checks.find((one) => one.requirements.some((id) => id === requirement));
    const others = ofRules.length > 0 ? [any?.id ?? 'order.life.no-memo'] : [];
    return [...own, ...drivers.filter((id) => known.has(id)), ...others].map((check) => ({
      check,
      requirement,
    }));
  });
  const first = new Map<string, Failing>();
  for (const one of found) if (!first.has(one.check)) first.set(one.check, one);
  return [...first.values()];
}

export interface Row {
  readonly mutation: Mutation;
  readonly check?: string;
  readonly requirement?: string;
  readonly search?: Search;
}

/** Number of checks of a report to try, since a check that runs alone may not fail. */
const mostChecks = 4;

/** Reproduces from the history of all checks, for a failure that no check shows alone. */
async function reproducedFromAll(mutation: Mutation, together: RecordedRun): Promise<Row> {
  const { report } = together;
  const broken = failedRequirements(mutation, together);
  const found = [...report.checks, ...report.rules].flatMap(({ id, failures }) =>
    failures
      .filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
      .filter(({ requirement }) => broken.some((one) => one === requirement))
      .map((failure) => ({ source: id, driver: () => true, failure })),
  );
  const row = { mutation, check: 'all checks together' };
  const reasons: string[] = [];
  for (const chosen of found.slice(0, mostChecks)) {
    const target = { chosen: { kind: 'embedded' }, seed, tamper: mutation.tamper } as const;
    const search = await reproduceFailure(chosen, 'the whole run', together, target);
    const { requirement = '' } = chosen.failure;
    if (search.ok) return { ...row, requirement, search };
    reasons.push(...search.reasons);
  }
  return { ...row, search: { ok: false, reasons: [...new Set(reasons)] } };
}

/** From a mutation to a flow that shows it. */
export async function reproduced(mutation: Mutation): Promise<Row> {
  const narrow = await recorded(mutation, mutation.breaks);
  const isNamed = failedRequirements(mutation, narrow).some((id) =>
    mutation.breaks.some((one) => one === id),
  );
  const isFound = isNamed && failingChecks(mutation, narrow).length > 0;
  const together = isFound ? narrow : await recorded(mutation);
  const failing = failingChecks(mutation, together);
  if (failing.length === 0) return { mutation };
  const rows: Row[] = [];
  for (const one of failing.slice(0, mostChecks)) {
    const row = { mutation, ...one, search: await reproducedBy(mutation, one.check) };
    if (row.search.ok && row.search.found.proof === 'claims') return row;
    rows.push(row);
  }
  const shown = rows.find(({ search }) => search?.ok);
  if (shown) return shown;
  const failsAlone = rows.some(({ search }) => search?.ok === false && search.reasons.length > 0);
  if (failsAlone) return { mutation, search: failed(rows) };
  const fromAll = await reproducedFromAll(mutation, together);
  return fromAll.search?.ok ? fromAll : { ...fromAll, search: failed([...rows, fromAll]) };
}

/** Reasons of all failed searches, each with its check. */
function failed(rows: readonly Row[]): Search {
  const reasons = rows.flatMap(({ check, search }) => {
    if (!search || search.ok) return [];
    const why = search.reasons.length > 0 ? search.reasons : ['it does not fail alone'];
    return why.map((reason) => `${check}: ${reason}`);
  });
  return { ok: false, reasons };
}

/** Result of `assay replay CHECK --export` on a mutated reference. */
export async function reproducedBy(mutation: Mutation, check: string): Promise<Search> {
  const run = await recorded(mutation, [check]);
  return reproduce(run, { chosen: { kind: 'embedded' }, seed, tamper: mutation.tamper });
}

/** Plays the exported scenario on the mutated reference and on the sound one. */
export async function trialsOf(reproduction: Reproduction, { tamper }: Mutation) {
  const text = scenarioText(reproduction);
  const target = { chosen: { kind: 'embedded' }, seed, tamper } as const;
  return { broken: await tryOnTarget(text, target), sound: await tryOnSound(text, seed) };
}

/**
 * Sound references with other gap answers than usual: few in the first half, many in the second.
 */
export const soundAnswers = Array.from({ length: 20 }, (_, number): Assignment => {
  const draws = random(seed).fork('answers').fork(String(number));
  const isOther = (gap: GapId): boolean => draws.fork(gap).chance(number < 10 ? 0.1 : 0.7);
  return assign(
    Object.fromEntries(
      gapIds.filter(isOther).map((gap) => [gap, draws.fork(`of ${gap}`).pick(gaps[gap].values)]),
    ),
  );
});

/** Plays the exported scenario on each of these; returns accusations and the number of verdicts. */
export async function underAnswers(reproduction: Reproduction) {
  const text = scenarioText(reproduction);
  const written = Object.entries(reproduction.answers ?? {});
  const accused: string[] = [];
  let judged = 0;
  for (const answers of soundAnswers) {
    if (written.some(([gap, answer]) => answers[gap as GapId] !== answer)) continue;
    const { failed, isUndecided, messages } = await tryOnSound(text, seed, answers);
    if (!isUndecided) judged += 1;
    if (failed !== 'no') accused.push(messages.join('; '));
  }
  return { accused, judged };
}

/** Undefined where no script can show it. */
export const scriptOf = (reproduction: Reproduction): string | undefined =>
  noScript(reproduction) === undefined
    ? scriptText(reproduction, servedReference(undefined))
    : undefined;
