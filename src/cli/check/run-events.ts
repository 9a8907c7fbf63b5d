import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { loggableJson, type RunReport } from '../../report/index.ts';
import { reasonOf } from '../../run/read-text.ts';
import { version } from '../../run/version.ts';
import type { Progress } from '../../suite/engine/progress.ts';
import { type CommandFailure, usageFailure } from '../command.ts';
import { makeDirectory, within } from '../files.ts';
import type { ExitCode, Terminal } from '../terminal.ts';

/** Within a version new kinds and keys may be added; existing ones stay. */
const format = 'assay.events/1';

/**
 * Writes each event at once, so that a reader sees it during the run.
 * @param name a file, `-` for standard output, or undefined: no events are written
 */
export function openRunEvents(name: string | undefined, terminal: Terminal) {
  const lines = name === undefined ? undefined : linesTo(name, terminal);
  // docs/ci.md describes each kind. `stage` is the current activity in words for a person.
  const write = (event: string, facts: object): void =>
    lines?.write(loggableJson(JSON.stringify({ event, ...facts })));
  // The embedded reference is checked in two worlds, each with its own plan.
  let planned = 0;
  let finished = 0;
  return {
    started(seed: string): void {
      write('run_started', { format, version, seed });
      // Before anything is run: that disk takes nothing at all.
      const problem = lines?.problem();
      if (problem !== undefined) throw failureOf(name, problem);
    },
    stage: (what: string) => write('stage', { what }),
    progress({ kind, check = '', verdict = 'error', total }: Progress): void {
      if (kind === 'planned') {
        planned += total;
        write('planned', { checks: total });
      } else if (kind === 'started') write('check_started', { check });
      else {
        // Rules judge later, so the report may know more of a requirement.
        finished += 1;
        write('check_finished', { check, verdict, finished, planned });
      }
    },
    /** Returns the exit code; not that of success if events were lost. */
    finished(report: RunReport, exit_code: ExitCode): ExitCode {
      const { causes = [], outcome, totals } = report;
      for (const { id, title, outcome: found, requirements: shown, waived, known } of causes) {
        const excuse = { ...(waived !== undefined && { waived }), ...(known && { known }) };
        write('cause', { id, title, outcome: found, requirements: shown, ...excuse });
      }
      write('run_finished', {
        outcome,
        exit_code,
        requirements: totals.requirements,
        checks: totals.checks,
      });
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
