import { groupBy } from '../../../history/group-by.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isObject, type JsonObject, textOf } from '../../../protocol/json.ts';
import { isMadeUp } from '../../../protocol/order-body.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { hasForm, parseTimestamp } from '../../../spec/forms.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, isRefusal, precedes, wronglyRefused } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';

const newOrderIsPending = defineRule({
  id: 'order.creation',
  title: 'A new order is PENDING, with an id of its own and the creator as its sender',
  requirements: [
    'order.state.starts-pending',
    'order.create.returns-pending',
    'order.create.assigns-intent-id',
    'order.intent-id.unique',
    'order.sender-party-id.is-creator',
  ],
  judge(view, findings) {
    const seen = new Map<string, Call>();
    for (const call of view.endpoint('order.create')) {
      if (!call.ok || !call.own) continue;
      judgeState(call);
      judgeId(call);
    }
    for (const { creation, snapshots } of view.orders.values()) {
      const creator = creation && view.partyIdOf(creation.party);
      if (creator === undefined) continue;
      for (const { value, source, via } of snapshots) {
        const sender = textOf(value, 'sender_party_id');
        if (sender === undefined) continue;
        findings.assert('order.sender-party-id.is-creator', sender === creator, source, () => ({
          message: `sender_party_id was not the party that created the order (${via})`,
          expected: creator,
          actual: sender,
          evidence: [creation?.id ?? '', source],
        }));
      }
    }

    function judgeState({ id, data }: Call): void {
      const status = textOf(data, 'status');
      const requirements = ['order.state.starts-pending', 'order.create.returns-pending'] as const;
      findings.assert(requirements, status === 'PENDING', id, () => ({
        message: 'a new order was not PENDING',
        expected: 'PENDING',
        actual: status ?? null,
      }));
    }

    function judgeId(call: Call): void {
      const { id } = call;
      const intentId = textOf(call.data, 'intent_id') ?? '';
      findings.assert('order.create.assigns-intent-id', intentId !== '', id, () => ({
        message: 'a created order came without an intent_id',
      }));
      if (intentId === '') return;
      const before = seen.get(intentId);
      // A repeated creation may be answered with the order that it made: one order, shown again.
      const again =
        before?.party === call.party && JSON.stringify(before.sent) === JSON.stringify(call.sent);
      findings.assert('order.intent-id.unique', before === undefined || again, id, () => ({
        message: 'two creations returned the same intent_id',
        actual: intentId,
        evidence: [before?.id ?? '', id],
      }));
      seen.set(intentId, call);
    }
  },
});

const requirement = 'access.order.create.institution-allowed';

/** Number of refusals in a row, by any party and with no success in between, that is no accident of one request. */
const many = 5;

/** Any party can have so many open orders (gap `limits.open_orders`): fewer would leave no room for trade. */
const fewOpen = 10;

/** True for a memo of some plain words, which nobody has a reason to look at. */
const isPlain = (memo: unknown): boolean =>
  memo === undefined || (typeof memo === 'string' && /^[\w ]{1,40}$/.test(memo));

/** All fields but those that are new in each order. Undefined if one lacks its form or may be more than text. */
function termsOf({ sent }: Call): string | undefined {
  if (!sent || !isPlain(sent['memo'])) return undefined;
  const { intent_signature, source_contract_id, receiver_party_id, memo, ...terms } = sent;
  const isProper =
    hasForm('hex', intent_signature) &&
    hasForm('contract', source_contract_id) &&
    hasForm('party', receiver_party_id);
  if (!isProper) return undefined;
  const receiver = isMadeUp(receiver_party_id) ? '' : receiver_party_id;
  return JSON.stringify([sortedEntries(terms), receiver, memo === undefined]);
}

const sortedEntries = (fields: JsonObject): readonly (readonly [string, unknown])[] =>
  Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));

/**
 * 1.4: an institution may create orders. No bounds are shown for size, currencies and number. The measure is the orders
 * on the same terms that were taken of the same party before, and again later. If none is taken later, a quota or the
 * party's holdings may have been used up.
 */
const creationsMustBeGranted = defineRule({
  id: 'creations.due',
  title: 'An order on the terms of others that were taken is not refused again and again',
  requirements: [requirement],
  judge(view, findings) {
    const proper = view.endpoint('order.create').flatMap((call) => {
      const terms = call.own ? termsOf(call) : undefined;
      return terms === undefined ? [] : [{ call, terms: `${call.party} ${terms}` }];
    });
    const created = proper.filter(({ call }) => call.ok);
    let refused: typeof proper = [];
    for (const one of [...proper, undefined]) {
      if (one && isDenied(one.call) && isLikeTaken(one)) refused.push(one);
      if (one && !one.call.ok) continue;
      if (refused.length >= many) {
        const isTakenAgain = refused.some(({ call, terms }) =>
          created.some((other) => other.terms === terms && precedes(call, other.call)),
        );
        const violation = {
          message: 'orders on terms that had been taken before were refused, one after the other',
          ...wronglyRefused({ status: refused[0]?.call.status }),
          evidence: refused.slice(0, many).map(({ call }) => call.id),
        };
        if (isTakenAgain) findings.fail(requirement, violation);
        else findings.warn(requirement, { ...violation, departure: 'used-up' });
      }
      refused = [];
    }

    function isLikeTaken({ call, terms }: (typeof proper)[number]): boolean {
      const contract = call.sent?.['source_contract_id'];
      const isNew = !proper.some(
        (other) => other.call !== call && other.call.sent?.['source_contract_id'] === contract,
      );
      const before = created.filter((other) => precedes(other.call, call));
      const open = before.filter(
        (other) => other.call.party === call.party && mayBeOpen(other.call, call),
      );
      return isNew && open.length < fewOpen && before.some((other) => other.terms === terms);
    }

    function mayBeOpen({ data }: Call, at: Call): boolean {
      const expiry = parseTimestamp(isObject(data) ? data['expires_at'] : undefined);
      return expiry === undefined || !view.clock.wellAfter(at, expiry);
    }
  },
});

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

const refusedCreations = defineRule({
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
          must: { absent: true },
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

export const creationRules = [newOrderIsPending, creationsMustBeGranted, refusedCreations];
