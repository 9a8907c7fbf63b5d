import { isObject } from '../../history/json.ts';
import { failureReasons, orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { Exchange } from '../../history/records.ts';
import { type Claim, type PathPart, plain, type Template, type Test } from '../steps.ts';
import {
  bodyOf,
  type Case,
  fieldsTooMany,
  placesIn,
  reference,
  steadyPath,
  stepOf,
} from './evidence.ts';
import { testsFor } from './tests.ts';

const valueClaim = (step: string, path: readonly PathPart[], test: Test): Claim => ({
  kind: 'value',
  step,
  of: 'body',
  path,
  test,
});

/** What fields of an answer must be. */
export function fieldClaims(one: Case): Claim[][] {
  const exchanges = one.evidence.filter((record) => record.kind === 'exchange').toReversed();
  return exchanges.flatMap((exchange) => {
    const step = stepOf(one, exchange.id);
    if (step?.kind !== 'call') return [];
    return [
      ...placeNamed(one, exchange, step.name),
      ...tokenClaims(one, step.name),
      ...severalFields(one, exchange, step.name),
      ...fieldNamed(one, exchange, step.name),
      ...ofStates(one, exchange, step.name),
      ...shownFields(one, exchange, step.name),
      ...envelope(one, step.name),
      ...valueFound(one, exchange, step.name),
    ];
  });
}

/** `data[3].status was missing`: the place itself is said. */
function placeNamed(one: Case, exchange: Exchange, step: string): Claim[][] {
  const said =
    /^((?:data|meta|pagination)(?:\[\d+\]|\.\w+)*) (was missing|was empty|did not|was no )/.exec(
      one.message,
    );
  const [, place = '', what] = said ?? [];
  if (!said) return [];
  const path = place
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const steady = steadyPath(bodyOf(exchange), path, one);
  const tests: Test[] =
    what === 'was missing'
      ? [{ test: 'present' }]
      : what === 'was empty'
        ? [{ test: 'differs', value: plain('') }]
        : what === 'was no '
          ? [{ test: 'count' }]
          : testsFor(one.expected, one.actual, one);
  return tests.map((test) => [valueClaim(step, steady, test)]);
}

/** Claims that part 5.3 has in a token, and fields of its result that say the same. */
const claimNames = ['iss', 'aud', 'sub', 'role', 'canton_party_id'] as const;

function tokenClaims({ message, expected, ...rest }: Case, step: string): Claim[][] {
  const missing = /^a token did not carry (\w+)/.exec(message)?.[1];
  const odd = /^(\w+) of a token did not/.exec(message)?.[1];
  const claim = missing ?? odd;
  if (message.startsWith('a token and its result did not say')) {
    // Which claim it is the words do not tell: all but the one that is meant hold there, or do not hold on a sound backend.
    const value = reference(expected, { message, expected, ...rest });
    const is: Test = expected === undefined ? { test: 'present' } : { test: 'equals', value };
    const inResult = claimNames.map((field) => [valueClaim(step, ['data', field], is)]);
    return [...claimNames.map((field) => [ofToken(step, field, is)]), ...inResult.slice(-2)];
  }
  if (claim === undefined) return [];
  const tests: Test[] = missing
    ? [{ test: 'present' }]
    : testsFor(expected, rest.actual, { message, expected, ...rest });
  return tests.map((is) => [ofToken(step, claim, is)]);
}

function ofToken(step: string, field: string, is: Test): Claim {
  const token: Template = { kind: 'answer', step, path: ['data', 'token'] };
  const value: Template = { kind: 'claims', of: token };
  return { kind: 'compare', value, test: { test: 'field', field, is }, what: 'the token' };
}

/** Expected and seen are fields with their values, or names of fields that must be there. */
function severalFields(one: Case, exchange: Exchange, step: string): Claim[][] {
  const { expected, actual, message } = one;
  if (isObject(expected) && isObject(actual)) {
    return Object.entries(expected).flatMap(([field, value]) =>
      claimsAt(
        one,
        exchange,
        step,
        field,
        actual[field],
        testsFor(value, actual[field], one, field),
      ),
    );
  }
  const lacked = / lacked (\w+(?:(?:,| and) \w+)*)/.exec(message)?.[1]?.split(/, | and /) ?? [];
  return lacked.flatMap((field) =>
    claimsAt(one, exchange, step, field, undefined, [{ test: 'present' }]),
  );
}

/** `memo in order.read was not ...`: a field is said. */
function fieldNamed(one: Case, exchange: Exchange, step: string): Claim[][] {
  const { message, expected, actual } = one;
  const field = /^(?:the )?([a-z]+(?:_[a-z]+)*) (?:in|of|was|did|changed|named|carried)\b/.exec(
    message,
  )?.[1];
  const unshown = / showed no reason/.test(message) ? reasonFieldIn(one) : undefined;
  const named = field ?? unshown ?? / lacked (\w+)/.exec(message)?.[1];
  if (named === undefined) return [];
  const isMissing = /showed no reason|was not set|no longer is|did not show|was missing/.test(
    message,
  );
  const tests: Test[] = isMissing ? [{ test: 'present' }] : testsFor(expected, actual, one, named);
  return claimsAt(one, exchange, step, named, actual ?? undefined, tests);
}

/** What the field is called in which other orders of the evidence show why they ended. */
const reasonFieldIn = ({ evidence }: Case): string | undefined =>
  evidence
    .flatMap((record) => [...placesIn(bodyOf(record))])
    .filter(({ value }) => failureReasons.some((reason) => reason === value))
    .map(({ path }) => path.at(-1))
    .find((name) => typeof name === 'string');

/** Claims on a field wherever an answer has it with the value that was seen: in its one result, or in an item. */
function claimsAt(
  one: Case,
  exchange: Exchange,
  step: string,
  field: string,
  actual: unknown,
  tests: readonly Test[],
): Claim[][] {
  const body = bodyOf(exchange);
  const data = isObject(body) ? body['data'] : undefined;
  const places =
    actual === undefined
      ? [...placesIn(body)].flatMap(({ path, value }) =>
          isObject(value) && !(field in value && value[field] !== null) && isResource(value)
            ? [[...path, field]]
            : [],
        )
      : [...placesIn(body)].flatMap(({ path, value }) =>
          path.at(-1) === field && same(value, actual) ? [path] : [],
        );
  const usual = places.length === 0 && isObject(data) ? [['data', field]] : places;
  return tests.flatMap((test) =>
    usual.slice(0, 6).map((path) => [valueClaim(step, steadyPath(body, path, one), test)]),
  );
}

const isResource = (value: object): boolean =>
  'intent_id' in value || 'quote_id' in value || 'party_id' in value || 'token' in value;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const allStates = [...new Set<string>([...orderStates, ...quoteStates])];

/** `an order was SETTLED though ...`: a state is said. */
function ofStates(one: Case, exchange: Exchange, step: string): Claim[][] {
  const { message, expected, actual } = one;
  const words = message.match(/\b[A-Z]{4,}\b/g) ?? [];
  const named = [
    ...(typeof actual === 'string' ? (actual.match(/\b[A-Z]{4,}\b/g) ?? []) : []),
    ...words,
  ];
  const wrong = named.filter((word) => allStates.includes(word));
  const right = (
    typeof expected === 'string' ? (expected.match(/\b[A-Z]{4,}\b/g) ?? []) : []
  ).filter((word) => allStates.includes(word));
  const tests: Test[] = [
    ...(right.length > 0 ? [{ test: 'one_of', values: right } as const] : []),
    ...wrong.map((state) => ({ test: 'none_of', values: [state] }) as const),
  ];
  return wrong.flatMap((state) => claimsAt(one, exchange, step, 'status', state, tests));
}

/** `rfq.list showed the memo of an order`: fields that must not be there. */
function shownFields(one: Case, exchange: Exchange, step: string): Claim[][] {
  const body = bodyOf(exchange);
  return fieldsTooMany(one).flatMap((field) => {
    const places = [...placesIn(body)].filter(({ path }) => path.at(-1) === field);
    return places.slice(0, 6).flatMap(({ path }) => {
      const wide = path.map((part) =>
        typeof part === 'number' ? ({ each: true } as const) : part,
      );
      return [steadyPath(body, path, one), wide].map((place) => [
        valueClaim(step, place, { test: 'absent' }),
      ]);
    });
  });
}

function envelope({ message }: Case, step: string): Claim[][] {
  const claim = (path: readonly string[], test: Test): Claim[] => [valueClaim(step, path, test)];
  if (message.endsWith('answered outside the envelope')) {
    return [claim(['data'], { test: 'present' }), claim(['meta'], { test: 'object' })];
  }
  if (/without data and meta|without data$/.test(message))
    return [claim(['data'], { test: 'present' })];
  if (/without a meta object/.test(message)) return [claim(['meta'], { test: 'object' })];
  if (/a list without pagination/.test(message)) return [claim(['pagination'], { test: 'object' })];
  if (/no list, and yet pagination/.test(message))
    return [claim(['pagination'], { test: 'absent' })];
  if (/a list that is no array/.test(message)) return [claim(['data'], { test: 'list' })];
  if (/data that is neither|one result that is no object/.test(message))
    return [claim(['data'], { test: 'object' })];
  if (/under another content type/.test(message)) {
    return [
      [
        {
          kind: 'value',
          step,
          of: 'headers',
          path: ['content-type'],
          test: { test: 'has', text: 'json' },
        },
      ],
    ];
  }
  if (message.endsWith('is not JSON')) return [claim([], { test: 'object' })];
  return [];
}

/** Whatever was seen, wherever it stands: last, since it says least. */
function valueFound(one: Case, exchange: Exchange, step: string): Claim[][] {
  const { expected, actual } = one;
  const body = bodyOf(exchange);
  if (typeof actual === 'object' || actual === undefined) return [];
  const places = [...placesIn(body)].filter(({ value }) => value === actual).slice(0, 4);
  const id = reference(actual, one);
  const other = id.kind === 'plain' ? [] : [{ test: 'differs', value: id } as const];
  return places.flatMap(({ path }) =>
    [...other, ...testsFor(expected, actual, one, String(path.at(-1)))].map((test) => [
      valueClaim(step, steadyPath(body, path, one), test),
    ]),
  );
}
