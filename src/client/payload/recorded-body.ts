import { type LimitError, limitError, type LimitName } from '../../history/limits.ts';
import type { RecordedResponse } from '../../history/records.ts';
import { readJson } from './read-json.ts';
import { scanJson } from './scan-json.ts';
import type { WireResponse } from '../http/transport.ts';

/** Characters kept of a text that is not JSON. */
const readableLength = 2_000;

const cut = (text: string): string =>
  text.length > readableLength ? `${text.slice(0, readableLength)}…` : text;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function decodeText(bytes: Uint8Array) {
  let text: string;
  const oddities: string[] = [];
  try {
    text = strict.decode(bytes);
  } catch {
    text = lenient.decode(bytes);
    oddities.push('the body is not UTF-8');
  }
  if (!text.startsWith('\uFEFF')) return { text, oddities };
  oddities.push('the body starts with a byte order mark');
  return { text: text.slice(1), oddities };
}

/** True if a body is meant to be JSON: its type says so, or it begins like JSON. */
const meansJson = (text: string, contentType: string | undefined): boolean =>
  /\bjson\b/i.test(contentType ?? '') || /^\s*[[{]/.test(text);

/** The part of a record that holds a payload: its JSON value, or the readable beginning of its text. */
export interface Payload {
  readonly body?: unknown;
  readonly text?: string;
  readonly oddities?: readonly string[];
}

/**
 * Approximate cost in bytes of memory: of any record, with everything that rules and worlds derive from it; and of each
 * value in a payload.
 */
export const recordCost = 2_500;
const valueCost = 32;

/**
 * Reads a payload (absent: a message without data). Returns it with its approximate cost in bytes of memory, or the
 * limit of ours that it exceeds.
 */
export function readPayload(
  text: string | undefined,
):
  | { readonly kept: Payload; readonly cost: number; readonly limit?: undefined }
  | { readonly limit: LimitError } {
  if (text === undefined) return { kept: {}, cost: recordCost };
  const reading = readJson(text);
  if ('limit' in reading) return reading;
  if (!reading.ok) {
    return { kept: { text: cut(text), oddities: [reading.reason] }, cost: recordCost };
  }
  return {
    kept: {
      body: reading.value,
      ...(reading.oddities.length > 0 && { oddities: reading.oddities }),
    },
    cost: recordCost + text.length + (reading.count - reading.held) * valueCost,
  };
}

/** Reading a text longer than this takes ten times as long as counting its values. */
const longText = 256 * 1024;

/** Approximate minimum cost of a text that may be too large to be kept. */
const leastCost = (text: string): number =>
  text.length < longText ? 0 : recordCost + text.length + scanJson(text).values * valueCost;

/** An answer with its approximate cost in bytes of memory, or the limit of ours that it exceeds. */
export type RecordedAnswer =
  | { readonly response: RecordedResponse; readonly cost: number; readonly limit?: undefined }
  | { readonly limit: LimitError };

/**
 * Prepares an answer for the record: its JSON body parsed within bounds, any other body as readable text.
 * @param exceeded returns the limit that an item of this cost would exceed; then the body is not read
 */
export function recordResponse(
  response: WireResponse,
  exceeded: (cost: number) => LimitName | undefined = () => undefined,
): RecordedAnswer {
  const { status, headers, bytes } = response;
  const cost = recordCost;
  if (bytes.length === 0) return { response: { status, headers }, cost };
  // A body that is declared as JSON, and is too long already as text, need not be read.
  const isLongJson = bytes.length >= longText && /\bjson\b/i.test(headers['content-type'] ?? '');
  const asItStands = isLongJson ? exceeded(cost + bytes.length) : undefined;
  if (asItStands) return { limit: limitError(asItStands) };
  const { text, oddities } = decodeText(bytes);
  if (!meansJson(text, headers['content-type'])) {
    const odd = oddities.length > 0 && { oddities };
    return { response: { status, headers, text: cut(text), ...odd }, cost };
  }
  const least = leastCost(text);
  const counted = least > 0 ? exceeded(least) : undefined;
  if (counted) return { limit: limitError(counted) };
  const payload = readPayload(text);
  if (payload.limit) return payload;
  const all = [...oddities, ...(payload.kept.oddities ?? [])];
  return {
    response: { status, headers, ...payload.kept, ...(all.length > 0 && { oddities: all }) },
    cost: payload.cost,
  };
}
