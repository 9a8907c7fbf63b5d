import { formatTimestamp } from '../spec/forms.ts';
import type { Pagination } from '../spec/resources.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON value, or text; absent for no content. Read only where a tamper wants to see it. */
  readonly body?: unknown;
}

/**
 * JSON of values that never change once they are seen here: the core's views of a resource, one object for as long as
 * the resource stays as it is.
 */
const written = new WeakMap<object, string>();

export function jsonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  const known = written.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  written.set(value, text);
  return text;
}

/** Part 2.1, as text. `requestId` is hexadecimal or a UUID and needs no escaping. */
export function envelopeText(
  data: unknown,
  pagination: Pagination | undefined,
  requestId: string,
  timestamp: string,
): string {
  const pages = pagination ? `,"pagination":${JSON.stringify(pagination)}` : '';
  return `{"data":${jsonOf(data)}${pages},"meta":{"request_id":"${requestId}","timestamp":"${timestamp}"}}`;
}

/** A moment as text; many requests of one millisecond share it. */
export function timestamps(): (ms: number) => string {
  let last = Number.NaN;
  let text = '';
  return (ms) => {
    if (ms !== last) {
      last = ms;
      text = formatTimestamp(ms);
    }
    return text;
  };
}
