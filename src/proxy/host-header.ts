import { bodyEndOf, createFraming, headerIn, type MessageHead, noBody } from './framing.ts';

export interface RequestPassage {
  /** The same bytes as they go on to the backend, in pieces. */
  feed(bytes: Buffer): readonly Buffer[];
  /** The method of the first request whose head is complete. */
  firstMethod(): string | undefined;
}

export interface ProxyNames {
  /** On which the proxy is reached. */
  readonly port: number;
  /** See `knownHosts`. */
  readonly isKnown: (host: string) => boolean;
}

/** Whether a `Host` is that of the proxy. */
const isOwn = (host: string, { port, isKnown }: ProxyNames): boolean =>
  (host.endsWith(`:${port}`) || (port === 80 && !/:\d+$/.test(host))) && isKnown(host);

function addressed(head: MessageHead, own: ProxyNames, host: string): Buffer {
  const named = headerIn(head.headers, 'host');
  // A name that others may have made to lead here is not hidden from the backend, which may refuse it.
  if (named === undefined || !isOwn(named, own)) return head.bytes;
  const text = head.bytes.toString('latin1');
  return Buffer.from(
    text.replace(
      /(\nhost:[ \t]*)[^\r\n]*?([ \t]*\r?\n)/i,
      (_, before: string, after: string) => before + host + after,
    ),
    'latin1',
  );
}

/**
 * Passes on requests as the backend would have got them from the client itself: in place of the proxy's own address the
 * `Host` header names the backend's. Every other byte is as it was.
 */
export function createRequestPassage(own: ProxyNames, host: string): RequestPassage {
  let pieces: Buffer[] = [];
  let method: string | undefined;
  const framing = createFraming({
    head(head) {
      method ??= head.firstLine.split(' ', 1)[0];
      pieces.push(addressed(head, own, host));
      // Whatever another protocol says from here on is passed on as it is.
      const isHttp = method !== 'CONNECT' && headerIn(head.headers, 'upgrade') === undefined;
      return isHttp ? (bodyEndOf(head.headers) ?? noBody) : { kind: 'blind' };
    },
    passed: (bytes) => void pieces.push(bytes),
  });
  return {
    feed(bytes) {
      pieces = [];
      framing.feed(bytes);
      return pieces;
    },
    firstMethod: () => method,
  };
}
