import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SourceReport } from '../results/source-report.ts';
import type { History } from '../history/records.ts';
import { createSecrets, type Secrets } from '../history/secrets/secrets.ts';
import { openTarget } from '../run/open.ts';
import { playEmbedded } from '../run/play-embedded.ts';
import { mergeRuleReports } from '../report/index.ts';
import {
  transportFor,
  playersAtOnce,
  playTogether,
  onlyNeededParties,
} from '../run/play-target.ts';
import { reasonOf } from '../run/read-text.ts';
import { type LoadedScenarios, readScenarios } from '../run/scenario-sources.ts';
import { renderFailure } from '../scenario/render.ts';
import type { Played } from '../scenario/run/play.ts';
import { runIdOf, type Seed, seedOf } from './seed.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import { chosenFrom } from './chosen.ts';
import { withOwn } from './own-suite.ts';
import { refuseUnknownOptions } from './options.ts';
import type { LoadedTarget, TargetAddresses } from './targets.ts';
import { UsageError } from './usage-error.ts';

export type { SourceReport } from '../results/source-report.ts';
export type { Exchange, Frame, History, HistoryRecord, StreamEnd } from '../history/records.ts';
export type { Seed } from './seed.ts';
export { type LoadedTarget, loadTarget, type TargetAddresses } from './targets.ts';
export { UsageError, type UsageErrorCode } from './usage-error.ts';

/** A scenario given as text. Paths in it are relative to the working directory. */
export interface ScenarioText {
  readonly text: string;
  /** Name in messages and ids; `scenario` by default. */
  readonly name?: string;
}

/** `error`: a bug of assay. */
export type PlayVerdict = 'pass' | 'fail' | 'inconclusive' | 'out_of_scope' | 'error';

export interface PlayOptions {
  /** The embedded reference by default, with the gap answers that the scenario requires. */
  readonly target?: LoadedTarget | TargetAddresses;
  /** Seed of all random draws; 1 by default. */
  readonly seed?: Seed;
  /** Id of an earlier run: the orders of this run get the same identifiers. New identifiers by default. */
  readonly runId?: string;
  /** Longest wait of a step, in milliseconds of target time. */
  readonly maxWaitMs?: number;
  /** Your own rules, which judge the history beside those of the suite. */
  readonly rules?: readonly Rule[];
}

const optionNames: Readonly<Record<keyof PlayOptions, true>> = {
  target: true,
  seed: true,
  runId: true,
  maxWaitMs: true,
  rules: true,
};

/** Result of one scenario. A file with examples gives one result per row. */
export interface PlayedScenario {
  /** File name without its extension; rows of examples have `@<n>` after it. */
  readonly id: string;
  readonly title: string;
  readonly verdict: PlayVerdict;
  /** Set for every verdict except `pass` and `fail`. */
  readonly reason?: string;
  /**
   * Failures as `assay play` prints them: the place in the file, the expected and actual values, the steps before it.
   */
  readonly failures: readonly string[];
  /** Duration, in milliseconds of target time. */
  readonly targetMs: number;
}

export type PlayOutcome =
  | {
      readonly kind: 'played';
      /**
       * `fail` if a scenario or a rule failed, `error` if assay itself broke; else the worst verdict of the scenarios.
       * Never `fail` if the target, or its driven clock, was lost.
       */
      readonly verdict: PlayVerdict;
      readonly scenarios: readonly PlayedScenario[];
      /** Verdicts of all rules of the suite on the history. */
      readonly rules: readonly SourceReport[];
      /** The history with its secrets masked. */
      readonly history: History;
    }
  | {
      readonly kind: 'unreachable' | 'misconfigured';
      /** Texts for a person, each of one or more lines. */
      readonly problems: readonly string[];
    };

/**
 * Plays one scenario file, or the text of one (docs/scenarios.md), and applies every rule to the recorded history.
 * @param source a path, relative to the working directory, a file URL, or a text
 * @throws UsageError `scenario`: it cannot be read, or is wrong; `options`, `suite`, `target` or `seed`
 */
export async function play(
  source: string | URL | ScenarioText,
  options: PlayOptions = {},
): Promise<PlayOutcome> {
  refuseUnknownOptions(options, optionNames);
  const { scenarios, texts } = await scenariosIn(source);
  const seed = seedOf(options.seed);
  const chosen = chosenFrom(options.target);
  const runId = runIdOf(options.runId);
  const { maxWaitMs } = options;
  const own = { checks: [], rules: options.rules ?? [] };
  const { rules } = withOwn({ checks: [], rules: allRules }, own);
  const outcome = (
    played: readonly Played[],
    rules: readonly SourceReport[],
    history: History,
    secrets: Secrets,
  ) => outcomeOf(played, rules, { history, secrets, texts });
  if (chosen.kind === 'embedded') {
    const inputs = { seed, runId, rules, keepsRecords: true, maxWaitMs, onPlayed };
    const judged = await playEmbedded(scenarios, inputs);
    return outcome(
      judged.map((one) => one.played),
      mergeRuleReports(judged.map((one) => one.rules)),
      { records: judged.flatMap((one) => one.records) },
      createSecrets(),
    );
  }
  const opening = await openTarget(onlyNeededParties(chosen, scenarios), seed, {
    ...transportFor(scenarios),
    runId,
    maxWaitMs,
  });
  if (!opening.ok) return { kind: opening.kind, problems: opening.problems };
  const { target } = opening;
  try {
    const {
      played,
      rules: judged,
      endedEarly,
    } = await playTogether(scenarios, target, {
      seed,
      rules,
      keepsRecords: true,
      concurrency: playersAtOnce,
      onPlayed,
    });
    const made = outcome(played, judged, target.history, target.secrets);
    const decides = endedEarly === undefined || made.verdict === 'error';
    return decides ? made : { ...made, verdict: 'inconclusive' };
  } finally {
    await target.close();
  }
}

const onPlayed = (): void => undefined;

async function scenariosIn(source: string | URL | ScenarioText): Promise<LoadedScenarios> {
  const { name: file, text } = await textOf(source);
  const loaded = readScenarios([{ file, text }], process.cwd());
  if (loaded.errors > 0) throw new UsageError('scenario', loaded.problems);
  if (loaded.scenarios.length > 0) return loaded;
  throw new UsageError('scenario', [`${file}: it holds templates and no scenario`]);
}

async function textOf(source: string | URL | ScenarioText): Promise<Required<ScenarioText>> {
  if (typeof source === 'object' && 'text' in source) return { name: 'scenario', ...source };
  const name = typeof source === 'string' ? source : fileURLToPath(source);
  try {
    return { name, text: await readFile(name, 'utf8') };
  } catch (error) {
    throw new UsageError('scenario', [`${name}: ${reasonOf(error)}`]);
  }
}

/** Verdicts by precedence, highest first. */
const order: readonly PlayVerdict[] = ['error', 'fail', 'inconclusive', 'out_of_scope', 'pass'];

function outcomeOf(
  played: readonly Played[],
  rules: readonly SourceReport[],
  {
    history,
    secrets,
    texts,
  }: {
    readonly history: History;
    readonly secrets: Secrets;
    readonly texts: ReadonlyMap<string, string>;
  },
): Extract<PlayOutcome, { readonly kind: 'played' }> {
  for (const record of history.records) secrets.learn(record);
  const broken = rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  const all: readonly string[] = [...played, ...broken].map(({ verdict }) => verdict);
  const verdict = order.find((one) => all.includes(one)) ?? 'pass';
  const scenarios = played.map((one) => ({
    id: one.scenario.id,
    title: one.scenario.title,
    verdict: one.verdict,
    ...(one.reason !== undefined && { reason: secrets.maskText(one.reason) }),
    failures: one.failures.map((failure) =>
      secrets.maskText(renderFailure(failure, (file) => texts.get(file))),
    ),
    targetMs: one.targetMs,
  }));
  return {
    kind: 'played',
    verdict,
    scenarios,
    rules: rules.map((rule) => secrets.maskJson(rule) as SourceReport),
    history: secrets.maskHistory(history),
  };
}
