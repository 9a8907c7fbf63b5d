import { checks } from '../../conformance/index.ts';
import { usualRate } from '../client/pacer.ts';
import { expectedWallMs, plan, type Scope } from '../conformance/plan.ts';
import { historyBytes } from '../history/jsonl.ts';
import { withoutSecrets } from '../history/mask.ts';
import {
  applyWaivers,
  evidenceFor,
  exitCodeOfReport,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  toText,
  type Waiver,
} from '../report/index.ts';
import { formatSeed } from '../runtime/seed.ts';
import type { Tamper } from '../server/index.ts';
import { requirements } from '../spec/requirements/index.ts';
import { embeddedScope } from '../target/embedded.ts';
import type { TargetFile } from '../target/file/model.ts';
import type { Opening } from '../target/opened.ts';
import { castFor, fileFor } from '../target/urls.ts';
import { suggestion } from '../yaml/index.ts';
import type { Aside, Whole } from './aside.ts';
import { reasonOf, within, writeAll } from './files.ts';
import type { JudgeFlags } from './judge-flags.ts';
import { openChosen, type OpenFlags, reportFailure } from './open.ts';
import { progressLine } from './progress-line.ts';
import { runTarget, type Watch } from './run-target.ts';
import { seedOf } from './seed.ts';
import type { Judged } from './shard.ts';
import { checkInShards } from './shards.ts';
import { showPlan } from './show-plan.ts';
import { type Chosen, chooseTarget } from './targets.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { complain } from './usage.ts';
import { waiversFrom } from './waivers.ts';

/** The embedded reference in two worlds; absent: one target, in one run. */
export interface InShards {
  readonly whole: Whole;
  /** The thread that the second world is on, if it is on another. */
  readonly aside: Aside | undefined;
}

/** Judges a target and writes what came of it. */
export async function judge(
  flags: JudgeFlags,
  terminal: Terminal,
  inShards?: InShards,
): Promise<ExitCode> {
  const chosen = chooseTarget(flags, terminal);
  const waivers = waiversFrom(flags.waivers, terminal);
  if (!chosen || !waivers || !everyPatternSelects(flags, terminal)) return 2;
  const tamper = await tamperFor(chosen, flags, terminal);
  if (tamper === 'unknown') return 2;
  if (flags.dryRun) return dryRun(chosen, flags, terminal);

  const seed = seedOf(flags.seed);
  terminal.out(`seed ${formatSeed(seed)}`);
  const line = progressLine(terminal);
  const watch: Watch = {
    onStage: line.stage,
    onProgress: line.update,
    date: terminal.date,
    wallMs: terminal.wallMs,
  };
  try {
    const judged = inShards
      ? await checkInShards(inShards.whole, inShards.aside, watch)
      : await judgeAtOnce(chosen, seed, { ...flags, ...(tamper && { tamper }) }, watch);
    line.end();
    if ('problems' in judged) return reportFailure(judged, terminal);
    return await conclude(judged, waivers, flags, terminal);
  } finally {
    line.end();
  }
}

async function judgeAtOnce(
  chosen: Chosen,
  seed: bigint,
  flags: JudgeFlags & OpenFlags,
  watch: Watch,
): Promise<Judged | Extract<Opening, { readonly ok: false }>> {
  watch.onStage('reaching every party');
  const opening = await openChosen(chosen, seed, flags);
  if (!opening.ok) return opening;
  const { target } = opening;
  try {
    const report = await runTarget(target, {
      checks,
      seed,
      ...(flags.only && { only: flags.only }),
      ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
      ...watch,
    });
    const secrets = target.secrets();
    return {
      report,
      history: historyBytes(target.history.records, secrets),
      shown: withoutSecrets(evidenceFor(report, target.history), secrets),
    };
  } finally {
    await target.close();
  }
}

/** Mutations are many, so they are loaded only where one is asked for. */
async function tamperFor(
  chosen: Chosen,
  { mutation }: JudgeFlags,
  terminal: Terminal,
): Promise<Tamper | undefined | 'unknown'> {
  if (mutation === undefined) return undefined;
  if (chosen.kind !== 'embedded') {
    complain(terminal, '--mutation breaks the embedded reference only', 'leave out the target');
    return 'unknown';
  }
  return (await import('./mutation.ts')).tamperOf(mutation, terminal);
}

async function conclude(
  { report: found, history, shown }: Judged,
  waivers: readonly Waiver[],
  flags: JudgeFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const report = waivers.length > 0 ? applyWaivers(found, waivers) : found;
  terminal.out(toText(report, shown, { colour: terminal.hasColour ? 'colour' : 'plain' }));
  const out = flags.out ?? 'reports';
  const reports = [
    ['report.json', toJson(report)],
    ['junit.xml', toJunit(report)],
    ['summary.md', toMarkdown(report)],
    ['report.html', toHtml(report, shown)],
  ] as const;
  // Last, since it may still be under way.
  const whole = await history;
  try {
    writeAll(within(terminal.cwd, out), [...reports, ['history.jsonl', whole]]);
  } catch (error) {
    complain(terminal, `--out ${out}: ${reasonOf(error)}`, 'name a directory that can be written');
    return 2;
  }
  terminal.out(`\nreports: ${out}/report.html, report.json, history.jsonl, junit.xml, summary.md`);
  return exitCodeOfReport(report, flags.strict ? 'strict' : 'lenient');
}

const nobody: Scope = {
  parties: {},
  clock: { kind: 'virtual', maxWaitMs: 0, offset: { least: 0, most: 0 } },
  controls: {},
};

/** A pattern that selects nothing is most likely misspelled, and would make a run look good. */
function everyPatternSelects({ only }: JudgeFlags, terminal: Terminal): boolean {
  const { unmatched } = plan(checks, nobody, requirements, only);
  const known = [...checks.map(({ id }) => id), ...Object.keys(requirements)];
  for (const pattern of unmatched) {
    const next = suggestion(pattern, known) ?? 'ids: assay check --dry-run';
    complain(terminal, `--only ${pattern} selects no check`, next);
  }
  return unmatched.length === 0;
}

/** Shows the plan; asks nothing of the target but, for bare addresses, who they are. */
async function dryRun(chosen: Chosen, flags: JudgeFlags, terminal: Terminal): Promise<ExitCode> {
  const scope = await scopeOf(chosen, flags);
  if ('problems' in scope) return reportFailure(scope, terminal);
  const planned = plan(checks, scope, requirements, flags.only);
  const { kind } = scope.clock;
  terminal.out(showPlan(planned, expectedWallMs(planned, kind, flags.rate ?? usualRate[kind])));
  return 0;
}

async function scopeOf(chosen: Chosen, { maxWait }: JudgeFlags) {
  if (chosen.kind === 'embedded') return embeddedScope(maxWait);
  if (chosen.kind === 'file') return scopeOfFile(chosen.file, maxWait);
  const cast = await castFor(chosen.urls);
  return cast.ok ? scopeOfFile(fileFor(cast.participants), maxWait) : cast;
}

const scopeOfFile = (file: TargetFile, maxWait: number | undefined): Scope => ({
  parties: Object.fromEntries(
    file.participants.map(({ name, role, baseUrl }) => [name, { role, baseUrl }]),
  ),
  clock: {
    kind: file.clock.kind,
    maxWaitMs: maxWait ?? file.clock.maxWaitMs,
    offset: { least: 0, most: 0 },
  },
  controls: Object.fromEntries(Object.keys(file.controls).map((name) => [name, {}])),
  ...(file.signing && { signing: { alg: file.signing.alg, mint: notHere } }),
});

const notHere = (): Promise<string> => Promise.reject(new Error('a plan mints nothing'));
