import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type {
  StreamSink,
  Transport,
  WireAnswer,
  WireRequest,
  WireStream,
} from '../../client/http/transport.ts';
import { WireFault, wireErrorOf } from '../../client/http/wire-errors.ts';

/** A request of this process. Header names are in lower case. */
export interface InProcessRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
  /** The answer's body comes as a stream, as soon as its headers are there. */
  readonly payloadAsStream?: true;
  /** Aborted when a stream's reader is gone: the server learns it in no other way. */
  readonly signal?: AbortSignal;
}

export interface InProcessAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawPayload: Uint8Array;
  stream(): Readable;
}

/** Remote address of every request. */
const here = { remoteAddress: '127.0.0.1' } as const;

/** The part of `IncomingMessage` that Fastify and this server read. */
class Incoming extends EventEmitter {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly aborted = false;
  readonly socket = here;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #body: Buffer;

  constructor({ method, url, headers, payload }: InProcessRequest) {
    super();
    this.method = method;
    this.url = url;
    this.#body = Buffer.from(payload ?? '');
    const host = 'localhost';
    const length = String(this.#body.length);
    this.headers =
      payload === undefined ? { host, ...headers } : { host, ...headers, 'content-length': length };
  }

  /** Hands the whole body over at once: the caller has added its listeners by now. */
  resume(): this {
    if (this.#body.length > 0) this.emit('data', this.#body);
    this.emit('end');
    return this;
  }
}

interface Client {
  readonly answer: (answer: InProcessAnswer) => void;
  readonly fail: (error: Error) => void;
}

/** The part of `ServerResponse` that Fastify and this server write to. */
class Outgoing extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  readonly socket = here;
  /** Always 0: all written data has been handed over. */
  readonly writableLength = 0;
  readonly #headers: Record<string, string> = {};
  readonly #chunks: Buffer[] = [];
  readonly #stream: Readable | undefined;
  readonly #client: Client;

  constructor({ payloadAsStream, signal }: InProcessRequest, client: Client) {
    super();
    this.#client = client;
    if (!payloadAsStream) return;
    this.#stream = new Readable({ read: () => void this.emit('drain') });
    // Without a listener, an error after the reader has gone would end the process.
    this.#stream.on('error', () => {});
    signal?.addEventListener('abort', () => this.destroy(), { once: true });
  }

  setHeader(name: string, value: unknown): this {
    this.#headers[name.toLowerCase()] = String(value);
    return this;
  }

  getHeader(name: string): string | undefined {
    return this.#headers[name.toLowerCase()];
  }

  getHeaders(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  hasHeader(name: string): boolean {
    return name.toLowerCase() in this.#headers;
  }

  removeHeader(name: string): void {
    delete this.#headers[name.toLowerCase()];
  }

  writeHead(status: number, headers: Readonly<Record<string, unknown>>): this {
    this.statusCode = status;
    for (const name in headers) this.setHeader(name, headers[name]);
    this.headersSent = true;
    if (this.#stream) this.#answer(this.#stream);
    return this;
  }

  /** Does nothing: `writeHead` has flushed them already. */
  flushHeaders(): void {}

  write(text: string | Buffer, done?: () => void): boolean {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    if (done) queueMicrotask(done);
    if (this.#stream) return this.#stream.push(bytes);
    this.#chunks.push(bytes);
    return true;
  }

  end(text?: string | Buffer | null): this {
    if (this.writableEnded) return this;
    if (text) this.write(text);
    this.writableEnded = true;
    if (this.#stream) this.#stream.push(null);
    else this.#answer(undefined);
    this.emit('finish');
    return this.destroy();
  }

  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    if (!this.writableEnded) {
      const error = new WireFault('reset', 'the answer broke off');
      this.#client.fail(error);
      this.#stream?.destroy(error);
    }
    queueMicrotask(() => this.emit('close'));
    return this;
  }

  #answer(stream: Readable | undefined): void {
    const chunks = this.#chunks;
    this.#client.answer({
      statusCode: this.statusCode,
      headers: this.#headers,
      rawPayload: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
      stream: () => stream ?? Readable.from(chunks),
    });
  }
}

/**
 * Has an application that is ready answer a request without a socket: its own routes and handlers, with a request and a
 * response that have only the members in use (decision 12). Rejects if the answer breaks off before its headers.
 */
export const answerInProcess = (
  app: FastifyInstance,
  request: InProcessRequest,
): Promise<InProcessAnswer> =>
  new Promise((answer, fail) => {
    const incoming = new Incoming(request) as unknown as IncomingMessage;
    const outgoing = new Outgoing(request, { answer, fail }) as unknown as ServerResponse;
    app.routing(incoming, outgoing);
  });

const isStream = ({ statusCode, headers }: InProcessAnswer): boolean =>
  statusCode >= 200 &&
  statusCode < 300 &&
  statusCode !== 204 &&
  !/^\s*application\/json\b/i.test(headers['content-type'] ?? '');

/**
 * Transport to a backend of the reference in this process, without a socket. There are no timeouts: time stands still
 * while a request is answered.
 * @param basePath the prefix of the paths of part 4, without a slash at its end
 */
export function inProcessTransport(app: FastifyInstance, basePath: string): Transport {
  const streams = new Set<AbortController>();
  const failed = (error: unknown): WireAnswer => ({ kind: 'error', error: wireErrorOf(error) });
  const localOf = ({ method, path, headers, body }: WireRequest): InProcessRequest => ({
    method,
    url: `${basePath}${path}`,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  const responseOf = (answer: InProcessAnswer, bytes: Uint8Array): WireAnswer => ({
    kind: 'response',
    response: { status: answer.statusCode, headers: answer.headers, bytes },
  });

  function listen(answer: InProcessAnswer, reader: AbortController, sink: StreamSink): WireStream {
    const body = answer.stream();
    let isOver = false;
    const end = (error?: unknown): void => {
      if (isOver) return;
      isOver = true;
      streams.delete(reader);
      const reason: unknown = reader.signal.aborted ? reader.signal.reason : error;
      sink.end(reason === undefined ? undefined : wireErrorOf(reason));
    };
    body.on('data', (chunk: Uint8Array) => {
      if (!isOver) sink.chunk(chunk);
    });
    body.on('end', () => end());
    body.on('error', end);
    body.on('close', () => end(new WireFault('reset', 'the stream broke off')));
    return {
      kind: 'stream',
      status: answer.statusCode,
      headers: answer.headers,
      abort() {
        isOver = true;
        streams.delete(reader);
        reader.abort();
        body.destroy();
      },
    };
  }

  return {
    baseUrl: `inject:${basePath}`,
    async request(request) {
      try {
        const answer = await answerInProcess(app, localOf(request));
        return responseOf(answer, answer.rawPayload);
      } catch (error) {
        return failed(error);
      }
    },
    async open(request, sink) {
      const reader = new AbortController();
      streams.add(reader);
      try {
        const answer = await answerInProcess(app, {
          ...localOf(request),
          payloadAsStream: true,
          signal: reader.signal,
        });
        if (isStream(answer)) return listen(answer, reader, sink);
        const chunks: Uint8Array[] = await answer.stream().toArray();
        streams.delete(reader);
        return responseOf(answer, Buffer.concat(chunks));
      } catch (error) {
        streams.delete(reader);
        return failed(error);
      }
    },
    async close() {
      for (const reader of streams)
        reader.abort(new WireFault('aborted', 'the transport is closed'));
    },
  };
}
