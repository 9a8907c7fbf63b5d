import { fieldsOf } from '../spec/fields.ts';
import { resources, type ResourceName } from '../spec/resources.ts';
import { isSet, textAt } from './json.ts';
import { sameValue } from './same.ts';
import { defineRule } from './tally.ts';
import type { Sighting } from './view/sightings.ts';

/** One resource shown in two places to the same party. */
interface Pair {
  readonly requirement:
    | 'order.list.agrees-with-read'
    | 'rfq.read.agrees-with-list'
    | 'settlement.read.agrees-with-list'
    | 'quote.list.agrees-with-request';
  readonly resource: ResourceName;
  readonly key: string;
  readonly one: string;
  readonly other: string;
}

const pairs: readonly Pair[] = [
  {
    requirement: 'order.list.agrees-with-read',
    resource: 'order',
    key: 'intent_id',
    one: 'order.list',
    other: 'order.read',
  },
  {
    requirement: 'rfq.read.agrees-with-list',
    resource: 'rfq',
    key: 'intent_id',
    one: 'rfq.list',
    other: 'rfq.read',
  },
  {
    requirement: 'settlement.read.agrees-with-list',
    resource: 'settlement',
    key: 'intent_id',
    one: 'settlement.list',
    other: 'settlement.read',
  },
  {
    requirement: 'quote.list.agrees-with-request',
    resource: 'own-quote',
    key: 'quote_id',
    one: 'quote.list',
    other: 'rfq.quotes',
  },
];

/** Fields of two sightings in one state that differ: set in one only, or set to something else. */
function differing(a: Sighting, b: Sighting): readonly string[] {
  if (a.value === b.value) return [];
  return fieldsOf(resources[a.resource])
    .map(({ name }) => name)
    .filter((name) => {
      const [left, right] = [a.value[name], b.value[name]];
      if (!isSet(left) && !isSet(right)) return false;
      return isSet(left) !== isSet(right) || !sameValue(name, left, right);
    });
}

export const agreement = defineRule({
  id: 'views.agree',
  title:
    'What is shown in a list is what is shown when read by itself, while the state is the same',
  requirements: pairs.map(({ requirement }) => requirement),
  judge(view, tally) {
    for (const pair of pairs) {
      const latest = new Map<string, Sighting>();
      for (const sighting of view.sighted(pair.resource)) {
        if (sighting.via !== pair.one && sighting.via !== pair.other) continue;
        const key = textAt(sighting.value, pair.key);
        if (key === undefined) continue;
        const status = textAt(sighting.value, 'status') ?? '';
        const place = `${sighting.party} ${key} ${status}`;
        const before = latest.get(`${place} ${sighting.via === pair.one ? pair.other : pair.one}`);
        latest.set(`${place} ${sighting.via}`, sighting);
        if (before) compare(pair, before, sighting);
      }
    }

    function compare({ requirement }: Pair, before: Sighting, sighting: Sighting): void {
      const different = differing(before, sighting);
      tally.judge(requirement, different.length === 0, sighting.source, () => ({
        message: `${sighting.via} and ${before.via} differed in ${different.join(', ')}`,
        expected: Object.fromEntries(different.map((name) => [name, before.value[name] ?? null])),
        actual: Object.fromEntries(different.map((name) => [name, sighting.value[name] ?? null])),
        evidence: [before.source, sighting.source],
      }));
    }
  },
});
