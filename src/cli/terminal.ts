import { createInterface } from 'node:readline/promises';
import type { Flags } from './flags.ts';
import { createSecrets, type Secrets } from '../history/secrets/secrets.ts';

/** Process environment of a command. Tests replace it with their own. */
export interface BareTerminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Rewrites the last live line on stderr; only if `isLive`. */
  readonly live: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** True if lines on stderr may be rewritten, for progress. */
  readonly isLive: boolean;
  readonly hasColour: boolean;
  /** True for `--quiet`: no progress is printed. */
  readonly isQuiet?: boolean;
  readonly columns: number;
  /** Host time in milliseconds, for the duration of a command; never for anything that is judged. */
  readonly wallMs: () => number;
  /** Date for reports. */
  readonly date: () => string;
  /** Asks a person a question; undefined at the end of input. Absent: no interactive terminal. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  /** Calls back on the first signal to stop; the answer takes that back. The next one ends the process at once. */
  readonly onStop: (stop: (signal?: StopSignal) => void) => () => void;
}

/** A terminal that writes no secret, and the registry of secrets. */
export interface Terminal extends BareTerminal {
  readonly secrets: Secrets;
}

/** Wraps a terminal so that all output and questions are masked by the registry of secrets. */
export function withoutSecrets(terminal: BareTerminal): Terminal {
  const secrets = createSecrets();
  const masking = (write: (text: string) => void) => (text: string) =>
    write(secrets.maskText(text));
  const { out, err, live, ask } = terminal;
  return {
    ...terminal,
    secrets,
    out: masking(out),
    err: masking(err),
    live: masking(live),
    ask: ask && ((question) => ask(secrets.maskText(question))),
  };
}

/** Ctrl-C, a process that is told to end, a terminal that was closed. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof stopSignals)[number];

/** With `--json` standard output is for a program alone: what people read goes to standard error. */
export const forPeople = (terminal: Terminal, isForProgram: boolean | undefined): Terminal =>
  isForProgram
    ? { ...terminal, out: terminal.isQuiet ? () => undefined : terminal.err, hasColour: false }
    : terminal;

/** As `--quiet` and `--no-color` want it. */
export function asWanted(terminal: Terminal, { color, quiet, json }: Flags): Terminal {
  const hasColour = terminal.hasColour && color !== false;
  if (!quiet) return { ...terminal, hasColour };
  const out = json ? terminal.out : () => undefined;
  return { ...terminal, hasColour, out, isLive: false, isQuiet: true };
}

export const colourOf = ({ hasColour }: Pick<Terminal, 'hasColour'>): 'colour' | 'plain' =>
  hasColour ? 'colour' : 'plain';

/** A line for each party, in columns. */
export function partyLines(
  parties: readonly { readonly name: string; readonly role: string; readonly baseUrl: string }[],
): readonly string[] {
  const width = Math.max(...parties.map(({ name }) => name.length));
  return parties.map(
    ({ name, role, baseUrl }) => `  ${name.padEnd(width)}  ${role.padEnd(12)}  ${baseUrl}`,
  );
}

/** Ends once a person stops the command. */
export const untilStopped = ({ onStop }: Pick<Terminal, 'onStop'>): Promise<undefined> =>
  new Promise((resolve) => {
    onStop(() => resolve(undefined));
  });

/** Part of the contract with CI; see the README. */
export type ExitCode = 0 | 1 | 2 | 3;

/**
 * Control characters that a terminal would obey; colours are excepted, since they are intended. The last of several
 * fences against text of a target, for lines that are shown in passing.
 */
const controls =
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  /\u001B(?!\[\d{0,3}(?:;\d{1,3})*m)|[\u0000-\u0008\u000B-\u001A\u001C-\u001F\u007F-\u009F]/g;
const withoutControls = (text: string): string =>
  text.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function askAtTerminal(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

export function processTerminal(): BareTerminal {
  const { env, stdin, stdout, stderr } = process;
  return {
    out: (text) => void stdout.write(`${withoutControls(text)}\n`),
    err: (text) => void stderr.write(`${withoutControls(text)}\n`),
    live: (text) => void stderr.write(`\r\u001b[2K${text}`),
    env,
    cwd: process.cwd(),
    isLive: stderr.isTTY && env['CI'] === undefined && env['TERM'] !== 'dumb',
    hasColour: stdout.isTTY && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb',
    columns: stderr.columns ?? 80,
    wallMs: () => performance.now(),
    date: () => new Date(performance.timeOrigin + performance.now()).toISOString(),
    ask: stdin.isTTY && stderr.isTTY ? askAtTerminal : undefined,
    onStop(stop) {
      const stopped = (signal: NodeJS.Signals): void => {
        // Without a listener a signal has its default effect, even while this process is busy.
        forget();
        stop(signal as StopSignal);
      };
      const forget = (): void => {
        for (const signal of stopSignals) process.off(signal, stopped);
      };
      for (const signal of stopSignals) process.on(signal, stopped);
      return forget;
    },
  };
}
