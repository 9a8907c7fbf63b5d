import type { Claim, Template, Test } from '../steps.ts';
import { toldClaims } from './events.ts';
import {
  type Case,
  placesIn,
  shownBy,
  type Spot,
  spotsOf,
  steadyPath,
  stepOf,
} from './evidence.ts';
import { testsFor } from './tests.ts';

/** Claims on the values at the places of the finding. */
export const valueClaims = (one: Case): Claim[][] =>
  spotsOf(one).flatMap((spot) =>
    spot.record.kind === 'frame'
      ? toldClaims(one, spot)
      : testsFor(spot, one).map((test) => [claimAt(one, spot, test)]),
  );

/**
 * Claims on any answer field with the wrong value, and that bodies are JSON. Less likely than the places of the
 * finding.
 */
export function foundClaims(one: Case): Claim[][] {
  const { actual } = one;
  const isFound = ({ seen }: Spot): boolean => seen === actual && typeof actual !== 'object';
  const found = actual === undefined ? [] : spotsWith(one, isFound);
  return [
    ...found.flatMap((spot) => testsFor(spot, one).map((test) => [claimAt(one, spot, test)])),
    ...one.evidence.flatMap((record): Claim[][] => {
      const step = stepOf(one, record);
      if (record.kind === 'frame' || step?.kind !== 'call') return [];
      const isJson = typeof record.response?.body === 'object';
      const test: Test = { test: 'object' };
      return isJson ? [] : [[{ kind: 'value', step: step.name, of: 'body', path: [], test }]];
    }),
  ];
}

/** Claims that a read answers with the requested order or quote. */
export const askedClaims = (one: Case): Claim[][] =>
  spotsWith(one, ({ path }) => path.length === 2 && path[0] === 'data').flatMap((spot) => {
    const { step, leaf, seen } = spot;
    if (step.kind !== 'call' || (leaf !== 'intent_id' && leaf !== 'quote_id')) return [];
    const asked = step.recorded.params[leaf];
    const value = leaf === 'intent_id' ? step.intentId : step.quoteId;
    if (asked === undefined || typeof seen !== 'string') return [];
    if (!value || value.kind === 'plain' || seen.toLowerCase() === asked.toLowerCase()) return [];
    return [[claimAt(one, spot, { test: 'equals', value })]];
  });

const mostFound = 4;

/** Places in the answers of the evidence, the last answer first. */
function spotsWith(one: Case, holds: (spot: Spot) => boolean): readonly Spot[] {
  return one.evidence.toReversed().flatMap((record) => {
    const step = stepOf(one, record);
    if (record.kind === 'frame' || step?.kind !== 'call') return [];
    return [...placesIn(shownBy(record))]
      .map(({ path, value }) => ({ record, step, leaf: String(path.at(-1)), path, seen: value }))
      .filter(holds)
      .slice(0, mostFound);
  });
}

export function claimAt(one: Case, { record, step, leaf, path }: Spot, test: Test): Claim {
  const [of, ...within] = path;
  if (of === 'claims') {
    const token: Template = { kind: 'answer', step: step.name, path: ['data', 'token'] };
    const is: Test = { test: 'field', field: leaf, is: test };
    return { kind: 'compare', value: { kind: 'claims', of: token }, test: is, what: 'the token' };
  }
  const known = { kind: 'value', step: step.name } as const;
  if (of === 'headers') return { ...known, of, path: within.map(String), test };
  return { ...known, of: 'body', path: steadyPath(shownBy(record), path, one), test };
}
