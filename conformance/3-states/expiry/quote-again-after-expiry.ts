import { type Check, defineCheck } from '../../../src/suite/engine/check.ts';
import { createOrder, quote } from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../../shared/order-life.ts';
import { assertQuoteState } from '../../shared/listed-quotes.ts';
import { each, expiryLagMs, waits } from '../../shared/order-calls.ts';

const lapsedStays = 'quote.state.expired-absorbs';
const startsPending = 'quote.state.starts-pending';

/** Whether a maker may quote again where a quote of its own has lapsed is open (gap `quote.twice`); any other may. */
export const quoteAgainChecks: readonly Check[] = each(
  [
    { id: 'same-maker', by: 'maker_a', acceptedBy: 'sender' },
    { id: 'rival', by: 'maker_b', acceptedBy: 'sender_custodian' },
  ] as const,
  ({ id, by, acceptedBy }) =>
    defineCheck({
      id: `quote.anew.${id}`,
      title: `A quote of ${by} that comes after maker_a's has lapsed is one of its own: it is accepted and settles, and the other stays EXPIRED.`,
      requirements: [lapsedStays, startsPending, ...lifeRequirementsOf(acceptedBy)],
      needs: {
        parties: [...new Set<CastName>(['sender', 'maker_a', by, acceptedBy])],
        waitMs: waits.quoteExpiry + waits.settlement,
      },
      async run(t) {
        const order = await createOrder(t);
        const brief = await quote(t, 'maker_a', order, { validForMs: 1_500 });
        const { timeline, clock } = t.target;
        await timeline.until(brief.validUntil - clock.offset.least + expiryLagMs);
        await assertQuoteState(t, lapsedStays, order, brief, ['EXPIRED'], 'after its deadline');
        if (by === 'maker_a' && t.target.answers.get('quote.twice') === 'refuse') {
          return t.outOfScope('a maker quotes once here (gap quote.twice)');
        }
        const anew = await quote(t, by, order);
        await assertQuoteState(t, startsPending, order, anew, ['PENDING'], 'after its submission');
        const when = 'after a later quote was submitted';
        await assertQuoteState(t, lapsedStays, order, brief, ['EXPIRED'], when);
        await acceptAndSettle(t, { order, quote: anew, acceptedBy });
      },
    }),
);
