import { expect, test } from 'vitest';
import type { History } from '../../src/history/records.ts';
import { isObject, type JsonObject } from '../../src/protocol/json.ts';
import { defects } from '../support/oracle/defects.ts';
import {
  altered,
  fullTrade,
  outcomes,
  violations,
  withRaisedIds,
} from '../support/oracle/findings-and-edits.ts';

const life = fullTrade();

type Form = (history: History) => History;

/** Every object of the target in another notation. */
const objects = (write: (object: JsonObject) => JsonObject): Form => {
  const written = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(written);
    if (!isObject(value)) return value;
    return write(Object.fromEntries(Object.entries(value).map(([k, one]) => [k, written(one)])));
  };
  return (history) =>
    altered(history, (record) => {
      if (record.kind === 'frame') return { ...record, data: written(record.data) };
      if (record.kind !== 'exchange' || !record.response) return record;
      return { ...record, response: { ...record.response, body: written(record.response.body) } };
    });
};

const unset = [
  'quote_id',
  'market_maker_party_id',
  'fx_rate',
  'source_amount_actual',
  'quote_accepted_at',
  'transaction_hash',
  'settled_at',
  'failure_reason',
].map((name) => [name, null] as const);

const isFraction = (name: string, value: unknown): value is string =>
  /amount|rate/.test(name) && typeof value === 'string' && /^\d+\.\d+$/.test(value);

/** Forms that the document leaves open: what is wrong in one of them is wrong in all. */
const forms: readonly (readonly [string, Form])[] = [
  ['ids in upper case', withRaisedIds],
  [
    'an offset in place of Z',
    (history) =>
      JSON.parse(
        JSON.stringify(history).replace(/(T\d\d:\d\d:\d\d\.\d{3})Z/g, '$1+00:00'),
      ) as History,
  ],
  ['more fields in each object', objects((object) => ({ ...object, x_note: 1 }))],
  [
    'null where nothing is set',
    objects((object) =>
      'sender_party_id' in object ? { ...Object.fromEntries(unset), ...object } : object,
    ),
  ],
  [
    'zeros at the end of amounts',
    objects((object) =>
      Object.fromEntries(
        Object.entries(object).map(([name, value]) => [
          name,
          isFraction(name, value) ? `${value}00` : value,
        ]),
      ),
    ),
  ],
];

/** Tries every n-th defect. */
export function tryForms(every: number): void {
  const some = defects.filter((_, index) => index % every === 0);
  test.each(forms)('with %s the rules find the same defects, and no other', (_, form) => {
    expect(violations(form(life))).toEqual([]);
    const missed = some.filter(
      ([, requirement, breaking]) => !outcomes(form(breaking(life)), requirement).includes('fail'),
    );
    expect(missed.map(([what]) => what)).toEqual([]);
  });
}
