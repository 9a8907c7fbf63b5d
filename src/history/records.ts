import { type EndpointName, endpoints, type PathParams } from '../spec/endpoints.ts';
import { roles } from '../spec/vocabulary.ts';
import type { LimitError, LimitName } from './limits.ts';
import {
  anything,
  count,
  type MadeBy,
  maybe,
  membersOf,
  object,
  oneOf,
  optional,
  type Shape,
  shape,
  text,
  texts,
  time,
  valuesOf,
} from './shape.ts';
import type { AuthLabel } from './token-label.ts';

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
const wireError = membersOf({
  code: text,
  message: text,
  limit: optional(text),
  fault: optional(oneOf(...connectionFaults)),
}) as Shape<WireError>;

const namedTexts = valuesOf(text);
const role = oneOf(...roles);
const endpoint = shape<EndpointName>(
  'the name of an endpoint',
  (value) => typeof value === 'string' && Object.hasOwn(endpoints, value),
);
const status = shape<number>(
  'an HTTP status',
  (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999,
);

const request = membersOf({
  method: text,
  /** Relative to the party's base URL, with its query. */
  path: text,
  /** Lower-case names; an authorization is masked. */
  headers: namedTexts,
  /** Body as sent: a JSON value, or raw text if the request was meant to carry something else. */
  body: optional(anything),
});
export interface RecordedRequest extends MadeBy<typeof request> {}

const response = membersOf({
  status,
  headers: namedTexts,
  /** Parsed body if it is JSON; absent for no content, a stream, and any other type. */
  body: optional(anything),
  /** Text of the body if it is not JSON, cut to a readable length. */
  text: optional(text),
  /** Reasons why the body is no plain JSON: a duplicate key, a byte order mark, no JSON despite its content type. */
  oddities: optional(texts),
});
export interface RecordedResponse extends MadeBy<typeof response> {}

/** Maximum age of the state that an answer shows, for a target whose views follow its driven clock in host time. */
const viewAge = membersOf({
  /** The state is no older than this moment, on the timeline of the run. */
  since: time,
  /** Number of preceding records that may be missing in the answer. */
  recordsAgo: count,
});
export interface ViewAge extends MadeBy<typeof viewAge> {}

const exchange = membersOf({
  kind: oneOf('exchange'),
  /** `<by>#<n>`: unique in a run, and independent of other drivers. */
  id: text,
  /** Name of the world or run, if one file holds several; in each, time begins anew. */
  world: maybe(text),
  /** Driver: the id of a check or scenario, or the engine's own name for itself. */
  by: text,
  party: text,
  role,
  sent: time,
  received: time,
  endpoint: maybe(endpoint),
  params: namedTexts as Shape<PathParams>,
  query: namedTexts,
  /** Token of the request. */
  auth: text as Shape<AuthLabel>,
  request: request as Shape<RecordedRequest>,
  response: maybe(response as Shape<RecordedResponse>),
  error: maybe(wireError),
  /** Set on the exchange that opened a stream: frames and the end of the stream refer to its id. */
  opensStream: maybe(oneOf(true)),
  /**
   * Number of records in the history when this was sent. They certainly precede it, which times in whole milliseconds
   * cannot show. Rules fall back on `sent` if it is absent.
   */
  precededBy: maybe(count),
  /** Absent: the state shown is no older than `sent`. */
  shows: maybe(viewAge as Shape<ViewAge>),
  /** On a token result: decoded claims of the token, since the token itself is masked. */
  claims: maybe(object),
});
/** One request and its answer, or the opening of a stream. */
export interface Exchange extends MadeBy<typeof exchange> {}

const frame = membersOf({
  kind: oneOf('frame'),
  id: text,
  /** Id of the exchange that opened the stream. */
  stream: text,
  world: maybe(text),
  by: text,
  party: text,
  role,
  /**
   * Time of reading; under a clock driven over the wire, the frame came no later than `received`, no earlier than
   * `after`.
   */
  received: time,
  after: maybe(time),
  /** Empty if the message has no name. */
  event: text,
  eventId: maybe(text),
  /** Parsed payload; absent if it is not JSON. */
  data: optional(anything),
  /** Text of the payload if it is not JSON. If both this and `data` are absent, the message had no data line. */
  text: maybe(text),
  /** See `oddities` of a response. */
  oddities: maybe(texts),
  /** Comments of the stream since the previous message, as far as they are kept. */
  comments: maybe(texts),
});
/** One message of an event stream. */
export interface Frame extends MadeBy<typeof frame> {}

const end = membersOf({
  kind: oneOf('end'),
  stream: text,
  world: maybe(text),
  by: text,
  party: text,
  /**
   * Time of detection; under a clock driven over the wire, the stream ended no later than `at`, no earlier than
   * `after`.
   */
  at: time,
  after: maybe(time),
  /** `us`: closed by the suite. */
  cause: oneOf('us', 'target', 'error'),
  message: maybe(text),
  /** Limit of assay that the stream ran into; then `us` closed it. */
  limit: maybe(text as Shape<LimitName>),
});
/** The end of a stream. */
export interface StreamEnd extends MadeBy<typeof end> {}

/** The records by their kinds. */
export const recordShapes = { exchange, frame, end };

/** The ids by which a request is named in the target's own logs. */
export const correlation = membersOf({
  /** Id in `history.jsonl`. */
  exchange: text,
  x_request_id: optional(text),
  traceparent: optional(text),
});
export type Correlation = MadeBy<typeof correlation>;

export type HistoryRecord = Exchange | Frame | StreamEnd;

/** All records of one run, in the order of completion. */
export interface History {
  readonly records: readonly HistoryRecord[];
}
