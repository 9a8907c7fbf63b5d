import { dataIn, isObject, parsedJson } from '../json.ts';
import type { Exchange, History, HistoryRecord } from '../records.ts';
import { formsOf, partsOf, shortestAnywhere } from './forms.ts';
import { isMasked, type Learned, secretsIn } from './learn.ts';
import {
  isHarmlessHeader,
  isHarmlessParameter,
  isSecretName,
  memberIn,
  parameterIn,
} from './names.ts';
import { isOwnWord } from './own-words.ts';
import { createScanner, type Found, type Scanner } from './scanner.ts';

/** A history with its secrets masked: safe to show or hand on. */
export type MaskedHistory = History & { readonly masked: true };

/**
 * The secrets of one command, and the only module that hides them. Equal secrets have equal marks, `***1` and so on.
 * The set only grows. Every writer uses it: for values before they are formatted or cut, and for the final output text.
 */
export interface Secrets {
  /** Hides a value from now on, in any position: the value, its parts and its usual encodings. */
  readonly add: (secret: string) => void;
  /** Number of known secrets. */
  readonly count: () => number;
  /** Adds the secrets of a record, found by the names of its headers and fields. */
  readonly learn: (record: HistoryRecord) => void;
  /** Masks the secrets in a text. */
  readonly maskText: (text: string) => string;
  /** Masks a page with compressed data: in it, no text is masked by its form alone. */
  readonly maskPage: (html: string) => string;
  /** Masks a JSON value at any depth: in keys, in texts, and by the names of members. */
  readonly maskJson: (value: unknown, deepest?: number) => unknown;
  readonly maskRecord: (record: HistoryRecord) => HistoryRecord;
  readonly maskHistory: (history: History) => MaskedHistory;
  /** Replacement of a value: its mark if it is known, else `***`. */
  readonly maskValue: (value: string) => string;
  /** True for traffic that others sent or received: more of it is masked. */
  readonly isOfOthers: (record: HistoryRecord) => boolean;
  /** True if a learned record, or a part of one, certainly holds nothing to hide. The argument is its JSON. */
  readonly isClean: (json: string) => boolean;
}

const mark = '***';
/** Shorter secrets are hidden only under the name of a secret. */
const shortest = 4;
const deepestRecord = 128;

/** Texts that are secrets by their form. A JWT may have lost parts before; a header alone is no secret. */
const forms =
  /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)|\bey[JA][\w-]{8,}(?:\.(?:\*{3}\w*|[\w-]+)){1,4}\.?|\b(Bearer\s+)(?=[^\s"',;]*[\d.])[\w.~+/-]{6,}=*|\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/"'@<>\\]{1,500}@/gi;
const mayHaveForm =
  /-----BEGIN|\bey[JA][\w-]{8}|\b[Bb]earer\s+(?!\*{3})|:\/\/[^\s/"'@<>\\]{1,500}@/;

/** Quick test: matches every text that holds the name of a secret; see `isSecretName`. */
const mayHaveName =
  /token|secret|passw|passphrase|api[_-]?key|(?:private|access|signing|auth)[_-]?key|authorization(?!":)|cookie|session|credential|bearer(?!\s+\*{3})|csrf|xsrf|client[_-]?assertion|pwd|\bsid|jwt|otp|\bpin/i;

/** Sign of a cut: text after it, or before it, was removed. */
const cutSign = /…|\.\.\.|\\u2026/g;
/** Number of characters that disclose a secret if the rest of it was cut. */
const leastCut = shortestAnywhere;
const longestCut = 4_096;

const isOfOthers = ({ by }: HistoryRecord): boolean => by === 'recording' || by === 'proxy';

/**
 * True for quotes around words of the interface or short words, which occur everywhere in JSON: hidden, they would
 * break it.
 */
const isStructure = (secret: string): boolean =>
  /"[:,\]}]|[:,[{]"/.test(secret) &&
  secret.split('"').every((run) => run.length < shortestAnywhere || isOwnWord(run));

const isWordSign = (sign: string | undefined): boolean =>
  sign !== undefined && /[A-Za-z0-9]/.test(sign);

/**
 * Creates an empty registry. A secret of 8 characters or more is hidden everywhere. One of 4 to 7 is hidden only as a
 * whole word, since it occurs by chance in longer ones. A shorter one, and one that is a word of the interface or a
 * piece of JSON around it, is hidden only if the name of its header or field marks it as a secret.
 * @param label distinguishes the marks of two registries that are shown together
 */
export function createSecrets(label = ''): Secrets {
  const marks = new Map<string, string>();
  const long = createScanner(shortestAnywhere);
  const words = createScanner(shortest);
  const learned: Learned = { seen: new WeakSet(), names: new Set() };
  let isEmpty = true;

  function markOf(secret: string): string {
    const known = marks.get(secret);
    if (known !== undefined) return known;
    const made = `${mark}${label}${marks.size + 1}`;
    marks.set(secret, made);
    return made;
  }

  function add(given: string): void {
    const secret = given.trim();
    if (marks.has(secret) || secret.length < shortest || isMasked(secret)) return;
    if (isOwnWord(secret) || isStructure(secret)) return;
    isEmpty = false;
    const own = markOf(secret);
    for (const part of partsOf(secret)) {
      for (const form of formsOf(part)) {
        if (form.length >= shortestAnywhere) long.add(form, own);
        else if (form.length >= shortest) words.add(form, own);
      }
    }
  }

  function nextWord(text: string, from: number): Found | undefined {
    for (let found = words.find(text, from); found; found = words.find(text, found.start + 1)) {
      const { start } = found;
      if (!isWordSign(text[start - 1]) && !isWordSign(text[start + found.text.length]))
        return found;
    }
    return undefined;
  }

  const replaced = (text: string, next: Scanner['find']): string => {
    let found = next(text, 0);
    if (!found) return text;
    let [done, at] = ['', 0];
    for (; found; found = next(text, at)) {
      done += text.slice(at, found.start) + found.mark;
      at = found.start + found.text.length;
    }
    return done + text.slice(at);
  };

  const maskExact = (text: string): string => replaced(replaced(text, long.find), nextWord);

  const maskForm = (all: string, _: unknown, bearer?: string, scheme?: string): string => {
    if (scheme !== undefined) return `${scheme}${mark}@`;
    if (bearer !== undefined) return `${bearer}${maskValue(all.slice(bearer.length))}`;
    const [, ...parts] = all.replace(/\.$/, '').split('.');
    const [first] = parts;
    const isOneToken = first?.startsWith(mark) && parts.every((part) => part === first);
    return isOneToken ? (first ?? mark) : (marks.get(all) ?? mark);
  };

  /** Hides the beginnings of secrets before a sign of a cut, and the ends of secrets after one. */
  function maskCut(text: string): string {
    const isLong = text.length >= 500;
    if (!isLong && !/…|\.\.\.|\\u2026/.test(text)) return text;
    const ends = [...text.matchAll(cutSign)].map(({ index }) => index);
    if (isLong) ends.push(text.length);
    let [done, at] = ['', 0];
    for (const end of ends) {
      const cut = beginningBefore(text, Math.max(at, end - longestCut), end);
      if (!cut) continue;
      done += text.slice(at, cut.start) + cut.mark;
      at = end;
    }
    return done + text.slice(at);
  }

  function beginningBefore(text: string, from: number, end: number) {
    for (let start = from; start <= end - leastCut; start += 1) {
      const found = long
        .beginningAs(text.slice(start, start + shortestAnywhere))
        .find(
          (one) => one.text.length > end - start && one.text.startsWith(text.slice(start, end)),
        );
      if (found) return { start, mark: found.mark };
    }
    return undefined;
  }

  function maskText(text: string): string {
    const exact = isEmpty ? text : maskCut(maskExact(text));
    return mayHaveForm.test(exact) ? exact.replace(forms, maskForm) : exact;
  }

  function maskValue(value: string): string {
    if (isMasked(value)) return value;
    const known = marks.get(value.trim());
    if (known !== undefined) return known;
    const [, scheme = '', rest = ''] = /^(Bearer |Basic |Digest )?(.*)$/is.exec(value) ?? [];
    return scheme + (marks.get(rest.trim()) ?? mark);
  }

  /** Masks a text that others wrote, which may be a form or JSON. */
  function maskWithin(text: string): string {
    const masked = maskText(text);
    if (!mayHaveName.test(masked)) return masked;
    return masked
      .replace(memberIn, (all, name: string, colon: string, value: string) =>
        isSecretName(name) ? `"${name}"${colon}"${maskValue(value)}"` : all,
      )
      .replace(parameterIn, (all, before: string, name: string, value: string) =>
        isSecretName(name) ? `${before}${name}=${maskValue(value)}` : all,
      );
  }

  function maskJson(value: unknown, deepest = deepestRecord, isSecret = false): unknown {
    if (typeof value === 'string') return isSecret ? maskValue(value) : maskWithin(value);
    if (typeof value === 'number') return isSecret ? mark : value;
    if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') {
      return maskText(String(value));
    }
    if (typeof value !== 'object' || value === null) return value;
    if (deepest <= 0) return '(nested deeper)';
    if (Array.isArray(value)) return value.map((item) => maskJson(item, deepest - 1, isSecret));
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        maskText(name),
        maskJson(inner, deepest - 1, isSecret || isSecretName(name)),
      ]),
    );
  }

  const harmless = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        isHarmlessHeader(name) ? value : maskValue(value),
      ]),
    );

  /** Masks the headers and parameters of others' traffic that are not known to be harmless. */
  function withoutUnknown(exchange: Exchange): Exchange {
    const { request, response, query } = exchange;
    return {
      ...exchange,
      query: Object.fromEntries(
        Object.entries(query).map(([name, value]) => [
          name,
          isHarmlessParameter(name) ? value : maskValue(value),
        ]),
      ),
      request: {
        ...request,
        path: request.path.replaceAll(
          /(?<=\?.*|^\?)([^?=&#]+)=([^&#]*)/g,
          (all, name: string, value: string) =>
            isHarmlessParameter(decoded(name)) ? all : `${name}=${maskValue(decoded(value))}`,
        ),
        headers: harmless(request.headers),
      },
      ...(response && { response: { ...response, headers: harmless(response.headers) } }),
    };
  }

  /** Keeps the claims of a token: they are evidence (5.3), and grant no access by themselves. The token is masked. */
  const withClaims = (record: Exchange): Exchange => {
    const claims = record.claims ?? claimsOfResult(record);
    return claims === record.claims ? record : { ...record, claims };
  };

  function maskRecord(record: HistoryRecord): HistoryRecord {
    if (record.kind !== 'exchange') return maskJson(record) as HistoryRecord;
    const known = isOfOthers(record) ? withoutUnknown(record) : record;
    return maskJson(withClaims(known)) as HistoryRecord;
  }

  function learn(record: HistoryRecord): void {
    for (const secret of secretsIn(record, isOfOthers(record), learned)) {
      // A short value was not chosen by the user, and may be any word.
      if (secret.length >= shortestAnywhere) add(secret);
    }
  }

  function isClean(json: string): boolean {
    for (const name of learned.names) if (json.includes(`"${name}"`)) return false;
    const mayHoldText = json.includes('=') || json.includes('\\"');
    if (mayHaveForm.test(json) || (mayHoldText && mayHaveName.test(json))) return false;
    if (isEmpty) return true;
    return !long.find(json, 0) && !nextWord(json, 0) && !json.includes('…');
  }

  return {
    add,
    count: () => marks.size,
    learn,
    maskText,
    maskPage: maskExact,
    maskJson: (value, deepest) => maskJson(value, deepest),
    maskRecord,
    maskHistory({ records }) {
      for (const record of records) learn(record);
      return {
        masked: true,
        records: records.map((record) =>
          !isOfOthers(record) && isClean(JSON.stringify(record)) ? record : maskRecord(record),
        ),
      };
    },
    maskValue,
    isOfOthers,
    isClean,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function claimsOfResult(exchange: Exchange): Exchange['claims'] {
  if (exchange.endpoint !== 'token.create') return undefined;
  const data = dataIn(exchange);
  const token = isObject(data) ? data['token'] : undefined;
  const payload = typeof token === 'string' ? token.split('.')[1] : undefined;
  if (payload === undefined || !/^[\w-]+$/.test(payload)) return undefined;
  const claims = parsedJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return isObject(claims) ? claims : undefined;
}
