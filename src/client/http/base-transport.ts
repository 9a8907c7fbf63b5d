import { pipeline, type Readable } from 'node:stream';
import type { Clock } from '../../timeline/clock/clock.ts';
import type { CircuitBreaker } from '../circuit-breaker.ts';
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

/** A timer that fires later than this, in host milliseconds, shows that this process was busy. */
const busyMs = 50;

type InFlightRequest = ReturnType<typeof startInFlight>;

/** One exchange under way: its abort signal, and the reason of an abort. */
function startInFlight(clock: Clock) {
  let controller: AbortController | undefined;
  let reason: WireFault | undefined;
  let cancel: () => void = () => {};

  function abort(error: WireFault): void {
    reason ??= error;
    cancel();
    controller?.abort();
  }

  return {
    /** Made on demand: it costs as much as a whole answer in process, which does not need it. */
    signal(): AbortSignal {
      controller ??= new AbortController();
      if (reason) controller.abort();
      return controller.signal;
    },
    /** Sets the deadline to `ms` milliseconds from now. */
    setDeadline(ms: number, what: string): void {
      cancel();
      const due = clock.now() + ms;
      const giveUp = () => abort(new WireFault('timeout', `no ${what} within ${ms} ms`));
      cancel = clock.at(due, () => {
        // The answer may have come, but be unread, while this process was busy: it gets the same time again for
        // reading.
        const lateMs = clock.now() - due;
        if (lateMs < busyMs) giveUp();
        else cancel = clock.at(clock.now() + lateMs, giveUp);
      });
    },
    clearDeadline: () => cancel(),
    abort,
    /** The reason of the abort; if it was not aborted, the fault that the error means. */
    fault: (error: unknown) => ({ kind: 'error', error: wireErrorOf(reason ?? error) }) as const,
  };
}

/** Reads a body to its end; throws if it has more bytes than are allowed, declared or real. */
async function readBody(answer: RawAnswer, maxBytes: number): Promise<Uint8Array> {
  const { status, headers, body } = answer;
  const within = (size: number): void => {
    if (size <= maxBytes) return;
    throw new WireFault(
      { limit: 'answer.body_bytes' },
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

/** Decoders are loaded only if a backend encodes. */
const decoding = () => import('./content-encoding.ts');

interface BaseOptions {
  readonly baseUrl: string;
  /**
   * The part in which transports differ: sends a request and waits for the headers of its answer. Rejects for every
   * fault.
   */
  readonly dispatch: (
    request: WireRequest,
    inFlight: Pick<InFlightRequest, 'signal'>,
    expects: 'body' | 'stream',
  ) => Promise<RawAnswer>;
  readonly limits: TransportLimits;
  /** May shorten the timeouts of `limits`. */
  readonly circuitBreaker?: Pick<CircuitBreaker, 'timeoutFor'> | undefined;
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
  // `fromEntries`, since a target may send a header that is called __proto__, which plain assignment would not keep.
  return Object.fromEntries(pairs);
}

/**
 * Host milliseconds without an answer to the opening of a stream, before target time may go on. Long the first time,
 * for a slow backend; short after one silence. It never becomes long again: a late answer only shows once more that
 * this backend answers late.
 */
const silentMs = { first: 1_500, again: 150 } as const;

/** A transport on top of any `dispatch`. Reading, decoding, deadlines and bounds are the same for all transports. */
export function baseTransport(options: BaseOptions): Transport {
  const { dispatch, limits, clock } = options;
  const allInFlight = new Set<InFlightRequest>();
  const timeoutFor = (ms: number, expects: 'body' | 'stream' = 'body'): number =>
    options.circuitBreaker?.timeoutFor(ms, expects) ?? ms;
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
      if (expects === 'body')
        inFlight.setDeadline(timeoutFor(limits.headersMs), 'response headers');
      const answer = await dispatch(request, inFlight, expects);
      // The readers of the body handle errors; without any listener an error would end the process.
      answer.body.on('error', () => {});
      inFlight.setDeadline(timeoutFor(limits.bodyMs), 'complete body');
      result = await readAnswer(answer);
    } catch (error) {
      result = inFlight.fault(error);
      inFlight.abort(new WireFault('aborted', 'given up'));
    }
    inFlight.clearDeadline();
    if (result.kind !== 'stream') allInFlight.delete(inFlight);
    return result;
  }

  async function readResponse(answer: RawAnswer): Promise<WireAnswer> {
    const headers = flat(answer.headers);
    const raw = await readBody(answer, limits.bodyBytes);
    const encoding = headers['content-encoding'];
    const bytes =
      encoding === undefined
        ? raw
        : (await decoding()).decodeContent(raw, encoding, limits.bodyBytes);
    return { kind: 'response', response: { status: answer.status, headers, bytes } };
  }

  async function readStream(
    answer: RawAnswer,
    inFlight: InFlightRequest,
    sink: StreamSink,
  ): Promise<WireStream> {
    const headers = flat(answer.headers);
    const { body } = answer;
    const encoding = headers['content-encoding'];
    const decoders = encoding === undefined ? [] : (await decoding()).contentDecoders(encoding);
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
    // A piece in one packet with the headers may have broken the stream before a listener was added.
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

  /** Resolves as pending once the opening has been silent for a while. */
  function pendingIfSilent(
    answer: Promise<WireAnswer | WireStream>,
    inFlight: InFlightRequest,
  ): Promise<WireAnswer | WireStream | WirePending> {
    return new Promise((resolve) => {
      const cancel = clock.at(clock.now() + silence, () => {
        silence = silentMs.again;
        const waitMs = timeoutFor(limits.streamHeadersMs, 'stream');
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
