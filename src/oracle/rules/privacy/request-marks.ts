/** Values in a message that could mark the order that it is about: each text, number or flag, by its path. */

/** Stands for a value that was not the same each time. */
export const varies = '\u0000';

/** Deeper, or of more members, no honest message is. */
const deepest = 8;
const mostMarks = 200;

/** Headers that speak of the answer and of its way, and of no order. */
const ofTheAnswer =
  /^(date|age|etag|via|server|connection|keep-alive|vary|allow|expires|retry-after|(content|transfer|cache|accept|access-control|strict|x-content|x-frame|x-powered|x-ratelimit|ratelimit)-.*)$/i;

/** The field that a mark stands in. */
export const fieldMarked = (path: string): string =>
  path.slice(path.lastIndexOf('.') + 1).replace(/ \(part \d+\)$/, '');

/** The texts, numbers and flags of a message by their paths, and the parts that texts are put together of. */
export function marksIn(message: unknown, leftOut: ReadonlySet<string>): Map<string, string> {
  const marks = new Map<string, string>();
  const note = (path: string, value: string): void => {
    if (marks.size >= mostMarks && !marks.has(path)) return;
    const known = marks.get(path);
    marks.set(path, known === undefined || known === value ? value : varies);
  };
  const noteParts = (path: string, text: string): void => {
    const parts = text.split(/[^\p{L}\p{N}]+/u, 9);
    if (parts.length < 2) return;
    for (const [index, part] of parts.entries()) note(`${path} (part ${index + 1})`, part);
  };
  const visit = (path: string, value: unknown, depth: number): void => {
    if (typeof value === 'object' && value !== null) {
      if (depth > deepest) return;
      for (const [name, inner] of Object.entries(value).slice(0, mostMarks)) {
        if (name === 'intent_id' && typeof inner === 'string') noteParts(name, inner);
        if (leftOut.has(name) || (path === 'headers' && ofTheAnswer.test(name))) continue;
        const step = Array.isArray(value) ? '[]' : name.slice(0, 100);
        visit(path === '' ? step : `${path}.${step}`, inner, depth + 1);
      }
      return;
    }
    if (value === undefined || value === null) return;
    if (typeof value === 'string') noteParts(path, value);
    note(path, (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500));
  };
  visit('', message, 0);
  return marks;
}
