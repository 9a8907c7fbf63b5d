import { bodyEndOf, createFraming, type MessageHead, noBody } from './framing.ts';

export interface RequestPassage {
  /** Bytes for the backend, in pieces. Only the `Host` header may differ from the given bytes. */
  feed(bytes: Buffer): readonly Buffer[];
  /** The method of the first request whose head is complete. */
  firstMethod(): string | undefined;
}

export interface ProxyNames {
  /** Port of the proxy. */
  readonly port: number;
  /** See `knownHosts`. */
  readonly isKnown: (host: string) => boolean;
}

/** True if a `Host` is that of the proxy. */
const isOwn = (host: string, { port, isKnown }: ProxyNames): boolean =>
  (host.endsWith(`:${port}`) || (port === 80 && !/:\d+$/.test(host))) && isKnown(host);

function addressed(head: MessageHead, own: ProxyNames, host: string): Buffer {
  const { host: named } = head.headers;
  // A foreign name that leads to the proxy is not replaced: the backend sees it, and may refuse it.
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
 * Passes requests on as the backend would have received them from the client itself: the `Host` header names the
 * backend in place of the proxy. Every other byte is unchanged.
 */
export function createRequestPassage(own: ProxyNames, host: string): RequestPassage {
  let pieces: Buffer[] = [];
  let method: string | undefined;
  const framing = createFraming({
    head(head) {
      method ??= head.firstLine.split(' ', 1)[0];
      pieces.push(addressed(head, own, host));
      // Another protocol may follow; its bytes are passed on unchanged.
      const isHttp = method !== 'CONNECT' && head.headers['upgrade'] === undefined;
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
