import type { SeededFlags } from '../flags.ts';
import { formatSeed } from '../../random/seed.ts';
import { renderPlan } from '../../scenario/render.ts';
import type { Scenario } from '../../scenario/language/load.ts';
import { type CommandInput, exitCodeOf, readAll, stoppableRun, usageFailure } from '../command.ts';
import type { RemoteTarget } from '../../run/open.ts';
import { tampersOf } from '../find-mutation.ts';
import { tryDirectory } from '../files.ts';
import { findScenarios, isOfFile, loadScenarios } from './scenario-files.ts';
import type { PlayContext, PlayedRun } from './play-report.ts';
import type { PlayedScenario } from '../../run/play-run.ts';
import {
  endedSentence,
  exitCodeOfReport,
  historyStream,
  mergeRuleReports,
  shellWord,
  toJson,
  toWaiversText,
} from '../../report/index.ts';
import { outcomeOfPlay, outcomeOfRules } from './outcome.ts';
import { playedText, rulesText, totalsText } from './text.ts';
import { progressLine } from '../progress-line.ts';
import { announceRun, chooseTarget, withTarget } from '../choose-target.ts';
import { startedWith } from '../../run/started-with.ts';
import { keepOnDisk } from '../history-draft.ts';
import { failedIn } from '../read-report.ts';
import { rulesWith } from '../own-rules.ts';
import { waiversFrom } from '../waivers.ts';
import { colourOf, forPeople, type ExitCode } from '../terminal.ts';

/** Plays scenarios, on the embedded reference or on a target. */
export async function playCommand(input: CommandInput): Promise<ExitCode> {
  if (!input.flags.watch) return playOnce(input);
  const { watchFiles } = await import('./watch.ts');
  const { words, terminal } = input;
  return watchFiles(words, terminal, () => exitCodeOf(() => playOnce(input), terminal));
}

async function playOnce({ words, terminal: given, ...input }: CommandInput): Promise<ExitCode> {
  const flags = input.flags as SeededFlags;
  // Standard output is for people, or for a program.
  const terminal = forPeople(given, flags.json);
  const [chosen, files, waivers] = readAll(
    () => chooseTarget(flags, terminal),
    () => findScenarios(words, terminal),
    () => waiversFrom(flags.waivers, terminal),
  );
  const values = new Map(
    (flags.set ?? []).map((given) => {
      const end = given.indexOf('=');
      return [given.slice(0, end), given.slice(end + 1)] as const;
    }),
  );
  const { scenarios: all, texts } = loadScenarios(files, terminal, values);
  const { tag, onlyFailed } = flags;
  const chosenByTag = all.filter(
    ({ draft }) => !tag || draft.tags.some(({ value }) => tag.includes(value)),
  );
  const rerunnable = chosenByTag.map(({ id, draft }) => ({
    id,
    requirements: draft.verifies.map(({ value }) => value),
  }));
  const failed = onlyFailed === undefined ? undefined : failedIn(onlyFailed, rerunnable, terminal);
  if (failed?.ids.length === 0) {
    terminal.out(`nothing failed in ${onlyFailed}: nothing was played`);
    return failed.exitCode;
  }
  const scenarios = failed ? chosenByTag.filter(({ id }) => failed.ids.includes(id)) : chosenByTag;
  if (scenarios.length === 0) {
    const tags = [...new Set(all.flatMap(({ draft }) => draft.tags.map(({ value }) => value)))];
    const next = tags.length > 0 ? `the tags are ${tags.toSorted().join(', ')}` : 'none has a tag';
    throw usageFailure(
      'no scenario is left to play',
      tag && all.length > 0 ? next : 'files of templates contain no scenario',
    );
  }
  if (flags.dryRun) {
    given.out(scenarios.map(renderPlan).join('\n\n'));
    return 0;
  }
  if (flags.mutation !== undefined && chosen.kind !== 'embedded') {
    throw usageFailure('--mutation breaks the embedded reference only', 'leave out the target');
  }
  const tamper = tampersOf(flags.mutation);
  const others = waivers.flatMap((one) =>
    'id' in one && isOfFile(one.id, terminal) ? [one.id] : [],
  );
  if (flags.out !== undefined) tryDirectory(terminal.cwd, flags.out);
  const rules = await rulesWith(flags.checks, terminal.cwd);
  const runEnd = stoppableRun(terminal);
  const runId = announceRun(flags, chosen, terminal.out);
  const context = {
    flags,
    runId,
    rules,
    tamper,
    terminal,
    print: given.out,
    waivers,
    scenarioIds: [...all.map(({ id }) => id), ...others],
    texts,
    values,
    startedAt: terminal.date(),
    startedWallMs: terminal.wallMs(),
    runEnd,
  };
  const played =
    chosen.kind === 'embedded'
      ? onReference(scenarios, context)
      : onTarget(scenarios, chosen, context);
  return played.finally(runEnd.forget);
}

async function onReference(
  scenarios: readonly Scenario[],
  context: PlayContext,
): Promise<ExitCode> {
  const { terminal, texts, values, flags, runEnd } = context;
  const { seed, out, maxWait, mutation } = flags;
  const inputs = {
    seed,
    runId: context.runId,
    keepsRecords: out !== undefined,
    maxWaitMs: maxWait,
  };
  // First, so that the threads load their code while this one loads its own.
  const { playerThreads } = await import('./threads.ts');
  // A broken reference is for trying out few scenarios, and a user's own rules cannot be sent: on this thread alone.
  const helped = mutation === undefined && flags.checks === undefined ? scenarios : [];
  const threads = playerThreads(helped, { ...inputs, cwd: terminal.cwd, texts, values });
  const { embeddedScope } = await import('../../target/embedded/embedded.ts');
  const { playEmbedded } = await import('../../run/play-embedded.ts');
  const onPlayed = ({ played, rules }: PlayedScenario): void =>
    terminal.out([playedText(played, texts), ...rulesText(rules)].join('\n'));
  try {
    const judged = await playEmbedded(
      scenarios,
      { ...inputs, rules: context.rules, tamper: context.tamper, onPlayed, runEnd },
      threads.players,
    );
    return await conclude({
      context,
      played: judged.map((one) => one.played),
      rules: mergeRuleReports(judged.map((one) => one.rules)),
      records: judged.flatMap((one) => one.records),
      target: { name: 'the reference, embedded', scope: embeddedScope(maxWait) },
    });
  } finally {
    await threads.close();
  }
}

async function onTarget(
  scenarios: readonly Scenario[],
  chosen: RemoteTarget,
  context: PlayContext,
): Promise<ExitCode> {
  const { terminal, texts, flags, runId, runEnd } = context;
  const { seed, maxWait, rate } = flags;
  const { transportFor, playersAtOnce, playTogether, onlyNeededParties } = await import(
    '../../run/play-target.ts'
  );
  const { secrets } = terminal;
  const options = {
    maxWaitMs: maxWait,
    ratePerSecond: rate,
    secrets,
    runId,
    runEnd,
    reporting: terminal,
    ...transportFor(scenarios),
  };
  return withTarget(onlyNeededParties(chosen, scenarios), seed, options, async (target) => {
    const dropDraft =
      flags.out === undefined ? undefined : keepOnDisk(target.history, flags.out, terminal);
    const line = progressLine(terminal);
    const playing = new Set<string>();
    let done = 0;
    const progress = (): string => {
      const [first, ...others] = playing;
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      const now = first === undefined ? '' : ` · playing ${first}${more}`;
      return `${done} of ${scenarios.length} scenarios${now}`;
    };
    const { played, rules } = await playTogether(scenarios, target, {
      seed,
      rules: context.rules,
      keepsRecords: true,
      concurrency: flags.concurrency ?? playersAtOnce,
      runEnd,
      onBegun({ id }) {
        playing.add(id);
        line.show(progress);
      },
      onPlayed({ played: one }) {
        playing.delete(one.scenario.id);
        done += 1;
        line.end();
        terminal.out(playedText(one, texts));
        line.show(progress);
      },
    }).finally(line.end);
    for (const text of rulesText(rules)) terminal.out(text);
    const code = await conclude({
      context,
      played,
      rules,
      records: target.history.records,
      target: { name: target.name, scope: target, unasked: target.unasked },
    });
    dropDraft?.();
    return code;
  });
}

async function conclude(run: PlayedRun): Promise<ExitCode> {
  const { played, rules } = run;
  const { terminal, flags, startedWallMs, print, runEnd, waivers } = run.context;
  // Worlds of the reference were recorded without it.
  for (const record of run.records) terminal.secrets.learn(record);
  const isWaiving = waivers.length > 0;
  const report =
    flags.json || isWaiving || flags.out !== undefined
      ? (await import('./play-report.ts')).reportOfPlay(run)
      : undefined;
  if (flags.json && report) print(toJson(report).trimEnd());
  const words = [...startedWith(flags), '--seed', formatSeed(flags.seed)].map(shellWord).join(' ');
  const replay = (file: string): string => `assay play ${shellWord(file)} ${words}`;
  const ended = runEnd.ended();
  if (ended) terminal.out(`\n${endedSentence(ended)}`);
  const waived = new Set(
    report?.checks.flatMap((one) => (one.waived === undefined ? [] : [one.id])) ?? [],
  );
  terminal.out(totalsText(played, terminal.wallMs() - startedWallMs, replay, waived));
  if (report && isWaiving) terminal.out(`\n${toWaiversText(report, colourOf(terminal))}`);
  if (report && flags.out !== undefined) {
    const { writeReport } = await import('../report-files.ts');
    const history = historyStream(run.records, report, terminal.secrets);
    terminal.out(await writeReport(report, history, flags.out, terminal));
  }
  const outcome = ended
    ? 'incomplete'
    : (report?.outcome ?? outcomeOfPlay(played, outcomeOfRules(rules)));
  const code = exitCodeOfReport({ outcome, requirements: [], waivers: report?.waivers ?? [] });
  const isOpen = played.some(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'out_of_scope',
  );
  return code === 0 && flags.strict === true && isOpen ? 3 : code;
}
