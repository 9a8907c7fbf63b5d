import type { SourceReport } from '../../results/source-report.ts';
import { formatSeed } from '../../random/seed.ts';
import { renderPlan } from '../../scenario/render.ts';
import type { Scenario } from '../../scenario/language/load.ts';
import type { Played } from '../../scenario/run/play.ts';
import type { CommandInput } from '../command.ts';
import { type ChosenTarget, openTarget } from '../../run/open.ts';
import { findScenarios, loadScenarios } from './scenario-files.ts';
import type { PlayedRun } from './write-report.ts';
import { type PlayedScenario, mergeRules } from '../../run/play-run.ts';
import { playedText, rulesText, totalsText } from './text.ts';
import { seedOf } from '../seed.ts';
import type { PlayContext, PlayFlags } from './context.ts';
import { chooseTarget } from '../choose-target.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { complain, reportFailure } from '../complain.ts';

/** Plays scenarios, on the embedded reference or on a target. */
export async function playCommand({ terminal, words, options }: CommandInput): Promise<ExitCode> {
  const flags = options as PlayFlags;
  if (!flags.watch) return playOnce(words, flags, terminal);
  const { watchFiles } = await import('./watch.ts');
  return watchFiles(words, terminal, () => playOnce(words, flags, terminal));
}

async function playOnce(
  words: readonly string[],
  flags: PlayFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const chosen = chooseTarget(flags, terminal);
  const files = findScenarios(words, terminal);
  if (!chosen || !files) return 2;
  const loaded = loadScenarios(files, terminal);
  if (!loaded) return 2;
  const { texts } = loaded;
  const scenarios = tagged(loaded.scenarios, flags.tag);
  if (scenarios.length === 0) {
    complain(terminal, 'no scenario is left to play', 'files of templates hold none; see --tag');
    return 2;
  }
  if (flags.dryRun) {
    terminal.out(scenarios.map(renderPlan).join('\n\n'));
    return 0;
  }
  const seed = seedOf(flags.seed);
  terminal.out(`seed ${formatSeed(seed)}`);
  const context = {
    seed,
    flags,
    terminal,
    texts,
    startedAt: terminal.date(),
    startedWallMs: terminal.wallMs(),
  };
  return chosen.kind === 'embedded'
    ? onReference(scenarios, context)
    : onTarget(scenarios, chosen, context);
}

const tagged = (
  scenarios: readonly Scenario[],
  tags: readonly string[] | undefined,
): readonly Scenario[] =>
  tags
    ? scenarios.filter(({ draft }) => draft.tags.some(({ value }) => tags.includes(value)))
    : scenarios;

async function onReference(
  scenarios: readonly Scenario[],
  context: PlayContext,
): Promise<ExitCode> {
  const { terminal, texts, flags, seed } = context;
  const inputs = {
    seed,
    keepsRecords: flags.out !== undefined,
    ...(flags.maxWait !== undefined && { maxWaitMs: flags.maxWait }),
  };
  // First, so that the threads load what they play with while this one does.
  const { playerThreads } = await import('./threads.ts');
  const threads = playerThreads(scenarios, { ...inputs, cwd: terminal.cwd, texts });
  const { embeddedScope } = await import('../../target/embedded/embedded.ts');
  const { playEmbedded } = await import('../../run/play-embedded.ts');
  const onPlayed = ({ played, rules }: PlayedScenario): void =>
    terminal.out([playedText(played, texts), ...rulesText(rules)].join('\n'));
  try {
    const judged = await playEmbedded(scenarios, { ...inputs, onPlayed }, threads.players);
    const rules = mergeRules(judged.map((one) => one.rules));
    return await conclude(
      judged.map((one) => one.played),
      rules,
      context,
      {
        records: judged.flatMap((one) => one.records),
        target: { name: 'the reference, embedded', scope: embeddedScope(flags.maxWait) },
        secrets: [],
      },
    );
  } finally {
    await threads.close();
  }
}

async function onTarget(
  scenarios: readonly Scenario[],
  chosen: Exclude<ChosenTarget, { readonly kind: 'embedded' }>,
  context: PlayContext,
): Promise<ExitCode> {
  const { terminal, texts, flags, seed } = context;
  const { playTransport, playersAtOnce, playTogether, onlyNeededParties } = await import(
    '../../run/play-target.ts'
  );
  const needed = onlyNeededParties(chosen, scenarios);
  const opening = await openTarget(needed, seed, {
    ...flags,
    ...playTransport,
  });
  if (!opening.ok) return reportFailure(opening, terminal);
  const { target } = opening;
  try {
    const { played, rules } = await playTogether(scenarios, target, {
      seed,
      keepsRecords: true,
      concurrency: flags.concurrency ?? playersAtOnce,
      onPlayed: (one) => terminal.out(playedText(one.played, texts)),
    });
    for (const line of rulesText(rules)) terminal.out(line);
    return await conclude(played, rules, context, {
      records: target.history.records,
      target: { name: target.name, scope: target },
      secrets: target.secrets(),
    });
  } finally {
    await target.close();
  }
}

async function conclude(
  played: readonly Played[],
  rules: readonly SourceReport[],
  context: PlayContext,
  run: Omit<PlayedRun, 'played' | 'rules' | 'context'>,
): Promise<ExitCode> {
  const { terminal, flags, seed, startedWallMs } = context;
  const target = flags.target === undefined ? '' : ` --target ${flags.target}`;
  const replay = (file: string): string => `assay play ${file}${target} --seed ${formatSeed(seed)}`;
  terminal.out(totalsText(played, terminal.wallMs() - startedWallMs, replay));
  if (flags.out !== undefined) {
    const { writePlayReport } = await import('./write-report.ts');
    terminal.out(`reports: ${writePlayReport({ ...run, played, rules, context })}`);
  }
  return exitCode(played, rules, flags.strict === true);
}

/** As of `check`: 1 violated, 3 could not judge; out of scope and inconclusive count only with --strict. */
function exitCode(
  played: readonly Played[],
  rules: readonly SourceReport[],
  strict: boolean,
): ExitCode {
  const has = (verdict: Played['verdict']): boolean =>
    played.some((one) => one.verdict === verdict);
  if (has('error') || rules.some(({ verdict }) => verdict === 'error')) return 3;
  if (has('fail') || rules.some(({ verdict }) => verdict === 'fail')) return 1;
  if (!has('pass')) return 3;
  return strict && (has('inconclusive') || has('out_of_scope')) ? 3 : 0;
}
