import type { SourceReport } from '../../results/source-report.ts';
import type { Scope } from '../../suite/engine/plan.ts';
import { historyBytes } from '../../history/jsonl.ts';
import { withoutSecrets } from '../../history/mask.ts';
import type { HistoryRecord } from '../../history/records.ts';
import { toHtml, toJson, toJunit, toMarkdown } from '../../report/index.ts';
import type { Played } from '../../scenario/run/play.ts';
import type { TargetFlags } from '../choose-target.ts';
import { within, writeAll } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { reportOfPlay } from './play-report.ts';

export interface PlayFlags extends TargetFlags {
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

/** Writes the report with each scenario's timeline in it, so that it can be drawn; answers where. */
export function writePlayReport(run: PlayedRun, out: string): string {
  const { context, records, secrets } = run;
  const report = reportOfPlay(run);
  writeAll(within(context.terminal.cwd, out), [
    ['report.json', toJson(report)],
    ['history.jsonl', historyBytes(records, secrets)],
    ['junit.xml', toJunit(report)],
    ['summary.md', toMarkdown(report)],
    ['report.html', toHtml(report, withoutSecrets({ records }, secrets))],
  ]);
  return `${out}/report.html, report.json, history.jsonl, junit.xml, summary.md`;
}
