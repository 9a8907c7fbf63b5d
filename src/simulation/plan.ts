import type { EndpointName } from '../spec/endpoints.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { Role } from '../spec/vocabulary.ts';

/**
 * All that a world is, as plain JSON: who takes part, what the target answers to the gaps, and what is done when. Drawn
 * from a seed as a whole, before anything runs: so steps can be left out, a plan can be stored, and it can be played
 * against another target. Nothing is drawn while it is played, save what never shows: ids, keys, the order of turns.
 */
export interface Plan {
  readonly format: 'assay.plan/1';
  /** The seed that the target's ids and the order of what is sent at once are drawn from. */
  readonly seed: string;
  /** When the target's clock starts, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly parties: readonly PlannedParty[];
  /** Gap answers that differ from the usual ones. */
  readonly assignment: AnswerChanges;
  readonly steps: readonly PlannedStep[];
}

export type AnswerChanges = { readonly [id in GapId]?: string };

export interface PlannedParty {
  /** Of the standard cast as far as it goes, then names of the same kind, such as `sender_2` and `maker_d`. */
  readonly name: string;
  readonly role: Role;
  /** How far its own clock is ahead of the target's; it shows where the party itself names a moment. */
  readonly skewMs: number;
}

/** What a plan calls its orders, quotes and streams: "order 3". What was left out leaves the others their names. */
export type Label = string;

/** What a moment can be near to. */
export type Landmark =
  | { readonly of: 'expires_at' | 'settlement window' | 'next leg'; readonly order: Label }
  | { readonly of: 'valid_until'; readonly quote: Label }
  | { readonly of: 'token expiry'; readonly party: string }
  | { readonly of: 'heartbeat'; readonly stream: Label }
  | { readonly of: 'end of day' };

/** When a step is taken: never before the step that precedes it. */
export type Moment =
  | { readonly afterMs: number }
  /** So long before something, negative: after it. Where that is past or unknown: at once. */
  | { readonly near: Landmark; readonly leadMs: number };

/** Until when a quote is said to be valid. */
export type Validity =
  | { readonly forMs: number }
  /** So long after the order expires; negative: before. */
  | { readonly afterOrderMs: number };

/** The endpoints that a stray request asks: those that take no body. */
export const strayEndpoints = [
  'order.read',
  'order.list',
  'order.quotes',
  'order.cancel',
  'proposal.accept',
  'rfq.read',
  'rfq.list',
  'rfq.quotes',
  'quote.list',
  'settlement.read',
  'settlement.list',
] as const satisfies readonly EndpointName[];
export type StrayEndpoint = (typeof strayEndpoints)[number];

/** A well-formed id that no service has given. */
export const unknownOrder = '5f0e1f0a-0000-4000-8000-00000000dead';

/** What one party does. What it is about may be missing (a quote that was refused): then it does nothing. */
export type Command =
  | {
      readonly do: 'create';
      readonly label: Label;
      readonly custodian: string;
      readonly receiver: string;
      readonly receiverCustodian: string;
      /** Whom the body names as its sender. Absent: nobody. */
      readonly senderInBody?: string;
      readonly sourceCurrency: string;
      readonly targetCurrency: string;
      readonly targetAmount: string;
      readonly maximum: string;
      /** Some make the reference's own order fail. Absent: one that is drawn; null: none is sent. */
      readonly memo?: string | null;
    }
  | {
      readonly do: 'quote';
      readonly order: Label;
      readonly label: Label;
      readonly rate: string;
      readonly validity: Validity;
    }
  | { readonly do: 'accept'; readonly order: Label; readonly quote: Label }
  | { readonly do: 'cancel' | 'accept the proposal'; readonly order: Label }
  | { readonly do: 'read' | 'list quotes' | 'read settlement'; readonly order: Label }
  /** Reads everything that shows the order to it. */
  | { readonly do: 'look'; readonly order: Label }
  | {
      readonly do: 'list';
      readonly what: 'orders' | 'requests' | 'quotes' | 'settlements';
      readonly status?: string;
      readonly page?: number;
      readonly pageSize?: number;
    }
  | { readonly do: 'read stats' | 'ask who it is' }
  | {
      readonly do: 'listen';
      readonly label: Label;
      /** The one order that it is limited to. */
      readonly order?: Label;
      /** The stream whose last event it names; that one is closed first if it is open. */
      readonly resumes?: Label;
    }
  | { readonly do: 'stop listening'; readonly stream: Label }
  /** Sends the token that it had at the start of the world, however old it is. */
  | { readonly do: 'ask with its first token' }
  /** Sends its last request once more. */
  | { readonly do: 'repeat' }
  /** A request that the party or its role may have no right to; without an order, it names an order that does not exist. */
  | {
      readonly do: 'stray';
      readonly endpoint: StrayEndpoint;
      readonly order?: Label;
      /** Sends no token. Absent: its own. */
      readonly token?: 'none';
    }
  /** Sends one read so many times at once. */
  | { readonly do: 'burst'; readonly count: number };
export type CommandName = Command['do'];
export type CreateCommand = Extract<Command, { readonly do: 'create' }>;

/** What goes wrong. */
export type Fault =
  | { readonly fault: 'leg reverts'; readonly order: Label; readonly leg: 1 | 2 | 3 | 4 }
  | {
      readonly fault: 'settlement stalls' | 'operator withdraws' | 'validation fails';
      readonly order: Label;
    }
  /** `drop`: the target ends them; `break`: the network does. */
  | { readonly fault: 'streams drop' | 'streams break'; readonly party: string }
  /** They are not read for so long. */
  | { readonly fault: 'streams stall'; readonly party: string; readonly ms: number }
  /** The next request never arrives, or its answer never does; so long the party waits for it. */
  | { readonly fault: 'request lost' | 'answer lost'; readonly party: string; readonly ms: number }
  /** As `answer lost`, and the party sends the same again. */
  | { readonly fault: 'answer lost and sent again'; readonly party: string; readonly ms: number }
  /** The next request, or its answer, is so long on its way. */
  | {
      readonly fault: 'request delayed' | 'answer delayed';
      readonly party: string;
      readonly ms: number;
    }
  /** Nothing reaches the target and nothing comes from it; streams break. */
  | { readonly fault: 'partition'; readonly party: string; readonly ms: number }
  /** Nothing happens at the target: requests wait, deadlines are carried out late. */
  | { readonly fault: 'host pauses'; readonly ms: number }
  /**
   * The target is killed, and starts again from its journal so much later. `tornBytes`: it is killed in the middle of its
   * next write, of which so many bytes are lost; absent: at once, with nothing under way.
   */
  | { readonly fault: 'restart'; readonly ms: number; readonly tornBytes?: number }
  /** Nothing more can be written for so long. */
  | { readonly fault: 'disk full'; readonly ms: number };
export type FaultName = Fault['fault'];

export type CommandStep = { readonly at: Moment; readonly by: string } & Command;
export type FaultStep = { readonly at: Moment } & Fault;
export type PlannedStep = CommandStep | FaultStep;

/** What strikes the disk of a target, or the target so that only its disk is left. */
export const isDiskFault = (step: PlannedStep): boolean =>
  isFault(step) && (step.fault === 'restart' || step.fault === 'disk full');

export const isFault = (step: PlannedStep): step is FaultStep => 'fault' in step;
