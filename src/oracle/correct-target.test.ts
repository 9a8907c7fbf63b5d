import { describe, expect, test } from 'vitest';
import type { History } from '../history/records.ts';
import { requirements } from '../spec/requirements/index.ts';
import { allRules } from './index.ts';
import {
  altered,
  violations,
  context,
  judge,
  passed,
  fullTrade,
} from '../../test/support/oracle/findings-and-edits.ts';
import type { FakeTargetOptions } from '../../test/support/oracle/fake-target.ts';
import { viewOf } from './trace/history-view.ts';

/** The same history against a target whose clock runs ahead of ours. */
const ahead = (history: History, ms: number): History => {
  const shift = (text: string): string =>
    text.replace(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, at: string) =>
      JSON.stringify(new Date(Date.parse(at) + ms).toISOString()),
    );
  return altered(history, (record) => {
    const next = JSON.parse(shift(JSON.stringify(record))) as typeof record;
    if (next.kind !== 'exchange' || !next.claims) return next;
    return { ...next, claims: { ...next.claims, exp: Number(next.claims['exp']) + ms / 1000 } };
  });
};

describe('a target that conforms to the whole document', () => {
  const variations: readonly (readonly [string, FakeTargetOptions])[] = [
    ['answers within a few milliseconds', {}],
    ['answers at once', { latency: 0 }],
    ['answers slowly', { latency: 300 }],
    ['shows unset fields as null', { unset: 'null' }],
    ['ends cancelled orders as EXPIRED', { cancelState: 'EXPIRED' }],
  ];
  test.each(variations)('is blamed for nothing when it %s', (_, options) => {
    expect(violations(fullTrade(options))).toEqual([]);
  });

  test('is blamed for nothing when nobody wrote down what preceded what', () => {
    const history = altered(fullTrade(), (record) => {
      if (record.kind !== 'exchange') return record;
      const { precededBy: _, ...rest } = record;
      return rest;
    });
    expect(violations(history)).toEqual([]);
  });

  test('is blamed for nothing when its clock is ahead and the offset is known', () => {
    const offset = { least: 6_990, most: 7_010 };
    expect(violations(ahead(fullTrade(), 7_000), { offset })).toEqual([]);
  });

  test('a clock that is ahead by an unknown offset is noticed', () => {
    expect(violations(ahead(fullTrade(), 7_000)).length).toBeGreaterThan(0);
  });

  test('exercises most of what the rules announce', () => {
    expect(passed(fullTrade()).length).toBeGreaterThan(460);
  });

  test('is blamed for nothing if any part of its history is missing', () => {
    const { records } = fullTrade();
    for (let from = 0; from < records.length; from += 60) {
      const part = { records: records.slice(from, from + 60) };
      const rest = { records: records.slice(from) };
      // Without the start of the history what preceded what is counted from another place.
      const unplaced = (history: History): History =>
        altered(history, (record) => {
          if (record.kind !== 'exchange') return record;
          const { precededBy: _, ...others } = record;
          return others;
        });
      expect(violations(unplaced(part))).toEqual([]);
      expect(violations(unplaced(rest))).toEqual([]);
    }
  });
});

test('every rule names requirements of the catalogue, and no two rules have one id', () => {
  for (const rule of allRules) {
    expect(rule.requirements.filter((id) => !Object.hasOwn(requirements, id))).toEqual([]);
  }
  expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
});

test('no rule judges what it does not announce', () => {
  const view = viewOf(fullTrade(), context());
  for (const rule of allRules) {
    const announced = new Set<string>(rule.requirements);
    const judged = [...rule.judge(view)].map(({ requirement }) => requirement);
    expect(judged.filter((id) => !announced.has(id))).toEqual([]);
  }
});

test('no rule judges requirements that no black box can', () => {
  for (const id of allRules.flatMap((rule) => rule.requirements)) {
    expect(requirements[id]).not.toHaveProperty('unobservable');
  }
});

test('an empty history has nothing to judge', () => {
  expect(judge({ records: [] })).toEqual([]);
});
