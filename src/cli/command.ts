import { lostClockReason, LostClockError } from '../timeline/timeline-errors.ts';
import { loggable, printable } from '../report/formats/escape.ts';
import { reasonOf } from '../run/read-text.ts';
import { type OpenFailure, TargetLost } from '../run/open.ts';
import { createRunEnd, type RunEnd } from '../suite/engine/run-end.ts';
import type { Flags } from './flags.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** One option: its flags and words for the help, and how its value is read. */
export interface OptionSpec {
  readonly flags: string;
  readonly description: string;
  /** Throws the library's InvalidArgumentError for a value it does not take. */
  readonly read?: (text: string, before?: never) => unknown;
  readonly choices?: readonly string[];
  readonly default?: bigint;
}

/** A subcommand as the help shows it. Its code is loaded when it is called. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** As `<file>` or `[files...]`, with a description. */
  readonly argument?: readonly [form: string, description: string];
  /** Admissible values of the argument. Absent: any value. */
  readonly words?: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  run(input: CommandInput): Promise<ExitCode>;
}

export interface CommandInput {
  readonly terminal: Terminal;
  /** Values of the argument: none, one or several words. */
  readonly words: readonly string[];
  readonly flags: Flags;
}

/** Ends a command: it cannot be done as it was asked for (2), or the target cannot be judged (3). */
export class CommandFailure extends Error {
  readonly exitCode: 2 | 3;

  constructor(message: string, exitCode: 2 | 3 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Throws one failure with all problems; does nothing if there are none. */
export function failWith(problems: readonly CommandFailure[]): void {
  if (problems.length === 0) return;
  throw new CommandFailure(problems.map(({ message }) => message).join('\n'));
}

/** Error of the command line, with the next thing to do. */
export const usageFailure = (what: string, next: string): CommandFailure =>
  new CommandFailure(`assay: ${what}\n  next: ${next}`);

export const listenFailure = (
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
  next = 'try --port 0 for a free one',
): CommandFailure => usageFailure(`cannot listen on ${host}:${port}: ${reasonOf(error)}`, next);

/** Failure to open a target. An unreachable target is no verdict (3); a wrong target file can be corrected (2). */
export const openingFailure = ({
  kind,
  problems,
}: Pick<OpenFailure, 'kind' | 'problems'>): CommandFailure =>
  kind === 'misconfigured'
    ? new CommandFailure(problems.join('\n\n'))
    : new CommandFailure(
        [...problems, 'assay: could not judge, since the target could not be reached.'].join(
          '\n\n',
        ),
        3,
      );

/** Reads several inputs of a command line, and fails with all problems, not only with the first. */
export function readAll<T extends readonly unknown[]>(
  ...readers: { readonly [K in keyof T]: () => T[K] }
): T {
  const problems: string[] = [];
  const values = readers.map((read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      problems.push(error.message);
      return undefined;
    }
  });
  if (problems.length > 0) throw new CommandFailure(problems.join('\n'));
  return values as unknown as T;
}

/** End of a run, triggered if a person stops the command. Call `forget` once nothing can be stopped any more. */
export function stoppableRun({
  onStop,
  date,
  err,
}: Terminal): RunEnd & { readonly forget: () => void } {
  const runEnd = createRunEnd();
  const forget = onStop((signal = 'SIGINT') => {
    const next = 'what was judged so far is being written; once more ends at once';
    err(`assay: stopped by ${signal}: ${next}`);
    runEnd.end({ reason: 'signal', at: date(), detail: `stopped by ${signal}` });
  });
  return { ...runEnd, forget };
}

/**
 * Awaits work that a run needs first, such as opening its target. If the run ends before, nothing was judged: throws a
 * CommandFailure (3).
 */
export async function unlessEnded<T>(runEnd: RunEnd, work: Promise<T>): Promise<T> {
  let goOn = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    goOn = runEnd.onEnd(({ detail }) => {
      const lost = 'nothing was judged yet, and no report was written';
      reject(new CommandFailure(`assay: ${detail}: ${lost}`, 3));
    });
  });
  return Promise.race([work, ended]).finally(goOn);
}

const fileCalls = ['open', 'write', 'read', 'close', 'mkdir', 'rename', 'unlink', 'scandir'];
const diskCalls = ['fsync', 'fdatasync', 'ftruncate', 'stat', 'lstat', 'rm', 'copyfile'];

/** Failure of a file or a disk: no bug of ours, and no verdict on a target. Undefined for other errors. */
function fileFailure(error: unknown): CommandFailure | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  if (![...fileCalls, ...diskCalls].includes(String(error.syscall))) return undefined;
  const place = 'path' in error ? `${String(error.path)}: ` : '';
  const next = 'name a place that can be written, or make room there';
  return new CommandFailure(`assay: ${place}${reasonOf(error)}\n  next: ${next}`, 3);
}

/** Runs a command to its exit code. Prints the reason of a failure. */
export async function exitCodeOf(
  run: () => Promise<ExitCode>,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof LostClockError || error instanceof TargetLost) {
      const why = error instanceof LostClockError ? lostClockReason(error) : error.message;
      terminal.err(loggable(printable(`assay: could not judge: ${why}`)));
      return 3;
    }
    const failure = error instanceof CommandFailure ? error : fileFailure(error);
    if (!failure) throw error;
    // The message may quote an answer of a target.
    terminal.err(loggable(printable(failure.message)));
    return failure.exitCode;
  }
}
