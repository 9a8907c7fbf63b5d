import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { loggableJson, type RunReport } from '../../report/index.ts';
import type { CauseReport } from '../../results/run-report.ts';
import type { RunOutcome, Verdict } from '../../results/verdicts.ts';
import { reasonOf } from '../../run/read-text.ts';
import { version } from '../../run/version.ts';
import type { Progress } from '../../suite/engine/progress.ts';
import { type CommandFailure, usageFailure } from '../command.ts';
import { makeDirectory, within } from '../files.ts';
import type { ExitCode, Terminal } from '../terminal.ts';

/** Within a version new kinds and keys may be added; existing ones stay. */
const format = 'assay.events/1';

/** One line of `--events`. docs/ci.md describes each kind. */
export type RunEvent =
  | {
      readonly event: 'run_started';
      readonly format: typeof format;
      /** Version of assay. */
      readonly version: string;
      readonly seed: string;
    }
  /** Current activity, in words for a person. */
  | { readonly event: 'stage'; readonly what: string }
  /** Number of checks to run. The embedded reference is checked in two worlds, each with its own plan. */
  | { readonly event: 'planned'; readonly checks: number }
  | { readonly event: 'check_started'; readonly check: string }
  /** `finished` of `planned` checks have ended. Rules judge later, so the report may know more of a requirement. */
  | {
      readonly event: 'check_finished';
      readonly check: string;
      readonly verdict: Verdict;
      readonly finished: number;
      readonly planned: number;
    }
  /** Probable cause of failures, known once everything is judged. */
  | ({ readonly event: 'cause' } & Pick<
      CauseReport,
      'id' | 'title' | 'outcome' | 'requirements' | 'waived' | 'known'
    >)
  | {
      readonly event: 'run_finished';
      readonly outcome: RunOutcome;
      readonly exit_code: ExitCode;
      /** Number of requirements by verdict. */
      readonly requirements: Readonly<Record<Verdict, number>>;
      readonly checks: Readonly<Record<Verdict, number>>;
    };

/** Writer of the events of a run. */
export interface RunEvents {
  started(seed: string): void;
  stage(what: string): void;
  progress(progress: Progress): void;
  /** Returns the exit code; not that of success if events were lost. */
  finished(report: RunReport, code: ExitCode): ExitCode;
}

/**
 * Writes each event at once, so that a reader sees it during the run.
 * @param name a file, `-` for standard output, or undefined: no events are written
 */
export function openRunEvents(name: string | undefined, terminal: Terminal): RunEvents {
  const lines = name === undefined ? undefined : linesTo(name, terminal);
  const write = (event: RunEvent): void => lines?.write(loggableJson(JSON.stringify(event)));
  let planned = 0;
  let finished = 0;
  return {
    started(seed) {
      write({ event: 'run_started', format, version, seed });
      // Before anything is run: that disk takes nothing at all.
      const problem = lines?.problem();
      if (problem !== undefined) throw failureOf(name, problem);
    },
    stage: (what) => write({ event: 'stage', what }),
    progress({ kind, check = '', verdict = 'error', total }) {
      if (kind === 'planned') {
        planned += total;
        write({ event: 'planned', checks: total });
      } else if (kind === 'started') write({ event: 'check_started', check });
      else {
        finished += 1;
        write({ event: 'check_finished', check, verdict, finished, planned });
      }
    },
    finished({ causes = [], outcome, totals: { requirements, checks } }, exit_code) {
      for (const { id, title, outcome: found, requirements: shown, waived, known } of causes) {
        const excuse = { ...(waived !== undefined && { waived }), ...(known && { known }) };
        write({ event: 'cause', id, title, outcome: found, requirements: shown, ...excuse });
      }
      write({ event: 'run_finished', outcome, exit_code, requirements, checks });
      lines?.close();
      const problem = lines?.problem();
      if (problem === undefined) return exit_code;
      terminal.err(`assay: --events ${name}: ${problem}: not all events were written`);
      return exit_code === 0 ? 3 : exit_code;
    },
  };
}

const failureOf = (name = '', reason: string): CommandFailure =>
  usageFailure(
    `--events ${name}: ${reason}`,
    'name a file that can be written, or - for standard output',
  );

function linesTo(name: string, terminal: Terminal) {
  if (name === '-')
    return { write: terminal.out, close: () => undefined, problem: () => undefined };
  const path = within(terminal.cwd, name);
  try {
    makeDirectory(dirname(path));
    const file = openSync(path, 'w');
    let problem: string | undefined;
    return {
      write(line: string): void {
        if (problem !== undefined) return;
        try {
          writeSync(file, `${terminal.secrets.maskText(line)}\n`);
        } catch (error) {
          problem = reasonOf(error);
        }
      },
      close: () => closeSync(file),
      problem: () => problem,
    };
  } catch (error) {
    throw failureOf(name, reasonOf(error));
  }
}
