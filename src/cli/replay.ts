import { currentCheckId } from '../../conformance/renamed-checks.ts';
import { suggestion } from '../yaml/index.ts';
import type { CommandInput } from './command.ts';
import { checkTarget } from './check/check-target.ts';
import type { CheckFlags } from './check/flags.ts';
import { suiteWith } from './own-suite.ts';
import type { ExitCode } from './terminal.ts';
import { complain } from './complain.ts';

/** A scenario is replayed by its file, or by its id, which is the file without its ending. */
const isScenario = (word: string): boolean => /\.ya?ml$/.test(word) || word.includes('/');

/** Runs one check alone, or one scenario. */
export async function replay({ terminal, words, options }: CommandInput): Promise<ExitCode> {
  const id = currentCheckId(words[0] ?? '');
  if (isScenario(id))
    return (await import('./play/command.ts')).playCommand({ terminal, words, options });
  const flags = options as CheckFlags;
  const suite = await suiteWith(flags.checks, terminal);
  if (!suite) return 2;
  const known = suite.checks.map((check) => check.id);
  if (!known.includes(id)) {
    const next = suggestion(id, known) ?? 'ids: assay check --dry-run';
    complain(terminal, `there is no check ${JSON.stringify(id)}`, next);
    return 2;
  }
  return checkTarget({ ...flags, only: [id] }, terminal);
}
