import { isObject } from '../../history/json.ts';
import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { Claim, Template, Test } from '../steps.ts';
import { bodyOf, type Case, placesIn, stepOf } from './evidence.ts';

type Path = readonly (string | number)[];

const now: Template = { kind: 'later', ms: 0 };
const ms = (span: number): Template => ({ kind: 'duration', ms: span });
const minus = (left: Template, right: Template): Template => ({
  kind: 'math',
  op: '-',
  left,
  right,
});

/** What moments must be: when something was done, or so long after one another. */
export function timeClaims(one: Case): Claim[][] {
  const [decisive, ...earlier] = one.evidence
    .filter((record) => record.kind === 'exchange')
    .toReversed();
  const step = decisive && stepOf(one, decisive.id);
  if (!decisive || step?.kind !== 'call') return [];
  const of = (path: Path): Template => ({ kind: 'answer', step: step.name, path });
  return [
    ...ofItsAnswer(one, step.name),
    ...ofACall(one, decisive, earlier, of),
    ...spans(one, decisive, of),
    ...expiries(one, step.name, of),
  ];
}

/** `meta.timestamp was not the time of the response`: held against the clock as soon as the answer is there. */
function ofItsAnswer({ message }: Case, step: string): Claim[][] {
  if (!message.startsWith('meta.timestamp was not the time')) return [];
  const test: Test = { test: 'near', value: now, within: tolerance.eventDeliveryMs };
  return [[{ kind: 'value', step, of: 'body', path: ['meta', 'timestamp'], test }]];
}

/** `created_at was not the time of its creation`: held against what the answer to that call says of its own time. */
function ofACall(
  one: Case,
  decisive: Exchange,
  earlier: readonly Exchange[],
  of: (path: Path) => Template,
): Claim[][] {
  const field = /^([a-z_]+) was not the time of /.exec(one.message)?.[1];
  if (field === undefined) return [];
  const [call = decisive] = earlier;
  const step = stepOf(one, call.id);
  if (step?.kind !== 'call') return [];
  const value: Template = { kind: 'answer', step: step.name, path: ['meta', 'timestamp'] };
  const test: Test = { test: 'near', value, within: tolerance.stamp + 1_000 };
  return pathsTo(decisive, field, one.actual).map((path) =>
    compare(of(path), test, `${field} in the answer`),
  );
}

/** Two moments of one answer, and how far they lie apart. */
function spans(one: Case, decisive: Exchange, of: (path: Path) => Template): Claim[][] {
  const { message } = one;
  const between = (
    from: string,
    to: string,
    tests: (apartMs: number) => readonly Test[],
  ): Claim[][] =>
    objectsIn(decisive).flatMap(({ path, value }) => {
      const [start, end] = [parseTimestamp(value[from]), parseTimestamp(value[to])];
      if (start === undefined || end === undefined) return [];
      const apart = minus(of([...path, to]), of([...path, from]));
      return tests(end - start).map((test) => compare(apart, test, `from ${from} to ${to}`));
    });
  const least: Test = { test: 'at_least', value: ms(tolerance.settlementMinMs) };
  const most: Test = { test: 'at_most', value: ms(tolerance.settlementMaxMs) };
  if (message.startsWith('settlement took ')) {
    return between('quote_accepted_at', 'settled_at', (apart) =>
      apart < tolerance.settlementMinMs ? [least] : [most],
    );
  }
  const forwards: Test = { test: 'at_least', value: ms(0) };
  if (message.startsWith('expires_at did not lie after created_at')) {
    return between('created_at', 'expires_at', () => [forwards]);
  }
  if (message.startsWith('settled_at lay before quote_accepted_at')) {
    return between('quote_accepted_at', 'settled_at', () => [forwards]);
  }
  return [];
}

/** A token's own expiry beside the span that was told with it. */
function expiries({ message }: Case, step: string, of: (path: Path) => Template): Claim[][] {
  if (!message.startsWith('exp did not lie expires_in seconds ahead')) return [];
  const token: Template = { kind: 'claims', of: of(['data', 'token']) };
  const exp: Template = { kind: 'field', of: token, field: 'exp' };
  const issued = minus(exp, of(['data', 'expires_in']));
  const value: Template = { kind: 'epoch', of: now };
  const test: Test = { test: 'near', value, within: '5' };
  return [compare(issued, test, `exp less expires_in in ${step}`)];
}

const compare = (value: Template, test: Test, what: string): Claim[] => [
  { kind: 'compare', value, test, what },
];

const objectsIn = (exchange: Exchange) =>
  [...placesIn(bodyOf(exchange))].flatMap(({ path, value }) =>
    isObject(value) ? [{ path, value }] : [],
  );

/** Where an answer has a field with the value that was seen. */
const pathsTo = (exchange: Exchange, field: string, actual: unknown): readonly Path[] =>
  [...placesIn(bodyOf(exchange))]
    .filter(({ path, value }) => path.at(-1) === field && value === actual)
    .map(({ path }) => path)
    .slice(0, 3);
