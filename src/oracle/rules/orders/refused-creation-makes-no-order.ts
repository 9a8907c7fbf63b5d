import { groupBy } from '../../../history/group-by.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { isObject, type JsonObject, textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal, precedes } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** Fields by which creations differ: no two have the same contract and signature but by intent. */
const marks = ['source_contract_id', 'intent_signature', 'receiver_party_id', 'memo'] as const;
const terms = ['source_currency', 'target_currency', 'target_amount', 'source_amount_max'] as const;

function markOf(body: JsonObject | undefined): string | undefined {
  const values = marks.map((name) => textOf(body, name));
  const [contract, signature] = values;
  if (contract === undefined || signature === undefined) return undefined;
  return JSON.stringify(values).toLowerCase();
}

/** True if the order was created at the time of the call, and not in an earlier run that sent the same. */
function isOfThen(
  { context }: HistoryView,
  { exchange, data }: Call,
  { value }: Snapshot,
): boolean {
  const created = parseTimestamp(value['created_at']);
  if (created === undefined) return false;
  const { least, most } = context.offset;
  // The order that the call did make says when it was, by the target's own clock: another is no older than the call.
  const own = parseTimestamp(isObject(data) ? data['created_at'] : undefined);
  const lastedMs = exchange.received - exchange.sent;
  const earliest = own === undefined ? exchange.sent + least - tolerance.stamp : own - lastedMs - 1;
  return created >= earliest && created - most <= exchange.received + tolerance.replicationLagMs;
}

const hasTerms = ({ sent }: Call, { value }: Snapshot): boolean =>
  terms.every((name) => equalValues(name, sent?.[name], value[name]));

/** True if a body that is no JSON (cut short, or a form) contains the signature of the order. */
const isTextOf = ({ exchange }: Call, { value }: Snapshot): boolean => {
  const { body } = exchange.request;
  const signature = textOf(value, 'intent_signature');
  return typeof body === 'string' && signature !== undefined && body.includes(signature);
};

/** True for a creation that is known to have made an order, with the id of that order. */
const isAnswered = (call: Call): boolean => call.ok && textOf(call.data, 'intent_id') !== undefined;

export const refusedCreations = defineRule({
  id: 'order.unasked',
  title: 'A creation that was refused makes no order, and one that was taken makes one',
  requirements: ['error.refusal-changes-nothing', 'order.create.once'],
  judge(view, findings) {
    const texts = view.endpoint('order.create').filter(({ sent }) => !sent);
    const tries = groupBy(view.endpoint('order.create'), ({ sent }) => markOf(sent));
    for (const { id, creation, snapshots } of view.every.orders.values()) {
      const listed = creation && snapshots.find(({ via }) => via === 'order.list');
      if (listed) findings.pass('order.create.once', listed.source);
      const shown = creation ? undefined : snapshots.find(({ whole }) => whole);
      if (!shown) continue;
      const alike =
        tries.get(markOf(shown.value) ?? '') ?? texts.filter((call) => isTextOf(call, shown));
      // One whose outcome is not known may have made this order.
      if (!alike.every((call) => isAnswered(call) || isRefusal(call))) continue;
      const cause = alike.find(
        (call) =>
          (!call.sent || hasTerms(call, shown)) &&
          isOfThen(view, call, shown) &&
          // An earlier run that sent the same, a moment ago, has made what was there before.
          !snapshots.some((snapshot) => precedes(snapshot, call)),
      );
      if (!cause) continue;
      const taken = alike.flatMap(({ data }) => textOf(data, 'intent_id') ?? []);
      // Created with a token that was not the party's own.
      if (taken.some((made) => made.toLowerCase() === id.toLowerCase())) continue;
      const actual = { intent_id: shown.value['intent_id'], status: shown.value['status'] };
      const evidence = [cause.id, shown.source];
      if (taken.length === 0) {
        findings.fail('error.refusal-changes-nothing', {
          message: `an order whose creation was refused was shown all the same (${shown.via})`,
          must: { words: 'no such order' },
          actual,
          evidence,
        });
      } else {
        findings.fail('order.create.once', {
          message: `there was an order more than was created (${shown.via})`,
          must: { one_of: taken },
          actual,
          evidence,
        });
      }
    }
  },
});
