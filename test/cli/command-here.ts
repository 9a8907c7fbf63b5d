import { runProgram } from '../../src/cli/program.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import type { Ended } from './shipped-command.ts';

/** Runs the command from its source in this process, which costs a tenth of starting what is shipped. */
export async function runHere(args: readonly string[], cwd: string): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runProgram(args, {
    ...recordingTerminal(cwd),
    out: (text) => void out.push(`${text}\n`),
    err: (text) => void err.push(`${text}\n`),
  });
  return { code, out: out.join(''), err: err.join('') };
}
