import { equalValues } from '../../../protocol/equality.ts';
import { isSet, textOf } from '../../../protocol/json.ts';
import { fieldsOf } from '../../../spec/fields.ts';
import { type ResourceName, resources } from '../../../spec/resources.ts';
import { defineRule, type Violation } from '../../findings.ts';
import { type Call, isDenied, precedes, wronglyRefused } from '../../trace/calls.ts';
import { type Relation, relationOf } from '../../trace/event-delivery.ts';
import type { Snapshot } from '../../trace/snapshots.ts';

const byPath = {
  'order.quotes': 'order.quotes.only-that-order',
  'rfq.quotes': 'rfq.quotes.only-that-request',
  'order.read': 'order.read.returns-that-order',
  'rfq.read': 'rfq.read.returns-that-request',
  'settlement.read': 'settlement.read.returns-that-settlement',
} as const;

const readsAnswerWhatWasAsked = defineRule({
  id: 'list.belonging',
  title: 'What is read under the id of an order is of that order',
  requirements: Object.values(byPath),
  judge(view, findings) {
    for (const { via, value, source, call } of view.snapshots) {
      const asked = call?.exchange.params.intent_id;
      const requirement = Object.entries(byPath).find(([endpoint]) => endpoint === via)?.[1];
      const id = textOf(value, 'intent_id');
      if (!requirement || asked === undefined || id === undefined) continue;
      findings.assert(requirement, id.toLowerCase() === asked.toLowerCase(), source, () => ({
        message: `${via} answered with something of another order`,
        fields: ['intent_id'],
        expected: asked,
        actual: id,
      }));
    }
  },
});

/** Reads that nothing in the document takes away again. Requests for quote are left out: they are closed some time. */
const lasting = {
  'order.read': 'order.read.returns-that-order',
  'order.quotes': 'order.quotes.complete',
  'settlement.read': 'settlement.read.returns-that-settlement',
} as const;

/** Key of a request as it was sent, without its token: any difference may be the reason for a refusal. */
const requestOf = ({ exchange: { party, request } }: Call): string =>
  JSON.stringify([party, request.path, Object.keys(request.headers).toSorted(), request.body]);

/** The first two are judged by `list.belonging` and `list.completeness.quotes` as well, of what is answered. */
const readsStayReadable = defineRule({
  id: 'reads.stay',
  title: 'What a party could read of an order, its quotes and its settlement, it can read later',
  requirements: Object.values(lasting),
  judge(view, findings) {
    for (const endpoint of Object.keys(lasting) as (keyof typeof lasting)[]) {
      const requirement = lasting[endpoint];
      const served = new Map<string, Call>();
      for (const call of view.endpoint(endpoint)) {
        const before = served.get(requestOf(call));
        if (call.ok && call.own) served.set(requestOf(call), before ?? call);
        if (!before || !precedes(before, call) || !(isDenied(call) || (call.ok && call.own)))
          continue;
        findings.assert(requirement, call.ok, call.id, () => ({
          message: `${endpoint} was refused for what the same party had read before`,
          ...wronglyRefused(call),
          evidence: [before.id, call.id],
        }));
      }
    }
  },
});

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

const listsAgreeWithReads = defineRule({
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

/** `list.completeness.quotes` judges of the custodian's list of quotes that none is left out. */
const custodianSeesTheSame = defineRule({
  id: 'views.custodian-agrees',
  title: "The sender's custodian reads the order and the quotes that the sender reads",
  requirements: sides.map(([requirement]) => requirement),
  judge(view, findings) {
    for (const [requirement, resource, via, key] of sides) {
      const relationIn = ({ call, value, party }: Snapshot): Relation | undefined => {
        const trace = view.order(call?.exchange.params.intent_id ?? textOf(value, 'intent_id'));
        return trace && relationOf(view, trace, party);
      };
      const isSender = (snapshot: Snapshot): boolean => relationIn(snapshot) === 'sender';
      const thingOf = (snapshot: Snapshot): string | undefined =>
        snapshot.via === via && (isSender(snapshot) || relationIn(snapshot) === 'sender-custodian')
          ? textOf(snapshot.value, key)
          : undefined;
      for (const [a, b] of pairsOf(view.snapshotsOf(resource), thingOf, isSender)) {
        const names = differing(a, b);
        findings.assert(requirement, names.length === 0, b.source, differs(a, b, names));
      }
    }
  },
});

export const viewRules = [
  readsAnswerWhatWasAsked,
  readsStayReadable,
  listsAgreeWithReads,
  custodianSeesTheSame,
];
