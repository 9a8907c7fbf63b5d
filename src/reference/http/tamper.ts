import type { Command, Deadline, OutgoingEvent, PartyRecord } from '../core/contract.ts';
import type { StepOutcome, Policy, State } from '../core/index.ts';
import type { EndpointName, PathParams } from '../../spec/endpoints.ts';
import type { EventName } from '../../spec/events.ts';

/**
 * Alters a reference so that it breaks one requirement (a mutation). Every hook is optional, and an absent hook costs
 * nothing. A hook is pure: it returns the value that replaces its input, and keeps its data in `context.memory`, which
 * is fresh in every world. So one tamper may serve many worlds.
 *
 * The path of a request, with the hooks in their order:
 *
 *   token -> `authRequired`, `verify`, `admits` -> `command` -> core -> `outcome` -> [`event` -> `eventDelayMs` -> `frame`]
 *         -> envelope or problem -> `response` -> wire
 *
 * A deadline passes `deadline` when the core asks for it, and `command` and `outcome` when it fires.
 */
export interface Tamper {
  /** Called once, when the world is made: other answers to gaps, other rules. */
  policy?(policy: Policy): Policy;
  /** Command to the core, reads included. `undefined` keeps it from the core: a request then gets 404. */
  command?(command: Command, context: TamperContext): Command | undefined;
  /** Outcome of the core. `context.state` is the state before, `outcome.state` the state after. */
  outcome?(outcome: StepOutcome, command: Command, context: TamperContext): StepOutcome;
  /** Changes the moment of a deadline; `undefined` drops it. */
  deadline?(deadline: Deadline, context: TamperContext): Deadline | undefined;
  /** Claims of a token about to be signed. Values that are no part of RFC 7519's types are signed as they are. */
  claims?(
    claims: Readonly<Record<string, unknown>>,
    context: TamperContext,
  ): Record<string, unknown>;
  /** Token checks to skip. */
  readonly verify?: { readonly skip: readonly TokenCheck[] };
  /** Overrules the decision about a token; `undefined` leaves it. A refusal instead of an admission is 401. */
  admits?(decided: 'admitted' | TokenRefusal, context: AdmissionContext): boolean | undefined;
  /** True if the endpoint requires a token; `undefined` leaves it as in the document. */
  authRequired?(endpoint: EndpointName): boolean | undefined;
  /** The answer before it is written, errors included. Streams do not pass here. */
  response?(wire: WireAnswer, context: ResponseContext): WireAnswer;
  /** Events sent in place of one event of the core: none, several, or to other parties. */
  event?(event: OutgoingEvent, context: TamperContext): readonly TamperedEvent[];
  /** Delay of an event after its cause, in milliseconds. */
  eventDelayMs?(event: TamperedEvent, context: TamperContext): number;
  /** The text of one message of a stream with its line ends, heartbeats among them; `undefined` drops it. */
  frame?(text: string, context: FrameContext): string | undefined;
  /** Interval between heartbeats; 0 for none at all. */
  readonly heartbeatMs?: number;
  /** Changes to a restart from a journal. */
  readonly recovery?: RecoveryTamper;
}

/** Changes to a world that starts again from its journal, compared with the world that wrote it. */
export interface RecoveryTamper {
  state?(state: State, context: TamperContext): State;
  /** A deadline that is pending; `undefined` forgets it. */
  deadline?(deadline: Deadline, context: TamperContext): Deadline | undefined;
  /** An event that was sent before, as it is kept for streams that are resumed. */
  event?(event: OutgoingEvent, context: TamperContext): readonly TamperedEvent[];
  /** The restarted world repeats the draws of the life before. */
  readonly sameDraws?: true;
}

export type TokenCheck =
  | 'signature'
  | 'algorithm'
  | 'issuer'
  | 'audience'
  | 'expiry'
  | 'subject'
  | 'role'
  | 'party';

export interface TamperContext {
  readonly now: number;
  /** The core's state before the altered step; read it with src/reference/core/state-queries.ts. */
  readonly state: State;
  /** Every party of the world, in its order. */
  readonly parties: readonly PartyRecord[];
  /** The party whose backend is concerned: the caller of a request, the addressee of an event; none for a deadline. */
  readonly party?: PartyRecord;
  /** Absent if no request is concerned. */
  readonly endpoint?: EndpointName;
  /** Number of calls with this key in this world, this call included: 1, 2, 3 ... */
  count(key: string): number;
  /** Data that the tamper keeps; fresh in every world. */
  readonly memory: Map<string, unknown>;
}

/** Reasons for the refusal of a token. */
export type TokenRefusal = 'token_missing' | 'token_invalid' | 'token_expired' | 'token_foreign';

export interface AdmissionContext extends TamperContext {
  /** Authorization header of the request, unchanged. */
  readonly authorization: string | undefined;
}

export interface WireAnswer {
  readonly status: number;
  /** Lower-case names. The content type follows the body unless it is given here. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, written as JSON; a string is written as it is, for text and broken JSON; absent: no body. */
  readonly body?: unknown;
}

export interface ResponseContext extends TamperContext {
  readonly method: string;
  readonly params: PathParams;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed body of the request, if it had one. */
  readonly requestBody?: unknown;
}

export interface FrameContext extends TamperContext {
  readonly event: EventName | 'heartbeat' | 'connected';
  /** The order that the message is about. */
  readonly intentId?: string;
  /** The order that the stream is limited to. */
  readonly filter?: string;
  /** True if the stream was requested with the id of a last message. */
  readonly resumed: boolean;
  /** 1 for the first stream that was opened in this world, 2 for the second ... */
  readonly stream: number;
}

/** Event of the core, but with any name. */
export interface TamperedEvent extends Omit<OutgoingEvent, 'event'> {
  readonly event: string;
}
