import { parseTimestamp } from '../../../spec/forms.ts';
import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { mayHaveChanged, orderStateOf } from '../../trace/traces.ts';

export const submission = defineRule({
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
        evidence: [id],
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
          evidence: [id],
        }));
      }
      judgeId(call);
      judgeOrder(call);
    }

    /**
     * True if the quote may have come after the selection or the cancel of its order: its state is open (gap
     * `quote.late`).
     */
    function mayBeLate(call: Call): boolean {
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
      return trace !== undefined && mayHaveChanged([...trace.acceptances, ...trace.cancels], call);
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
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
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
