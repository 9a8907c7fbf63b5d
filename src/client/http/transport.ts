import type { Readable } from 'node:stream';
import { ownLimits } from '../../history/limits.ts';
import type { WireError } from '../../history/records.ts';
import { limits } from '../../spec/limits.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Relative to the base URL, with its query; starts with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Uses a connection that nothing has used before. */
  readonly fresh?: true | undefined;
}

export interface WireResponse {
  readonly status: number;
  /** Lower-case names; values of the same name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body after decoding. */
  readonly bytes: Uint8Array;
}

export type WireAnswer =
  | { readonly kind: 'response'; readonly response: WireResponse }
  | { readonly kind: 'error'; readonly error: WireError };

/** A stream that opened: its pieces go to the sink until it ends or is aborted. */
export interface WireStream {
  readonly kind: 'stream';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the stream from our side; the sink is not called any more. */
  abort(): void;
}

/**
 * The opening of a stream that has no answer yet. A target may send its headers with its first event only, so the
 * target's time must go on.
 */
export interface WirePending {
  readonly kind: 'pending';
  readonly answer: Promise<WireAnswer | WireStream>;
  /** Maximum wait, in milliseconds of the target's time. */
  readonly waitMs: number;
  /** Ends the wait: the answer becomes an error. */
  giveUp(): void;
}

export interface StreamSink {
  chunk(bytes: Uint8Array): void;
  /** Without an error: the target ended the stream regularly. */
  end(error?: WireError): void;
}

/** Connection to one participant backend. Neither call ever rejects for anything that a target does. */
export interface Transport {
  readonly baseUrl: string;
  request(request: WireRequest): Promise<WireAnswer>;
  /** Opens a stream. A refusal, or a JSON document that is no stream, comes back as a response. */
  open(request: WireRequest, sink: StreamSink): Promise<WireAnswer | WireStream | WirePending>;
  /** Aborts all exchanges under way and closes connections. */
  close(): Promise<void>;
}

/** Bounds of one exchange. Times are host times, whatever clock the target has. */
export interface TransportLimits {
  readonly connectMs: number;
  /** Time from sending to the last header. */
  readonly headersMs: number;
  /** Wait for the headers of a silent stream, in milliseconds of the target's time: longer than a heartbeat. */
  readonly streamHeadersMs: number;
  /** Time from the last header to the last byte of a body; streams have no such bound. */
  readonly bodyMs: number;
  /** Size of a body, both as sent and as decoded. */
  readonly bodyBytes: number;
}

export const defaultLimits: TransportLimits = {
  connectMs: 5_000,
  headersMs: 15_000,
  streamHeadersMs: limits.heartbeatIntervalMs + 5_000,
  bodyMs: 15_000,
  bodyBytes: ownLimits['answer.body_bytes'],
};

/** Headers as Node gives them. */
export type RawHeaders = Readonly<Record<string, number | string | readonly string[] | undefined>>;

/** An answer with its headers; its body is still to be read. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Readable;
}
