import type { OpenResult } from '../target/opened-target.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** Says what is wrong with what a person asked for, and what to do next. */
export function complain(terminal: Terminal, what: string, next: string): void {
  terminal.err(`assay: ${what}\n  next: ${next}`);
}

/** Says why a target could not be opened; unreachable is no verdict, misconfigured is the caller's to mend. */
export function reportFailure(
  opening: Extract<OpenResult, { readonly ok: false }>,
  terminal: Terminal,
): ExitCode {
  terminal.err(opening.problems.join('\n\n'));
  if (opening.kind === 'misconfigured') return 2;
  terminal.err('\nassay: could not judge, since the target could not be reached.');
  return 3;
}
