/** What became of a text: its JSON value with what is odd about it, or the reason why it has none. */
export type JsonReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly oddities: readonly string[];
      /** How many values it is made of, at least. */
      readonly count: number;
    }
  | { readonly ok: false; readonly reason: string };

/** Deeper values would overflow the stack of whoever walks through them. */
const deepest = 100;
/** More values would use up the memory: each costs many times its text. */
const mostValues = 1_000_000;

const quote = 0x22;
const backslash = 0x5c;

interface Survey {
  readonly depth: number;
  /** Of all objects together. */
  readonly members: number;
  readonly values: number;
}

/** Where the string that a quote begins ends: at its other quote, or at the end of a text that has none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}

/** What a JSON text is made of, found without building anything. */
function survey(text: string): Survey {
  let depth = 0;
  let most = 0;
  let members = 0;
  let others = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      others += 1;
      if (depth > most) most = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x3a) members += 1;
    else if (code === 0x2c) others += 1;
  }
  return { depth: most, members, values: members + others };
}

/** A loop and no callbacks, as it sees every value that any target ever sends. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  else {
    for (const key in value) count += 1 + countMembers((value as Record<string, unknown>)[key]);
  }
  return count;
}

let last: { readonly text: string; readonly reading: JsonReading } | undefined;

/**
 * Reads a text, and again the same for the same text right after: an event comes to several streams at once. What is
 * read is never changed.
 */
export function readJson(text: string): JsonReading {
  if (last?.text !== text) last = { text, reading: read(text) };
  return last.reading;
}

function read(text: string): JsonReading {
  const { depth, members, values } = survey(text);
  if (depth > deepest) return { ok: false, reason: `JSON nested ${depth} deep` };
  if (values > mostValues) return { ok: false, reason: `JSON of more than ${mostValues} values` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What exactly is wrong with it, each version of the host says in other words.
    return { ok: false, reason: 'not JSON' };
  }
  const oddities = countMembers(value) < members ? ['an object has a key twice'] : [];
  return { ok: true, value, oddities, count: values };
}
