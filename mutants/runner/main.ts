import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutation, mutations } from '../index.ts';
import {
  type AssignmentResult,
  assessAssignment,
  assessMutation,
  assignmentText,
  caughtText,
  mutationText,
  unproven,
} from './results.ts';
import {
  type Job,
  type JobResult,
  type Suite,
  mutationJobs,
  nameOf,
  randomAssignments,
  singleAssignments,
  slice,
  targetWithOldOrders,
} from './job.ts';
import { mutationTables, toMarkdown } from './markdown-report.ts';
import { runJobs } from './worker-pool.ts';

const usage = `npm run judge -- [options]

  --quick            a twenty-fourth of the mutations and a thirtieth of the assignments; which ones, --rotation says
  --rotation <n>     another part for each number (default: 0)
  --mutations        no assignments
  --assignments      no mutations
  --only <text>      those whose name holds the text; several names with commas between them
  --suite <how>      narrow (default), narrow-only (never the whole suite) or whole (always)
  --threads <n>      default: 2
  --verbose          what caught each mutation, and which requirements no mutation proves
  --write            write docs/judge.md; of a whole run only. A whole run always writes reports/judge.md
`;

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    rotation: { type: 'string', default: '0' },
    mutations: { type: 'boolean' },
    assignments: { type: 'boolean' },
    only: { type: 'string' },
    suite: { type: 'string', default: 'narrow' },
    threads: { type: 'string', default: '2' },
    verbose: { type: 'boolean' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

const partial = flags.quick || flags.only !== undefined || flags.mutations || flags.assignments;

const seed = 1n;
const combinations = 100;
const oldOrders = 10_000;
const quick = { mutations: 24, assignments: 30 } as const;

const suites: readonly Suite[] = ['narrow', 'narrow-only', 'whole'];
const suite = suites.find((one) => one === flags.suite);

const requestedNames = flags.only?.split(',');
const isRequested = (name: string, text: string): boolean =>
  requestedNames?.length === 1 ? name.includes(text) : name === text;

/** Selects jobs by `--only` or, with `--quick`, by rotation. */
function requested<T>(all: readonly T[], of: number, name: (one: T) => string): readonly T[] {
  if (requestedNames)
    return all.filter((one) => requestedNames.some((text) => isRequested(name(one), text)));
  return flags.quick ? slice(all, Number(flags.rotation), of) : all;
}

async function main(suiteRequested: Suite): Promise<number> {
  const picked = flags.assignments ? [] : requested(mutations, quick.mutations, ({ id }) => id);
  const assignments = flags.mutations
    ? []
    : requested(
        [
          ...singleAssignments(),
          ...randomAssignments(seed, combinations),
          targetWithOldOrders(oldOrders),
        ],
        quick.assignments,
        nameOf,
      );
  const names = [...picked.map(({ id }) => id), ...assignments.map(nameOf)];
  const nothing = requestedNames?.find((text) => !names.some((name) => isRequested(name, text)));
  if (nothing !== undefined) {
    process.stderr.write(
      `--only: nothing is called "${nothing}"; the names are in docs/judge.md\n`,
    );
    return 2;
  }
  const jobs: Job[] = [{ kind: 'plain' }, ...mutationJobs(picked, suiteRequested), ...assignments];

  const started = performance.now();
  const results = await runJobs<Job, JobResult>(
    new URL('./worker.js', import.meta.url),
    jobs,
    Number(flags.threads),
    (ran, done) => progress(ran, done, jobs.length),
  );
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  const [plain, ...others] = results as readonly [JobResult, ...JobResult[]];
  const byName = new Map(others.map((ran) => [nameOf(ran.job), ran]));
  const found = picked.map((mutation: Mutation) =>
    assessMutation(mutation, byName.get(mutation.id) as JobResult, plain),
  );
  const ofAssignments = others
    .filter(({ job }) => job.kind === 'assignment')
    .map((ran) => assessAssignment(ran, plain));

  const open = unproven(plain, found);
  out(`the reference: ${plain.outcome}${plain.broke.map((what) => `\n  broke: ${what}`).join('')}`);
  for (const what of plain.misread) out(`  misread: ${what}`);
  if (found.length > 0) sayMutations(found, open);
  if (ofAssignments.length > 0) sayAssignments(ofAssignments);
  const wall = (performance.now() - started) / 1000;
  out(`\n${jobs.length} jobs in ${wall.toFixed(0)} s of wall time on ${flags.threads} threads`);

  if (!partial) {
    const passing = Object.values(plain.verdicts).filter((one) => one === 'pass').length;
    const report = { mutations: found, assignments: ofAssignments, unproven: open, passing, seed };
    const written = [['reports/judge.md', mutationTables(report)]];
    if (flags.write) written.push(['docs/judge.md', toMarkdown(report)]);
    for (const [path = '', text = ''] of written) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(join(process.cwd(), path), text);
      out(`written: ${path}`);
    }
  }
  const clean =
    plain.outcome === 'conformant' &&
    plain.misread.length === 0 &&
    found.every(({ caught, broke }) => caught !== 'missed' && broke.length === 0) &&
    ofAssignments.every(
      ({ falseAlarms, misread, outcome }) =>
        falseAlarms.length + misread.length === 0 && outcome === 'conformant',
    );
  return clean ? 0 : 1;
}

const out = (line: string): void => console.log(line);

function progress(ran: JobResult, done: number, of: number): void {
  const { stderr } = process;
  if (!stderr.isTTY && !flags.verbose) return;
  const line = `${done}/${of} ${nameOf(ran.job)} ${ran.suite} ${(ran.wallMs / 1000).toFixed(1)} s`;
  stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}

function sayMutations(
  found: readonly ReturnType<typeof assessMutation>[],
  open: readonly string[],
): void {
  const count = (caught: string): number => found.filter((one) => one.caught === caught).length;
  out(
    `\nmutations ${found.length}: caught by a requirement that they name ${count('named')}, ` +
      `by others alone ${count('otherwise')}, missed ${count('missed')}`,
  );
  for (const line of mutationText(found)) out(line);
  if (flags.verbose) for (const line of caughtText(found)) out(line);
  out(`\nrequirements that pass and that no mutation proves: ${open.length}`);
  if (flags.verbose) for (const id of open) out(`  ${id}`);
}

function sayAssignments(found: readonly AssignmentResult[]): void {
  const falseAlarms = found.reduce((sum, { falseAlarms: some }) => sum + some.length, 0);
  const misread = found.reduce((sum, one) => sum + one.misread.length, 0);
  out(
    `\nassignments ${found.length}: verdicts that flipped ${falseAlarms}, answers misread ${misread}`,
  );
  for (const line of assignmentText(found)) out(line);
}

if (flags.help || !suite || (flags.write && partial)) {
  out(usage);
  process.exitCode = flags.help ? 0 : 2;
} else {
  process.exitCode = await main(suite);
}
