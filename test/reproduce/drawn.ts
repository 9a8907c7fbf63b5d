import { checks } from '../../conformance/index.ts';
import { type Mutation, mutations } from '../../mutants/index.ts';
import { random } from '../../src/random/random.ts';
import type { RunReport } from '../../src/results/run-report.ts';
import { driverOf } from '../../src/reproduce/driver.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import { scriptText } from '../../src/reproduce/script/script.ts';
import type { Reproduction } from '../../src/reproduce/steps.ts';
import { servedReference } from '../../src/cli/replay/served-reference.ts';
import { tryOnSound, tryOnTarget } from '../../src/run/try-reproduction.ts';
import { controlsOf, type RecordedRun } from '../../src/run/failures-of-check.ts';
import { reproduce, type Search } from '../../src/run/reproduce.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

export const seed = 1n;

/** So many mutations, drawn by a number. */
export const drawn = (draw: bigint, count: number): readonly Mutation[] =>
  random(draw)
    .fork('reproduce')
    .shuffle([...mutations])
    .slice(0, count);

/** Runs some checks on a mutated reference, and hands over what can be known of it before it is closed. */
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

/** A check whose failure names what a mutation breaks, as a person would take it from the report. */
export function failingCheck(
  { breaks }: Mutation,
  {
    report,
    records,
  }: { report: Pick<RunReport, 'checks' | 'rules'>; records: RecordedRun['records'] },
): { readonly check: string; readonly requirement: string } | undefined {
  for (const requirement of breaks) {
    const own = report.checks.find(({ failures }) =>
      failures.some((one) => one.requirement === requirement && one.outcome !== 'inconclusive'),
    );
    if (own) return { check: own.id, requirement };
    const failures = report.rules
      .flatMap((rule) => rule.failures)
      .filter((one) => one.requirement === requirement && one.outcome !== 'inconclusive');
    const known = checks.map(({ id }) => id);
    for (const { exchanges } of failures) {
      const check = driverOf(records, exchanges);
      if (check !== undefined && known.includes(check)) return { check, requirement };
    }
    // What discovery came upon, any check shows.
    const any = checks.find((one) => one.requirements.some((id) => id === requirement));
    if (failures.length > 0) return { check: any?.id ?? 'order.life.no-memo', requirement };
  }
  return undefined;
}

export interface Row {
  readonly mutation: Mutation;
  readonly check?: string;
  readonly requirement?: string;
  readonly search?: Search;
}

/** From a mutation to a flow that shows it. */
export async function reproduced(mutation: Mutation): Promise<Row> {
  const narrow = failingCheck(mutation, await recorded(mutation, mutation.breaks));
  const failing = narrow ?? failingCheck(mutation, await recorded(mutation));
  if (!failing) return { mutation };
  return { mutation, ...failing, search: await reproducedBy(mutation, failing.check) };
}

/** What `assay replay CHECK --export` finds on a mutated reference. */
export async function reproducedBy(mutation: Mutation, check: string): Promise<Search> {
  const run = await recorded(mutation, [check]);
  return reproduce(run, { chosen: { kind: 'embedded' }, seed, tamper: mutation.tamper });
}

/** What is exported as a scenario, played on the mutated reference and on the sound one. */
export async function trialsOf(reproduction: Reproduction, { tamper }: Mutation) {
  const text = scenarioText(reproduction);
  const target = { chosen: { kind: 'embedded' }, seed, tamper } as const;
  return { broken: await tryOnTarget(text, target), sound: await tryOnSound(text, seed) };
}

/** Undefined where no script can show it. */
export const scriptOf = (reproduction: Reproduction): string | undefined =>
  reproduction.claims.length > 0 ? scriptText(reproduction, servedReference(undefined)) : undefined;
