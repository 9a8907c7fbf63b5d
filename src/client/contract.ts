import type { EndpointName, PathParams } from '../spec/endpoints.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { AuthLabel, Exchange, Frame, History, StreamEnd } from '../history/records.ts';
import type { CastName, ControlName } from '../spec/requirements/requirement.ts';
import type { Role } from '../spec/vocabulary.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** A token to send in place of the party's own, under the name that the history shows. */
export interface Credential {
  readonly label: AuthLabel;
  /** Absent: no Authorization header at all. */
  readonly token?: string;
}

export interface CallOptions {
  readonly params?: PathParams;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, as application/json, in place of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential?: Credential;
  /** Without the headers by which the target's logs name a request. */
  readonly correlation?: 'none';
}

export interface ListenOptions {
  /** Another stream than that of the party's role, to see that it does not open. */
  readonly endpoint?: 'order.events' | 'maker.events';
  /** Limits an order stream to one order. */
  readonly intentId?: string;
  readonly lastEventId?: string;
  readonly credential?: Credential;
}

/** Follows the opening of a stream that is under way. */
export interface OpeningObserver {
  /** Called where the headers take so long that time goes on without them: some come with the first event only. */
  readonly onSilence: () => void;
}

export interface SendOptions {
  /** Ahead of all that wait for the target's pace, for what must arrive at a moment. */
  readonly prompt?: boolean;
  /** No time is to pass before it, where the target's time is moved. */
  readonly still?: boolean;
}

/** What a call policy knows of a call before it lets it through. */
export interface CallKind {
  /** It changes nothing at the target. */
  readonly reads: boolean;
}

/** Who lets the calls of one user of a party through, and bounds its waits. */
export interface CallPolicy {
  call(send: (how?: SendOptions) => Promise<Exchange>, kind: CallKind): Promise<Exchange>;
  listen(open: (observer: OpeningObserver) => Promise<EventStream>): Promise<EventStream>;
  /** A stream whose waits are bounded. */
  stream(stream: EventStream): EventStream;
}

/**
 * One party as seen from outside: everything it sends and receives is recorded. A call never throws for what a
 * target does: a refusal is an exchange with its status, a broken connection one with `error`. One that has left too many
 * calls unanswered is not asked again: then it throws a `CircuitOpenError`.
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
  /** Any method and path (relative, with its query): for requests to what is no endpoint. */
  send(method: string, path: string, options?: CallOptions): Promise<Exchange>;
  /** Opens a stream of its own; the caller closes it. The exchange shows whether it opened. */
  listen(options?: ListenOptions): Promise<EventStream>;
  /** The party's stream that is open for the whole run and shared by all who act as it. */
  readonly events: EventStream;
}

export interface EventStream {
  /** The exchange that opened it. Under the shared stream: the last one that did. */
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

/** What is known of a target's answers to gaps: declared in its file, then observed, never assumed. */
export interface GapAnswers {
  get(gap: GapId): string | undefined;
}

export interface SigningKey {
  readonly alg: string;
  /** Its public half as PEM, which anybody may know; absent where the key is a shared secret. */
  readonly publicKey?: string;
  /** Signs claims as the target's own issuer would; `header` adds to or overrides the JOSE header. */
  mint(
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  /** The same at once, where nothing can be waited for. */
  readonly mintNow: (
    claims: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ) => string;
}

/** The result of a check of a token's signature with the issuer's published keys. `unknown`: no key fits, or none is known. */
export type SignatureVerdict =
  | { readonly kind: 'verified' | 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string };

/** How an order is made to take a bad turn: fields for its creation, or something to do once it exists. */
export interface Control {
  readonly order?: Readonly<Record<string, unknown>>;
  readonly call?: (intentId: string) => Promise<Exchange>;
}

/** What is under test, opened and reached: its parties, its time, what it lets a tester do. */
export interface Target {
  readonly name: string;
  readonly timeline: Timeline;
  readonly clock: {
    readonly kind: 'virtual' | 'system' | 'controlled';
    readonly maxWaitMs: number;
    /** The target's clock less ours, in milliseconds, lies within these. */
    readonly offset: { readonly least: number; readonly most: number };
  };
  /** Its user says that nobody else uses it while a run is on. */
  readonly alone?: boolean;
  /** The declared parties; those of the standard cast that are missing are not declared. */
  readonly parties: {
    readonly [name in CastName]?: { readonly role: Role; readonly baseUrl: string };
  };
  /** A party whose exchanges are recorded as driven by `by`, and go through a policy where one is given. */
  party(name: CastName, by: string, policy?: CallPolicy): Party;
  /** Everything recorded so far, whichever check caused it; it grows. */
  readonly history: History;
  readonly answers: GapAnswers;
  readonly orderDefaults: Readonly<Record<string, unknown>>;
  readonly controls: { readonly [name in ControlName]?: Control };
  /** Ends it, and starts it again from what it has kept; answers once it is there again. */
  readonly restart?: () => Promise<Exchange>;
  readonly signing?: SigningKey;
  /** Verifies a token that a party was issued. Absent: the keys of no issuer are known. */
  readonly verify?: (party: CastName, token: string) => Promise<SignatureVerdict>;
  /** How long it usually takes to answer, in host milliseconds; absent where that is not measured. */
  readonly usualAnswerMs?: () => number;
  /** Ends streams and connections. */
  close(): Promise<void>;
}
