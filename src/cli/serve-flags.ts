import type { Flags } from './flags.ts';
import { type Assignment, referenceAnswers } from '../spec/gaps/index.ts';
import { readAssignment } from '../target/embedded/assignment.ts';
import { renderSourceErrors } from '../yaml/index.ts';
import { CommandFailure } from './command.ts';
import { textOf } from './files.ts';
import type { Terminal } from './terminal.ts';

export const defaultPort = 9000;

/** Default gap answers, overridden by `--gaps FILE`. */
export function assignmentOf({ gaps: file }: Pick<Flags, 'gaps'>, terminal: Terminal): Assignment {
  if (file === undefined) return referenceAnswers;
  const next = 'ids and answers: assay spec gaps';
  const text = textOf(file, terminal.cwd, { option: '--gaps', next });
  const result = readAssignment({ file, text });
  if (result.ok) return result.assignment;
  throw new CommandFailure(renderSourceErrors(result.errors, text));
}
