import { createSecrets } from '../../src/history/secrets/secrets.ts';
import { checks } from '../../conformance/index.ts';
import { type Mutation, mutations } from '../../mutants/index.ts';
import { widerChecks } from '../../mutants/runner/run-job.ts';
import type { History } from '../../src/history/records.ts';
import { random } from '../../src/random/random.ts';
import { evidenceFor, type RunReport, toJunit, toText } from '../../src/report/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { type ChangedPlace, watched } from './changed-places.ts';
import { namesPlace } from './names-place.ts';

/** So many mutations of all there are, which the seed alone decides. */
export function drawMutations(seed: bigint, count: number): readonly Mutation[] {
  const draws = random(seed).fork('mutations for causes');
  const left = [...mutations];
  return Array.from({ length: count }, () => {
    const one = draws.pick(left);
    left.splice(left.indexOf(one), 1);
    return one;
  });
}

/** Result of the suite on the reference with one mutation, and the places that it changed. */
export interface MutatedRun {
  readonly mutation: Mutation;
  readonly report: RunReport;
  readonly history: History;
  readonly changed: readonly ChangedPlace[];
}

/**
 * `narrow` runs the checks of the requirements that a mutation breaks, with checks that drive whole
 * lives of orders. If they find nothing, it runs the former alone, then the whole suite.
 */
export async function runMutated(
  mutation: Mutation,
  seed: bigint,
  suite: 'narrow' | 'whole',
): Promise<MutatedRun> {
  if (suite === 'whole') return runPart(mutation, seed, undefined);
  const wider = await runPart(mutation, seed, [...mutation.breaks, ...widerChecks]);
  if (wider.report.causes) return wider;
  const narrow = await runPart(mutation, seed, mutation.breaks);
  return narrow.report.causes ? narrow : runPart(mutation, seed, undefined);
}

async function runPart(
  mutation: Mutation,
  seed: bigint,
  only: readonly string[] | undefined,
): Promise<MutatedRun> {
  const { tamper, places } = watched(mutation.tamper());
  const target = await openEmbedded({ seed, tamper });
  try {
    const inputs = { ...silentObserver, checks, seed, ...(only && { only }) };
    const report = await runTarget(target, inputs);
    return { mutation, report, history: target.history, changed: places() };
  } finally {
    await target.close();
  }
}

/** Size of a terminal. */
const screen = { rows: 40, columns: 100 } as const;

/** Quality of the diagnosis of one mutation. */
export interface Diagnosis {
  readonly mutation: string;
  readonly causes: number;
  readonly title: string;
  /** The first cause names the place that the mutation changed. */
  readonly isNamed: boolean;
  /** The first screen of the terminal shows the first cause, all of its title. */
  readonly isSeenFirst: boolean;
  /** Failures in the JUnit report, as a pipeline counts them. */
  readonly junitFailures: number;
}

export function diagnosisOf({ mutation, report, history, changed }: MutatedRun): Diagnosis {
  const [first] = report.causes ?? [];
  const shown = toText(report, createSecrets().maskHistory(evidenceFor(report, history)), {
    colour: 'plain',
  })
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${screen.columns}}`, 'g')) ?? [''])
    .slice(0, screen.rows)
    .join('');
  return {
    mutation: mutation.id,
    causes: report.causes?.length ?? 0,
    title: first?.title ?? 'nothing was found',
    isNamed: first !== undefined && namesPlace(first, changed, mutation.breaks),
    isSeenFirst: first !== undefined && shown.includes(first.title),
    junitFailures: toJunit(report).match(/<failure\b/g)?.length ?? 0,
  };
}

export const isDiagnosed = ({ causes, isNamed, isSeenFirst }: Diagnosis): boolean =>
  causes === 1 && isNamed && isSeenFirst;
