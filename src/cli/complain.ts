import type { Terminal } from './terminal.ts';

/** Says what is wrong with what a person asked for, and what to do next. */
export function complain(terminal: Terminal, what: string, next: string): void {
  terminal.err(`assay: ${what}\n  next: ${next}`);
}
