import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** A request of this process. Header names are in lower case. */
export interface InProcessRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
  /** The answer's body comes as a stream, as soon as its headers are there. */
  readonly payloadAsStream?: true;
  /** The only way in which the server learns that a stream's reader is gone. */
  readonly signal?: AbortSignal;
}

export interface InProcessAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawPayload: Uint8Array;
  stream(): Readable;
}

/** Where every request comes from. */
const here = { remoteAddress: '127.0.0.1' } as const;

/** As much of `IncomingMessage` as Fastify and this server read of a request. */
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

  /** Hands the whole body over at once: whoever resumes listens by now. */
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

/** As much of `ServerResponse` as Fastify and this server write to. */
class Outgoing extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  readonly socket = here;
  /** Whatever was written has been handed over. */
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
    // A reader that goes away is told so, too, and need not listen.
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

  /** They were with `writeHead`. */
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
      const error = new Error('the answer broke off');
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
 * Has an application that is ready answer a request without a socket: its own routes and handlers, between a request
 * and a response that are no more than what they use of them (decision 12). Rejects where the answer broke off before
 * its headers.
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
