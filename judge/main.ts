import { parseArgs } from 'node:util';
import { type Mutation, mutations } from '../src/target/mutations/index.ts';
import { judgeAssignment, judgeMutation, unproven } from './findings.ts';
import { nameOf, type Job, type Ran, type Suite } from './job.ts';
import { mutationJobs, randomAssignments, singleAssignments, slice } from './jobs.ts';
import { runJobs } from './pool.ts';
import { assignmentText, caughtText, mutationText } from './text.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    rotation: { type: 'string' },
    mutations: { type: 'boolean' },
    assignments: { type: 'boolean' },
    threads: { type: 'string' },
    suite: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});

const suiteAsked = (given: string | undefined): Suite =>
  given === 'whole' || given === 'narrow-only' ? given : 'narrow';

const seed = 1n;
const combinations = 100;
const rotation = Number(flags.rotation ?? 0);
const thinned = <T>(all: readonly T[]): readonly T[] =>
  flags.quick ? slice(all, rotation, 6) : all;

const chosen = (all: readonly Mutation[]): readonly Mutation[] => {
  if (flags.assignments && !flags.mutations) return [];
  const only = flags.only;
  return only === undefined ? thinned(all) : all.filter(({ id }) => id.includes(only));
};

const assignments = (): readonly Job[] => {
  if (flags.mutations && !flags.assignments) return [];
  const all = [...singleAssignments(), ...randomAssignments(seed, combinations)];
  const only = flags.only;
  return only === undefined
    ? thinned(all)
    : flags.assignments
      ? all.filter((job) => nameOf(job).includes(only))
      : [];
};

const started = performance.now();
const picked = chosen(mutations);
const jobs: Job[] = [
  { kind: 'plain' },
  ...mutationJobs(picked, suiteAsked(flags.suite)),
  ...assignments(),
];
const progress = (ran: Ran, done: number): void => {
  process.stderr.write(
    `${process.stderr.isTTY ? '\r\u001b[K' : '\n'}${done}/${jobs.length} ${nameOf(ran.job)} ${ran.suite} ${(ran.wallMs / 1000).toFixed(1)} s`,
  );
};
const results = await runJobs(jobs, Number(flags.threads ?? 2), progress);
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');

const [plain, ...others] = results as [Ran, ...Ran[]];
const byId = new Map(others.map((ran) => [nameOf(ran.job), ran]));
const foundMutations = picked.map((mutation) =>
  judgeMutation(mutation, byId.get(mutation.id) as Ran, plain),
);
const foundAssignments = others
  .filter(({ job }) => job.kind === 'assignment')
  .map((ran) => judgeAssignment(ran, plain));

const count = (caught: string): number =>
  foundMutations.filter((one) => one.caught === caught).length;
const out = (line: string): void => console.log(line);

out(
  `the reference: ${plain.outcome}${plain.broke.length > 0 ? `, broke: ${plain.broke.join('; ')}` : ''}`,
);
if (foundMutations.length > 0) {
  out(
    `\nmutations ${foundMutations.length}: caught by a requirement that they name ${count('named')}, by others ${count('otherwise')}, missed ${count('missed')}`,
  );
  for (const line of mutationText(foundMutations)) out(line);
  if (flags.verbose) for (const line of caughtText(foundMutations)) out(line);
  const open = unproven(plain, foundMutations);
  out(`\nrequirements that pass and that no mutation proves: ${open.length}`);
  if (flags.verbose) for (const id of open) out(`  ${id}`);
}
if (foundAssignments.length > 0) {
  const flips = foundAssignments.reduce((sum, { flips: some }) => sum + some.length, 0);
  out(`\nassignments ${foundAssignments.length}: verdicts that flipped ${flips}`);
  for (const line of assignmentText(foundAssignments)) out(line);
}
const wall = (performance.now() - started) / 1000;
const each = results.reduce((sum, { wallMs }) => sum + wallMs, 0) / results.length / 1000;
out(`\n${jobs.length} runs in ${wall.toFixed(0)} s, ${each.toFixed(2)} s each`);
