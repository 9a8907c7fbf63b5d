import type { WireError, WireErrorCode } from '../history/records.ts';

/** A fault of the wire that we raise ourselves, under its code. */
export class WireFault extends Error {
  override readonly name = 'WireFault';
  readonly wire: WireError;

  constructor(code: WireErrorCode, message: string) {
    super(message);
    this.wire = { code, message };
  }
}

/** What hosts and libraries call their errors; a prefix stands for all that start with it. */
const codes: readonly (readonly [prefix: string, code: WireErrorCode])[] = [
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'refused'],
  ['EAI_', 'refused'],
  ['EHOSTUNREACH', 'refused'],
  ['ENETUNREACH', 'refused'],
  ['EADDRNOTAVAIL', 'refused'],
  ['CERT_', 'refused'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'refused'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'refused'],
  ['UNABLE_TO_', 'refused'],
  ['ERR_TLS_', 'refused'],
  ['ERR_SSL_', 'refused'],
  ['EPROTO', 'protocol'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['LIGHT_ECONNRESET', 'reset'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'reset'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'too_large'],
  ['ERR_BUFFER_TOO_LARGE', 'too_large'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
  ['HPE_HEADER_OVERFLOW', 'too_large'],
  ['UND_ERR_ABORTED', 'aborted'],
  ['ABORT_ERR', 'aborted'],
  ['UND_ERR_DESTROYED', 'aborted'],
  ['UND_ERR_CLOSED', 'aborted'],
];

interface Coded {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** The first of an error, its causes and its parts whose code is known. */
function find(error: unknown, depth = 0): WireErrorCode | undefined {
  if (typeof error !== 'object' || error === null || depth > 3) return undefined;
  const { code, name, cause, errors = [] } = error as Coded;
  const known = codes.find(([prefix]) => typeof code === 'string' && code.startsWith(prefix));
  if (known) return known[1];
  if (name === 'AbortError') return 'aborted';
  return [cause, ...errors].map((inner) => find(inner, depth + 1)).find((found) => found);
}

function messageOf(error: unknown): string {
  const { message, code, cause, errors } = Object(error) as Coded;
  const own = typeof message === 'string' && message !== '' ? message : undefined;
  const inner = cause ?? errors?.[0];
  if (own === undefined) return inner ? messageOf(inner) : String(code ?? error);
  return own;
}

/** Puts whatever a transport threw under one of our codes: what is not known broke the protocol. */
export function wireErrorOf(error: unknown): WireError {
  if (error instanceof WireFault) return error.wire;
  return { code: find(error) ?? 'protocol', message: messageOf(error) };
}
