import { defaultRate } from '../../client/rate-limit/pacer.ts';
import { currentCheckId } from '../../../conformance/renamed-checks.ts';
import { expectedWallMs, patternsOf, plan, type Scope } from '../../suite/engine/plan.ts';
import { historyBytes } from '../../history/jsonl.ts';
import { withoutSecrets } from '../../history/mask.ts';
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
} from '../../report/index.ts';
import { formatSeed } from '../../random/seed.ts';
import type { Tamper } from '../../reference/http/index.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { embeddedScope } from '../../target/embedded/embedded.ts';
import type { TargetFile } from '../../target/file/target-file.ts';
import type { OpenResult } from '../../target/opened-target.ts';
import { assignCast, targetFileFor } from '../../target/remote/base-urls.ts';
import { suggestion } from '../../yaml/index.ts';
import type { SecondShard, SharedInputs } from './second-shard.ts';
import { within, writeAll } from '../files.ts';
import type { CheckFlags } from './flags.ts';
import { type ChosenTarget, openTarget, type OpenFlags } from '../../run/open.ts';
import type { OwnSuite } from '../../run/own-suite.ts';
import { reasonOf } from '../../run/read-text.ts';
import { suiteWith } from '../own-suite.ts';
import { progressLine } from '../progress-line.ts';
import { runTarget, type RunObserver } from '../../run/run-target.ts';
import { seedOf } from '../seed.ts';
import type { ShardResult } from './shard.ts';
import { checkInShards } from './shards.ts';
import { showPlan } from './show-plan.ts';
import { chooseTarget } from '../choose-target.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { complain, reportFailure } from '../complain.ts';
import { waiversFrom } from '../waivers.ts';

/** The embedded reference in two worlds; absent: one target, in one run. */
export interface ShardedRun {
  readonly whole: SharedInputs;
  /** The thread that the second world is on, if it is on another. */
  readonly secondShard: SecondShard | undefined;
}

/** Judges a target and writes what came of it. */
export async function checkTarget(
  given: CheckFlags,
  terminal: Terminal,
  sharded?: ShardedRun,
): Promise<ExitCode> {
  const flags: CheckFlags = {
    ...given,
    ...(given.only && { only: patternsOf(given.only).map(currentCheckId) }),
  };
  const chosen = chooseTarget(flags, terminal);
  const waivers = waiversFrom(flags.waivers, terminal);
  if (!chosen || !waivers) return 2;
  const suite = await suiteWith(flags.checks, terminal);
  if (!suite || !checkPatterns(suite, flags, terminal)) return 2;
  const tamper = await loadTamper(chosen, flags, terminal);
  if (tamper === 'unknown') return 2;
  if (flags.dryRun) return dryRun(suite, chosen, flags, terminal);

  const seed = seedOf(flags.seed);
  terminal.out(`seed ${formatSeed(seed)}`);
  const line = progressLine(terminal);
  const watch: RunObserver = {
    onStage: line.stage,
    onProgress: line.update,
    date: terminal.date,
    wallMs: terminal.wallMs,
  };
  try {
    const judged = sharded
      ? await checkInShards(sharded.whole, sharded.secondShard, watch)
      : await judgeAtOnce(suite, chosen, seed, { ...flags, ...(tamper && { tamper }) }, watch);
    line.end();
    if ('problems' in judged) return reportFailure(judged, terminal);
    return await conclude(judged, waivers, flags, terminal);
  } finally {
    line.end();
  }
}

async function judgeAtOnce(
  suite: OwnSuite,
  chosen: ChosenTarget,
  seed: bigint,
  flags: CheckFlags & OpenFlags,
  watch: RunObserver,
): Promise<ShardResult | Extract<OpenResult, { readonly ok: false }>> {
  watch.onStage('reaching every party');
  const opening = await openTarget(chosen, seed, flags);
  if (!opening.ok) return opening;
  const { target } = opening;
  try {
    const report = await runTarget(target, {
      ...suite,
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
async function loadTamper(
  chosen: ChosenTarget,
  { mutation }: CheckFlags,
  terminal: Terminal,
): Promise<Tamper | undefined | 'unknown'> {
  if (mutation === undefined) return undefined;
  if (chosen.kind !== 'embedded') {
    complain(terminal, '--mutation breaks the embedded reference only', 'leave out the target');
    return 'unknown';
  }
  return (await import('../find-mutation.ts')).findTamper(mutation, terminal);
}

async function conclude(
  { report: found, history, shown }: ShardResult,
  waivers: readonly Waiver[],
  flags: CheckFlags,
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

const emptyScope: Scope = {
  parties: {},
  clock: { kind: 'virtual', maxWaitMs: 0, offset: { least: 0, most: 0 } },
  controls: {},
};

/** A pattern that selects nothing is most likely misspelled, and would make a run look good. */
function checkPatterns({ checks }: OwnSuite, { only }: CheckFlags, terminal: Terminal): boolean {
  const { unmatched } = plan(checks, emptyScope, requirements, only);
  const known = [...checks.map(({ id }) => id), ...Object.keys(requirements)];
  for (const pattern of unmatched) {
    const next = suggestion(pattern, known) ?? 'ids: assay check --dry-run';
    complain(terminal, `--only ${pattern} selects no check`, next);
  }
  return unmatched.length === 0;
}

/** Shows the plan; asks nothing of the target but, for bare addresses, who they are. */
async function dryRun(
  { checks }: OwnSuite,
  chosen: ChosenTarget,
  flags: CheckFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const scope = await scopeOf(chosen, flags);
  if ('problems' in scope) return reportFailure(scope, terminal);
  const planned = plan(checks, scope, requirements, flags.only);
  const { kind } = scope.clock;
  terminal.out(showPlan(planned, expectedWallMs(planned, kind, flags.rate ?? defaultRate[kind])));
  return 0;
}

async function scopeOf(chosen: ChosenTarget, { maxWait }: CheckFlags) {
  if (chosen.kind === 'embedded') return embeddedScope(maxWait);
  if (chosen.kind === 'file') return scopeOfFile(chosen.file, maxWait);
  const cast = await assignCast(chosen.urls);
  return cast.ok ? scopeOfFile(targetFileFor(cast.participants), maxWait) : cast;
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
  ...(file.signing && { signing: { alg: file.signing.alg, mint: refuseToMint } }),
});

const refuseToMint = (): Promise<string> => Promise.reject(new Error('a plan mints nothing'));
