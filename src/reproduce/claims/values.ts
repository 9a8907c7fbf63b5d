import { plain, type Claim, type Template, type Test } from '../steps.ts';
import { toldClaims } from './events.ts';
import {
  callsIn,
  placesIn,
  shownBy,
  spotsOf,
  steadyPath,
  stepOf,
  testsFor,
  type Case,
  type Spot,
} from './evidence.ts';
import { cast, castNames } from '../../spec/requirements/requirement.ts';

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
    ...callsIn(one).flatMap(({ record, step }): Claim[][] => {
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
  return callsIn(one)
    .toReversed()
    .flatMap(({ record, step }) =>
      [...placesIn(shownBy(record))]
        .map(({ path, value }) => ({ record, step, leaf: String(path.at(-1)), path, seen: value }))
        .filter(holds)
        .slice(0, mostFound),
    );
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

/** Number of leading key digits that identify a party. */
const tellingDigits = 8;

/** A part of a party's identifier, as text and as a reproduction writes it. */
interface Identity {
  readonly text: string;
  readonly value: Template;
}

/**
 * Parts of party identifiers in a text: a whole identifier, its name, or the beginning of its key. The most telling
 * first.
 */
export function hiddenIn(text: string, { partyIds }: Pick<Case, 'partyIds'>): readonly Identity[] {
  const whole = [...partyIds].map(([id, party]) => ({
    text: id,
    value: { kind: 'party', party } as const,
  }));
  const parts = [...partyIds.keys()].flatMap((id) => {
    const [name = '', key = ''] = id.split('::');
    return [key.slice(0, tellingDigits), name].filter((part) => part !== '');
  });
  return [
    ...whole,
    ...[...new Set(parts)].map((part) => ({ text: part, value: plain(part) })),
  ].filter((identity) => text.includes(identity.text));
}

/** An identity must not show, in an answer, its headers or an event. */
export function privacyClaims(one: Case): Claim[][] {
  const last = one.evidence.at(-1);
  const step = last && stepOf(one, last);
  if (!step || one.deviation !== 'gives away') return [];
  const shown = shownBy(last);
  const places = [...placesIn(shown)].filter(({ value }) => typeof value === 'string');
  const lacking = hiddenIn(JSON.stringify(shown), one).flatMap(({ text, value }) =>
    places
      .filter((place) => String(place.value).includes(text))
      .map(({ path, value: seen }): Claim[] => {
        const [, ...within] = path.map(String);
        if (last.kind === 'exchange') {
          const spot = { record: last, step, leaf: String(path.at(-1)), path, seen };
          return [claimAt(one, spot, { test: 'lacks', value })];
        }
        const fields = [[within, { test: 'names', value }]] as const;
        const known = { kind: 'event', stream: step.name, event: last.event } as const;
        return [{ ...known, fields, must: 'not come', withinMs: 1_000 }];
      }),
  );
  return [...lacking, ...alikeClaims(one)];
}

/** Claims that a market maker cannot tell who took the steps. For findings without a visible identity. */
function alikeClaims({ evidence, steps, actual }: Case): Claim[][] {
  const maker = castNames.find((name) => name === evidence.at(-1)?.party);
  const creation = steps.find(
    (step) => step.kind === 'call' && step.recorded.endpoint === 'order.create',
  );
  if (actual !== undefined || maker === undefined || creation?.kind !== 'call') return [];
  const { party } = creation;
  const others = castNames.filter((name) => name !== party && cast[name] === cast[party]);
  return others.map((other) => [{ kind: 'alike', parties: [party, other], for: maker }]);
}
