import { isObject, parsedJson } from '../history/json.ts';
import { groupBy } from '../history/group-by.ts';
import type { HarEntry } from './har-entry.ts';

/** An entry and the index of its file. */
export interface FiledEntry {
  readonly file: number;
  readonly entry: HarEntry;
}

/** Key of a request: entries with different keys are different requests. */
const requestKey = ({ method, url, sent, sentBy, requestBody, origin }: HarEntry): string =>
  JSON.stringify([method, url.href, sent, sentBy, requestBody, origin]);

const textOf = ({ responseBody }: HarEntry): string =>
  responseBody ? Buffer.from(responseBody).toString('utf8') : '';

/** Amount of known data of an answer, to compare entries of the same request. */
const knownOf = (entry: HarEntry): number =>
  (entry.status > 0 ? 1 : 0) +
  (entry.responseBody?.length ?? -1) +
  (entry.messages?.length ?? 0) +
  (entry.ended === undefined ? 0 : 1);

/** True if two entries can have the same answer: a later export may know more of it, but nothing else may differ. */
const isContinued = (less: HarEntry, more: HarEntry): boolean =>
  (less.status === 0 || less.status === more.status) &&
  (more.isStream || less.responseBody === undefined || textOf(less) === textOf(more));

/** Two entries of one file are one request only if nothing in them differs. */
const isAgain = (one: FiledEntry, other: FiledEntry): boolean =>
  one.file !== other.file ||
  (knownOf(one.entry) === knownOf(other.entry) &&
    JSON.stringify(one.entry.requestHeaders) === JSON.stringify(other.entry.requestHeaders));

/** Text of an answer that names its own request: two entries with the same text are one answer. */
function nameOfAnswer(entry: HarEntry): string | undefined {
  const text = entry.origin === 'service' ? textOf(entry) : '';
  const body = text.includes('"request_id"') ? parsedJson(text) : undefined;
  const meta = isObject(body) ? body['meta'] : undefined;
  if (!isObject(meta) || typeof meta['request_id'] !== 'string') return undefined;
  return JSON.stringify([entry.method, entry.url.pathname, entry.url.search, entry.status, text]);
}

/** True if a client may cache an answer. */
const isStorable = ({ method, responseHeaders: headers }: HarEntry): boolean =>
  method === 'GET' &&
  !/no-store/i.test(headers['cache-control'] ?? '') &&
  ['etag', 'last-modified', 'expires', 'cache-control'].some((name) => headers[name] !== undefined);

/**
 * Removes entries that repeat another entry: the same file given twice, an export that continues an earlier one, a
 * request that a browser and a proxy recorded, an answer from the client's cache without a mark.
 */
export function withoutDuplicates(all: readonly FiledEntry[]): readonly FiledEntry[] {
  const dropped = new Set<FiledEntry>();
  for (const same of groupBy(all, ({ entry }) => requestKey(entry)).values()) {
    for (const [index, one] of same.entries()) {
      for (const other of same.slice(index + 1)) {
        if (dropped.has(one) || dropped.has(other)) continue;
        const [less, more] =
          knownOf(one.entry) < knownOf(other.entry) ? [one, other] : [other, one];
        if (isAgain(one, other) && isContinued(less.entry, more.entry)) dropped.add(less);
      }
    }
  }
  const left = all.filter((one) => !dropped.has(one));
  for (const [name, same] of groupBy(left, ({ entry }) => nameOfAnswer(entry))) {
    const [first, ...others] = same.toSorted((one, other) => one.entry.sent - other.entry.sent);
    if (name === undefined || !first) continue;
    for (const other of others) {
      if (other.file !== first.file || isStorable(other.entry)) dropped.add(other);
    }
  }
  return all.filter((one) => !dropped.has(one));
}
