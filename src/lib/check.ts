import { relative } from 'node:path';
import { checks } from '../../conformance/index.ts';
import type { Progress } from '../suite/engine/progress.ts';
import type { Check } from '../suite/engine/check.ts';
import { selects, patternsOf } from '../suite/engine/plan.ts';
import type { History } from '../history/records.ts';
import { applyWaivers, type RunReport, type Waiver, type WaiverScope } from '../report/index.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import { type ChosenTarget, openTarget } from '../run/open.ts';
import { type OwnSuite, unmatchedPatterns } from '../run/own-suite.ts';
import { runTarget } from '../run/run-target.ts';
import { startedWith } from '../run/started-with.ts';
import { requirements } from '../spec/requirements/index.ts';
import { runIdOf, type Seed, seedOf } from './seed.ts';
import { chosenFrom } from './chosen.ts';
import { withOwn } from './own-suite.ts';
import { refuseUnknownOptions } from './options.ts';
import type { LoadedTarget, TargetAddresses } from './targets.ts';
import { UsageError } from './usage-error.ts';

export interface CheckOptions {
  /** The embedded reference by default. */
  readonly target?: LoadedTarget | TargetAddresses;
  /** Checks by id, requirement, part or party; `*` stands for anything. All by default. */
  readonly only?: string | readonly string[];
  /** Your own checks, which run beside those of the suite; `only` selects among all. */
  readonly checks?: readonly Check[];
  /** Your own rules, which judge the history beside those of the suite. */
  readonly rules?: readonly Rule[];
  /** Seed of all random draws; 1 by default. */
  readonly seed?: Seed;
  /**
   * Id of an earlier run (`report.run.id`): the orders of this run get the same identifiers. New identifiers by
   * default.
   */
  readonly runId?: string;
  /** Longest wait of a check, in milliseconds of target time; by default the value of the target file. */
  readonly maxWaitMs?: number;
  /** Maximum number of calls in flight; 32 by default. */
  readonly concurrency?: number;
  /** Maximum number of requests per second; 100 on a system clock by default. */
  readonly ratePerSecond?: number;
  /** Failures that are known and accepted for now. */
  readonly waivers?: readonly Waiver[];
  readonly onProgress?: (progress: Progress) => void;
}

const optionNames: Readonly<Record<keyof CheckOptions, true>> = {
  target: true,
  only: true,
  checks: true,
  rules: true,
  seed: true,
  runId: true,
  maxWaitMs: true,
  concurrency: true,
  ratePerSecond: true,
  waivers: true,
  onProgress: true,
};

export type CheckOutcome =
  | {
      readonly kind: 'judged';
      /** Contents of `report.json`; `report.outcome` is the result of the run. */
      readonly report: RunReport;
      /** Every exchange and frame of the run, secrets hidden; the report names them by their ids. */
      readonly history: History;
    }
  | {
      /**
       * `unreachable`: the target could not be judged. `misconfigured`: the target answers otherwise than its file
       * says.
       */
      readonly kind: 'unreachable' | 'misconfigured';
      /** Texts for a person, each of one or more lines. */
      readonly problems: readonly string[];
    };

/** The suite with the caller's own checks and rules. Throws a UsageError if they cannot be run. */
export const suiteOf = ({ checks: own, rules }: Pick<CheckOptions, 'checks' | 'rules'>): OwnSuite =>
  withOwn({ checks, rules: allRules }, { checks: own ?? [], rules: rules ?? [] });

/** The checks that patterns select; throws a UsageError for a pattern that selects none. */
export function selected(
  all: readonly Check[],
  only: CheckOptions['only'],
): { readonly patterns: readonly string[]; readonly checks: readonly Check[] } {
  const patterns = patternsOf(typeof only === 'string' ? [only] : (only ?? []));
  const problems = unmatchedPatterns(all, patterns).map(
    ({ pattern, next }) => `only: ${JSON.stringify(pattern)} selects no check\n  next: ${next}`,
  );
  if (problems.length > 0) throw new UsageError('only', problems);
  const chosen = all.filter((check) =>
    patterns.some((pattern) => selects(pattern, check, requirements)),
  );
  return { patterns, checks: patterns.length === 0 ? all : chosen };
}

/** Options of `assay replay` for the same target. */
function wordsFor(chosen: ChosenTarget, options: CheckOptions): readonly string[] {
  const { maxWaitMs: maxWait, ratePerSecond: rate, concurrency } = options;
  return startedWith({
    ...(chosen.kind === 'file' && { target: relative(process.cwd(), chosen.path) }),
    ...(chosen.kind === 'urls' && {
      baseUrl: chosen.urls.map(({ name, baseUrl }) => (name ? `${name}=${baseUrl}` : baseUrl)),
    }),
    ...(maxWait !== undefined && { maxWait }),
    ...(rate !== undefined && { rate }),
    ...(concurrency !== undefined && { concurrency }),
  });
}

/** Opens the target, runs the suite against it and closes it. */
export async function checkTarget(options: CheckOptions): Promise<CheckOutcome> {
  refuseUnknownOptions(options, optionNames);
  const suite = suiteOf(options);
  const { patterns } = selected(suite.checks, options.only);
  const seed = seedOf(options.seed);
  const { maxWaitMs, ratePerSecond, concurrency, onProgress, waivers = [] } = options;
  const chosen = chosenFrom(options.target);
  const opening = await openTarget(chosen, seed, {
    maxWaitMs,
    ratePerSecond,
    callsMayWait: true,
    runId: runIdOf(options.runId),
  });
  if (!opening.ok) return { kind: opening.kind, problems: opening.problems };
  const { target } = opening;
  try {
    const report = await runTarget(target, {
      ...suite,
      seed,
      only: patterns,
      concurrency,
      onStage: () => undefined,
      onProgress: onProgress ?? (() => undefined),
      date: () => new Date(performance.timeOrigin + performance.now()).toISOString(),
      wallMs: () => performance.now(),
    });
    const scope: WaiverScope = {
      suiteIds: new Set([...suite.checks, ...suite.rules].map(({ id }) => id)),
      extent: patterns.length > 0 ? 'part' : 'whole',
    };
    const started = { ...report, run: { ...report.run, started_with: wordsFor(chosen, options) } };
    return {
      kind: 'judged',
      report: waivers.length > 0 ? applyWaivers(started, waivers, scope) : started,
      history: target.secrets.maskHistory(target.history),
    };
  } finally {
    await target.close();
  }
}
