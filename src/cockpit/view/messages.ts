import type { Upcoming } from './board.ts';
import type { Row } from './row.ts';

/** Constants of a running cockpit. */
export interface Hello {
  /** Name of the target, for a person. */
  readonly target: string;
  readonly kind: 'reference' | 'remote';
  readonly parties: readonly PartyShown[];
  /** `driven`: the cockpit moves time. `system`: time passes by itself. */
  readonly clock: 'driven' | 'system';
  readonly gaps: readonly GapShown[];
  readonly faults: readonly FaultShown[];
  /** Names of the scenarios that can be opened. */
  readonly library: readonly string[];
  /** Longest advance, in milliseconds. */
  readonly longestMs: number;
}

export interface PartyShown {
  readonly name: string;
  readonly role: string;
  readonly partyId: string;
  /** Address for external clients; empty if there is none. */
  readonly baseUrl: string;
}

export interface GapShown {
  readonly id: string;
  readonly part: string;
  readonly question: string;
  /** The reference's usual answer first. */
  readonly values: readonly string[];
}

/** A fault that a person can switch on. */
export interface FaultShown {
  readonly fault: string;
  /** Subject of the fault: an order (an existing one or the next), or a party. */
  readonly of: 'order' | 'party';
  /** Orders that it can affect: an existing order, the next one, all of them. */
  readonly orders?: readonly ('this' | 'next' | 'all')[];
}

/** State that changes while the cockpit runs. */
export interface CockpitState {
  readonly now: number;
  /** Factor to the host's clock of time that runs by itself; 0: time stands still. */
  readonly speed: number;
  readonly busy: boolean;
  readonly mode: 'live' | 'opened';
  /** Names of the lines of actions. Going back starts another. */
  readonly lines: readonly string[];
  readonly line: number;
  readonly deadlines: readonly Upcoming[];
  /** Number of further deadlines. */
  readonly moreDeadlines: number;
  /** Changes of holdings since the start, by owner and currency; absent if the ledger is not visible. */
  readonly holdings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Gap answers that differ from the usual ones. */
  readonly answers: Readonly<Record<string, string>>;
  /** Active faults, in words. */
  readonly standing: readonly string[];
  readonly verdict: VerdictShown;
  readonly opened?: OpenedShown;
}

export interface VerdictShown {
  /** Number of judged records. */
  readonly records: number;
  /** Number of exercised requirements. */
  readonly exercised: number;
  readonly findings: readonly FindingShown[];
  /** Number of further findings. */
  readonly more: number;
}

export interface FindingShown {
  readonly outcome: 'fail' | 'warn' | 'inconclusive';
  readonly requirement: string;
  readonly part: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Ids of the rows that show the finding. */
  readonly evidence: readonly string[];
}

/** An earlier run or a recording, to walk through. */
export interface OpenedShown {
  readonly title: string;
  /** Result of the run. */
  readonly outcome: string;
  /** Text of the scenario. */
  readonly text?: string;
  readonly steps: readonly OpenedStep[];
  /** True if one can go on from any moment of it. */
  readonly canFork: boolean;
}

/** A step of the opened run, and the place of its last row in the history. */
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
  /** Discards all rows so far. */
  | { readonly type: 'reset' }
  | { readonly type: 'rows'; readonly rows: readonly Row[] };

/** Actions of a party in the cockpit, with the roles that have them. */
export const actions = {
  'create order': { endpoint: 'order.create', of: ['institution'] },
  'accept proposal': { endpoint: 'proposal.accept', of: ['custodian'], needsOrder: true },
  'submit quote': { endpoint: 'quote.submit', of: ['market-maker'], needsOrder: true },
  'accept quote': { endpoint: 'quote.accept', of: ['institution', 'custodian'], needsOrder: true },
  'cancel order': { endpoint: 'order.cancel', of: ['institution'], needsOrder: true },
  'read order': { endpoint: 'order.read', of: ['institution', 'custodian'], needsOrder: true },
  'list quotes': { endpoint: 'order.quotes', of: ['institution', 'custodian'], needsOrder: true },
  'list orders': { endpoint: 'order.list', of: ['institution', 'custodian'] },
  'list requests': { endpoint: 'rfq.list', of: ['market-maker'] },
  'read settlement': { endpoint: 'settlement.read', of: ['market-maker'], needsOrder: true },
  'read stats': { endpoint: 'stats.read', of: ['institution', 'custodian', 'market-maker'] },
} as const satisfies Readonly<Record<string, ActionKind>>;
export type ActionName = keyof typeof actions;

export interface ActionKind {
  readonly endpoint: string;
  readonly of: readonly string[];
  readonly needsOrder?: true;
}

export interface Act {
  readonly do: 'act';
  readonly party: string;
  readonly action: ActionName;
  readonly order?: string;
  readonly quote?: string;
  /** Fields of the body other than the usual ones; `valid_for` of a quote is in seconds. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Number of repetitions; 1 by default. */
  readonly times?: number;
}

/** Command of the page. */
export type Verb =
  | Act
  /** Returns the request for an act, and sends nothing: the page sends it to the party by the public interface. */
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
  /** The problem, and the remedy. */
  | { readonly ok: false; readonly problem: string };

/** One request of the public interface. */
export interface PreparedRequest {
  readonly party: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}
