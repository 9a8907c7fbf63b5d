import { isSet, textOf } from '../../../protocol/json.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { fieldsOf } from '../../../spec/fields.ts';
import { resources, type ResourceName } from '../../../spec/resources.ts';
import { defineRule, type Violation } from '../../findings.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';

/** Fields of two snapshots in one state that differ: set in one only, or set to something else. */
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

const differs = (a: Snapshot, b: Snapshot, names: readonly string[]) => (): Violation => ({
  message: `${b.via} (${b.party}) and ${a.via} (${a.party}) differed in ${names.join(', ')}`,
  fields: names,
  ...(names.some((name) => !isSet(a.value[name]) || !isSet(b.value[name])) && {
    deviation: 'missing',
  }),
  expected: Object.fromEntries(names.map((name) => [name, a.value[name] ?? null])),
  actual: Object.fromEntries(names.map((name) => [name, b.value[name] ?? null])),
  evidence: [a.source, b.source],
});

/** Each snapshot of a thing beside the last one that the other of two places showed in the same state. */
function* pairsOf(
  snapshots: readonly Snapshot[],
  thingOf: (snapshot: Snapshot) => string | undefined,
  isOne: (snapshot: Snapshot) => boolean,
): Generator<readonly [Snapshot, Snapshot]> {
  const latest = { one: new Map<string, Snapshot>(), other: new Map<string, Snapshot>() };
  for (const snapshot of snapshots) {
    const thing = thingOf(snapshot);
    if (thing === undefined) continue;
    const key = `${thing} ${textOf(snapshot.value, 'status') ?? ''}`;
    const [here, there] = isOne(snapshot)
      ? (['one', 'other'] as const)
      : (['other', 'one'] as const);
    latest[here].set(key, snapshot);
    const before = latest[there].get(key);
    if (before) yield [before, snapshot];
  }
}

const listsAndReads = [
  ['order.list.agrees-with-read', 'order', 'intent_id', 'order.list', 'order.read'],
  ['rfq.read.agrees-with-list', 'rfq', 'intent_id', 'rfq.list', 'rfq.read'],
  [
    'settlement.read.agrees-with-list',
    'settlement',
    'intent_id',
    'settlement.list',
    'settlement.read',
  ],
  ['quote.list.agrees-with-request', 'own-quote', 'quote_id', 'quote.list', 'rfq.quotes'],
] as const satisfies readonly (readonly [string, ResourceName, string, string, string])[];

export const listsAgreeWithReads = defineRule({
  id: 'views.agree',
  title: 'A list shows a party what it reads elsewhere, while the state is the same',
  requirements: listsAndReads.map(([requirement]) => requirement),
  judge(view, findings) {
    for (const [requirement, resource, key, one, other] of listsAndReads) {
      const thingOf = ({ via, value, party }: Snapshot): string | undefined => {
        const id = via === one || via === other ? textOf(value, key) : undefined;
        return id && `${party} ${id}`;
      };
      for (const [a, b] of pairsOf(view.snapshotsOf(resource), thingOf, ({ via }) => via === one)) {
        const names = differing(a, b);
        findings.assert(requirement, names.length === 0, b.source, differs(a, b, names));
      }
    }
  },
});

const sides = [
  ['order.read.custodian-sees-same', 'order', 'order.read', 'intent_id'],
  ['order.quotes.custodian-sees-same', 'quote', 'order.quotes', 'quote_id'],
] as const satisfies readonly (readonly [string, ResourceName, string, string])[];

/** Who looks at an order: its sender, or its sender's custodian. */
const sideOf = (view: HistoryView, { call, value, party }: Snapshot): string | undefined => {
  const id = call?.exchange.params.intent_id ?? textOf(value, 'intent_id');
  const trace = view.orders.get(id ?? '');
  return trace && relationOf(view, trace, party);
};

/** `list.completeness.quotes` judges of the custodian's list of quotes that none is left out. */
export const custodianSeesTheSame = defineRule({
  id: 'views.custodian-agrees',
  title: "The sender's custodian reads the order and the quotes that the sender reads",
  requirements: sides.map(([requirement]) => requirement),
  judge(view, findings) {
    for (const [requirement, resource, via, key] of sides) {
      const isOfSide = (snapshot: Snapshot, side: string): boolean =>
        sideOf(view, snapshot) === side;
      const thingOf = (snapshot: Snapshot): string | undefined =>
        snapshot.via === via &&
        (isOfSide(snapshot, 'sender') || isOfSide(snapshot, 'sender-custodian'))
          ? textOf(snapshot.value, key)
          : undefined;
      const isSender = (snapshot: Snapshot): boolean => isOfSide(snapshot, 'sender');
      for (const [a, b] of pairsOf(view.snapshotsOf(resource), thingOf, isSender)) {
        const names = differing(a, b);
        findings.assert(requirement, names.length === 0, b.source, differs(a, b, names));
      }
    }
  },
});
