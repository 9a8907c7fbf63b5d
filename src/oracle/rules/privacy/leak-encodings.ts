/** Encodings that hide a text from a plain search. */

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const binary = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

export const hexOf = (text: string): string =>
  Array.from(bytesOf(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Fragments that the base64 of any longer text has if it contains `text`: one for each alignment to groups of three
 * bytes.
 */
export function base64Fragments(text: string): readonly string[] {
  const bytes = binary(bytesOf(text));
  const cores = ['', '-', '--'].map((before) => {
    const whole = btoa(before + bytes).replace(/=+$/, '');
    // The first characters hold what came before as well, the last may hold what comes after.
    const first = before.length === 0 ? 0 : before.length + 1;
    return whole.slice(first, Math.floor(((before.length + bytes.length) * 8) / 6));
  });
  return cores.flatMap((core) =>
    /[+/]/.test(core) ? [core, core.replaceAll('+', '-').replaceAll('/', '_')] : [core],
  );
}

/** Maximum length on either side: longer base64 holds a document, and a reference in a message is short. */
const aroundMost = 4_000;

const base64Around = (text: string, start: number, end: number): string => {
  const before = /[\w+/-]*$/.exec(text.slice(Math.max(0, start - aroundMost), start))?.[0] ?? '';
  const after = /^[\w+/-]*/.exec(text.slice(end, end + aroundMost))?.[0] ?? '';
  return before + text.slice(start, end) + after;
};

function decoded(base64: string): string {
  const plain = base64.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

/** True if the base64 around a place in a text decodes to a secret, read from any of its first four characters. */
export function base64Contains(text: string, start: number, end: number, secret: string): boolean {
  const around = base64Around(text, start, end);
  return [0, 1, 2, 3].some((skipped) =>
    decoded(around.slice(skipped)).toLowerCase().includes(secret),
  );
}
