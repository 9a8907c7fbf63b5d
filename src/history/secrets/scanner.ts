/** Finds any of many patterns in a text, in one pass. */
export interface Scanner {
  /** `mark`: text that replaces the pattern. */
  readonly add: (pattern: string, mark: string) => void;
  /** First match at or after a position; the longest of those that begin there. */
  readonly find: (text: string, from: number) => Found | undefined;
  /** Patterns with the same beginning as a text, which has at least as many characters as the window. */
  readonly beginningAs: (text: string) => readonly Pattern[];
}

export interface Pattern {
  readonly text: string;
  readonly mark: string;
}

export interface Found extends Pattern {
  readonly start: number;
}

const block = 3;
const tableSize = 2 ** 16;

const hashAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) &
  (tableSize - 1);

/**
 * Algorithm of Wu and Manber: three characters at the end of a window give the distance to the next position at which a
 * pattern may begin, so that most characters are never read.
 * @param window number of first characters of each pattern that are compared; no pattern is shorter
 */
export function createScanner(window: number): Scanner {
  const ahead = new Uint8Array(tableSize).fill(window - block + 1);
  const byStart = new Map<string, Pattern[]>();
  const lastBlock = window - block;

  return {
    add(text, mark) {
      const start = text.slice(0, window);
      const same = byStart.get(start) ?? [];
      if (same.some((one) => one.text === text)) return;
      byStart.set(
        start,
        [...same, { text, mark }].sort((one, other) => other.text.length - one.text.length),
      );
      for (let at = 0; at <= lastBlock; at += 1) {
        const hash = hashAt(start, at);
        ahead[hash] = Math.min(ahead[hash] ?? 0, lastBlock - at);
      }
    },
    find(text, from) {
      if (byStart.size === 0) return undefined;
      const last = text.length - block;
      let at = from + lastBlock;
      while (at <= last) {
        const skip = ahead[hashAt(text, at)] ?? 1;
        if (skip > 0) {
          at += skip;
          continue;
        }
        const start = at - lastBlock;
        const found = byStart
          .get(text.slice(start, start + window))
          ?.find((one) => text.startsWith(one.text, start));
        if (found) return { ...found, start };
        at += 1;
      }
      return undefined;
    },
    beginningAs: (text) => byStart.get(text.slice(0, window)) ?? [],
  };
}
