import type { Problem } from './problems.ts';

interface Refused {
  readonly ok: false;
  readonly problem: Problem;
}
export type ParsedBody = { readonly ok: true; readonly value: unknown } | Refused;

/** Deeper than any body of the document, and shallow enough for a recursive walk. */
const deepest = 32;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const refuse = (code: Problem['code'], detail: string): Refused => ({
  ok: false,
  problem: { code, detail },
});

/**
 * The object in a body. The client has a scanner of its own (scan-json.ts): the code under test shares no code with its
 * judge. Stricter than JSON.parse if two readers could read a text differently: bytes that are no UTF-8, a duplicate
 * key, `__proto__`.
 */
export function parseBody(bytes: Buffer): ParsedBody {
  if (bytes.length === 0)
    return refuse('not_json', 'a JSON object was expected, the body is empty');
  const text = bytes.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(bytes))
    return refuse('not_json', 'the body is not UTF-8 text');
  const unsafe = unsafeIn(text);
  if (unsafe?.problem.code === 'too_deep') return unsafe;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('not_json', 'the body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('malformed_body', 'a JSON object was expected');
  return unsafe ?? { ok: true, value };
}

function isUtf8(bytes: Buffer): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const backslash = 0x5c;
const quote = 0x22;

/** Index of the quotation mark that ends the string at `from`; the length of the text if there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === backslash) at += 1;
    else if (char === quote) return at;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

/**
 * Refuses unsafe keys and deep nesting in a text that may be JSON. Works without recursion, and before any code that
 * recurses. A string is a key if a colon follows it.
 */
function unsafeIn(text: string): Refused | undefined {
  // An array gets a set too: it stays empty, so that both kinds of bracket are handled alike.
  const open: Set<string>[] = [];
  let found: Refused | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      const end = endOfString(text, at);
      if (isKey(text, end)) found ??= keyProblem(text.slice(at + 1, end), open.at(-1));
      at = end;
    } else if (char === 0x7b || char === 0x5b) {
      if (open.push(new Set()) > deepest)
        return refuse('too_deep', `at most ${deepest} levels are read`);
    } else if (char === 0x7d || char === 0x5d) open.pop();
  }
  return found;
}

function keyProblem(written: string, seen: Set<string> | undefined): Refused | undefined {
  const key = written.includes('\\') ? unescaped(written) : written;
  if (key === '__proto__') return refuse('unsafe_key', 'the key "__proto__" is not allowed');
  if (seen?.has(key)) return refuse('duplicate_key', `the key ${JSON.stringify(key)} stands twice`);
  seen?.add(key);
  return undefined;
}

/** Returns an unreadable key unchanged: the whole text is then no JSON. */
function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
