import { checks } from '../../conformance/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { type Assignment, type GapId, gaps } from '../../src/spec/gaps/index.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { type EmbeddedOptions, openEmbedded } from '../../src/target/embedded/embedded.ts';
import { mutationNamed } from '../index.ts';
import type { RunReport } from '../../src/report/index.ts';
import { isIndistinguishable } from './open-answers.ts';
import type { Job, JobResult } from './job.ts';
import { leaveOldOrders } from './seed-old-orders.ts';

const seed = 1n;

function optionsFor(job: Job): EmbeddedOptions {
  switch (job.kind) {
    case 'plain':
      return { seed };
    case 'assignment': {
      const { changes, oldOrders } = job;
      return {
        seed,
        assignment: assign(changes),
        ...(oldOrders !== undefined && { before: leaveOldOrders(oldOrders) }),
      };
    }
    case 'mutation': {
      const mutation = mutationNamed(job.id);
      if (!mutation) throw new Error(`no mutation is named ${job.id}`);
      return { seed, tamper: mutation.tamper() };
    }
  }
}

/** Checks that exercise most rules: whole lives of orders, and every list. */
export const widerChecks: readonly string[] = [
  'order.life.*',
  'order.failure.*',
  'order.money.long-*',
  'order.cancel.quoted.*',
  'order.expiry.three-quotes',
  'order.list.filters.*',
  'quote.select.third*',
  'quote.lists.settled*',
  'settlement.list.maker_b.*',
  'envelope.settled.*',
  'access.lists.*.settled',
  'rfq.list.plain',
  'list.pages.maker_b',
  'list.pages.quotes-of-one-order',
];

/** A mutation is tried on ever more of the suite, until a requirement that it names is found broken. */
async function run(job: Job): Promise<JobResult> {
  if (job.kind !== 'mutation' || job.suite === 'whole') return runSuite(job, 'whole');
  const breaks = mutationNamed(job.id)?.breaks ?? [];
  const found = ({ verdicts }: JobResult): boolean =>
    breaks.some((id) => ['fail', 'warn'].includes(verdicts[id] ?? ''));
  const narrow = await runSuite(job, 'narrow', breaks);
  if (found(narrow)) return narrow;
  const wider = await runSuite(job, 'wider', [...breaks, ...widerChecks]);
  return found(wider) || job.suite === 'narrow-only' ? wider : runSuite(job, 'whole');
}

async function runSuite(
  job: Job,
  suite: JobResult['suite'],
  only?: readonly string[],
): Promise<JobResult> {
  const started = performance.now();
  const target = await openEmbedded(optionsFor(job));
  try {
    const report = await runTarget(target, {
      ...silentObserver,
      checks,
      seed,
      ...(only && { only }),
      wallMs: () => performance.now(),
    });
    return {
      ...summarize(report),
      misread: job.kind === 'mutation' ? [] : misreadIn(report, optionsFor(job).assignment),
      job,
      suite,
      wallMs: performance.now() - started,
    };
  } finally {
    await target.close();
  }
}

function summarize(report: RunReport): Omit<JobResult, 'job' | 'suite' | 'misread' | 'wallMs'> {
  const checksAndRules = [...report.checks, ...report.rules];
  const messages: Record<string, string> = {};
  for (const { id, failures } of checksAndRules) {
    for (const { requirement = id, outcome, message } of failures) {
      if (outcome !== 'inconclusive') messages[requirement] ??= `${id}: ${message}`;
    }
  }
  for (const { id, verdict, reason } of report.requirements) {
    if (verdict === 'error') messages[id] ??= reason ?? 'error';
  }
  const ofVerdict = (...wanted: readonly string[]): string[] =>
    checksAndRules.filter(({ verdict }) => wanted.includes(verdict)).map(({ id }) => id);
  return {
    outcome: report.outcome,
    verdicts: Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict])),
    messages,
    broke: checksAndRules
      .filter(({ verdict }) => verdict === 'error')
      .map(({ id, reason }) => `${id}: ${reason ?? 'error'}`),
    by: ofVerdict('fail', 'warn'),
  };
}

/** Gap answers that discovery got wrong, or saw change: the target gives one answer to each gap, always. */
function misreadIn(report: RunReport, assignment: Assignment = assign({})): string[] {
  return report.gaps.flatMap(({ id, observed, consistent }) => {
    const gap = id as GapId;
    if (observed === undefined || isIndistinguishable(gap, assignment)) return [];
    const known: readonly string[] = gaps[gap].values;
    if (!consistent) return [`${id} is ${assignment[gap]}, and was seen to change (${observed})`];
    const other = known.includes(observed) && observed !== assignment[gap];
    return other ? [`${id} is ${assignment[gap]}, and was taken for ${observed}`] : [];
  });
}

/** Result of a run that could not be started or broke: it caught nothing. */
const broken = (job: Job, error: unknown): JobResult => ({
  job,
  suite: 'whole',
  outcome: 'error',
  verdicts: {},
  messages: {},
  broke: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  by: [],
  misread: [],
  wallMs: 0,
});

/** Runs one job to its end. An error becomes a result too. */
export const runJob = (job: Job): Promise<JobResult> =>
  run(job).catch((error: unknown) => broken(job, error));
