import { endpoints } from '../spec/endpoints.ts';
import { roles } from '../spec/vocabulary.ts';
import { isObject } from './json.ts';
import { ownLimits } from './limits.ts';
import type { Exchange, Frame, HistoryRecord, StreamEnd } from './records.ts';

/** One thing that a value must be, in words, and whether one is. */
interface Shape {
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

/** Beyond these no calendar has a moment. */
const lastMs = 8.64e15;
/** What surrounds a body in its record. */
const levelsAround = 8;

const text: Shape = { words: 'a text', fits: (value) => typeof value === 'string' };
const time: Shape = {
  words: 'a time in milliseconds',
  fits: (value) => typeof value === 'number' && Math.abs(value) <= lastMs,
};
const count: Shape = {
  words: 'a count',
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const status: Shape = {
  words: 'an HTTP status',
  fits: (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999,
};
const anything: Shape = { words: 'anything', fits: () => true };
const object: Shape = { words: 'an object', fits: isObject };
const texts: Shape = {
  words: 'an object of texts',
  fits: (value) => isObject(value) && Object.values(value).every(text.fits),
};
const listOfTexts: Shape = {
  words: 'a list of texts',
  fits: (value) => Array.isArray(value) && value.every(text.fits),
};
const oneOf = (...values: readonly unknown[]): Shape => ({
  words: `one of ${values.join(', ')}`,
  fits: (value) => values.includes(value),
});
const role = oneOf(...roles);
const endpoint: Shape = {
  words: 'the name of an endpoint',
  fits: (value) => typeof value === 'string' && Object.hasOwn(endpoints, value),
};
const optional = ({ words, fits }: Shape): Shape => ({
  words: `${words}, or nothing`,
  fits: (value) => value === undefined || fits(value),
});
const members = <T>(shapes: Readonly<Record<keyof T, Shape>>): Shape => ({
  words: `an object as this version writes it (${Object.keys(shapes).join(', ')})`,
  fits: (value) =>
    isObject(value) &&
    Object.entries<Shape>(shapes).every(([name, shape]) => shape.fits(value[name])),
});

type Shapes<T> = Readonly<Record<Exclude<keyof T, 'kind'>, Shape>>;

const exchange: Shapes<Exchange> = {
  id: text,
  by: text,
  party: text,
  role,
  endpoint: optional(endpoint),
  sent: time,
  received: time,
  params: texts,
  query: texts,
  auth: text,
  request: members<Exchange['request']>({
    method: text,
    path: text,
    headers: texts,
    body: anything,
  }),
  response: optional(
    members<NonNullable<Exchange['response']>>({
      status,
      headers: texts,
      body: anything,
      text: optional(text),
      oddities: optional(listOfTexts),
    }),
  ),
  error: optional(
    members<{ code: 0; message: 0; limit: 0 }>({
      code: text,
      message: text,
      limit: optional(text),
    }),
  ),
  opensStream: optional(oneOf(true)),
  precededBy: optional(count),
  shows: optional(members<NonNullable<Exchange['shows']>>({ since: time, recordsAgo: count })),
  claims: optional(object),
};
const frame: Shapes<Frame> = {
  id: text,
  stream: text,
  by: text,
  party: text,
  role,
  received: time,
  after: optional(time),
  event: text,
  eventId: optional(text),
  data: anything,
  text: optional(text),
  oddities: optional(listOfTexts),
  comments: optional(listOfTexts),
};
const end: Shapes<StreamEnd> = {
  stream: text,
  by: text,
  party: text,
  at: time,
  after: optional(time),
  cause: oneOf('us', 'target', 'error'),
  message: optional(text),
  limit: optional(text),
};

const shapesOf: Readonly<Record<HistoryRecord['kind'], Readonly<Record<string, Shape>>>> = {
  exchange,
  frame,
  end,
};

/** Values that are nested deeper would overflow the stack of whoever walks them. */
const isTooDeep = (value: unknown, left: number): boolean =>
  left === 0 ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((inner) => isTooDeep(inner, left - 1)));

/** What keeps a value from being a record that rules can read; undefined for nothing. A person may have edited it. */
export function recordProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected an object';
  if (isTooDeep(value, ownLimits['json.depth'] + levelsAround)) {
    return `nested more than ${ownLimits['json.depth']} levels deep`;
  }
  const { kind } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(shapesOf, kind)) {
    return `unknown kind ${JSON.stringify(kind)}`;
  }
  for (const [name, { words, fits }] of Object.entries(shapesOf[kind as HistoryRecord['kind']])) {
    if (!fits(value[name])) return `expected "${name}" to be ${words}`;
  }
  if (kind !== 'exchange') return undefined;
  if (Number(value['received']) < Number(value['sent'])) {
    return 'expected "received" to be no earlier than "sent"';
  }
  const isAnswered = value['response'] !== undefined || value['error'] !== undefined;
  return isAnswered ? undefined : 'expected a response or an error';
}
