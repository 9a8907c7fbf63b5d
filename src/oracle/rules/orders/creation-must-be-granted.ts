import { isMadeUp } from '../../../protocol/order-body.ts';
import { isObject, type JsonObject } from '../../../protocol/json.ts';
import { hasForm, parseTimestamp } from '../../../spec/forms.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, precedes } from '../../trace/calls.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';

const requirement = 'access.order.create.institution-allowed';

/** Number of refusals in a row, by any party and with no success in between, that is no accident of one request. */
const many = 5;

/**
 * Number of open orders that any party can have. No maximum is shown (gap `limits.open_orders`); a lower one would
 * leave no room for trade.
 */
const fewOpen = 10;

/** True for a memo of some plain words, which nobody has a reason to look at. */
const isPlain = (memo: unknown): boolean =>
  memo === undefined || (typeof memo === 'string' && /^[\w ]{1,40}$/.test(memo));

/**
 * Terms of an order: all fields except those that must be new in each order. Undefined if a field lacks its form or may
 * be more than text to a backend.
 */
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
export const creationsMustBeGranted = defineRule({
  id: 'creations.due',
  title: 'An order on the terms of others that were taken is not refused again and again',
  requirements: [requirement],
  judge(view, findings) {
    const clock = targetClockOf(view);
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
          deviation: 'refused' as const,
          must: { answered: '2xx' as const },
          actual: refused[0]?.call.status,
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
      return expiry === undefined || !clock.wellAfter(intervalOf(at), expiry);
    }
  },
});
