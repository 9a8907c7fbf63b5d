import type { Readable } from 'node:stream';
import { baseTransport } from './base-transport.ts';
import {
  type RawAnswer,
  type RawHeaders,
  type Transport,
  type TransportLimits,
  defaultLimits,
} from './transport.ts';

export interface InjectedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: string;
  readonly payloadAsStream?: true;
  /** The only way in which the server learns that a stream's reader is gone. */
  readonly signal?: AbortSignal;
}

export interface InjectedAnswer {
  readonly statusCode: number;
  readonly headers: RawHeaders;
  readonly rawPayload: Uint8Array;
  stream(): Readable;
}

/** A server that answers in this process, without a socket. */
export type Inject = (request: InjectedRequest) => Promise<InjectedAnswer>;

export interface InjectOptions {
  /** The path under which the party's backend sits; none unless told. */
  readonly basePath?: string;
  readonly limits?: Partial<TransportLimits>;
}

/** Requests that never leave this process. No deadlines: time stands still while they are answered. */
export function injectTransport(inject: Inject, options: InjectOptions = {}): Transport {
  const prefix = (options.basePath ?? '').replace(/\/+$/, '');

  return baseTransport({
    baseUrl: `inject:${prefix}`,
    limits: { ...defaultLimits, ...options.limits },
    async dispatch({ method, path, headers, body }, inFlight, expects): Promise<RawAnswer> {
      const answer = await inject({
        method,
        url: `${prefix}${path}`,
        headers: { ...headers },
        ...(body !== undefined && { payload: body }),
        ...(expects === 'stream' && { payloadAsStream: true, signal: inFlight.signal() }),
      });
      // The injector dates its answers by the host's clock, which has no place in simulated time.
      const { date: _, ...undatedHeaders } = answer.headers;
      return {
        status: answer.statusCode,
        headers: undatedHeaders,
        body: expects === 'stream' ? answer.stream() : answer.rawPayload,
      };
    },
  });
}
