import { base64Fragments, base64Contains, hexOf } from './leak-encodings.ts';
import type { Violation } from '../../findings.ts';
import { isObject, isSet, visit } from '../../../protocol/json.ts';
import { percentEncoded } from '../../../spec/endpoints.ts';

/** A shorter name would be found anywhere; no name or key that is looked for is shorter. */
const shortest = 4;

/** Words that a message may use of anybody: as the whole name of a party, perhaps numbered, they tell nothing. */
const common =
  /^(sender|receiver|institution|custodian|bank|maker|market|client|party)[\s_-]?\d*$/i;

/** A longer name nobody would repeat in prose, and no pattern is made of. */
const longest = 200;

/** The part of a party identifier that people would know it by. */
const nameIn = (partyId: string): string | undefined => {
  const name = partyId.slice(0, Math.max(0, partyId.indexOf('::')));
  const isName = name.length >= shortest && name.length <= longest && !common.test(name);
  return isName ? name : undefined;
};

/** Number of first or last digits of a key that are as good as all of them. */
const endOfKey = 16;

/** Length of the two colons before a key and of the least that abbreviations leave of it. */
const startOfKey = '::1220'.length;

const keyIn = (partyId: string): string | undefined => {
  const hex = partyId.slice(partyId.lastIndexOf('::') + 2);
  return hex.length >= 16 ? hex : undefined;
};

interface LooseName {
  /** The longest of its words, in lower case: a text without it does not contain the name. */
  readonly hint: string;
  readonly pattern: RegExp;
}

/** Words of which names are made up, and prose as well. */
const ordinary =
  /^(sender|receiver|institution|custod(ian|y)|bank|makers?|markets?|clients?|part(y|ies)|orders?|quotes?|requests?|settlements?|services?|operator|participant|provider|trad(e|ing)|source|target|currency|treasury|capital|global|international|trust|group|company|holdings?|limited|first|second|test|demo|the|of|and|[a-z\d]{1,3})$/;

/** A name, however its words are cased and set apart; undefined for one that prose might hit upon. */
function looseNameOf(name: string): LooseName | undefined {
  const parted = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const words = parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.join('').length < (words.length < 2 ? 6 : 8)) return undefined;
  if (words.every((word) => ordinary.test(word))) return undefined;
  const hint = words.reduce((a, b) => (b.length > a.length ? b : a));
  const between = '[^\\p{L}\\p{N}]*';
  const alone = (text: string): string => `(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`;
  return { hint, pattern: new RegExp(alone(words.join(between)), 'iu') };
}

/** Patterns that give some parties away, with the results for texts that were already examined. */
export interface LeakPatterns {
  /** Count anywhere within a text. In lower case, as the examined text is. */
  readonly within: readonly string[];
  /** Base64 fragments of an identifier or a key, in lower case, each with the secret that it must decode to. */
  readonly cores: readonly { readonly core: string; readonly secret: string }[];
  /** A name and the first of its key, as identifiers are cut short, in lower case: at the beginning of a word. */
  readonly begun: readonly string[];
  /** As words of their own. */
  readonly words: readonly string[];
  readonly loosely: readonly LooseName[];
  readonly seen: Record<'identified' | 'named', Map<string, boolean>>;
  /** Messages that gave nothing away. Items of lists come again and again as the same object. */
  readonly clean: WeakSet<object>;
}

/** Addresses of backends, and the paths that distinguish them on one host, if they identify a party. */
function placesOf(addresses: readonly string[], others: readonly string[]): readonly string[] {
  return addresses.flatMap((address) => {
    const path = /^\w+:\/\/[^/]+(\/.{3,})$/.exec(address)?.[1];
    const places = path === undefined ? [`${address}/`] : [`${address}/`, `${path}/`];
    return places.filter((place) => !others.some((other) => `${other}/`.includes(place)));
  });
}

/** Parties by what is known of them. */
export interface PartyIdentifiers {
  readonly ids: readonly string[];
  /** Addresses of their backends, without a slash at the end. */
  readonly addresses: readonly string[];
}

/**
 * Names and keys that others share say nothing: parties of one participant have one key between them.
 * @param rest all other parties
 */
export function leakPatternsOf(
  { ids, addresses }: PartyIdentifiers,
  rest: PartyIdentifiers,
): LeakPatterns {
  const others = rest.ids;
  const parts = new Set(others.flatMap((id) => [nameIn(id), keyIn(id)]));
  const unshared = (part: string | undefined): part is string =>
    part !== undefined && !parts.has(part);
  const keys = ids.map(keyIn).filter(unshared);
  const words = ids.map(nameIn).filter(unshared);
  const ends = keys
    .filter((key) => key.length >= 2 * endOfKey)
    .flatMap((key) => [key.slice(0, endOfKey), key.slice(-endOfKey)])
    .filter((end) => !others.some((id) => id.includes(end)));
  const plain = [
    ...ids,
    ...ids.map(percentEncoded),
    ...ids.map(hexOf),
    ...keys,
    ...ends,
    ...placesOf(addresses, rest.addresses),
  ];
  return {
    within: [...new Set(plain.map((text) => text.toLowerCase()))],
    cores: [...ids, ...keys].flatMap((text) =>
      base64Fragments(text).map((core) => ({
        core: core.toLowerCase(),
        secret: text.toLowerCase(),
      })),
    ),
    begun: ids
      .filter((id) => id.includes('::'))
      .map((id) => id.slice(0, id.indexOf('::') + startOfKey))
      .filter((start) => !others.some((id) => id.startsWith(start)))
      .map((start) => start.toLowerCase()),
    words,
    // The text may name another party whose longer name begins or ends with this one.
    loosely: words
      .flatMap((name) => looseNameOf(name) ?? [])
      .filter(({ pattern }) => !others.some((id) => pattern.test(id))),
    seen: { identified: new Map(), named: new Map() },
    clean: new WeakSet(),
  };
}

/** Characters of a longer word: a name that is only a part of one tells nothing. */
const inWord = /[\p{L}\p{N}_:-]/u;

/** True if the name stands in the text as one or more whole words. */
function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (!inWord.test(before) && !inWord.test(after)) return true;
  }
  return false;
}

/** True if a word of the text begins with `start`. */
function beginsIn(text: string, start: string): boolean {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    if (!inWord.test(text.charAt(at - 1))) return true;
  }
  return false;
}

function identifies(text: string, { within, begun, cores }: LeakPatterns): boolean {
  const lower = text.toLowerCase();
  return (
    within.some((secret) => lower.includes(secret)) ||
    begun.some((start) => beginsIn(lower, start)) ||
    cores.some(({ core, secret }) => {
      const at = lower.indexOf(core);
      return at !== -1 && base64Contains(text, at, at + core.length, secret);
    })
  );
}

function names(text: string, { words, loosely }: LeakPatterns): boolean {
  // A full identifier belongs to one party, even if another party has a similar name.
  if (words.length === 0 || text.includes('::')) return false;
  if (words.some((name) => standsIn(text, name))) return true;
  if (loosely.length === 0) return false;
  const lower = text.toLowerCase();
  return loosely.some(({ hint, pattern }) => lower.includes(hint) && pattern.test(text));
}

function remembered(
  seen: Map<string, boolean>,
  text: string,
  secrets: LeakPatterns,
  look: (text: string, secrets: LeakPatterns) => boolean,
): boolean {
  if (text.length < shortest) return false;
  const known = seen.get(text);
  if (known !== undefined) return known;
  const found = look(text, secrets);
  seen.set(text, found);
  return found;
}

/** A text that gives a secret away, and the field that it stands in, for a finding. */
type Leak = Pick<Violation, 'fields' | 'actual'>;

/** The place in a message that holds a secret; undefined if no place does. */
export function leakIn(message: unknown, secrets: LeakPatterns): Leak | undefined {
  // Part by part: what is put together for a look is new each time, and its parts are not.
  if (Array.isArray(message)) return message.map((part) => leakIn(part, secrets)).find(isSet);
  if (!isObject(message)) return findLeak(message, secrets);
  if (secrets.clean.has(message)) return undefined;
  const leak = findLeak(message, secrets);
  if (leak === undefined) secrets.clean.add(message);
  return leak;
}

/** A target may name a field as long as it likes. */
const longestName = 80;

function findLeak(message: unknown, secrets: LeakPatterns): Leak | undefined {
  const { identified, named } = secrets.seen;
  const isLeak = (text: string): boolean => remembered(identified, text, secrets, identifies);
  let leak: Leak | undefined;
  visit(message, (name, value) => {
    if (leak !== undefined) return;
    if (isLeak(name)) leak = { actual: name };
    else if (typeof value !== 'string') return;
    else if (isLeak(value) || remembered(named, value, secrets, names))
      leak = {
        actual: value,
        ...(name !== '' && name.length <= longestName && { fields: [name] }),
      };
  });
  return leak;
}
