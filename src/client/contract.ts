import type { FaultyNetworks } from './faulty-network.ts';
import type { EndpointName, PathParams } from '../spec/endpoints.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { AuthLabel } from '../history/token-label.ts';
import type { Exchange, Frame, History, StreamEnd } from '../history/records.ts';
import type { CastName, ControlName } from '../spec/requirements/requirement.ts';
import type { Role } from '../spec/vocabulary.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** A token to send in place of the party's own, and its name in the history. */
export interface Credential {
  readonly label: AuthLabel;
  /** Absent: no Authorization header at all. */
  readonly token?: string;
}

export interface CallOptions {
  readonly params?: PathParams;
  readonly query?: Readonly<Record<string, string>>;
  /** Value that is sent as JSON. */
  readonly body?: unknown;
  /** Text that is sent unchanged, as application/json, in place of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential?: Credential;
  /** `none`: no headers by which the target's logs name a request. */
  readonly correlation?: 'none';
}

export interface ListenOptions {
  /** A stream that is not the one of the party's role, to check that it does not open. */
  readonly endpoint?: 'order.events' | 'maker.events';
  /** Limits an order stream to one order. */
  readonly intentId?: string;
  readonly lastEventId?: string;
  readonly credential?: Credential;
}

/** Observer of a stream that is being opened. */
export interface OpeningObserver {
  /** Called if the headers take so long that time goes on without them: some come with the first event only. */
  readonly onSilence: () => void;
}

export interface SendOptions {
  /** Goes ahead of all requests that wait for the target's pace: it must arrive at a certain moment. */
  readonly prompt?: boolean;
  /** No time may pass before it, on a target whose time is moved. */
  readonly still?: boolean;
}

/** Facts of a call that a call policy knows before it lets the call through. */
export interface CallKind {
  /** True if the call changes nothing at the target. */
  readonly reads: boolean;
}

/** Lets the calls of one user of a party through, and bounds its waits. */
export interface CallPolicy {
  call(send: (how?: SendOptions) => Promise<Exchange>, kind: CallKind): Promise<Exchange>;
  listen(open: (observer: OpeningObserver) => Promise<EventStream>): Promise<EventStream>;
  /** A stream whose waits are bounded. */
  stream(stream: EventStream): EventStream;
}

/**
 * One party as seen from outside: everything it sends and receives is recorded. A call never throws for anything that a
 * target does: a refusal is an exchange with its status, a broken connection is one with `error`. A target that left
 * too many calls unanswered is not asked again: the call throws a `CircuitOpenError`.
 */
export interface Party {
  readonly name: CastName;
  readonly role: Role;
  readonly baseUrl: string;
  /** The party identifier, from the token result or whoami. */
  readonly partyId: string;
  /** The party's current token, for checks that need to look at it or to send it elsewhere. */
  readonly token: string;
  call(endpoint: EndpointName, options?: CallOptions): Promise<Exchange>;
  /** Any method and path (relative, with its query): for requests to paths that are no endpoint. */
  send(method: string, path: string, options?: CallOptions): Promise<Exchange>;
  /** Opens a stream of its own; the caller closes it. The exchange shows whether it opened. */
  listen(options?: ListenOptions): Promise<EventStream>;
  /** The party's stream that is open for the whole run. All users of the party share it. */
  readonly events: EventStream;
}

export interface EventStream {
  /** The exchange that opened the stream. Of the shared stream: the last exchange that did. */
  readonly opened: Exchange;
  readonly isOpen: boolean;
  /** All frames so far, heartbeats among them. */
  readonly frames: readonly Frame[];
  readonly ended: StreamEnd | undefined;
  /**
   * The first frame, past or to come, that matches; undefined when the moment comes or the stream ends first.
   * @param since frames that came before this moment are not looked at; a stream of a whole run has thousands
   */
  find(match: (frame: Frame) => boolean, until: number, since?: number): Promise<Frame | undefined>;
  close(): Promise<void>;
}

/** When a restart was asked for, and when the target was up again. */
export interface Restart {
  readonly from: number;
  readonly to: number;
}

/** Known answers of a target to the gaps: declared in its file, then observed, never assumed. */
export interface GapAnswers {
  get(gap: GapId): string | undefined;
}

export interface SigningKey {
  readonly alg: string;
  /** Public key as PEM, which is no secret; absent if the key is a shared secret. */
  readonly publicKey?: string;
  /** Signs claims as the target's own issuer would; `header` adds to or overrides the JOSE header. */
  mint(
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  /** Synchronous form of `mint`, for code that cannot wait. */
  readonly mintNow: (
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ) => string;
}

/**
 * Result of checking a token's signature with the issuer's published keys. `unknown`: no key fits, or none is known.
 */
export type SignatureVerdict =
  | { readonly kind: 'verified' | 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Makes an order fail: fields for its creation, or a call once it exists. */
export interface Control {
  readonly order?: Readonly<Record<string, unknown>>;
  readonly call?: (intentId: string) => Promise<Exchange>;
}

/** The target under test, opened and reached: its parties, its time, and the controls that it offers to a tester. */
export interface Target {
  readonly name: string;
  readonly timeline: Timeline;
  readonly clock: {
    readonly kind: 'virtual' | 'system' | 'controlled';
    readonly maxWaitMs: number;
    /** Bounds of the target's clock minus ours, in milliseconds. */
    readonly offset: { readonly least: number; readonly most: number };
  };
  /** True if the user says that nobody else uses the target while a run is on. */
  readonly alone?: boolean;
  /** The declared parties; those of the standard cast that are missing are not declared. */
  readonly parties: {
    readonly [name in CastName]?: { readonly role: Role; readonly baseUrl: string };
  };
  /** The party; its exchanges are recorded as driven by `by`, and go through the policy if there is one. */
  party(name: CastName, by: string, policy?: CallPolicy): Party;
  /** Everything recorded so far, whichever check caused it; it grows. */
  readonly history: History;
  readonly answers: GapAnswers;
  readonly orderDefaults: Readonly<Record<string, unknown>>;
  readonly controls: { readonly [name in ControlName]?: Control };
  /** Ends the target, and starts it again from the state that it has kept. Resolves once it is up again. */
  readonly restart?: () => Promise<Exchange>;
  /** Restarts so far, on the timeline; the list grows. */
  readonly restarts?: readonly Restart[];
  /** Networks that can be made to fail. Absent: the parties reach their backends directly. */
  readonly networks?: FaultyNetworks;
  readonly signing?: SigningKey;
  /** Verifies a token that a party was issued. Absent: the keys of no issuer are known. */
  readonly verify?: (party: CastName, token: string) => Promise<SignatureVerdict>;
  /** Usual time until an answer, in host milliseconds; absent if it is not measured. */
  readonly usualAnswerMs?: () => number;
  /** Ends streams and connections. */
  close(): Promise<void>;
}
