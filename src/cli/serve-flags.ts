import { readText } from '../run/read-text.ts';
import { type Assignment, referenceAnswers } from '../spec/gaps/index.ts';
import { readAssignment } from '../target/embedded/assignment.ts';
import { renderSourceErrors } from '../yaml/index.ts';
import { CommandFailure, usageFailure } from './command.ts';
import { within } from './files.ts';
import type { Terminal } from './terminal.ts';

export type ClockKind = 'system' | 'virtual';

export interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
  /** Host names by which it may be reached, and sites whose pages may call it. */
  readonly allowHost?: readonly string[];
  readonly clock?: ClockKind;
  readonly gaps?: string;
  readonly mutation?: string;
  readonly journal?: string;
  readonly writeTarget?: string;
  /** Serves the cockpit's page as well. */
  readonly ui?: true;
  /** Without a seed, each start has its own parties, ids and keys: nothing of the last run is valid in this one. */
  readonly seed?: bigint;
  /**
   * Prints addresses and settings as JSON on standard output once all parties are served. Text goes to standard error.
   */
  readonly json?: true;
}

export const defaultPort = 9000;

/** Default gap answers, overridden by `--gaps FILE`. */
export function assignmentOf(
  { gaps: file }: Pick<ServeFlags, 'gaps'>,
  terminal: Terminal,
): Assignment {
  if (file === undefined) return referenceAnswers;
  const read = readText(within(terminal.cwd, file));
  if (!read.ok) {
    throw usageFailure(`--gaps ${file}: ${read.reason}`, 'ids and answers: assay spec gaps');
  }
  const result = readAssignment({ file, text: read.text });
  if (result.ok) return result.assignment;
  throw new CommandFailure(renderSourceErrors(result.errors, read.text));
}
