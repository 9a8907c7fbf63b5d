import type { Command, PartyRecord } from '../core/contract.ts';
import { type CoreState, initialState, policyOf, step } from '../core/index.ts';
import type { Assignment } from '../spec/gaps/index.ts';

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
  readonly seed: string;
  readonly assignment: Assignment;
  readonly parties: readonly PartyRecord[];
  readonly operator: string;
}

/** The state that the entries lead to: the same one that the world had when it wrote the last of them. */
export function replayJournal(head: JournalHead, entries: Iterable<JournalEntry>): CoreState {
  let state = initialState({
    policy: policyOf(head.assignment),
    parties: head.parties,
    operator: head.operator,
  });
  for (const { at, command } of entries) state = step(state, command, at).state;
  return state;
}
