import type { EndpointName, PathParams } from '../spec/endpoints.ts';
import type { Role } from '../spec/vocabulary.ts';
import type { LimitError, LimitName } from './limits.ts';

/** Times are milliseconds since the epoch on the timeline of the run. */
export interface Span {
  readonly sent: number;
  readonly received: number;
}

/** Why an exchange has no usable answer: what the wire did, never what the target meant. */
export type WireErrorCode =
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'protocol'
  | 'aborted'
  | 'limit'
  /** A gateway answered in place of the service: never recorded so, but judged so. */
  | 'gateway';

/** Faults of the connection to a backend, told apart by the error of the connection. */
export const connectionFaults = [
  'unknown_authority',
  'certificate_wanted',
  'wrong_host',
  'tls_on_plain',
  'plain_on_tls',
  'http2_only',
  'unknown_encoding',
  'name_unknown',
] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

export type WireError =
  | {
      readonly code: Exclude<WireErrorCode, 'limit'>;
      readonly message: string;
      readonly fault?: ConnectionFault | undefined;
    }
  | LimitError;

export interface RecordedRequest {
  readonly method: string;
  /** Relative to the party's base URL, with its query. */
  readonly path: string;
  /** Lower-case names; an authorization is masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent: a JSON value, or raw text where the point was to send something else. */
  readonly body?: unknown;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body where it is JSON; absent for no content, a stream, and anything else. */
  readonly body?: unknown;
  /** The text where it is not JSON, cut to a readable length. */
  readonly text?: string;
  /** Why the body is no plain JSON: a duplicate key, a byte order mark, no JSON despite its content type. */
  readonly oddities?: readonly string[];
}

/**
 * Which token went along: the party's own; none; or a name of the check's choosing ("expired", "forged ...",
 * "of maker_a").
 */
export type AuthLabel = 'own' | 'none' | (string & {});

/** How old what an answer shows may be, where a target's views follow its driven clock in host time. */
export interface ViewAge {
  /** No older than this, on the timeline of the run. */
  readonly since: number;
  /** How many of the records before it may be missing in it. */
  readonly recordsAgo: number;
}

/** One request and its answer, or the opening of a stream. */
export interface Exchange extends Span {
  readonly kind: 'exchange';
  /** `<by>#<n>`: unique in a run, and the same whatever else runs. */
  readonly id: string;
  /** Of several worlds or runs in one file, the name of its own; in each, time begins anew. */
  readonly world?: string | undefined;
  /** Who drove it: a check's or a scenario's id, or the engine's own name for itself. */
  readonly by: string;
  readonly party: string;
  readonly role: Role;
  readonly endpoint?: EndpointName | undefined;
  readonly params: PathParams;
  readonly query: Readonly<Record<string, string>>;
  readonly auth: AuthLabel;
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse | undefined;
  readonly error?: WireError | undefined;
  /** Set on the exchange that opened a stream: frames and the end name it by this exchange's id. */
  readonly opensStream?: true | undefined;
  /**
   * How many records the history held when this was sent: those are certain to precede it, which whole
   * milliseconds cannot tell. Rules fall back on `sent` where it is absent.
   */
  readonly precededBy?: number | undefined;
  /** Absent: what it shows is no older than `sent`. */
  readonly shows?: ViewAge | undefined;
  /** On a token result: the decoded claims of the token, since the token itself is masked. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** One message of an event stream. */
export interface Frame {
  readonly kind: 'frame';
  readonly id: string;
  /** Id of the exchange that opened the stream. */
  readonly stream: string;
  readonly world?: string | undefined;
  readonly by: string;
  readonly party: string;
  readonly role: Role;
  /** The moment it was read; under a clock driven over the wire, no later than `received`, no earlier than `after`. */
  readonly received: number;
  readonly after?: number | undefined;
  /** Empty where the message has no name. */
  readonly event: string;
  readonly eventId?: string | undefined;
  /** The parsed payload; absent where it is not JSON. */
  readonly data?: unknown;
  /** The payload's text where it is not JSON. Neither this nor `data`: the message had no data line. */
  readonly text?: string | undefined;
  /** As of a response's body. */
  readonly oddities?: readonly string[] | undefined;
  /** What the stream said in comments since the message before, as far as it is kept. */
  readonly comments?: readonly string[] | undefined;
}

/** The end of a stream. */
export interface StreamEnd {
  readonly kind: 'end';
  readonly stream: string;
  readonly world?: string | undefined;
  readonly by: string;
  readonly party: string;
  /** The moment it was noticed; under a clock driven over the wire, no later than `at`, no earlier than `after`. */
  readonly at: number;
  readonly after?: number | undefined;
  /** `us`: closed by the suite. */
  readonly cause: 'us' | 'target' | 'error';
  readonly message?: string | undefined;
  /** The limit of ours that it ran into: then `us` closed it. */
  readonly limit?: LimitName | undefined;
}

export type HistoryRecord = Exchange | Frame | StreamEnd;

/** Everything that was seen in one run, in the order in which it was completed. */
export interface History {
  readonly records: readonly HistoryRecord[];
}
