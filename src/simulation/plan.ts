import { parseSeed } from '../random/seed.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { Role } from '../spec/vocabulary.ts';

/**
 * Complete description of a world, as plain JSON: the parties, the target's gap answers, and the timed steps. The whole
 * plan is drawn from a seed before anything runs. So steps can be left out, a plan can be stored, and it can be played
 * against another target. Only things that never show are drawn while it is played: ids, keys, the order of turns.
 */
export interface Plan {
  readonly format: 'assay.plan/1';
  /** Seed of the target's ids and of the order of requests that are sent at once. */
  readonly seed: string;
  /** When the target's clock starts, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly parties: readonly PlannedParty[];
  /** Gap answers that differ from the default ones. */
  readonly assignment: AnswerChanges;
  readonly steps: readonly PlannedStep[];
}

/** The seed of a plan as a number. Throws a RangeError if it is none. */
export function seedOf({ seed }: Pick<Plan, 'seed'>): bigint {
  const parsed = parseSeed(seed);
  if (parsed === undefined) throw new RangeError(`not a seed: ${seed}`);
  return parsed;
}

export type AnswerChanges = { readonly [id in GapId]?: string };

export interface PlannedParty {
  /** A name of the standard cast; if these are used up, a name of the same kind, such as `sender_2` and `maker_d`. */
  readonly name: string;
  readonly role: Role;
  /** Milliseconds by which the party's clock is ahead of the target's. It shows if the party itself names a moment. */
  readonly skewMs: number;
}

/** Name of an order, quote or stream in a plan, such as "order 3". It stays the same if other steps are left out. */
export type Label = string;

/** Event that a moment can be near to. */
export type Landmark =
  | { readonly of: 'expires_at' | 'settlement window' | 'next leg'; readonly order: Label }
  | { readonly of: 'valid_until'; readonly quote: Label }
  | { readonly of: 'token expiry'; readonly party: string }
  | { readonly of: 'heartbeat'; readonly stream: Label }
  | { readonly of: 'end of day' };

/** Moment of a step: never before the step that precedes it. */
export type Moment =
  | { readonly afterMs: number }
  /** Milliseconds before the landmark; negative: after it. If that is past or unknown: at once. */
  | { readonly near: Landmark; readonly leadMs: number };

/** Deadline of a quote. */
export type Validity =
  | { readonly forMs: number }
  /** Milliseconds after the order expires; negative: before. */
  | { readonly afterOrderMs: number };

/** Endpoints of stray requests: those that take no body. */
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

/** A well-formed id that no service has issued. */
export const unknownOrder = '5f0e1f0a-0000-4000-8000-00000000dead';

/** A command of one party. Its object may be missing (a quote that was refused): then the command does nothing. */
export type Command =
  | {
      readonly do: 'create';
      readonly label: Label;
      readonly custodian: string;
      readonly receiver: string;
      readonly receiverCustodian: string;
      /** Sender that the body names. Absent: none. */
      readonly senderInBody?: string;
      readonly sourceCurrency: string;
      readonly targetCurrency: string;
      readonly targetAmount: string;
      readonly maximum: string;
      /** Some memos make the reference's own order fail. Absent: a drawn one. Null: no memo is sent. */
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
  /** Reads every view of the order that the party has. */
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
      /** The stream to resume: its last event id is sent. The stream is closed first if it is open. */
      readonly resumes?: Label;
    }
  | { readonly do: 'stop listening'; readonly stream: Label }
  /** Sends the token that the party had at the start of the world, however old it is. */
  | { readonly do: 'ask with its first token' }
  /** Sends the party's last request once more. */
  | { readonly do: 'repeat' }
  /**
   * A request that the party or its role may have no right to. Without an order, it names an order that does not exist.
   */
  | {
      readonly do: 'stray';
      readonly endpoint: StrayEndpoint;
      readonly order?: Label;
      /** `none`: no token is sent. Absent: the party's own. */
      readonly token?: 'none';
    }
  /** Sends one read `count` times at once. */
  | { readonly do: 'burst'; readonly count: number };
export type CommandName = Command['do'];
/** Commands of one name. */
export type CommandOf<N extends CommandName> = Command & { readonly do: N };
export type CreateCommand = Extract<Command, { readonly do: 'create' }>;

/** Fault of the next request of a party, or of its answer. */
export type MishapName = 'request lost' | 'answer lost' | 'request delayed' | 'answer delayed';

/** A fault of the target, of the network, or of an order's settlement. */
export type Fault =
  | { readonly fault: 'leg reverts'; readonly order: Label; readonly leg: 1 | 2 | 3 | 4 }
  | {
      readonly fault: 'settlement stalls' | 'operator withdraws' | 'validation fails';
      readonly order: Label;
    }
  /** `drop`: the target ends the streams; `break`: the network does. */
  | { readonly fault: 'streams drop' | 'streams break'; readonly party: string }
  /**
   * Faults of a party's network, for `ms` milliseconds. `streams stall`: its streams are not read. `lost`: the next
   * request never arrives, or its answer never does, and the party waits that long; it may send the same request again.
   * `delayed`: the next request, or its answer, takes that long on the way. `partition`: nothing reaches the target and
   * nothing comes from it; streams break.
   */
  | {
      readonly fault: MishapName | 'streams stall' | 'answer lost and sent again' | 'partition';
      readonly party: string;
      readonly ms: number;
    }
  /** The target's host is paused: requests wait, deadlines are carried out late. */
  | { readonly fault: 'host pauses'; readonly ms: number }
  /**
   * The target is killed, and starts again from its journal after `ms` milliseconds. `tornBytes`: it is killed in the
   * middle of its next write, and this many bytes of the write are lost. Absent: it is killed at once, with nothing
   * under way.
   */
  | { readonly fault: 'restart'; readonly ms: number; readonly tornBytes?: number }
  /** Nothing can be written for `ms` milliseconds. */
  | { readonly fault: 'disk full'; readonly ms: number };
export type FaultName = Fault['fault'];
export type FaultOf<N extends FaultName> = Fault & { readonly fault: N };

export type CommandStep = { readonly at: Moment; readonly by: string } & Command;
export type FaultStep = { readonly at: Moment } & Fault;
export type PlannedStep = CommandStep | FaultStep;

/** True for a fault of the target's disk, and for a restart, which leaves the target only its disk. */
export const isDiskFault = (step: PlannedStep): boolean =>
  isFault(step) && (step.fault === 'restart' || step.fault === 'disk full');

export const isFault = (step: PlannedStep): step is FaultStep => 'fault' in step;
