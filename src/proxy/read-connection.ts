import { decodeContent } from '../client/http/content-encoding.ts';
import { defaultLimits } from '../client/http/transport.ts';
import { wireErrorOf } from '../client/http/wire-errors.ts';
import { recordResponse } from '../client/payload/recorded-body.ts';
import { limitError } from '../history/limits.ts';
import type { Exchange, WireError } from '../history/records.ts';
import { bodyAsSent, type TokenOwners } from '../recording/index.ts';
import { matchEndpoint } from '../spec/endpoints.ts';
import { bodyEndOf, createFraming, type BodyEnd, type MessageHead, noBody } from './framing.ts';
import { driver, type ProxiedParty } from './proxied-party.ts';
import { createStreamReader, type StreamReader } from './read-stream.ts';
import type { Window, Mark } from './window.ts';

/** Reads both directions of one connection. */
export interface ConnectionReader {
  feed(direction: 'request' | 'answer', bytes: Buffer, at: number): void;
  /** The requests without a complete answer, recorded as if the answer would never come. */
  underWay(at: number): readonly Exchange[];
  /** The connection is over; requests without an answer get none. */
  close(cause: 'client' | 'backend' | 'error', error: WireError, at: number): void;
}

/** State and callbacks that all connections share. */
export interface Seen {
  readonly owners: TokenOwners;
  readonly window: Window;
  readonly onExchange: (exchange: Exchange) => void;
  readonly onElsewhere: () => void;
  readonly onStrange: (reason: string) => void;
}

/** A request under way, and the part of its answer that has come. */
interface Pending {
  /** Undefined if the path is not below the base URL; such a request is not recorded. */
  readonly path: string | undefined;
  readonly method: string;
  readonly id: string;
  readonly sent: number;
  /** Mark of the records before the request was sent. */
  readonly mark: Mark;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Collected;
  answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Collected;
  };
  stream?: StreamReader;
}

const noAnswerYet: WireError = { code: 'aborted', message: 'no answer had come yet' };

/** A body, as far as it is kept. */
interface Collected {
  readonly pieces: Buffer[];
  size: number;
}

const collected = (): Collected => ({ pieces: [], size: 0 });

function collect(body: Collected, bytes: Buffer): void {
  body.size += bytes.length;
  // Copies the piece: it is a slice of a batch, and would keep the whole batch in memory.
  if (body.size <= defaultLimits.bodyBytes) body.pieces.push(Buffer.from(bytes));
  else body.pieces.length = 0;
}

const isTooLarge = ({ size }: Collected): boolean => size > defaultLimits.bodyBytes;

const tooLarge = { error: limitError('answer.body_bytes') };

/** Answer for the record. A body that cannot be decoded is an error of the wire, as for every client. */
function answerOf({
  status,
  headers,
  body,
}: NonNullable<Pending['answer']>): Pick<Exchange, 'response' | 'error'> {
  if (isTooLarge(body)) return tooLarge;
  try {
    const raw = Buffer.concat(body.pieces);
    const coding = headers['content-encoding'];
    const bytes = coding === undefined ? raw : decodeContent(raw, coding, defaultLimits.bodyBytes);
    const recorded = recordResponse({ status, headers, bytes });
    return recorded.limit ? { error: recorded.limit } : { response: recorded.response };
  } catch (error) {
    return { error: wireErrorOf(error) };
  }
}

function requestBody({ headers, body }: Pending): { body?: unknown } {
  if (headers['content-encoding'] !== undefined || isTooLarge(body)) return {};
  return bodyAsSent(Buffer.concat(body.pieces).toString('utf8'));
}

export function createConnectionReader(party: ProxiedParty, seen: Seen): ConnectionReader {
  const { window, owners } = seen;
  const prefix = new URL(party.baseUrl).pathname.replace(/\/+$/, '');
  /** In the order in which they were sent, which is also the order of the answers. */
  const waiting: Pending[] = [];
  let asking: Pending | undefined;
  let now = 0;
  let isStrange = false;

  function pathBelow(target: string): string | undefined {
    // A client may send a whole URL, as it does to a proxy.
    const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
    const isBelow =
      path === prefix || ['/', '?'].some((mark) => path.startsWith(`${prefix}${mark}`));
    return isBelow ? path.slice(prefix.length) : undefined;
  }

  function exchangeOf(
    pending: Pending,
    path: string,
    answered: Pick<Exchange, 'received' | 'response' | 'error' | 'opensStream'>,
  ): Exchange {
    const { method, id, sent, mark, headers } = pending;
    const [bare = '', search = ''] = path.split(/\?(.*)/s);
    const match = matchEndpoint(method, bare);
    const query = Object.fromEntries(new URLSearchParams(search));
    const exchange: Exchange = {
      kind: 'exchange',
      id,
      by: driver,
      party: party.name,
      role: party.role,
      sent,
      precededBy: mark.before,
      endpoint: match?.name,
      params: match?.params ?? {},
      query,
      auth: 'own',
      request: { method, path, headers, ...requestBody(pending) },
      ...answered,
    };
    return { ...exchange, auth: owners.labelOf(exchange) };
  }

  function record(
    pending: Pending,
    answered: Pick<Exchange, 'response' | 'error' | 'opensStream'>,
  ): void {
    const { path, mark } = pending;
    window.leave(mark);
    if (path === undefined) return seen.onElsewhere();
    const exchange = window.exchange(exchangeOf(pending, path, { received: now, ...answered }));
    window.weigh(pending.body.size + (pending.answer?.body.size ?? 0));
    owners.learn(exchange);
    seen.onExchange(exchange);
  }

  function strange(reason: string): void {
    if (!isStrange) seen.onStrange(reason);
    isStrange = true;
  }

  const requests = createFraming({
    head(head) {
      const [method = '', target = ''] = head.firstLine.split(' ');
      const { headers } = head;
      asking = {
        path: pathBelow(target),
        method,
        id: window.nextId(driver),
        sent: now,
        mark: window.mark(),
        headers,
        body: collected(),
      };
      waiting.push(asking);
      const isHttp = method !== 'CONNECT' && headers['upgrade'] === undefined;
      return isHttp ? (bodyEndOf(headers) ?? noBody) : { kind: 'blind' };
    },
    body(bytes) {
      if (asking) collect(asking.body, bytes);
    },
    broken: strange,
  });

  function bodyOf(pending: Pending, status: number, headers: MessageHead['headers']): BodyEnd {
    if (pending.method === 'HEAD' || status === 204 || status === 304) return noBody;
    return bodyEndOf(headers) ?? { kind: 'rest' };
  }

  const answers = createFraming({
    head({ firstLine, headers }) {
      const status = Number(firstLine.split(' ')[1]);
      const [pending] = waiting;
      // An interim answer says nothing yet.
      if (status >= 100 && status < 200) return status === 101 ? { kind: 'blind' } : noBody;
      if (!pending) {
        strange('an answer came to no request');
        return { kind: 'blind' };
      }
      pending.answer = { status, headers, body: collected() };
      const isStream =
        status < 300 &&
        headers['content-encoding'] === undefined &&
        /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
      if (isStream && pending.path !== undefined) {
        record(pending, { response: { status, headers }, opensStream: true });
        pending.stream = createStreamReader(party, pending.id, window);
      }
      return bodyOf(pending, status, headers);
    },
    body(bytes) {
      const [pending] = waiting;
      if (pending?.stream) pending.stream.feed(bytes, now);
      else if (pending?.answer && pending.path !== undefined) collect(pending.answer.body, bytes);
    },
    end() {
      const [pending] = waiting;
      if (!pending?.answer) return;
      waiting.shift();
      if (pending.stream) pending.stream.end('target', now);
      else record(pending, answerOf(pending.answer));
    },
    broken: strange,
  });

  return {
    feed(direction, bytes, at) {
      now = at;
      if (direction === 'request') requests.feed(bytes);
      else answers.feed(bytes);
    },
    underWay: (at) =>
      waiting.flatMap((pending) =>
        pending.stream || pending.path === undefined
          ? []
          : [exchangeOf(pending, pending.path, { received: at, error: noAnswerYet })],
      ),
    close(cause, error, at) {
      now = at;
      // A body that ends with its connection is complete if the backend ended the connection regularly.
      if (cause === 'backend') answers.close();
      for (const pending of waiting.splice(0)) {
        if (pending.stream) {
          const ended = cause === 'client' ? 'us' : cause === 'backend' ? 'target' : 'error';
          pending.stream.end(error.code === 'aborted' ? 'us' : ended, now);
        } else record(pending, { error });
      }
    },
  };
}
