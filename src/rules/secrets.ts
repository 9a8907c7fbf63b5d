import { visit } from './json.ts';

/** Words that a message may use of anybody: as the whole name of a party, perhaps numbered, they tell nothing. */
const common =
  /^(sender|receiver|institution|custodian|bank|maker|market|client|party)[\s_-]?\d*$/i;

/** The part of a party identifier that people would know it by; too short a name would be found anywhere. */
const nameIn = (partyId: string): string | undefined => {
  const name = partyId.slice(0, Math.max(0, partyId.indexOf('::')));
  return name.length >= 4 && !common.test(name) ? name : undefined;
};

const keyIn = (partyId: string): string | undefined => {
  const hex = partyId.slice(partyId.lastIndexOf('::') + 2);
  return hex.length >= 16 ? hex : undefined;
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const binary = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

const hexOf = (text: string): string =>
  Array.from(bytesOf(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** What any base64 of a longer text holds of a text within, by where the text falls among the threes of bytes. */
function coresOf(text: string): readonly string[] {
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

const base64Around = (text: string, start: number, end: number): string => {
  const before = /[\w+/-]*$/.exec(text.slice(Math.max(0, start - 4_000), start))?.[0] ?? '';
  const after = /^[\w+/-]*/.exec(text.slice(end, end + 4_000))?.[0] ?? '';
  return before + text.slice(start, end) + after;
};

function decoded(base64: string): string {
  const plain = base64.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

interface Loosely {
  /** The longest of its words, in lower case: where that is missing, so is the name. */
  readonly hint: string;
  readonly pattern: RegExp;
}

/** Words of which names are made up, and prose as well. */
const ordinary =
  /^(sender|receiver|institution|custod(ian|y)|bank|makers?|markets?|clients?|part(y|ies)|orders?|quotes?|requests?|settlements?|services?|operator|participant|provider|trad(e|ing)|source|target|currency|first|second|test|demo|the|of|and|[a-z\d]{1,3})$/;

/** A name of several words, however they are cased and set apart; undefined for one that prose might hit upon. */
function looselyOf(name: string): Loosely | undefined {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < 2 || words.join('').length < 8) return undefined;
  if (words.every((word) => ordinary.test(word))) return undefined;
  const hint = words.reduce((a, b) => (b.length > a.length ? b : a));
  const between = '[^\\p{L}\\p{N}]*';
  const alone = (text: string): string => `(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`;
  return { hint, pattern: new RegExp(alone(words.join(between)), 'iu') };
}

/** What gives some parties away, with what is known already of the texts that were looked at. */
export interface Secrets {
  /** Anywhere within a text, in lower case, in which a text is looked at. */
  readonly within: readonly string[];
  /** What base64 of an identifier or a key holds, in lower case, with what it then must come to. */
  readonly cores: readonly { readonly core: string; readonly secret: string }[];
  /** As words of their own. */
  readonly words: readonly string[];
  readonly loosely: readonly Loosely[];
  readonly seen: Record<'identified' | 'named', Map<string, boolean>>;
}

/**
 * Names and keys that others share say nothing: parties of one participant have one key between them.
 * @param others whoever else there is
 */
export function secretsOf(ids: readonly string[], others: readonly string[]): Secrets {
  const parts = new Set(others.flatMap((id) => [nameIn(id), keyIn(id)]));
  const unshared = (part: string | undefined): part is string =>
    part !== undefined && !parts.has(part);
  const keys = ids.map(keyIn).filter(unshared);
  const words = ids.map(nameIn).filter(unshared);
  const plain = [...ids, ...ids.map(encodeURIComponent), ...ids.map(hexOf), ...keys];
  return {
    within: [...new Set(plain.map((text) => text.toLowerCase()))],
    cores: [...ids, ...keys].flatMap((text) =>
      coresOf(text).map((core) => ({ core: core.toLowerCase(), secret: text.toLowerCase() })),
    ),
    words,
    // Whoever has a longer name that begins with it, or ends, may be named.
    loosely: words
      .flatMap((name) => looselyOf(name) ?? [])
      .filter(({ pattern }) => !others.some((id) => pattern.test(id))),
    seen: { identified: new Map(), named: new Map() },
  };
}

/** What a name may be a part of, and tells nothing then. */
const inWord = /[\p{L}\p{N}_:-]/u;

/** Whether a name stands in a text as a word or some of its own. */
function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (!inWord.test(before) && !inWord.test(after)) return true;
  }
  return false;
}

/** Whether base64 in a text comes to a secret, from whichever of its characters it is read. */
function comesTo(text: string, lower: string, core: string, secret: string): boolean {
  const at = lower.indexOf(core);
  if (at === -1) return false;
  const around = base64Around(text, at, at + core.length);
  return [0, 1, 2, 3].some((skipped) =>
    decoded(around.slice(skipped)).toLowerCase().includes(secret),
  );
}

function identifies(text: string, { within, cores }: Secrets): boolean {
  const lower = text.toLowerCase();
  return (
    within.some((secret) => lower.includes(secret)) ||
    cores.some(({ core, secret }) => comesTo(text, lower, core, secret))
  );
}

function names(text: string, { words, loosely }: Secrets): boolean {
  // An identifier is somebody's in full, whoever else has a name like it.
  if (words.length === 0 || text.includes('::')) return false;
  if (words.some((name) => standsIn(text, name))) return true;
  if (loosely.length === 0) return false;
  const lower = text.toLowerCase();
  return loosely.some(({ hint, pattern }) => lower.includes(hint) && pattern.test(text));
}

/** No name that is looked for is shorter. */
const shortest = 4;

function remembered(
  seen: Map<string, boolean>,
  text: string,
  secrets: Secrets,
  look: (text: string, secrets: Secrets) => boolean,
): boolean {
  if (text.length < shortest) return false;
  const known = seen.get(text);
  if (known !== undefined) return known;
  const found = look(text, secrets);
  seen.set(text, found);
  return found;
}

/** Where a message gives a secret away, as a text; undefined where it does not. */
export function leakIn(message: unknown, secrets: Secrets): string | undefined {
  const { identified, named } = secrets.seen;
  const isLeak = (text: string): boolean => remembered(identified, text, secrets, identifies);
  let leak: string | undefined;
  visit(message, (name, value) => {
    if (leak !== undefined) return;
    if (isLeak(name)) leak = name;
    else if (typeof value !== 'string') return;
    else if (isLeak(value) || remembered(named, value, secrets, names)) leak = value;
  });
  return leak;
}
