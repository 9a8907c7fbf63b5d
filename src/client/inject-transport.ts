import type { Readable } from 'node:stream';
import { baseTransport, type RawAnswer, type RawHeaders } from './base-transport.ts';
import { type Transport, type TransportLimits, usualLimits } from './transport.ts';

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
    limits: { ...usualLimits, ...options.limits },
    async carry({ method, path, headers, body }, flight, wanted): Promise<RawAnswer> {
      const answer = await inject({
        method,
        url: `${prefix}${path}`,
        headers: { ...headers },
        ...(body !== undefined && { payload: body }),
        ...(wanted === 'stream' && { payloadAsStream: true, signal: flight.signal() }),
      });
      // The injector dates its answers by the host's clock, which has no place in simulated time.
      const { date: _, ...told } = answer.headers;
      return {
        status: answer.statusCode,
        headers: told,
        body: wanted === 'stream' ? answer.stream() : answer.rawPayload,
      };
    },
  });
}
