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
  /** report.json of an earlier play. Only its failures are played again. */
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

/** Flags of one run of `assay play`, and its terminal. */
export interface PlayContext {
  readonly flags: PlayFlags;
  readonly runId: string | undefined;
  /** Undefined: the rules of the suite. */
  readonly rules: readonly Rule[] | undefined;
  readonly terminal: Terminal;
  /** Writes to standard output, even if text for people goes to standard error. */
  readonly print: Terminal['out'];
  readonly waivers: readonly Waiver[];
  /** Ids of all scenarios in the files, played or not. */
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
