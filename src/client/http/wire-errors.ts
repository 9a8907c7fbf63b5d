import { limitError, type LimitError, type LimitName } from '../../history/limits.ts';
import type { ConnectionFault, WireError, WireErrorCode } from '../../history/records.ts';

type PlainCode = Exclude<WireErrorCode, 'limit'>;

/** A fault of the wire that our own code raises, with its code. */
export class WireFault extends Error {
  override readonly name = 'WireFault';
  readonly wire: WireError;

  constructor(
    what: PlainCode | { readonly limit: LimitName },
    message: string,
    fault?: ConnectionFault,
  ) {
    super(message);
    this.wire =
      typeof what === 'string'
        ? { code: what, message, ...(fault && { fault }) }
        : limitError(what.limit, message);
  }
}

/** Error codes of hosts and libraries, by their beginnings. */
const codes: readonly (readonly [RegExp, PlainCode])[] = [
  [/^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)/, 'refused'],
  [/^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/, 'refused'],
  // EPROTO: the handshake fails, as the other side does not speak TLS, or no version or cipher of ours.
  [/^(?:ERR_TLS_|ERR_SSL_|EPROTO)/, 'refused'],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED|LIGHT_ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)/, 'reset'],
  [/^ETIMEDOUT/, 'timeout'],
  [/^HPE_/, 'protocol'],
  [/^ABORT_ERR/, 'aborted'],
];

interface Coded {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  /** Name of the system call that failed. */
  readonly syscall?: unknown;
  /** Error text of the HTTP parser or of OpenSSL. */
  readonly reason?: unknown;
  /** The bytes that the HTTP parser could not read. */
  readonly rawPacket?: unknown;
}

/** The first fact that an error, one of its causes or one of its parts tells. */
function firstOf<T>(error: unknown, told: (one: Coded) => T | undefined, depth = 0): T | undefined {
  const coded = Object(error) as Coded;
  const own = told(coded);
  if (own !== undefined || depth > 3) return own;
  for (const inner of [coded.cause, ...(coded.errors ?? [])]) {
    const found = inner === undefined ? undefined : firstOf(inner, told, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function codeOf({ code, name }: Coded): PlainCode | undefined {
  const known = codes.find(([form]) => typeof code === 'string' && form.test(code));
  return known?.[1] ?? (name === 'AbortError' ? 'aborted' : undefined);
}

const routineIn = (message: unknown): string | undefined =>
  /:SSL routines:[^:]*:([^:]+)/.exec(String(message))?.[1];

/** Error text without memory addresses, advice, or words of one host version; any other text stays as it is. */
function stableMessageOf({ code, message, syscall, reason }: Coded): string | undefined {
  if (typeof message !== 'string' || message === '') return undefined;
  const routine = routineIn(message);
  if (routine !== undefined) return `TLS failed: ${routine}`;
  if (code === 'ECONNRESET' && syscall === undefined) return 'other side closed';
  if (typeof code === 'string' && code.startsWith('HPE_')) {
    return `Response does not match the HTTP/1.1 protocol (${String(reason)})`;
  }
  return message.replace(/; if the root CA is installed locally.*/s, '');
}

function messageOf(error: unknown): string {
  const coded = Object(error) as Coded;
  const inner = coded.cause ?? coded.errors?.[0];
  return stableMessageOf(coded) ?? (inner ? messageOf(inner) : String(coded.code ?? error));
}

/** Connection fault by error code; by OpenSSL's words if the code belongs to the host alone. */
const faultsByCode: Readonly<Record<string, ConnectionFault>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknown_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'certificate_wanted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls_on_plain',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls_on_plain',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'http2_only',
  ENOTFOUND: 'name_unknown',
  EAI_AGAIN: 'name_unknown',
};
const faultsByRoutine: Readonly<Record<string, ConnectionFault>> = {
  'wrong version number': 'tls_on_plain',
  'packet length too long': 'tls_on_plain',
  'tlsv1 alert no application protocol': 'http2_only',
  'tlsv13 alert certificate required': 'certificate_wanted',
};

/**
 * Fault by the first bytes of an answer that is no HTTP/1.1: a TLS alert, or a SETTINGS frame of HTTP/2 (RFC 9113,
 * 6.5).
 */
function faultOfPacket(packet: unknown): ConnectionFault | undefined {
  if (!(packet instanceof Uint8Array)) return undefined;
  const [first, , , type] = packet;
  if (first === 0x15) return 'plain_on_tls';
  return first === 0 && type === 4 ? 'http2_only' : undefined;
}

const faultOf = ({ code, message, rawPacket }: Coded): ConnectionFault | undefined =>
  (typeof code === 'string' ? faultsByCode[code] : undefined) ??
  faultsByRoutine[routineIn(message) ?? ''] ??
  faultOfPacket(rawPacket);

/** Limits of ours that a library enforces. */
function limitIn(error: unknown): LimitError | undefined {
  const { code } = Object(error) as Coded;
  if (code === 'HPE_HEADER_OVERFLOW') return limitError('answer.head_bytes');
  return code === 'ERR_BUFFER_TOO_LARGE' ? limitError('answer.body_bytes') : undefined;
}

/** One of our codes for an error that a transport threw; an unknown error counts as a broken protocol. */
export function wireErrorOf(error: unknown): WireError {
  if (error instanceof WireFault) return error.wire;
  const limit = limitIn(error);
  if (limit) return limit;
  const fault = firstOf(error, faultOf);
  const code = firstOf(error, codeOf) ?? 'protocol';
  return { code, message: messageOf(error), ...(fault && { fault }) };
}
