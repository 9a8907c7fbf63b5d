import { spawnSync } from 'node:child_process';
import { runProgram } from '../../src/cli/program.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import type { Ended } from './shipped-command.ts';

export interface Begun {
  /** Output until the command waits to be stopped, or ends: the addresses that it serves. */
  readonly ready: Promise<string>;
  readonly ended: Promise<Ended>;
  /** All that it has said so far. */
  readonly said: () => string;
  /** As Ctrl-C does. */
  readonly stop: () => void;
}

/** Begins a command that goes on until it is stopped, from its source and in this process. */
export function beginHere(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Begun {
  const out: string[] = [];
  const err: string[] = [];
  const said: string[] = [];
  let stop = (): void => undefined;
  let isReady: (said: string) => void = () => undefined;
  const ready = new Promise<string>((resolve) => (isReady = resolve));
  const keep = (stream: string[]) => (text: string) => {
    stream.push(`${text}\n`);
    said.push(text);
  };
  const ended = runProgram(args, {
    ...recordingTerminal(cwd),
    env,
    out: keep(out),
    err: keep(err),
    onStop(callback) {
      stop = callback;
      isReady(said.join('\n'));
      return () => undefined;
    },
  }).then((code) => {
    isReady(said.join('\n'));
    return { code, out: out.join(''), err: err.join('') };
  });
  return { ready, ended, said: () => said.join('\n'), stop: () => stop() };
}

/** Runs the command from its source in this process: ten times faster than the shipped one. */
export const runHere = (args: readonly string[], cwd: string): Promise<Ended> =>
  beginHere(args, cwd).ended;

/** The words of a line as a shell reads it. */
export function wordsOf(line: string, cwd: string): readonly string[] {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${line}`], { cwd, encoding: 'utf8' });
  return stdout.split('\0').slice(0, -1);
}
