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
  /** Over a connection that nothing has used before. */
  readonly fresh?: true | undefined;
}

export interface WireResponse {
  readonly status: number;
  /** Lower-case names; several of one name joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. */
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
  /** Ends it from our side; the sink hears nothing more. */
  abort(): void;
}

/**
 * The opening of a stream that has not been answered yet. A target may send its headers with its first event only, for
 * which its time has to go on.
 */
export interface WirePending {
  readonly kind: 'pending';
  readonly answer: Promise<WireAnswer | WireStream>;
  /** How long it is to be waited for, in milliseconds of the target's time. */
  readonly waitMs: number;
  /** Nobody waits any more: the answer is an error. */
  giveUp(): void;
}

export interface StreamSink {
  chunk(bytes: Uint8Array): void;
  /** Without an error: the target ended it in good order. */
  end(error?: WireError): void;
}

/** The way to one participant backend. Neither call ever rejects for what a target does. */
export interface Transport {
  readonly baseUrl: string;
  request(request: WireRequest): Promise<WireAnswer>;
  /** Opens a stream. What is refused, or is a JSON document and no stream, comes back as a response. */
  open(request: WireRequest, sink: StreamSink): Promise<WireAnswer | WireStream | WirePending>;
  /** Aborts all exchanges under way and closes connections. */
  close(): Promise<void>;
}

/** Bounds of one exchange. Times are of the host, whatever clock the target has. */
export interface TransportLimits {
  readonly connectMs: number;
  /** From sending to the last header. */
  readonly headersMs: number;
  /** How long, of the target's time, the headers of a stream that stayed silent are waited for: past a heartbeat. */
  readonly streamHeadersMs: number;
  /** From the last header to the last byte of a body; streams have no such bound. */
  readonly bodyMs: number;
  /** Of a body, as sent and as decoded. */
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

/** An answer as far as its headers, its body still to be read. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Readable;
}
