import { groupBy } from '../../../history/group-by.ts';
import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { possiblyEffective } from '../../trace/traces.ts';

const assigned = [
  ['order.create', 'intent_id', 'order.create.assigns-intent-id'],
  ['quote.submit', 'quote_id', 'quote.quote-id.unique'],
] as const;

/**
 * `order.creation` and `quote.submission` judge that each answer has an id, and that two answers have different ids.
 */
export const serviceAssignedIds = defineRule({
  id: 'answers.assigned-ids',
  title: 'The ids of orders and quotes are assigned by the service, whatever was sent for them',
  requirements: assigned.map(([, , requirement]) => requirement),
  judge(view, findings) {
    for (const [endpoint, field, requirement] of assigned) {
      for (const call of view.endpoint(endpoint)) {
        const sent = textOf(call.sent, field);
        const shown = textOf(call.data, field);
        if (!call.ok || !call.own || sent === undefined || shown === undefined) continue;
        const isOwn = shown.toLowerCase() !== sent.toLowerCase();
        findings.assert(requirement, isOwn, call.id, () => ({
          message: `${field} in the answer to ${endpoint} was the one that was sent with it`,
          must: { words: 'an id that the service assigned' },
          actual: shown,
          evidence: [call.id],
        }));
      }
    }
  },
});

/** A repeated id may mean that the later quote replaced the earlier (gap `quote.twice`), but not if both are listed. */
export const eachQuoteItsOwnId = defineRule({
  id: 'answers.one-id-each',
  title: 'Two quotes of one maker that both stand were answered with two ids',
  requirements: ['quote.quote-id.unique'],
  judge(view, findings) {
    for (const { submissions, quotes } of view.orders.values()) {
      const taken = possiblyEffective(submissions);
      for (const [maker, calls] of groupBy(taken, ({ party }) => party)) {
        const ids = calls.map(({ data }) => textOf(data, 'quote_id'));
        const repeated = calls.find((_, index) => ids.indexOf(ids[index]) < index);
        const self = view.partyIdOf(maker);
        if (!repeated || self === undefined || ids.includes(undefined)) continue;
        const isOfMaker = ({ via, value }: Snapshot): boolean =>
          via === 'order.quotes' && textOf(value, 'market_maker_party_id') === self;
        const other = quotes.find(
          ({ id, snapshots }) => !ids.includes(id) && snapshots.some(isOfMaker),
        );
        if (!other) continue;
        findings.fail('quote.quote-id.unique', {
          message: 'a quote was answered with the id of another that stands beside it',
          expected: other.id,
          actual: textOf(repeated.data, 'quote_id'),
          evidence: [repeated.id, ...other.snapshots.slice(0, 1).map(({ source }) => source)],
        });
      }
    }
  },
});
