import { writeFileSync } from 'node:fs';
import {
  type RecordedFailure,
  recordedFailuresFile,
} from '../../src/handbook/recorded-failures.ts';
import { requirementIds } from '../../src/spec/requirements/index.ts';
import { type Mutation, mutations } from '../index.ts';
import { type Job, type JobResult, mutationJobs } from './job.ts';
import { newlyBroken } from './results.ts';
import { runJobs } from './worker-pool.ts';

/** Number of threads: the first argument, or 2. With two it takes a few minutes. */
const threads = Number(process.argv[2] ?? 2);

const run = (jobs: readonly Job[]): Promise<readonly JobResult[]> =>
  runJobs<Job, JobResult>(
    new URL('./worker.js', import.meta.url),
    jobs,
    threads,
    ({ job }, done) => {
      if (done % 50 === 0) console.log(`${done}/${jobs.length} ${JSON.stringify(job)}`);
    },
  );

/** Failure message of each requirement that a mutation broke. The judge has it as `source: message`. */
function failuresOf(ran: JobResult, plain: JobResult): Record<string, RecordedFailure> {
  const mutation = ran.job.kind === 'mutation' ? ran.job.id : '';
  const told = newlyBroken(ran, plain).flatMap((id) => {
    const [, by, message] = /^(\S+): ([\s\S]+)$/.exec(ran.messages[id] ?? '') ?? [];
    return by !== undefined && message !== undefined ? [[id, { mutation, by, message }]] : [];
  });
  return Object.fromEntries(told) as Record<string, RecordedFailure>;
}

/** The first mutation that is about each requirement, then mutations that name a requirement without an example yet. */
async function record(): Promise<Record<string, RecordedFailure>> {
  const [plain] = (await run([{ kind: 'plain' }])) as readonly [JobResult];
  const named: Record<string, RecordedFailure> = {};
  const beside: Record<string, RecordedFailure> = {};
  const tried = new Set<Mutation>();
  const isMissing = (id: string): boolean => named[id] === undefined;
  const rounds: readonly ((mutation: Mutation) => readonly string[])[] = [
    ({ breaks }) => breaks.slice(0, 1),
    ({ breaks }) => breaks,
    ({ breaks }) => breaks,
  ];
  for (const about of rounds) {
    const asked = new Set<string>();
    const chosen = mutations.filter((one) => {
      const wanted = about(one).filter((id) => isMissing(id) && !asked.has(id));
      if (tried.has(one) || wanted.length === 0) return false;
      for (const id of wanted) asked.add(id);
      return true;
    });
    for (const one of chosen) tried.add(one);
    for (const ran of await run(mutationJobs(chosen, 'narrow-only'))) {
      const breaks = chosen.find(
        ({ id }) => ran.job.kind === 'mutation' && ran.job.id === id,
      )?.breaks;
      for (const [id, failure] of Object.entries(failuresOf(ran, plain))) {
        const kept = breaks?.some((one) => one === id) ? named : beside;
        kept[id] ??= failure;
      }
    }
  }
  const failures = requirementIds.flatMap((id) => {
    const failure = named[id] ?? beside[id];
    return failure ? [[id, failure] as const] : [];
  });
  return Object.fromEntries(failures);
}

const failures = await record();
writeFileSync(recordedFailuresFile, `${JSON.stringify(failures, null, 2)}\n`);
console.log(
  `${Object.keys(failures).length} of ${requirementIds.length} requirements have an example`,
);
