import { networkTransport } from '../../client/http/network-transport.ts';
import type { Route } from '../../client/http/route.ts';
import type { Transport } from '../../client/http/transport.ts';

/** A value, or the reason why there is none. */
export type Outcome<Value> =
  | (Value & { readonly ok: true })
  | { readonly ok: false; readonly message: string };

/** Answer to a call that belongs to no party: a target's clock, its controls, an identity provider. */
export type HelperAnswer = Outcome<{ readonly status: number; readonly text: string }>;

interface HelperBody {
  readonly type: string;
  readonly text: string;
}

/** The timeout of such a call, in host milliseconds, if a target sets none. */
export const helperTimeoutMs = 30_000;
const largestAnswer = 1_000_000;

/** Client for calls that are made thousands of times: it keeps its connections. */
export interface HelperClient {
  call(
    method: 'GET' | 'POST',
    url: string,
    body?: HelperBody,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HelperAnswer>;
  close(): Promise<void>;
}

/** Route and timeout of such calls. */
export interface HelperWay {
  readonly route: Route;
  readonly timeoutMs?: number | undefined;
}

export function helperClient(way: HelperWay): HelperClient {
  const { route, timeoutMs = helperTimeoutMs } = way;
  const limits = { headersMs: timeoutMs, bodyMs: timeoutMs, bodyBytes: largestAnswer };
  const lines = new Map<string, Transport>();
  return {
    async call(method, url, body, headers) {
      if (!URL.canParse(url)) return { ok: false, message: 'it is no address' };
      const { origin, pathname, search } = new URL(url);
      const line = lines.get(origin) ?? networkTransport(origin, { limits, route });
      lines.set(origin, line);
      const answer = await line.request({
        method,
        path: `${pathname}${search}`,
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': body.type }),
          ...headers,
        },
        ...(body && { body: body.text }),
      });
      if (answer.kind === 'error') return { ok: false, message: answer.error.message };
      const { status, bytes } = answer.response;
      return { ok: true, status, text: new TextDecoder().decode(bytes) };
    },
    async close() {
      await Promise.all([...lines.values()].map((line) => line.close()));
    },
  };
}

export const jsonBody = (value: unknown): HelperBody => ({
  type: 'application/json',
  text: JSON.stringify(value),
});

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Value at a JSON Pointer (RFC 6901); undefined if there is none. */
export function atPointer(value: unknown, pointer: string): unknown {
  let here = value;
  for (const raw of pointer.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}
