import { groupBy } from '../../../history/group-by.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { isSet, textOf } from '../../../protocol/json.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal, precedes } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { OrderTrace } from '../../trace/traces.ts';

const isRefused = (call: Call): boolean => call.own && isRefusal(call);

/** Whether a quote shows what a submission sent: by its deadline above all, which no two of them share but by chance. */
function isOf({ sent }: Call, snapshots: readonly Snapshot[]): boolean {
  if (parseTimestamp(sent?.['valid_until']) === undefined) return false;
  return snapshots.some(
    ({ value }) =>
      equalValues('valid_until', sent?.['valid_until'], value['valid_until']) &&
      equalValues('fx_rate', sent?.['fx_rate'], value['fx_rate']),
  );
}

/** Where a list shows a quote as that of a maker. */
const shownTo = (
  view: HistoryView,
  snapshots: readonly Snapshot[],
  maker: string,
): Snapshot | undefined =>
  snapshots.find(
    ({ resource, party, value, frame }) =>
      !frame &&
      (resource === 'own-quote'
        ? party === maker
        : view.nameOf(textOf(value, 'market_maker_party_id')) === maker),
  );

/** Listed quotes that say nothing of which they are: what was never taken may have got no id. */
const withoutId = (view: HistoryView): ReadonlyMap<string, readonly Snapshot[]> =>
  groupBy(
    view.snapshotsOf('own-quote').filter(({ value }) => !isSet(value['quote_id'])),
    ({ value, call }) => textOf(value, 'intent_id') ?? call?.exchange.params.intent_id,
  );

/** Quotes on an order, each as it was shown, that no answer to a submission named. */
const unnamedOn = (view: HistoryView, trace: OrderTrace): readonly (readonly Snapshot[])[] => [
  ...trace.quotes.filter(({ submission }) => !submission).map(({ snapshots }) => snapshots),
  ...(view.once(withoutId).get(trace.id) ?? []).map((one) => [one]),
];

export const refusedQuotesUnlisted = defineRule({
  id: 'quote.refused',
  title: 'A quote that was refused is on no list',
  requirements: ['error.refusal-changes-nothing'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const [maker, calls] of groupBy(trace.submissions, ({ party }) => party)) {
        const refused = calls.filter(isRefused);
        const others = calls.filter((call) => !isRefused(call));
        // Where each one that was taken says which quote it made, any other is of one that was refused.
        const isKnown = others.every(
          ({ ok, data }) => ok && textOf(data, 'quote_id') !== undefined,
        );
        for (const quote of unnamedOn(view, trace)) {
          const shown = shownTo(view, quote, maker);
          if (!shown || others.some((call) => isOf(call, quote))) continue;
          const cause = refused.find(
            (call) => (isKnown && precedes(call, shown)) || isOf(call, quote),
          );
          if (!cause) continue;
          findings.fail('error.refusal-changes-nothing', {
            message: `a quote that was refused stood on a list (${shown.via})`,
            must: { words: 'no such quote' },
            actual: shown.value,
            evidence: [cause.id, shown.source],
          });
        }
      }
    }
  },
});
