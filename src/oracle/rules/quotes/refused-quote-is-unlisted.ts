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

/**
 * True if the quote shows the terms of the submission. The deadline identifies it: no two submissions share one except
 * by chance.
 */
function isOf({ sent }: Call, snapshots: readonly Snapshot[]): boolean {
  if (parseTimestamp(sent?.['valid_until']) === undefined) return false;
  return snapshots.some(
    ({ value }) =>
      equalValues('valid_until', sent?.['valid_until'], value['valid_until']) &&
      equalValues('fx_rate', sent?.['fx_rate'], value['fx_rate']),
  );
}

/** The snapshot in which a list shows the quote as one of the maker's. */
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

/** Listed quotes without an id, by order: a quote that was never taken may have got none. */
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
        // If every submission that was taken names its quote, any other quote comes from a refused one.
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
