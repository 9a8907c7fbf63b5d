import type { Command, Deadline, OutgoingEvent, PartyRecord } from '../core/contract.ts';
import type { StepOutcome, Policy, State } from '../core/index.ts';
import type { EndpointName, PathParams } from '../../spec/endpoints.ts';
import type { EventName } from '../../spec/events.ts';

/**
 * How a reference is altered so that it breaks one requirement (a mutation). Every hook is optional, and one that is
 * absent costs nothing. A hook is pure: it answers with what goes on in place of what came in, and keeps what it must
 * remember in `context.memory`, which is fresh in every world. One tamper may thus serve many worlds.
 *
 * The way of a request, with the hooks in their order:
 *
 *   token -> `authRequired`, `verify`, `admits` -> `command` -> core -> `outcome` -> [`event` -> `eventDelayMs` -> `frame`]
 *         -> envelope or problem -> `response` -> wire
 *
 * A deadline passes `deadline` when the core asks for it, and `command` and `outcome` when it fires.
 */
export interface Tamper {
  /** Once, when the world is made: other answers to gaps, other rules. */
  policy?(policy: Policy): Policy;
  /** What the core is asked, reads among it. `undefined` keeps it from the core: a request then gets 404. */
  command?(command: Command, context: TamperContext): Command | undefined;
  /** What the core answered. The state before is `context.state`; `outcome.state` is what it becomes. */
  outcome?(outcome: StepOutcome, command: Command, context: TamperContext): StepOutcome;
  /** Another moment, or never. */
  deadline?(deadline: Deadline, context: TamperContext): Deadline | undefined;
  /** Claims of a token about to be signed. Values that are no part of RFC 7519's types are signed as they are. */
  claims?(
    claims: Readonly<Record<string, unknown>>,
    context: TamperContext,
  ): Record<string, unknown>;
  /** Checks of a token that are left out. */
  readonly verify?: { readonly skip: readonly TokenCheck[] };
  /** Another decision over a token than the gate's; `undefined` leaves it. Refused in place of admitted is 401. */
  admits?(decided: 'admitted' | TokenRefusal, context: AdmissionContext): boolean | undefined;
  /** Whether an endpoint requires a token; `undefined` leaves it as the document has it. */
  authRequired?(endpoint: EndpointName): boolean | undefined;
  /** The answer, an error among them, before it is written. Streams do not pass here. */
  response?(wire: WireAnswer, context: ResponseContext): WireAnswer;
  /** What is sent in place of one event of the core: nothing, several, to others. */
  event?(event: OutgoingEvent, context: TamperContext): readonly TamperedEvent[];
  /** How much later than its cause an event is sent, in milliseconds. */
  eventDelayMs?(event: TamperedEvent, context: TamperContext): number;
  /** The text of one message of a stream with its line ends, heartbeats among them; `undefined` drops it. */
  frame?(text: string, context: FrameContext): string | undefined;
  /** Between heartbeats; 0 for none at all. */
  readonly heartbeatMs?: number;
  /** What a restart makes of its journal. */
  readonly recovery?: RecoveryTamper;
}

/** How a world that starts again from its journal differs from the one that wrote it. */
export interface RecoveryTamper {
  state?(state: State, context: TamperContext): State;
  /** A deadline that is pending; `undefined` forgets it. */
  deadline?(deadline: Deadline, context: TamperContext): Deadline | undefined;
  /** An event that was sent before, as it is kept for streams that are resumed. */
  event?(event: OutgoingEvent, context: TamperContext): readonly TamperedEvent[];
  /** It draws what the life before it drew. */
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
  /** The core's state before what is being tampered with, to be read with the functions of src/reference/core/state-queries.ts. */
  readonly state: State;
  /** Every party of the world, in its order. */
  readonly parties: readonly PartyRecord[];
  /** The party whose backend is concerned: the caller of a request, the addressee of an event; none for a deadline. */
  readonly party?: PartyRecord;
  /** Absent where no request is concerned. */
  readonly endpoint?: EndpointName;
  /** How often this has been asked for under this key in this world, this time included: 1, 2, 3 ... */
  count(key: string): number;
  /** For all that the tamper has to remember; fresh in every world. */
  readonly memory: Map<string, unknown>;
}

/** Why the gate refuses a token. */
export type TokenRefusal = 'token_missing' | 'token_invalid' | 'token_expired' | 'token_foreign';

export interface AdmissionContext extends TamperContext {
  /** The request's own, as it came. */
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
  /** The parsed body of the request, where it had one. */
  readonly requestBody?: unknown;
}

export interface FrameContext extends TamperContext {
  readonly event: EventName | 'heartbeat' | 'connected';
  /** The order that the message is about. */
  readonly intentId?: string;
  /** The order that the stream is limited to. */
  readonly filter?: string;
  /** Whether it was asked for with the id of a last message. */
  readonly resumed: boolean;
  /** 1 for the first stream that was opened in this world, 2 for the second ... */
  readonly stream: number;
}

/** As the core's own, but with any name. */
export interface TamperedEvent extends Omit<OutgoingEvent, 'event'> {
  readonly event: string;
}
