import { isObject, type JsonObject } from '../../history/json.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { Deviation } from '../../spec/deviations.ts';
import { hasForm, parseTimestamp } from '../../spec/forms.ts';
import { namesOfForm } from '../../spec/resources.ts';
import type { Claim, Template, Test } from '../steps.ts';
import { callsIn, type Case, compare, placesIn, shownBy, spotsOf } from './evidence.ts';

const now: Template = { kind: 'later', ms: 0 };
const math = (left: Template, op: '-' | '*' | '/', right: Template): Template => ({
  kind: 'math',
  op,
  left,
  right,
});

/** Claims on fields compared with other fields of the same answer, and on timestamps compared with their calls. */
export const relationClaims = (one: Case): Claim[][] =>
  ofValues.has(one.deviation ?? 'other') ? [...momentClaims(one), ...besideClaims(one)] : [];

/** Departures that show when a value is compared with others. */
const ofValues: ReadonlySet<Deviation> = new Set(['wrong value', 'late or early', 'other']);

const momentNames: ReadonlySet<string> = new Set(namesOfForm('timestamp'));

/** Compares timestamps with the `meta.timestamp` of the answer to their call, and that with the clock. */
function momentClaims(one: Case): Claim[][] {
  const calls = callsIn(one).map(({ step }) => step);
  return spotsOf(one).flatMap(({ step, leaf, path }): Claim[][] => {
    if (step.kind !== 'call') return [];
    if (path[0] === 'meta' && leaf === 'timestamp') {
      const test: Test = { test: 'near', value: now, within: tolerance.eventDeliveryMs };
      return [[{ kind: 'value', step: step.name, of: 'body', path: ['meta', leaf], test }]];
    }
    if (!momentNames.has(leaf)) return [];
    const caller = calls.findLast((call) => call !== step) ?? step;
    const value: Template = { kind: 'answer', step: caller.name, path: ['meta', 'timestamp'] };
    const test: Test = { test: 'near', value, within: tolerance.stamp + 1_000 };
    const shown: Template = { kind: 'answer', step: step.name, path };
    return [compare(shown, test, `${leaf} in the answer`)];
  });
}

type Of = (field: string) => Template;

/** A relation between fields of one object. */
interface Relation {
  readonly fields: readonly [string, string, ...string[]];
  readonly claim: (of: Of, value: JsonObject, step: string) => Claim[];
}

const span = (from: string, to: string, bound: (apartMs: number) => Test): Relation => ({
  fields: [from, to],
  claim: (of, value) => {
    const apartMs = (parseTimestamp(value[to]) ?? 0) - (parseTimestamp(value[from]) ?? 0);
    return compare(math(of(to), '-', of(from)), bound(apartMs), `from ${from} to ${to}`);
  },
});
const bound = (test: 'at_least' | 'at_most', ms: number): Test => ({
  test,
  value: { kind: 'duration', ms },
});
const forwards = (): Test => bound('at_least', 0);

/** The rate orientation is open: an amount that is right in either orientation passes. */
const priced = (source: string, target: string): Relation => ({
  fields: [source, target, 'fx_rate'],
  claim: (of, value, step) => {
    const near = (op: '/' | '*'): Test => ({
      test: 'near',
      value: math(of(target), op, of('fx_rate')),
      within: unitOf(value[source]),
    });
    return compare(of(source), { test: 'any', of: [near('/'), near('*')] }, `${source} in ${step}`);
  },
});

/** One unit of the last decimal place of an amount. */
function unitOf(amount: unknown): string {
  const [, places = ''] = String(amount).split('.');
  return places === '' ? '1' : `0.${'0'.repeat(places.length - 1)}1`;
}

const relations: readonly Relation[] = [
  priced('source_amount', 'target_amount'),
  priced('source_amount_actual', 'target_amount'),
  priced('mm_quoted_source_amount', 'mm_delivered_target_amount'),
  {
    fields: ['source_amount_actual', 'source_amount_max'],
    claim: (of, _, step) => {
      const test: Test = { test: 'at_most', value: of('source_amount_max') };
      return compare(of('source_amount_actual'), test, `source_amount_actual in ${step}`);
    },
  },
  span('quote_accepted_at', 'settled_at', (apartMs) =>
    apartMs < tolerance.settlementMinMs
      ? bound('at_least', tolerance.settlementMinMs)
      : bound('at_most', tolerance.settlementMaxMs),
  ),
  span('quote_accepted_at', 'settled_at', forwards),
  span('created_at', 'expires_at', forwards),
  {
    fields: ['token', 'expires_in'],
    claim: (of, _, step) => {
      const token: Template = { kind: 'claims', of: of('token') };
      const issued = math({ kind: 'field', of: token, field: 'exp' }, '-', of('expires_in'));
      const value: Template = { kind: 'epoch', of: now };
      return compare(
        issued,
        { test: 'near', value, within: '5' },
        `exp less expires_in in ${step}`,
      );
    },
  },
];

function besideClaims(one: Case): Claim[][] {
  const leaves = new Set(spotsOf(one).map(({ leaf }) => leaf));
  const isAbout = ({ fields }: Relation): boolean =>
    one.deviation === 'late or early' || fields.some((field) => leaves.has(field));
  const about = relations.filter(isAbout);
  return callsIn(one)
    .toReversed()
    .flatMap(({ record, step }) =>
      [...placesIn(shownBy(record))].flatMap(({ path, value }) =>
        about.flatMap(({ fields, claim }) => {
          if (!isObject(value) || !fields.every((field) => isUsable(field, value[field])))
            return [];
          const of: Of = (field) => ({ kind: 'answer', step: step.name, path: [...path, field] });
          return [claim(of, value, step.name)];
        }),
      ),
    );
}

const isUsable = (field: string, value: unknown): boolean =>
  momentNames.has(field)
    ? parseTimestamp(value) !== undefined
    : typeof value === 'number' || field === 'token' || hasForm('decimal', value);
