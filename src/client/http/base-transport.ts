import { type Duplex, pipeline, type Readable } from 'node:stream';
import type { Clock } from '../../timeline/clock/clock.ts';
import type { Patience } from '../patience.ts';
import { isStream } from './stream-or-document.ts';
import type {
  RawAnswer,
  RawHeaders,
  StreamSink,
  Transport,
  TransportLimits,
  WireAnswer,
  WirePending,
  WireRequest,
  WireStream,
} from './transport.ts';
import { WireFault, wireErrorOf } from './wire-errors.ts';

/** What transports differ in: how a request gets to its answer's headers. Rejects for every fault. */
export type Dispatch = (
  request: WireRequest,
  inFlight: Pick<InFlightRequest, 'signal'>,
  expects: 'body' | 'stream',
) => Promise<RawAnswer>;

export interface BaseOptions {
  readonly baseUrl: string;
  readonly dispatch: Dispatch;
  readonly limits: TransportLimits;
  /** How long the target is still borne with, beside the limits. */
  readonly patience?: Pick<Patience, 'timeFor'> | undefined;
  /** Measures deadlines. */
  readonly clock: Clock;
  readonly disconnect?: () => Promise<void>;
}

function flat(headers: RawHeaders): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    pairs.push([name.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value)]);
  }
  // Not member by member: a target may send a header that is called __proto__.
  return Object.fromEntries(pairs);
}

/** One exchange under way: what aborts it, and why it was aborted. */
interface InFlightRequest {
  /** Made when it is asked for: it costs as much as a whole answer in process, which has no use for it. */
  signal(): AbortSignal;
  /** From now on only so many milliseconds are left. */
  setDeadline(ms: number, what: string): void;
  /** No deadline any more. */
  clearDeadline(): void;
  abort(error: WireFault): void;
  /** The reason for which it was aborted, or else what the error means. */
  fault(error: unknown): WireAnswer & { readonly kind: 'error' };
}

/** A deadline that comes so much too late, in milliseconds of the host, tells of a process that did not listen. */
const busyMs = 50;

function startInFlight(clock: Clock): InFlightRequest {
  let controller: AbortController | undefined;
  let reason: WireFault | undefined;
  let cancel: () => void = () => {};

  function abort(error: WireFault): void {
    reason ??= error;
    cancel();
    controller?.abort();
  }

  return {
    signal() {
      controller ??= new AbortController();
      if (reason) controller.abort();
      return controller.signal;
    },
    setDeadline(ms, what) {
      cancel();
      const due = clock.now() + ms;
      const giveUp = () => abort(new WireFault('timeout', `no ${what} within ${ms} ms`));
      cancel = clock.at(due, () => {
        // This process was busy itself meanwhile: the answer may lie there unread, so it has as long to read it.
        const lateMs = clock.now() - due;
        if (lateMs < busyMs) giveUp();
        else cancel = clock.at(clock.now() + lateMs, giveUp);
      });
    },
    clearDeadline: () => cancel(),
    abort,
    fault: (error) => ({ kind: 'error', error: wireErrorOf(reason ?? error) }),
  };
}

/** How many times in a row one is waited for in full, and into how many parts that wait is cut at most. */
const timeoutShrinking = { full: 3, least: 16 } as const;

/** A backend that was silent for all of its time, again and again, is given less of it, until it answers. */
function createAdaptiveTimeout(): {
  of(ms: number): number;
  seen(answer: WireAnswer | WireStream): void;
} {
  let silences = 0;
  return {
    of: (ms) =>
      Math.ceil(
        ms /
          Math.min(2 ** Math.max(silences - timeoutShrinking.full + 1, 0), timeoutShrinking.least),
      ),
    seen(answer) {
      if (answer.kind !== 'error') silences = 0;
      else if (answer.error.code === 'timeout') silences += 1;
    },
  };
}

/**
 * How long the answer to the opening of a stream is waited for before time may go on, in host milliseconds: the first
 * leaves a slow backend its time, and one that was silent before is given less. Unlike trust, the first never comes
 * back: an answer that comes late only shows again that this backend answers late.
 */
const silentMs = { first: 1_500, again: 150 } as const;

/** Reads a body to its end; throws once it has more bytes than are allowed, declared or real. */
async function readAll(answer: RawAnswer, maxBytes: number): Promise<Uint8Array> {
  const { status, headers, body } = answer;
  const within = (size: number): void => {
    if (size <= maxBytes) return;
    throw new WireFault(
      'too_large',
      `the body of status ${status} has more than ${maxBytes} bytes`,
    );
  };
  within(Number(headers['content-length'] ?? 0));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    within(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** What decodes is loaded for whoever encodes. */
async function decoded(raw: Uint8Array, encoding: string, maxBytes: number): Promise<Uint8Array> {
  const { decodeContent } = await import('./content-encoding.ts');
  return decodeContent(raw, encoding, maxBytes);
}

async function decodersFor(encoding: string | undefined): Promise<readonly Duplex[]> {
  if (encoding === undefined) return [];
  const { contentDecoders } = await import('./content-encoding.ts');
  return contentDecoders(encoding);
}

/** A transport over whatever carries a request: reading, decoding, deadlines and bounds are the same for all. */
export function baseTransport(options: BaseOptions): Transport {
  const { dispatch, limits, clock } = options;
  const allInFlight = new Set<InFlightRequest>();
  const adaptiveTimeout = createAdaptiveTimeout();
  const timeFor = (ms: number): number =>
    Math.min(adaptiveTimeout.of(ms), options.patience?.timeFor(ms) ?? ms);
  let silence: number = silentMs.first;
  let closed = false;

  async function perform(
    request: WireRequest,
    expects: 'body' | 'stream',
    inFlight: InFlightRequest,
    readAnswer: (answer: RawAnswer) => Promise<WireAnswer | WireStream>,
  ): Promise<WireAnswer | WireStream> {
    allInFlight.add(inFlight);
    let result: WireAnswer | WireStream;
    try {
      if (closed) throw new WireFault('aborted', 'the transport is closed');
      if (expects === 'body') inFlight.setDeadline(timeFor(limits.headersMs), 'response headers');
      const answer = await dispatch(request, inFlight, expects);
      // Whoever reads hears of errors; without a listener they would end the process.
      answer.body.on('error', () => {});
      inFlight.setDeadline(timeFor(limits.bodyMs), 'complete body');
      result = await readAnswer(answer);
    } catch (error) {
      result = inFlight.fault(error);
      inFlight.abort(new WireFault('aborted', 'given up'));
    }
    inFlight.clearDeadline();
    adaptiveTimeout.seen(result);
    if (result.kind !== 'stream') allInFlight.delete(inFlight);
    return result;
  }

  async function readResponse(answer: RawAnswer): Promise<WireAnswer> {
    const headers = flat(answer.headers);
    const raw = await readAll(answer, limits.bodyBytes);
    const encoding = headers['content-encoding'];
    const bytes = encoding === undefined ? raw : await decoded(raw, encoding, limits.bodyBytes);
    return { kind: 'response', response: { status: answer.status, headers, bytes } };
  }

  async function readStream(
    answer: RawAnswer,
    inFlight: InFlightRequest,
    sink: StreamSink,
  ): Promise<WireStream> {
    const headers = flat(answer.headers);
    const { body } = answer;
    const decoders = await decodersFor(headers['content-encoding']);
    const last = (decoders.at(-1) ?? body) as Readable;
    let over = false;
    const end = (error?: unknown): void => {
      if (over) return;
      over = true;
      allInFlight.delete(inFlight);
      sink.end(error === undefined ? undefined : inFlight.fault(error).error);
    };
    last.on('data', (chunk: Uint8Array) => {
      if (!over) sink.chunk(chunk);
    });
    last.on('end', () => end());
    last.on('error', end);
    const brokeOff = (): void =>
      end(last.errored ?? new WireFault('reset', 'the stream broke off'));
    last.on('close', brokeOff);
    // What comes in one packet with the headers may have broken it before anybody listened.
    if (last.destroyed) queueMicrotask(brokeOff);
    if (decoders.length > 0) pipeline([body, ...decoders], (error) => error && end(error));
    return {
      kind: 'stream',
      status: answer.status,
      headers,
      abort() {
        over = true;
        allInFlight.delete(inFlight);
        inFlight.abort(new WireFault('aborted', 'closed by us'));
        body.destroy();
      },
    };
  }

  /** Hands out what is still to come once it has been silent for a while. */
  function pendingIfSilent(
    answer: Promise<WireAnswer | WireStream>,
    inFlight: InFlightRequest,
  ): Promise<WireAnswer | WireStream | WirePending> {
    return new Promise((resolve) => {
      const cancel = clock.at(clock.now() + silence, () => {
        silence = silentMs.again;
        const waitMs = adaptiveTimeout.of(limits.streamHeadersMs);
        const late = new WireFault('timeout', `no response headers within ${waitMs} ms`);
        resolve({ kind: 'pending', answer, waitMs, giveUp: () => inFlight.abort(late) });
      });
      void answer.then((answered) => {
        cancel();
        resolve(answered);
      });
    });
  }

  return {
    baseUrl: options.baseUrl,
    request: (request) =>
      perform(request, 'body', startInFlight(clock), readResponse) as Promise<WireAnswer>,
    open(request, sink) {
      const inFlight = startInFlight(clock);
      const answer = perform(request, 'stream', inFlight, async (raw) =>
        (await isStream(raw, clock)) ? readStream(raw, inFlight, sink) : readResponse(raw),
      );
      return pendingIfSilent(answer, inFlight);
    },
    async close() {
      closed = true;
      for (const inFlight of allInFlight)
        inFlight.abort(new WireFault('aborted', 'the transport is closed'));
      await options.disconnect?.();
    },
  };
}
