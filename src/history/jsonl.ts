import { isObject } from './json.ts';
import { maskJson, mayHoldSecrets } from './mask.ts';
import type { HistoryRecord } from './records.ts';

/** The keys of each kind of record in the order in which they are written; those not named follow as they come. */
const keys = {
  exchange: [
    'kind',
    'id',
    'by',
    'party',
    'role',
    'sent',
    'received',
    'endpoint',
    'params',
    'query',
    'auth',
    'request',
    'response',
    'error',
    'opensStream',
  ],
  frame: [
    'kind',
    'id',
    'stream',
    'by',
    'party',
    'role',
    'received',
    'after',
    'event',
    'eventId',
    'data',
    'text',
    'oddities',
  ],
  end: ['kind', 'stream', 'by', 'party', 'at', 'after', 'cause', 'message'],
} as const satisfies Record<HistoryRecord['kind'], readonly string[]>;

const named = {
  exchange: new Set<string>(keys.exchange),
  frame: new Set<string>(keys.frame),
  end: new Set<string>(keys.end),
} as const;

function ordered(record: HistoryRecord): Record<string, unknown> {
  const given = record as unknown as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const name of keys[record.kind]) if (given[name] !== undefined) result[name] = given[name];
  const others = Object.keys(given).filter((name) => !named[record.kind].has(name));
  for (const name of others.sort()) result[name] = given[name];
  return result;
}

/**
 * One line of JSON for each record, tokens and keys masked. The same records give the same bytes.
 * @param secrets exact strings to hide besides, such as tokens that are no JWTs.
 */
export function writeHistory(
  records: readonly HistoryRecord[],
  secrets: readonly string[] = [],
): string {
  const suspicious = mayHoldSecrets(secrets);
  const lineOf = (record: HistoryRecord): string => {
    const whole = ordered(record);
    const line = JSON.stringify(whole);
    // Most records hold nothing secret, and a look at their text is far cheaper than one at every value in them.
    return suspicious(line) ? JSON.stringify(maskJson(whole, secrets)) : line;
  };
  return records.map((record) => `${lineOf(record)}\n`).join('');
}

export type HistoryReading =
  | { readonly ok: true; readonly records: readonly HistoryRecord[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

type Kind = 'string' | 'number' | 'object';

/** What a record must carry for a rule to be able to read it. */
const required: Record<HistoryRecord['kind'], Readonly<Record<string, Kind>>> = {
  exchange: {
    id: 'string',
    by: 'string',
    party: 'string',
    role: 'string',
    sent: 'number',
    received: 'number',
    params: 'object',
    query: 'object',
    auth: 'string',
    request: 'object',
  },
  frame: {
    id: 'string',
    stream: 'string',
    by: 'string',
    party: 'string',
    role: 'string',
    received: 'number',
    event: 'string',
  },
  end: { stream: 'string', by: 'string', party: 'string', at: 'number', cause: 'string' },
};

function isKind(value: unknown): value is HistoryRecord['kind'] {
  return typeof value === 'string' && Object.hasOwn(required, value);
}

/** What keeps a value from being a record; undefined for nothing. */
function fault(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected an object';
  if (!isKind(value['kind'])) return `unknown kind ${JSON.stringify(value['kind'])}`;
  for (const [name, kind] of Object.entries(required[value['kind']])) {
    const found = value[name];
    const fits = kind === 'object' ? isObject(found) : typeof found === kind;
    if (!fits) return `expected "${name}" to be of type ${kind}`;
  }
  if (value['kind'] !== 'exchange') return undefined;
  const { request, response, error } = value;
  if (!isObject(request) || typeof request['path'] !== 'string') return 'expected a request path';
  if (response === undefined && !isObject(error)) return 'expected a response or an error';
  if (response !== undefined && (!isObject(response) || typeof response['status'] !== 'number')) {
    return 'expected a response with its status';
  }
  return undefined;
}

/** Reads what `writeHistory` wrote; the first line that is no record ends it, with its number from 1. */
export function readHistory(text: string): HistoryReading {
  const records: HistoryRecord[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = { ok: false, line: index + 1 } as const;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      return { ...at, message: error instanceof Error ? error.message : String(error) };
    }
    const message = fault(value);
    if (message !== undefined) return { ...at, message };
    records.push(value as HistoryRecord);
  }
  return { ok: true, records };
}
