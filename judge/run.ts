import { checks } from '../conformance/index.ts';
import { runTarget, unwatched } from '../src/cli/run-target.ts';
import { type Assignment, type GapId, gaps } from '../src/spec/gaps/index.ts';
import { assign } from '../src/target/assignment.ts';
import { type EmbeddedOptions, openEmbedded } from '../src/target/embedded.ts';
import { mutationNamed } from '../src/target/mutations/index.ts';
import type { RunReport } from '../src/report/index.ts';
import { isHidden } from './hidden.ts';
import type { Job, Ran } from './job.ts';
import { leave } from './old-orders.ts';

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
        ...(oldOrders !== undefined && { before: leave(oldOrders) }),
      };
    }
    case 'mutation': {
      const mutation = mutationNamed(job.id);
      if (!mutation) throw new Error(`no mutation is named ${job.id}`);
      return { seed, tamper: mutation.tamper() };
    }
  }
}

/** Checks that drive what most rules judge: whole lives of orders, and every list. */
const tour = [
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
async function run(job: Job): Promise<Ran> {
  if (job.kind !== 'mutation' || job.suite === 'whole') return runSuite(job, 'whole');
  const breaks = mutationNamed(job.id)?.breaks ?? [];
  const found = ({ verdicts }: Ran): boolean =>
    breaks.some((id) => ['fail', 'warn'].includes(verdicts[id] ?? ''));
  const narrow = await runSuite(job, 'narrow', breaks);
  if (found(narrow)) return narrow;
  const wider = await runSuite(job, 'wider', [...breaks, ...tour]);
  return found(wider) || job.suite === 'narrow-only' ? wider : runSuite(job, 'whole');
}

async function runSuite(job: Job, suite: Ran['suite'], only?: readonly string[]): Promise<Ran> {
  const started = performance.now();
  const target = await openEmbedded(optionsFor(job));
  try {
    const report = await runTarget(target, {
      ...unwatched,
      checks,
      seed,
      ...(only && { only }),
      wallMs: () => performance.now(),
    });
    return {
      ...digest(report),
      misread: job.kind === 'mutation' ? [] : misreadIn(report, optionsFor(job).assignment),
      job,
      suite,
      wallMs: performance.now() - started,
    };
  } finally {
    await target.close();
  }
}

function digest(report: RunReport): Omit<Ran, 'job' | 'suite' | 'misread' | 'wallMs'> {
  const judges = [...report.checks, ...report.rules];
  const said: Record<string, string> = {};
  for (const { id, failures } of judges) {
    for (const { requirement = id, outcome, message } of failures) {
      if (outcome !== 'inconclusive') said[requirement] ??= `${id}: ${message}`;
    }
  }
  for (const { id, verdict, reason } of report.requirements) {
    if (verdict === 'error') said[id] ??= reason ?? 'error';
  }
  const ofVerdict = (...wanted: readonly string[]): string[] =>
    judges.filter(({ verdict }) => wanted.includes(verdict)).map(({ id }) => id);
  return {
    outcome: report.outcome,
    verdicts: Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict])),
    said,
    broke: judges
      .filter(({ verdict }) => verdict === 'error')
      .map(({ id, reason }) => `${id}: ${reason ?? 'error'}`),
    by: ofVerdict('fail', 'warn'),
  };
}

/** What the target's answers were taken for: it gives one answer to each gap, always. */
function misreadIn(report: RunReport, assignment: Assignment = assign({})): string[] {
  return report.gaps.flatMap(({ id, observed, consistent }) => {
    const gap = id as GapId;
    if (observed === undefined || isHidden(gap, assignment)) return [];
    const known: readonly string[] = gaps[gap].values;
    if (!consistent) return [`${id} is ${assignment[gap]}, and was seen to change (${observed})`];
    const other = known.includes(observed) && observed !== assignment[gap];
    return other ? [`${id} is ${assignment[gap]}, and was taken for ${observed}`] : [];
  });
}

/** A run that could not even be made is a result as well: nothing was caught by it. */
const broken = (job: Job, error: unknown): Ran => ({
  job,
  suite: 'whole',
  outcome: 'error',
  verdicts: {},
  said: {},
  broke: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  by: [],
  misread: [],
  wallMs: 0,
});

/** Runs one job to its end, whatever becomes of it. */
export const runJob = (job: Job): Promise<Ran> =>
  run(job).catch((error: unknown) => broken(job, error));
