import { isObject, isSet, visit } from '../../../protocol/json.ts';
import { percentEncoded } from '../../../spec/endpoints.ts';
import type { Violation } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { type OrderTrace, possiblyEffective } from '../../trace/traces.ts';

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

/** True if the name stands in the text as one or more whole words, or as the beginning of one. */
function standsIn(text: string, name: string, mayGoOn = false): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (!inWord.test(before) && (mayGoOn || !inWord.test(after))) return true;
  }
  return false;
}

function identifies(text: string, { within, begun, cores }: LeakPatterns): boolean {
  const lower = text.toLowerCase();
  return (
    within.some((secret) => lower.includes(secret)) ||
    begun.some((start) => standsIn(lower, start, true)) ||
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

/** Looks at each text once. */
function isSeen(look: typeof names, kind: keyof LeakPatterns['seen'], secrets: LeakPatterns) {
  const seen = secrets.seen[kind];
  return (text: string): boolean => {
    if (text.length < shortest) return false;
    const found = seen.get(text) ?? look(text, secrets);
    seen.set(text, found);
    return found;
  };
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
  const isLeak = isSeen(identifies, 'identified', secrets);
  const isName = isSeen(names, 'named', secrets);
  let leak: Leak | undefined;
  visit(message, (name, value) => {
    if (leak !== undefined) return;
    if (isLeak(name)) leak = { actual: name };
    else if (typeof value !== 'string') return;
    else if (isLeak(value) || isName(value))
      leak = {
        actual: value,
        ...(name !== '' && name.length <= longestName && { fields: [name] }),
      };
  });
  return leak;
}

/** Encodings that hide a text from a plain search. */

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const binary = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

export const hexOf = (text: string): string =>
  Array.from(bytesOf(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Fragments of the base64 of any text that contains `text`: one for each alignment to three bytes. */
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

/** Identifiers and addresses of the cast members whose ids are among `ids`, or are not. */
function identifiersOf(
  view: HistoryView,
  ids: readonly string[],
  areThey: boolean,
): PartyIdentifiers {
  const chosen = Object.entries(view.context.cast).flatMap(([name, { baseUrl }]) => {
    const id = view.partyIdOf(name);
    return id !== undefined && ids.includes(id) === areThey ? [{ id, baseUrl }] : [];
  });
  return {
    ids: areThey ? ids : chosen.map(({ id }) => id),
    addresses: chosen.flatMap(({ baseUrl }) => baseUrl?.replace(/\/+$/, '') ?? []),
  };
}

export const senderSideIds = (trace: OrderTrace): readonly string[] =>
  [trace.senderId, trace.senderCustodianId].filter(
    (id): id is string => id !== undefined && id.includes('::'),
  );

/** Leak patterns for the sides of some orders, made once for each set of parties: texts recur throughout a history. */
export function leakPatternsIn(view: HistoryView) {
  const made = new Map<string, LeakPatterns>();
  return (ids: readonly string[]): LeakPatterns | undefined => {
    if (ids.length === 0) return undefined;
    const [key, those] = [ids.join(' '), (areThey: boolean) => identifiersOf(view, ids, areThey)];
    const secrets = made.get(key) ?? leakPatternsOf(those(true), those(false));
    made.set(key, secrets);
    return secrets;
  };
}

/** A maker that won a trade may rightly learn with whom; any other never does, nor does a winner before it won. */
export const mayHaveWon = (
  view: HistoryView,
  trace: OrderTrace,
  party: string,
  before?: { readonly close: number },
): boolean =>
  possiblyEffective(trace.acceptances).some((acceptance) => {
    if (before && precedes(before, acceptance)) return false;
    const maker = view.quote(acceptance.exchange.params.quote_id)?.maker;
    return maker === undefined || maker === party;
  });

/** Parties on the sending side of the orders so far, but for those of orders that the maker may have won. */
export function hiddenSenderIds(
  view: HistoryView,
  maker: string,
  place: number,
): readonly string[] {
  const traces = [...view.orders.values()].filter(
    ({ creation }) => creation !== undefined && creation.open < place,
  );
  const traded = traces.filter((trace) => mayHaveWon(view, trace, maker, { close: place }));
  const known = new Set(traded.flatMap(senderSideIds));
  return [...new Set(traces.flatMap(senderSideIds))].filter((id) => !known.has(id));
}
