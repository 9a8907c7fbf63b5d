import { groupBy } from '../../../history/group-by.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isSet, textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal, precedes } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { mayHaveChanged, orderStateOf, type OrderTrace, touchesOf } from '../../trace/traces.ts';

const submission = defineRule({
  id: 'quote.submission',
  title:
    'A submitted quote is answered with 201, an id of its own and PENDING, and its order stays PENDING',
  requirements: [
    'quote.submit.status-201',
    'quote.state.starts-pending',
    'quote.quote-id.unique',
    'quote.submit.order-stays-pending',
  ],
  judge(view, findings) {
    const seen = new Map<string, Call>();
    for (const call of view.endpoint('quote.submit')) {
      if (!call.ok || !call.own) continue;
      const { id } = call;
      findings.assert('quote.submit.status-201', call.status === 201, id, () => ({
        message: 'a submitted quote was not answered with 201',
        expected: 201,
        actual: call.status,
      }));
      const deadline = parseTimestamp(call.sent?.['valid_until']);
      // The state of a quote whose deadline has already passed is open (gap `quote.past_validity`).
      const fresh =
        deadline !== undefined &&
        call.exchange.received + view.context.offset.most + tolerance.deadlineEarlyMs < deadline;
      if (fresh && !mayBeLate(call)) {
        const status = textOf(call.data, 'status');
        findings.assert('quote.state.starts-pending', status === 'PENDING', id, () => ({
          message: 'a submitted quote was not PENDING',
          expected: 'PENDING',
          actual: status ?? null,
        }));
      }
      judgeId(call);
      judgeOrder(call);
    }

    /** After a selection or a cancel of its order, the state of a new quote is open (gap `quote.late`). */
    function mayBeLate(call: Call): boolean {
      const trace = view.order(call.exchange.params.intent_id);
      return trace !== undefined && mayHaveChanged(touchesOf(trace), call);
    }

    function judgeId(call: Call): void {
      const quoteId = textOf(call.data, 'quote_id');
      if (quoteId === undefined) return;
      const before = seen.get(quoteId);
      seen.set(quoteId, call);
      const { intent_id } = call.exchange.params;
      // The next quote of a maker on the same order may take the place of the first (gap `quote.twice`).
      const replaces =
        view.context.answers('quote.twice') !== 'allow' &&
        before?.party === call.party &&
        before.exchange.params.intent_id === intent_id;
      findings.assert('quote.quote-id.unique', !before || replaces, call.id, () => ({
        message: 'two submissions returned the same quote_id',
        actual: quoteId,
        evidence: [before?.id ?? '', call.id],
      }));
    }

    function judgeOrder(call: Call): void {
      const trace = view.order(call.exchange.params.intent_id);
      const after = trace?.snapshots.find((order) => precedes(call, order));
      const state = after && orderStateOf(after);
      if (!trace?.creation || !after || !state) return;
      const meddled = [...trace.acceptances, ...trace.cancels].some(
        (other) => other.open < after.close,
      );
      if (meddled || state === 'EXPIRED' || state === 'FAILED') return;
      findings.assert(
        'quote.submit.order-stays-pending',
        state === 'PENDING',
        after.source,
        () => ({
          message: `an order was ${state} after a quote alone`,
          expected: 'PENDING',
          actual: state,
          evidence: [call.id, after.source],
        }),
      );
    }
  },
});

const isRefused = (call: Call): boolean => call.own && isRefusal(call);

/** The deadline identifies a submission: no two share one except by chance. */
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

const refusedQuotesUnlisted = defineRule({
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
            must: { absent: true },
            actual: shown.value,
            evidence: [cause.id, shown.source],
          });
        }
      }
    }
  },
});

export const submissionRules = [submission, refusedQuotesUnlisted];
