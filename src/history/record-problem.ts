import { endpoints } from '../spec/endpoints.ts';
import { roles } from '../spec/vocabulary.ts';
import { isObject } from './json.ts';
import {
  connectionFaults,
  type Exchange,
  type Frame,
  type HistoryRecord,
  type StreamEnd,
} from './records.ts';
import {
  anything,
  count,
  every,
  misfitIn,
  object,
  oneOf,
  optional,
  type Shape,
  shape,
  text,
  texts,
  time,
  tooDeep,
  valuesOf,
} from './shape.ts';

const status = shape(
  'an HTTP status',
  (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999,
);
const role = oneOf(...roles);
const endpoint = shape(
  'the name of an endpoint',
  (value) => typeof value === 'string' && Object.hasOwn(endpoints, value),
);
const namedTexts = valuesOf(text);

const shapes: Readonly<Record<HistoryRecord['kind'], Shape>> = {
  exchange: every<Exchange>({
    kind: text,
    world: optional(text),
    id: text,
    by: text,
    party: text,
    role,
    endpoint: optional(endpoint),
    sent: time,
    received: time,
    params: namedTexts,
    query: namedTexts,
    auth: text,
    request: every<Exchange['request']>({
      method: text,
      path: text,
      headers: namedTexts,
      body: anything,
    }),
    response: optional(
      every<NonNullable<Exchange['response']>>({
        status,
        headers: namedTexts,
        body: anything,
        text: optional(text),
        oddities: optional(texts),
      }),
    ),
    error: optional(
      every<{ code: 0; message: 0; limit: 0; fault: 0 }>({
        code: text,
        message: text,
        limit: optional(text),
        fault: optional(oneOf(...connectionFaults)),
      }),
    ),
    opensStream: optional(oneOf(true)),
    precededBy: optional(count),
    shows: optional(every<NonNullable<Exchange['shows']>>({ since: time, recordsAgo: count })),
    claims: optional(object),
  }),
  frame: every<Frame>({
    kind: text,
    world: optional(text),
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
    oddities: optional(texts),
    comments: optional(texts),
  }),
  end: every<StreamEnd>({
    kind: text,
    world: optional(text),
    stream: text,
    by: text,
    party: text,
    at: time,
    after: optional(time),
    cause: oneOf('us', 'target', 'error'),
    message: optional(text),
    limit: optional(text),
  }),
};

/**
 * Reason why a value is not a record that rules can read; undefined if it is one. A person may have edited the file.
 */
export function recordProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected an object';
  const deep = tooDeep(value);
  if (deep !== undefined) return deep;
  const { kind } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(shapes, kind)) {
    return `unknown kind ${JSON.stringify(kind)}`;
  }
  const misfit = misfitIn(shapes[kind as HistoryRecord['kind']], value);
  if (misfit !== undefined || kind !== 'exchange') return misfit;
  if (Number(value['received']) < Number(value['sent'])) {
    return '"received" is earlier than "sent"';
  }
  const isAnswered = value['response'] !== undefined || value['error'] !== undefined;
  return isAnswered ? undefined : 'expected a response or an error';
}
