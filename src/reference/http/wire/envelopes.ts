import type { Pagination } from '../../../spec/resources.ts';

/**
 * JSON of values that never change once they are seen here: the core's views of a resource, one object for as long as
 * the resource stays as it is.
 */
const texts = new WeakMap<object, string>();

function jsonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

/** As jsonOf, for a value that goes to several receivers at once: it caches the last value only, which is cheap. */
export function memoizedJson(): (value: unknown) => string {
  let last: unknown;
  let text = '';
  return (value) => {
    if (value !== last || typeof value !== 'object') {
      text = JSON.stringify(value);
      last = value;
    }
    return text;
  };
}

/** The text after `data` in the envelope of part 2.1. `requestId` needs no escaping. */
const tail = (pagination: Pagination | undefined, requestId: string, timestamp: string): string =>
  `${pagination ? `,"pagination":${JSON.stringify(pagination)}` : ''},"meta":{"request_id":"${requestId}","timestamp":"${timestamp}"}}`;

/** Envelope around one resource. `forget`: not cached, since a new resource is most often read in its next state. */
export function itemEnvelope(
  data: unknown,
  requestId: string,
  timestamp: string,
  keep: 'keep' | 'forget',
): string {
  const json = keep === 'keep' ? jsonOf(data) : JSON.stringify(data);
  return `{"data":${json}${tail(undefined, requestId, timestamp)}`;
}

const head = Buffer.from('{"data":');

/**
 * Envelopes around pages. A client that polls a list mostly gets the same page again: the last page is kept as the
 * bytes that go out.
 */
export function pageEnvelopeWriter() {
  let lastItems: readonly unknown[] = [];
  let bytes = Buffer.from('[]');
  return (
    items: readonly unknown[],
    pagination: Pagination,
    requestId: string,
    timestamp: string,
  ): Buffer => {
    const same =
      items.length === lastItems.length && items.every((item, at) => item === lastItems[at]);
    if (!same) {
      bytes = Buffer.from(`[${items.map(jsonOf).join(',')}]`);
      lastItems = items;
    }
    return Buffer.concat([head, bytes, Buffer.from(tail(pagination, requestId, timestamp))]);
  };
}
