import type { Problem } from './problems.ts';

export type ParsedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

/** Deeper than any body of the document, shallow enough for whatever walks it. */
const deepest = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const refuse = (code: Problem['code'], detail: string): ParsedBody => ({
  ok: false,
  problem: { code, detail },
});

/**
 * The object that a body stands for. Stricter than JSON.parse where leniency lets two readers see two things: bytes
 * that are no UTF-8, a key that stands twice, `__proto__`.
 */
export function parseBody(bytes: Uint8Array): ParsedBody {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refuse('not_json', 'the body is not UTF-8 text');
  }
  if (text.trim() === '')
    return refuse('not_json', 'a JSON object was expected, the body is empty');
  const depth = depthOf(text);
  if (depth > deepest) return refuse('too_deep', `at most ${deepest} levels are read`);
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('not_json', 'the body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('malformed_body', 'a JSON object was expected');
  return keyProblem(text) ?? { ok: true, value };
}

const quote = 0x22;
const backslash = 0x5c;

/** The place just behind a string that starts at `from`. */
function behindString(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === backslash) at += 1;
    else if (char === quote) break;
  }
  return at + 1;
}

/** Of any text: brackets outside strings, so that the depth is known before anything recursive looks at it. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) at = behindString(text, at) - 1;
    else if (char === 0x7b || char === 0x5b) most = Math.max(most, (depth += 1));
    else if (char === 0x7d || char === 0x5d) depth -= 1;
  }
  return most;
}

/** Of JSON text. A string is a key where a colon follows it. */
function keyProblem(text: string): ParsedBody | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    // An array gets a set too: it stays empty, and the two kinds of bracket need no telling apart.
    if (char === 0x7b || char === 0x5b) open.push(new Set());
    else if (char === 0x7d || char === 0x5d) open.pop();
    else if (char === quote) {
      const end = behindString(text, at);
      const colon = colonFollows(text, end);
      if (colon) {
        const key = JSON.parse(text.slice(at, end)) as string;
        const seen = open.at(-1);
        if (key === '__proto__') return refuse('unsafe_key', 'the key "__proto__" is not allowed');
        if (seen?.has(key))
          return refuse('duplicate_key', `the key ${JSON.stringify(key)} stands twice`);
        seen?.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

function colonFollows(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}
