const quote = 0x22;
const backslash = 0x5c;

/** Index of the closing quote of the string that begins at `start`; the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Counts what a JSON text holds before it is read, from an index to its end, or to the end of the value there. Builds no
 * values. The reference has a reader of its own (json-body.ts): what is under test shares no code with what judges it.
 * Returns the `depth` of the deepest value and the depth at the end of the scan (`open`), the numbers of members and (at
 * least) of values, the length of the `longest` string or key, and the index of the end.
 */
export function scanJson(text: string, from = 0, extent: 'all' | 'one value' = 'all') {
  const isOne = extent === 'one value';
  let depth = 0;
  let most = 0;
  let members = 0;
  let others = 0;
  let longest = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (end - at > longest) longest = end - at - 1;
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      others += 1;
      if (depth > most) most = depth;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (isOne && depth <= 0) break;
    } else if (code === 0x3a) members += 1;
    else if (code === 0x2c) others += 1;
  }
  return { depth: most, open: depth, members, values: members + others, longest, end: at + 1 };
}

/** Counts the object members in a value. A loop without callbacks, since it sees every value that any target sends. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  else {
    for (const key in value) count += 1 + countMembers((value as Record<string, unknown>)[key]);
  }
  return count;
}
