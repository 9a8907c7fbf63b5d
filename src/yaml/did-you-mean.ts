import type { Advice } from './source-error.ts';

/** Edit distance of two words. Edits are: insert, delete, replace, and swap of neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      }
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

const plainly = (word: string): string => word.toLowerCase().replace(/[-_. ]/g, '');

/** The most likely candidate for a misspelled word; undefined if none is near. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 64) return undefined;
  let best: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = distance(plainly(word), plainly(candidate));
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    if (edits <= allowed && edits < (best?.edits ?? Infinity)) best = { candidate, edits };
  }
  if (best || word.length < 4) return best?.candidate;
  const holding = candidates.filter((candidate) => plainly(candidate).includes(plainly(word)));
  return holding.length === 1 ? holding[0] : undefined;
}

/** The suggestion as the text of a hint. */
export function suggestion(word: string, candidates: readonly string[]): string | undefined {
  const meant = didYouMean(word, candidates);
  return meant === undefined ? undefined : `did you mean ${JSON.stringify(meant)}?`;
}

/** Advice for a word that is none of the known ones. */
export const oneOfThese = (word: string, known: readonly string[]): Advice => ({
  expected: `one of ${known.join(', ')}`,
  hint: suggestion(word, known),
});
