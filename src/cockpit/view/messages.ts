import type { Upcoming } from './board.ts';
import type { Row } from './row.ts';

/** What does not change as long as the cockpit runs. */
export interface Hello {
  /** What is looked at, as a person names it. */
  readonly target: string;
  readonly kind: 'reference' | 'remote';
  readonly parties: readonly PartyShown[];
  /** How time passes: moved by the cockpit, or by itself. */
  readonly clock: 'driven' | 'system';
  readonly gaps: readonly GapShown[];
  readonly faults: readonly FaultShown[];
  /** Scenarios that can be opened by name. */
  readonly library: readonly string[];
  /** Longest advance, in milliseconds. */
  readonly longestMs: number;
}

export interface PartyShown {
  readonly name: string;
  readonly role: string;
  readonly partyId: string;
  /** Where others reach it; empty where nobody can. */
  readonly baseUrl: string;
}

export interface GapShown {
  readonly id: string;
  readonly part: string;
  readonly question: string;
  /** The reference's usual answer first. */
  readonly values: readonly string[];
}

/** A fault that can be switched on. */
export interface FaultShown {
  readonly fault: string;
  readonly words: string;
  /** What it is about: one order or the next, or a party. */
  readonly of: 'order' | 'party';
  /** Whether it can strike an order that is there already, the next one, all of them. */
  readonly orders?: readonly ('this' | 'next' | 'all')[];
}

/** What changes. */
export interface CockpitState {
  readonly now: number;
  /** So much faster than the host's clock the time runs by itself; 0: it stands still. */
  readonly speed: number;
  readonly busy: boolean;
  readonly mode: 'live' | 'opened';
  readonly lines: readonly LineShown[];
  readonly line: number;
  readonly deadlines: readonly Upcoming[];
  /** How many there are beyond those. */
  readonly moreDeadlines: number;
  /** How much more or less than in the beginning each owner holds, by owner and currency; absent where the ledger cannot be seen. */
  readonly holdings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Gaps with another answer than the usual one. */
  readonly answers: Readonly<Record<string, string>>;
  /** Faults that stand, in words. */
  readonly standing: readonly string[];
  readonly verdict: VerdictShown;
  readonly opened?: OpenedShown;
}

/** One course of events. Going back begins another. */
export interface LineShown {
  readonly name: string;
  readonly entries: number;
  readonly end: number;
}

export interface VerdictShown {
  /** How many records have been judged. */
  readonly records: number;
  /** How many requirements were exercised. */
  readonly exercised: number;
  readonly findings: readonly FindingShown[];
  /** How many more there are. */
  readonly more: number;
}

export interface FindingShown {
  readonly outcome: 'fail' | 'warn' | 'inconclusive';
  readonly requirement: string;
  readonly part: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Ids of the rows that show it. */
  readonly evidence: readonly string[];
}

/** Something that was played before, to be walked through. */
export interface OpenedShown {
  readonly title: string;
  /** What came of it. */
  readonly outcome: string;
  /** The scenario's text. */
  readonly text?: string;
  readonly steps: readonly OpenedStep[];
  /** Whether one can go on from any moment of it. */
  readonly canFork: boolean;
}

/** A step of what was opened, and the place of its last row in the history. */
export interface OpenedStep {
  readonly place: number;
  readonly says: string;
  readonly party?: string;
  readonly outcome?: string;
  readonly line?: number;
}

export type Push =
  | { readonly type: 'hello'; readonly hello: Hello }
  | { readonly type: 'state'; readonly state: CockpitState }
  /** All rows so far are forgotten. */
  | { readonly type: 'reset' }
  | { readonly type: 'rows'; readonly rows: readonly Row[] };

/** What a party may do in the cockpit. */
export const actions = [
  'create order',
  'accept proposal',
  'submit quote',
  'accept quote',
  'cancel order',
  'read order',
  'list quotes',
  'list orders',
  'list requests',
  'read settlement',
  'read stats',
] as const;
export type ActionName = (typeof actions)[number];

export interface Act {
  readonly do: 'act';
  readonly party: string;
  readonly action: ActionName;
  readonly order?: string;
  readonly quote?: string;
  /** Fields of the body other than the usual ones; `valid_for` of a quote is in seconds. */
  readonly fields?: Readonly<Record<string, string>>;
  /** So many times; once unless set. */
  readonly times?: number;
}

/** What the page asks for. */
export type Verb =
  | Act
  /** Says which request an act is, and sends nothing: the page sends it to the party by the public interface. */
  | { readonly do: 'prepare'; readonly act: Act }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'step' }
  | { readonly do: 'run'; readonly speed: number }
  | { readonly do: 'stop' }
  /** A new line from the moment of a row. */
  | { readonly do: 'fork'; readonly place: number }
  | { readonly do: 'line'; readonly line: number }
  | {
      readonly do: 'fault';
      readonly fault: string;
      readonly order?: string;
      readonly party?: string;
    }
  | { readonly do: 'answers'; readonly answers: Readonly<Record<string, string>> }
  | { readonly do: 'open'; readonly open: Openable }
  | { readonly do: 'close' };

export type Openable =
  | { readonly kind: 'library'; readonly name: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'world'; readonly seed: string; readonly mutation?: string };

export type VerbAnswer =
  | { readonly ok: true; readonly says: string; readonly request?: PreparedRequest }
  /** What is wrong, and what to do. */
  | { readonly ok: false; readonly problem: string };

/** One request of the public interface. */
export interface PreparedRequest {
  readonly party: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}
