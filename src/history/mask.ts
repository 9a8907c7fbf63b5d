import type { History, HistoryRecord } from './records.ts';

/** Written in place of a secret. */
export const masked = '***';

/** Names of headers, fields and query parameters whose whole value is secret. */
const secretName =
  /^(?:(?:proxy-)?authorization|cookie|set-cookie|(?:x[_-])?api[_-]?key|(?:x[_-])?(?:access|refresh|id|auth|bearer)?[_-]?token|client[_-]?secret|secret|password|private[_-]?key)$/i;

/** A JWT: its header starts as every base64url of `{"` or `{ ` does. */
const jwt = /\b(ey[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{2,}\.)(?:\*\*\*|[A-Za-z0-9_-]*)/g;
const jwtAlone = new RegExp(`^(?:Bearer )?${jwt.source}$`, 'i');
const bearer = /\b(bearer\s+)[^\s"',;]+/gi;
const parameter = /([?&;]|^)([\w-]+)=([^&;#\s"']+)/g;
const member = /"([\w-]+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g;
/**
 * What every text with a secret in it has: most texts have none, and are spared the search. Every request has a header
 * that is masked already.
 */
const suspicious =
  /ey[\w-]{6}|author(?!ization":"(?:\w+ )?\*\*\*")|cookie|token|key|secret|password|(?<!"authorization":")bearer/i;
/** What has been hidden before, though the scheme of it may still be read. */
const alreadyMasked = /^(?:\w+ )?\*\*\*$/;
const pem = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g;

/**
 * A JWT without its signature is of no use to a thief, and its claims are evidence: they stay readable. Any other
 * token goes whole.
 */
function maskValue(value: string): string {
  if (alreadyMasked.test(value)) return value;
  return jwtAlone.test(value) ? value.replace(jwt, `$1${masked}`) : masked;
}

/** Hides all tokens and keys in a text; `secrets` are exact strings known to be such. */
export function maskText(text: string, secrets: readonly string[] = []): string {
  let left = text;
  for (const secret of secrets) {
    // Most texts hold none of them, and how a long one is shown takes long to tell.
    if (secret !== '' && left.includes(secret)) left = left.replaceAll(secret, maskValue(secret));
  }
  if (!suspicious.test(left)) return left;
  return left
    .replace(pem, masked)
    .replace(member, (all, name: string, colon: string, value: string) =>
      secretName.test(name) ? `"${name}"${colon}"${maskValue(value)}"` : all,
    )
    .replace(parameter, (all, before: string, name: string, value: string) =>
      secretName.test(name) ? `${before}${name}=${maskValue(value)}` : all,
    )
    .replace(jwt, `$1${masked}`)
    .replace(bearer, (all, word: string) => (jwtAlone.test(all) ? all : `${word}${masked}`));
}

/** Tells whether a value written as JSON may hold a secret; where not, `maskJson` would leave it as it is. */
export function mayHoldSecrets(secrets: readonly string[]): (json: string) => boolean {
  const asWritten = secrets
    .filter((secret) => secret !== '' && !suspicious.test(secret))
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return (json) => suspicious.test(json) || asWritten.some((secret) => json.includes(secret));
}

/**
 * A history to show to people: without secrets that nothing but their own text gives away, such as tokens that are no
 * JWTs. The others are hidden by their names and forms wherever something is shown.
 */
export function withoutSecrets(history: History, secrets: readonly string[]): History {
  const opaque = secrets.filter((secret) => secret !== '' && !jwtAlone.test(secret));
  if (opaque.length === 0) return history;
  const written = opaque.map((secret) => JSON.stringify(secret).slice(1, -1));
  return {
    records: history.records.map((record) => {
      const json = JSON.stringify(record);
      const holds = written.some((secret) => json.includes(secret));
      return holds ? (maskJson(record, opaque) as HistoryRecord) : record;
    }),
  };
}

/** A history that may be handed on, as `history.jsonl` has it: tokens of every form and keys are hidden. */
export function shareable(history: History, secrets: readonly string[]): History {
  const suspicious = mayHoldSecrets(secrets);
  return {
    records: history.records.map((record) =>
      suspicious(JSON.stringify(record)) ? (maskJson(record, secrets) as HistoryRecord) : record,
    ),
  };
}

/** The same value with every secret in it hidden, at any depth. */
export function maskJson(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === 'string') return maskText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => maskJson(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && typeof inner === 'string'
        ? maskValue(inner)
        : maskJson(inner, secrets),
    ]),
  );
}
