import type { EndpointName, PathParams } from '../spec/endpoints.ts';
import type { Role } from '../spec/vocabulary.ts';
import type { AuthLabel } from './token-label.ts';
import type { LimitError, LimitName } from './limits.ts';

/** Times are milliseconds since the epoch on the timeline of the run. */
export interface Span {
  readonly sent: number;
  readonly received: number;
}

/**
 * Reason why an exchange has no usable answer. It describes the event on the wire, never the intention of the target.
 */
export type WireErrorCode =
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'protocol'
  | 'aborted'
  | 'limit'
  /** A gateway answered in place of the service. Never recorded; used only when judging. */
  | 'gateway';

/** Faults of the connection to a backend, distinguished by the error of the connection. */
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
  /** Body as sent: a JSON value, or raw text if the request was meant to carry something else. */
  readonly body?: unknown;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed body if it is JSON; absent for no content, a stream, and any other type. */
  readonly body?: unknown;
  /** Text of the body if it is not JSON, cut to a readable length. */
  readonly text?: string;
  /** Reasons why the body is no plain JSON: a duplicate key, a byte order mark, no JSON despite its content type. */
  readonly oddities?: readonly string[];
}

/** Maximum age of the state that an answer shows, for a target whose views follow its driven clock in host time. */
export interface ViewAge {
  /** The state is no older than this moment, on the timeline of the run. */
  readonly since: number;
  /** Number of preceding records that may be missing in the answer. */
  readonly recordsAgo: number;
}

/** One request and its answer, or the opening of a stream. */
export interface Exchange extends Span {
  readonly kind: 'exchange';
  /** `<by>#<n>`: unique in a run, and independent of other drivers. */
  readonly id: string;
  /** Name of the world or run, if one file holds several; in each, time begins anew. */
  readonly world?: string | undefined;
  /** Driver: the id of a check or scenario, or the engine's own name for itself. */
  readonly by: string;
  readonly party: string;
  readonly role: Role;
  readonly endpoint?: EndpointName | undefined;
  readonly params: PathParams;
  readonly query: Readonly<Record<string, string>>;
  /** Token of the request. */
  readonly auth: AuthLabel;
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse | undefined;
  readonly error?: WireError | undefined;
  /** Set on the exchange that opened a stream: frames and the end of the stream refer to its id. */
  readonly opensStream?: true | undefined;
  /**
   * Number of records in the history when this was sent. They certainly precede it, which times in whole milliseconds
   * cannot show. Rules fall back on `sent` if it is absent.
   */
  readonly precededBy?: number | undefined;
  /** Absent: the state shown is no older than `sent`. */
  readonly shows?: ViewAge | undefined;
  /** On a token result: decoded claims of the token, since the token itself is masked. */
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
  /**
   * Time of reading; under a clock driven over the wire, the frame came no later than `received`, no earlier than
   * `after`.
   */
  readonly received: number;
  readonly after?: number | undefined;
  /** Empty if the message has no name. */
  readonly event: string;
  readonly eventId?: string | undefined;
  /** Parsed payload; absent if it is not JSON. */
  readonly data?: unknown;
  /** Text of the payload if it is not JSON. If both this and `data` are absent, the message had no data line. */
  readonly text?: string | undefined;
  /** See `oddities` of a response. */
  readonly oddities?: readonly string[] | undefined;
  /** Comments of the stream since the previous message, as far as they are kept. */
  readonly comments?: readonly string[] | undefined;
}

/** The end of a stream. */
export interface StreamEnd {
  readonly kind: 'end';
  readonly stream: string;
  readonly world?: string | undefined;
  readonly by: string;
  readonly party: string;
  /**
   * Time of detection; under a clock driven over the wire, the stream ended no later than `at`, no earlier than
   * `after`.
   */
  readonly at: number;
  readonly after?: number | undefined;
  /** `us`: closed by the suite. */
  readonly cause: 'us' | 'target' | 'error';
  readonly message?: string | undefined;
  /** Limit of assay that the stream ran into; then `us` closed it. */
  readonly limit?: LimitName | undefined;
}

export type HistoryRecord = Exchange | Frame | StreamEnd;

/** All records of one run, in the order of completion. */
export interface History {
  readonly records: readonly HistoryRecord[];
}
