import { createSecrets } from '../../src/history/secrets/secrets.ts';
import { describe, expect, it } from 'vitest';
import { observeGaps } from '../../src/discovery/observe/observe-gaps.ts';
import { groupBy } from '../../src/history/group-by.ts';
import { writeHistory } from '../../src/history/jsonl.ts';
import type { History } from '../../src/history/records.ts';
import { allRules, type OracleContext, viewOf } from '../../src/oracle/index.ts';
import { requirements } from '../../src/spec/requirements/index.ts';
import { applyRules } from '../../src/suite/engine/apply-rules.ts';
import { context, fullTrade } from '../support/oracle/findings-and-edits.ts';
import { partyIds } from '../support/oracle/fake-wire.ts';
import { bent, type Place, placesIn, replaced, valueAt } from './bend-history.ts';
import { hostileValues, manyEntries, objectsLike, wideValues } from './bent-values.ts';

const life: History = { records: fullTrade().records };

/** Places by name (`order.read response.body.data.status`). Most names have many places. */
const placesByName = [
  ...groupBy(placesIn(life), ({ record, path }) => {
    const seen = life.records[record];
    const what = seen?.kind === 'exchange' ? seen.endpoint : seen?.kind === 'frame' && seen.event;
    return `${what} ${path.filter((name) => !/^\d+$/.test(String(name))).join('.')}`;
  }).values(),
];

/** A party's identifier is known from its own backend: what that says has been bent too. */
const contextWith = (change: (id: string) => unknown): OracleContext => {
  const { cast, ...rest } = context();
  const changed = Object.entries(cast).map(([name, { partyId = '', ...one }]) => {
    const id = change(partyId);
    return [name, { ...one, ...(typeof id === 'string' && { partyId: id }) }] as const;
  });
  return { ...rest, cast: Object.fromEntries(changed) };
};

/** Faults of our own in judging a history: there must be none for any history. */
function faultsOf(history: History, known: OracleContext = context()): string[] {
  const reports = applyRules(allRules, () => viewOf(history, known), requirements);
  observeGaps(history);
  writeHistory(history.records, createSecrets());
  return reports.flatMap(({ id, verdict, reason }) =>
    verdict === 'error' ? [`${id}: ${reason}`] : [],
  );
}

/**
 * Changes a history in many ways, and expects the rules to judge each without a fault of ours.
 * @param which whether every value comes to every place that is meant for it, or every sixth value
 * to one of them
 */
export function tryBentHistory(which: 'some' | 'all'): void {
  const rounds = which === 'all' ? [0, 7, 19] : [0];
  const some = <Item>(items: readonly Item[], place: number): readonly Item[] =>
    which === 'all' ? items : items.slice(place % items.length).slice(0, 1);

  describe('a history with values that no honest target would send', () => {
    const all = Object.entries(hostileValues).map(
      ([name, value], place) => [name, value, place] as const,
    );
    const values = which === 'all' ? all : all.filter(([, , place]) => place % 6 === 0);

    // In each round every name has one value, and every value about ten names. Rounds differ.
    describe.each(rounds)('in round %d', (round) => {
      it.each(values)('%s, in some places, breaks no rule', (_, value, place) => {
        const bentPlaces = placesByName.flatMap((places, nth): Place[] => {
          const one = places[round % places.length];
          return one && (nth + round) % all.length === place ? [one] : [];
        });
        expect(bentPlaces.length).toBeGreaterThan(0);
        expect(faultsOf(bent(life, bentPlaces, () => value))).toEqual([]);
      });
    });

    const { intent_id, quote_id } = Object.fromEntries(
      ['intent_id', 'quote_id'].map((name) => {
        const place = placesIn(life).find(({ path }) => path.at(-1) === name);
        return [name, String(place && valueAt(life, place))];
      }),
    ) as { intent_id: string; quote_id: string };
    const ids = [intent_id, partyIds.sender, quote_id, partyIds.maker_a] as const;
    // By turns, of an item and of a party at least once each, as judging a history takes a second.
    const turns = which === 'all' ? [0, 1] : [0];

    it.each(values)('%s, as an identifier throughout, breaks no rule', (_, value, place) => {
      for (const turn of turns) {
        const old = ids[(place + turn) % ids.length] ?? intent_id;
        const known = contextWith((id) => (id === old ? value : id));
        expect(faultsOf(replaced(life, old, value), known)).toEqual([]);
      }
    });
  });

  describe('a history that has been widened', () => {
    /** Data of one answer and one event of each kind. In groups, to need less memory. */
    const wide = placesByName.flatMap(([place]): Place[] => {
      const isWhole =
        place?.path.join('.') === 'data' || place?.path.join('.') === 'response.body.data';
      return place && isWhole ? [place] : [];
    });
    // In the quick tier as few at a time as show it: judging them takes seconds.
    const apart = which === 'all' ? 4 : 16;
    const groups = Array.from({ length: apart }, (_, nth) =>
      wide.filter((__, at) => at % apart === nth),
    );

    const wideners = Object.entries(wideValues).map(
      ([name, widen], place) => [name, widen, place] as const,
    );
    // An object with this number of members takes seconds.
    it.each(which === 'all' ? wideners : wideners.slice(1, 2))(
      'by %s breaks no rule',
      (_, widen, place) => {
        for (const group of some(groups, place)) {
          expect(faultsOf(bent(life, group, widen))).toEqual([]);
        }
      },
    );

    if (which === 'some') return;
    it('by more orders in a list than a call has room for as arguments breaks no rule', () => {
      const ofOrders = wide.filter(({ record }) => {
        const seen = life.records[record];
        return seen?.kind === 'exchange' && seen.endpoint === 'order.list';
      });
      expect(ofOrders).not.toEqual([]);
      const many = (like: unknown) =>
        objectsLike(Array.isArray(like) ? like[0] : like, manyEntries);
      expect(faultsOf(bent(life, ofOrders, many))).toEqual([]);
    });
  });
}
