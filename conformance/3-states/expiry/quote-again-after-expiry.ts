import type { Check } from '../../../src/suite/engine/check.ts';
import { createOrder, quote } from '../../../src/suite/actions/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../../shared/order-life.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { needsOf, untilLapsed, waits } from '../../shared/waits.ts';

const situations = [
  { id: 'same-maker', by: 'maker_a', acceptedBy: 'sender' },
  { id: 'rival', by: 'maker_b', acceptedBy: 'sender_custodian' },
] as const;

/** 3.2: EXPIRED is an end. A second quote of that maker may be refused (gap `quote.twice`); other makers may quote. */
export const quoteAgainChecks = situations.map<Check>(({ id, by, acceptedBy }) => ({
  id: `quote.submit.after-expired-quote.${id}`,
  title: `A quote of ${by} that comes after maker_a's has lapsed is one of its own: it is accepted and settles, and the other stays EXPIRED.`,
  requirements: [
    'quote.state.expired-absorbs',
    'quote.state.starts-pending',
    ...lifeRequirementsOf(acceptedBy),
  ],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', 'maker_a', by, acceptedBy),
  async run(t) {
    const order = await createOrder(t);
    const brief = await quote(t, 'maker_a', order, { validForMs: 1_500 });
    await untilLapsed(t, brief);
    await quotesOf(t, order);
    if (by === 'maker_a' && t.target.answers.get('quote.twice') === 'refuse') {
      return t.outOfScope('a maker quotes once here (gap quote.twice)');
    }
    const anew = await quote(t, by, order);
    await quotesOf(t, order);
    await acceptAndSettle(t, { order, quote: anew, acceptedBy });
    return undefined;
  },
}));
