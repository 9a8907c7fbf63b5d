import { chosenFields, fieldRequirement } from '../../../spec/requirements/index.ts';
import { parseDecimal } from '../../../protocol/decimal.ts';
import { isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { expectEqual, shownByOrder } from '../../expect-equal.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { HistoryView } from '../../trace/history-view.ts';

const echoes = chosenFields.map((field) => ({
  field,
  requirement: fieldRequirement('order', field, 'echo'),
}));

/** For each memo that was sent, the id of the creation that sent it. */
const memosSent = (view: HistoryView): ReadonlyMap<unknown, string> =>
  new Map(
    [...view.orders.values()].flatMap(({ creation, sent }) =>
      creation && sent && isSet(sent['memo']) ? [[sent['memo'], creation.id] as const] : [],
    ),
  );

const amountsSent = new Set<string>(['target_amount', 'source_amount_max']);

export const orderEcho = defineRule({
  id: 'order.echo',
  title: 'An order shows what its sender sent',
  requirements: echoes.map(({ requirement }) => requirement),
  judge(view, findings) {
    for (const { creation, sent, snapshots } of view.orders.values()) {
      if (!creation || !sent) continue;
      for (const snapshot of snapshots) {
        if (snapshot.resource !== 'order') continue;
        for (const { field, requirement } of echoes) {
          const value = sent[field];
          // A value of another type than the document gives is judged by its form alone.
          if (isSet(value) && typeof value !== 'string') continue;
          // It is open which texts besides plain decimals are numbers, and what happens to them (gap `money.input`).
          if (amountsSent.has(field) && isSet(value) && !parseDecimal(value)) continue;
          if (field === 'memo' && !isSet(value)) judgeUnsent(creation.id, snapshot);
          else expectEqual(findings, requirement, field, { value, source: creation.id }, snapshot);
        }
        if (snapshot.whole) judgeLost(creation.id, sent['memo'], snapshot);
      }
    }

    /** Judges only a memo that was sent and is gone; for the other fields that is a missing field. */
    function judgeLost(created: string, memo: unknown, { value, source, via }: Snapshot): void {
      if (typeof memo !== 'string' || memo === '' || isSet(value['memo'])) return;
      findings.fail('order.memo.echo', {
        message: `the memo that was sent did not show (${via})`,
        deviation: 'missing',
        expected: memo,
        evidence: [created, source],
      });
    }

    /** If no memo was sent, the shown memo is open, except that it must not be the memo of another order. */
    function judgeUnsent(created: string, { value, source, via }: Snapshot): void {
      const memo = value['memo'];
      if (!isSet(memo) || memo === '') return;
      const other = view.once(memosSent).get(memo);
      findings[other === undefined ? 'warn' : 'fail']('order.memo.echo', {
        departure: 'memo-of-its-own',
        message: `an order that was sent without a memo showed ${other === undefined ? 'one' : 'that of another'} (${via})`,
        must: { words: 'no memo' },
        actual: memo,
        evidence: [...(other === undefined ? [] : [other]), created, source],
      });
    }
  },
});

const rfqFields = [
  ['source_currency', 'rfq.source-currency.as-order'],
  ['target_currency', 'rfq.target-currency.as-order'],
  ['target_amount', 'rfq.target-amount.as-order'],
  ['created_at', 'rfq.created-at.as-order'],
  ['expires_at', 'rfq.expires-at.as-order'],
] as const;

export const rfqEcho = defineRule({
  id: 'rfq.echo',
  title: 'A request for quote shows the currencies, the amount and the times of its order',
  requirements: [
    ...rfqFields.map(([, requirement]) => requirement),
    'event.quote-request-new.agrees-with-read',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (trace.rfqs.length === 0) continue;
      for (const [field, requirement] of rfqFields) {
        const shown = shownByOrder(trace, field);
        const read = trace.rfqs.find(({ whole, value }) => whole && isSet(value[field]));
        const asRead = { value: read?.value[field], source: read?.source ?? '' };
        for (const snapshot of trace.rfqs) {
          const agrees = 'event.quote-request-new.agrees-with-read';
          if (snapshot.frame) expectEqual(findings, agrees, field, asRead, snapshot);
          expectEqual(findings, requirement, field, shown, snapshot);
        }
      }
    }
  },
});
