import type { CommandInput } from './command.ts';
import { judge } from './judge.ts';
import type { JudgeFlags } from './judge-flags.ts';
import type { ExitCode } from './terminal.ts';

export const check = ({ terminal, options }: CommandInput): Promise<ExitCode> =>
  judge(options as JudgeFlags, terminal);
