import { type Check, defineCheck } from '../../src/conformance/check.ts';
import { createOrder, quote } from '../../src/conformance/moves/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from './flow.ts';
import { judgeQuote } from './quotes-seen.ts';
import { each, sweepMs, waits } from './words.ts';

const lapsedStays = 'quote.state.expired-absorbs';
const startsPending = 'quote.state.starts-pending';

/** Whether a maker may quote again where a quote of its own has lapsed is open (gap `quote.twice`); any other may. */
export const quoteAnewChecks: readonly Check[] = each(
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
      async run(trial) {
        const order = await createOrder(trial);
        const brief = await quote(trial, 'maker_a', order, { validForMs: 1_500 });
        const { timeline, clock } = trial.target;
        await timeline.until(brief.validUntil - clock.offset.least + sweepMs);
        await judgeQuote(trial, lapsedStays, order, brief, ['EXPIRED'], 'after its deadline');
        if (by === 'maker_a' && trial.target.answers.get('quote.twice') === 'refuse') {
          return trial.outOfScope('a maker quotes once here (gap quote.twice)');
        }
        const anew = await quote(trial, by, order);
        await judgeQuote(trial, startsPending, order, anew, ['PENDING'], 'after its submission');
        const when = 'after a later quote was submitted';
        await judgeQuote(trial, lapsedStays, order, brief, ['EXPIRED'], when);
        await acceptAndSettle(trial, { order, quote: anew, acceptedBy });
      },
    }),
);
