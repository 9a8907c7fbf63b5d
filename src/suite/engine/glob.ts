/** True if the whole text matches the pattern: `*` stands for any text, `?` for one character. */
export function globMatches(pattern: string, text: string): boolean {
  // Iterative with one backtracking point, so that the cost is at most pattern length times text length.
  let p = 0;
  let t = 0;
  let star = -1;
  let retry = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p;
      retry = t;
      p += 1;
    } else if (pattern[p] === '?' || pattern[p] === text[t]) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      retry += 1;
      p = star + 1;
      t = retry;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
