import { isObject, parsedJson } from '../json.ts';

/**
 * Minimum length of a text that is hidden anywhere: shorter ones occur by chance in other text; see `createSecrets`.
 */
export const shortestAnywhere = 8;

/** A JWT, or a JWE; its first part is the header, which all tokens of an issuer share. */
const jwt = /^ey[\w-]{6,}(?:\.[\w-]*){2,4}$/;

const pemLine = /^[A-Za-z0-9+/=]{16,}$/;

/** The members of a JWK that are private (RFC 7518, 6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'] as const;

function privatePartsOf(jwk: string): readonly string[] {
  const read = parsedJson(jwk);
  const values = isObject(read) ? privateMembers.map((name) => read[name]) : [];
  return values.filter((value) => typeof value === 'string');
}

/**
 * Parts of a secret that each disclose it: the claims and the signature of a JWT, the lines of a private key, the
 * private members of a JWK; else the secret itself.
 */
export function partsOf(secret: string): readonly string[] {
  if (jwt.test(secret)) {
    const parts = secret.split('.').slice(1);
    return parts.filter((part) => part.length >= shortestAnywhere);
  }
  const text = secret.trim();
  if (text.startsWith('{')) return [text, ...privatePartsOf(text)];
  const lines = text.split(/\s*\n\s*/);
  if (lines.length === 1) return [text];
  return [text, ...lines.filter((line) => pemLine.test(line))];
}

/** Base64 characters that depend only on the given bytes, if other bytes precede them. */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const whole = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((before * 8) / 6), whole);
}

const inUrls = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

const htmlSigns: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Encodings of a text in other texts: plain, base64, hex, percent signs, JSON and HTML. */
export function formsOf(text: string): ReadonlySet<string> {
  const bytes = Buffer.from(text, 'utf8');
  const base64 = [0, 1, 2].map((before) => base64Within(bytes, before));
  const hex = bytes.toString('hex');
  const percent = encodeURIComponent(bytes.toString('utf8'));
  const inForm = new URLSearchParams({ '': text }).toString().slice(1);
  const eachByte = text.length <= 256 ? hex.replaceAll(/../g, '%$&') : percent;
  const json = inJson(text);
  return new Set([
    text,
    ...base64,
    ...base64.map(inUrls),
    hex,
    hex.toUpperCase(),
    percent,
    percent.replaceAll(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase()),
    inForm,
    inForm.replaceAll(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase()),
    eachByte,
    eachByte.toUpperCase(),
    json,
    inJson(json),
    json.replaceAll('/', '\\/'),
    json.replaceAll(
      /[\u0080-\uffff]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    text.replaceAll(/[&<>"']/g, (sign) => htmlSigns[sign] ?? sign),
  ]);
}
