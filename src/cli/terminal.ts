/** What a command may ask of the process around it; tests put their own in its place. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Rewrites the line on stderr that was written so last; only where `isLive`. */
  readonly live: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether lines on stderr may be rewritten, for progress. */
  readonly isLive: boolean;
  readonly hasColour: boolean;
  readonly columns: number;
  /** Host time in milliseconds, for how long a command took; never for anything that is judged. */
  readonly wallMs: () => number;
  /** The moment a report is dated with. */
  readonly date: () => string;
  /** Calls back on the first SIGINT or SIGTERM; the answer takes that back. */
  readonly onStop: (stop: () => void) => () => void;
}

/** Part of the contract with CI; see the README. */
export type ExitCode = 0 | 1 | 2 | 3;

export function processTerminal(): Terminal {
  const { env, stdout, stderr } = process;
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    live: (text) => void stderr.write(`\r\u001b[2K${text}`),
    env,
    cwd: process.cwd(),
    isLive: stderr.isTTY && env['CI'] === undefined && env['TERM'] !== 'dumb',
    hasColour: stdout.isTTY && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb',
    columns: stderr.columns ?? 80,
    wallMs: () => performance.now(),
    date: () => new Date(performance.timeOrigin + performance.now()).toISOString(),
    onStop(stop) {
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
      return () => {
        process.off('SIGINT', stop);
        process.off('SIGTERM', stop);
      };
    },
  };
}
