import type { Rule } from '../../oracle/index.ts';
import type { HistoryRecord } from '../../history/records.ts';
import type { SourceReport } from '../../results/source-report.ts';
import type { Waiver } from '../../report/index.ts';
import type { Played } from '../../scenario/run/play.ts';
import type { Scope } from '../../suite/engine/plan.ts';
import type { RunEnd } from '../../suite/engine/run-end.ts';
import type { TargetFlags } from '../choose-target.ts';
import type { Terminal } from '../terminal.ts';

export interface PlayFlags extends TargetFlags {
  readonly mutation?: string;
  /** Prints report.json in place of text. */
  readonly json?: true;
  readonly seed: bigint;
  readonly runId?: string;
  readonly dryRun?: true;
  readonly tag?: readonly string[];
  /** `NAME=VALUE` each. */
  readonly set?: readonly string[];
  /** The report.json of an earlier play: only what failed there. */
  readonly onlyFailed?: string;
  readonly maxWait?: number;
  readonly rate?: number;
  readonly concurrency?: number;
  readonly out?: string;
  readonly checks?: readonly string[];
  readonly waivers?: string;
  readonly watch?: true;
  readonly strict?: true;
}

/** The flags of one run of `assay play`, and where it prints. */
export interface PlayContext {
  readonly flags: PlayFlags;
  readonly runId: string | undefined;
  /** Those of the suite by default. */
  readonly rules: readonly Rule[] | undefined;
  readonly terminal: Terminal;
  /** Standard output, whatever goes to people. */
  readonly print: Terminal['out'];
  readonly waivers: readonly Waiver[];
  /** Of all scenarios in the files, played or not. */
  readonly scenarioIds: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  /** The values of `--set`, by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly startedAt: string;
  readonly startedWallMs: number;
  readonly runEnd: RunEnd & { forget(): void };
}

export interface PlayedRun {
  readonly played: readonly Played[];
  readonly rules: readonly SourceReport[];
  readonly records: readonly HistoryRecord[];
  readonly context: PlayContext;
  readonly target: {
    readonly name: string;
    readonly scope: Scope;
    /** The requests that were no longer sent to it, each with the reason. Absent: none. */
    readonly unasked?: readonly string[];
  };
}
