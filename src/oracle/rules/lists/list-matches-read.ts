import { fieldsOf } from '../../../spec/fields.ts';
import { resources, type ResourceName } from '../../../spec/resources.ts';
import { isSet, textAt } from '../../../protocol/json.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';

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
function differing(a: Snapshot, b: Snapshot): readonly string[] {
  if (a.value === b.value) return [];
  return fieldsOf(resources[a.resource])
    .map(({ name }) => name)
    .filter((name) => {
      const [left, right] = [a.value[name], b.value[name]];
      if (!isSet(left) && !isSet(right)) return false;
      return isSet(left) !== isSet(right) || !equalValues(name, left, right);
    });
}

export const listMatchesRead = defineRule({
  id: 'views.agree',
  title:
    'What is shown in a list is what is shown when read by itself, while the state is the same',
  requirements: pairs.map(({ requirement }) => requirement),
  judge(view, findings) {
    for (const pair of pairs) {
      const latest = new Map<string, Snapshot>();
      for (const snapshot of view.snapshotsOf(pair.resource)) {
        if (snapshot.via !== pair.one && snapshot.via !== pair.other) continue;
        const key = textAt(snapshot.value, pair.key);
        if (key === undefined) continue;
        const status = textAt(snapshot.value, 'status') ?? '';
        const place = `${snapshot.party} ${key} ${status}`;
        const before = latest.get(`${place} ${snapshot.via === pair.one ? pair.other : pair.one}`);
        latest.set(`${place} ${snapshot.via}`, snapshot);
        if (before) compare(pair, before, snapshot);
      }
    }

    function compare({ requirement }: Pair, before: Snapshot, snapshot: Snapshot): void {
      const different = differing(before, snapshot);
      findings.assert(requirement, different.length === 0, snapshot.source, () => ({
        message: `${snapshot.via} and ${before.via} differed in ${different.join(', ')}`,
        expected: Object.fromEntries(different.map((name) => [name, before.value[name] ?? null])),
        actual: Object.fromEntries(different.map((name) => [name, snapshot.value[name] ?? null])),
        evidence: [before.source, snapshot.source],
      }));
    }
  },
});
