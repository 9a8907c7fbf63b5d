import type { Command } from '../core/contract.ts';
import { initialState, type State, step, type WorldConfig } from '../core/index.ts';

/** One command that may have changed the state, and the moment as of which it was carried out. */
export interface JournalEntry {
  readonly at: number;
  readonly command: Command;
}

/** Takes entries in their order, at once and without failing: the writer behind it may buffer. */
export type JournalSink = (entry: JournalEntry) => void;

/** What stands at the head of a journal: all that a replay needs besides the entries. */
export interface JournalHead {
  readonly format: 'assay.journal/1';
  readonly config: WorldConfig;
}

export const journalHead = (config: WorldConfig): JournalHead => ({
  format: 'assay.journal/1',
  config,
});

/** The state that the entries lead to: the same one that the world had when it wrote the last of them. */
export function replayJournal(head: JournalHead, entries: Iterable<JournalEntry>): State {
  let state = initialState(head.config);
  for (const { at, command } of entries) state = step(state, command, at).state;
  return state;
}
