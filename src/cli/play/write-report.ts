import type { SourceReport } from '../../results/source-report.ts';
import { suiteDigest } from '../../results/suite-digest.ts';
import type { Scope } from '../../suite/engine/plan.ts';
import { requirementVerdicts } from '../../suite/engine/requirement-verdicts.ts';
import { historyBytes } from '../../history/jsonl.ts';
import { withoutSecrets } from '../../history/mask.ts';
import type { HistoryRecord } from '../../history/records.ts';
import {
  assembleReport,
  type RunReport,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
} from '../../report/index.ts';
import { allRules } from '../../oracle/index.ts';
import { formatSeed } from '../../random/seed.ts';
import type { Played } from '../../scenario/run/play.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { Target } from '../../client/contract.ts';
import { within, writeAll } from '../files.ts';
import type { TargetFlags } from '../choose-target.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../../run/version.ts';

export interface PlayFlags extends TargetFlags {
  readonly mutation?: string;
  readonly seed: bigint;
  readonly dryRun?: true;
  readonly tag?: readonly string[];
  readonly maxWait?: number;
  readonly rate?: number;
  readonly concurrency?: number;
  readonly out?: string;
  readonly watch?: true;
  readonly strict?: true;
}

/** The flags of one run of `assay play`, and where it prints. */
export interface PlayContext {
  readonly flags: PlayFlags;
  readonly terminal: Terminal;
  readonly texts: ReadonlyMap<string, string>;
  readonly startedAt: string;
  readonly startedWallMs: number;
}

export interface PlayedRun {
  readonly played: readonly Played[];
  readonly rules: readonly SourceReport[];
  readonly records: readonly HistoryRecord[];
  readonly context: PlayContext;
  readonly target: {
    readonly name: string;
    readonly scope: Scope;
  };
  readonly secrets: readonly string[];
}

/** A scenario as the report has its checks: it judges the requirements that it says it verifies. */
function scenarioResult({ scenario, verdict, reason, failures }: Played): SourceReport {
  const ids = scenario.draft.verifies.map(({ value }) => value);
  const [first] = failures;
  const why = reason ?? (first && `${first.message} (${first.at.file}:${first.at.line})`);
  return {
    id: scenario.id,
    title: scenario.title,
    requirements: ids,
    verdict,
    ...(why !== undefined && { reason: why }),
    judged: ids.map((requirement) => ({
      requirement,
      verdict,
      exercised: verdict === 'pass' || verdict === 'fail' ? 1 : 0,
      ...(why !== undefined && { reason: why }),
    })),
    failures: failures.flatMap((failure) => {
      const [mismatch] = failure.mismatches;
      return [
        {
          requirement: ids[0] ?? '',
          outcome: 'fail' as const,
          message: `${failure.at.file}:${failure.at.line}:${failure.at.col}: ${failure.message}`,
          ...(mismatch && { expected: mismatch.expected, actual: mismatch.actual }),
          exchanges: failure.exchanges,
        },
      ];
    }),
  };
}

/** The run report with each scenario's timeline in it, so that it can be drawn; answers where it was written. */
export function writePlayReport(run: PlayedRun, out: string): string {
  const { context, played, rules, records, target } = run;
  const { terminal, flags, startedAt, startedWallMs } = context;
  const scenarios = played.map(scenarioResult);
  const report = assembleReport(
    {
      checks: scenarios,
      rules,
      requirements: requirementVerdicts(
        requirements,
        target.scope,
        { checks: scenarios, rules: allRules },
        scenarios,
        rules,
      ),
      suiteDigest: suiteDigest(
        requirements,
        scenarios.map(({ id }) => id),
        rules.map(({ id }) => id),
      ),
      targetMs: played.reduce((sum, { targetMs }) => sum + targetMs, 0),
    },
    {
      version,
      target: {
        name: target.name,
        participants: participantsOf(target.scope.parties),
        clock: { kind: target.scope.clock.kind },
      },
      run: {
        seed: formatSeed(flags.seed),
        started_at: startedAt,
        finished_at: terminal.date(),
        wall_ms: Math.round(terminal.wallMs() - startedWallMs),
      },
      gaps: [],
    },
  );
  // A scenario that verifies no requirement has still failed.
  const failed = report.outcome !== 'error' && played.some(({ verdict }) => verdict === 'fail');
  const whole: RunReport = {
    ...report,
    ...(failed && { outcome: 'nonconformant' }),
    scenarios: played.map(timelineOf),
  };
  writeAll(within(terminal.cwd, out), [
    ['report.json', toJson(whole)],
    ['history.jsonl', historyBytes(records, run.secrets)],
    ['junit.xml', toJunit(whole)],
    ['summary.md', toMarkdown(whole)],
    ['report.html', toHtml(whole, withoutSecrets({ records }, run.secrets))],
  ]);
  return `${out}/report.html, report.json, history.jsonl, junit.xml, summary.md`;
}

const participantsOf = (parties: Target['parties']): RunReport['target']['participants'] =>
  Object.fromEntries(
    Object.entries(parties).map(([name, { role, baseUrl }]) => [name, { role, base_url: baseUrl }]),
  );

const timelineOf = ({
  scenario,
  verdict,
  drawn,
  log,
  targetMs,
  failures,
}: Played): NonNullable<RunReport['scenarios']>[number] => ({
  id: scenario.id,
  verdict,
  drawn,
  timeline: log.map(({ atMs, party, says, outcome, exchange, line }) => ({
    at_ms: atMs,
    says,
    ...(party !== undefined && { party }),
    ...(outcome !== undefined && { outcome }),
    ...(exchange !== undefined && { exchange }),
    ...(line !== undefined && { line }),
  })),
  took_ms: targetMs,
  ...(failures.length > 0 && {
    failures: failures.map(({ at, message, exchanges, mismatches, before }) => ({
      after: before.length,
      at: `${at.file}:${at.line}:${at.col}`,
      message,
      exchanges,
      mismatches: mismatches.map(({ path, expected, actual }) => ({ path, expected, actual })),
    })),
  }),
});
