import type { Check } from '../../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  retryWhileRefused,
  isRefusal,
  paramsOf,
  quote,
  quoteBody,
  assertRefused,
  describeExchange,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { viewLagMs } from '../../shared/waits.ts';
import { rows } from '../../shared/check-table.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

const unknown: Check = {
  id: 'rfq.unknown',
  title: 'An id that no request has can be neither read nor quoted, while a real one can.',
  requirements: ['rfq.read.unknown-refused', 'quote.submit.unknown-request-refused'],
  needs: { parties: ['sender', ...makers] },
  async run(t) {
    const order = await createOrder(t);
    for (const maker of makers) {
      const party = t.party(maker);
      const real = await retryWhileRefused(t, () =>
        party.call('rfq.read', { params: paramsOf(order) }),
      );
      if (!succeeded(real))
        t.notExercised(`the real request was not read either: ${describeExchange(real)}`, [real]);
      const params = { intent_id: t.random.uuid() };
      const read = await party.call('rfq.read', { params });
      assertRefused(t, 'rfq.read.unknown-refused', read, 'a read of no request');
      const no = await party.call('quote.submit', { params, body: quoteBody(t, order) });
      if (isRefusal(no)) await quote(t, maker, order);
      assertRefused(t, 'quote.submit.unknown-request-refused', no, 'a quote on no request');
    }
  },
};

const closed = rows(
  { id: 'accepted', by: 'sender' },
  { id: 'accepted-by-custodian', by: 'sender_custodian' },
  { id: 'cancelled', by: undefined },
).map<Check>(({ id, by }) => ({
  id: `quote.submit.closed.${id}`,
  title: `A request whose order was ${id} takes no further quote, of a maker with one or without.`,
  requirements: ['quote.submit.closed-request-refused'],
  needs: { parties: ['sender', ...(by ? [by] : []), 'maker_a', 'maker_b'], waitMs: 5_000 },
  async run(t) {
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_a', order);
    if (by) await accept(t, order, placed, by);
    else await cancelOrder(t, order);
    await t.target.timeline.sleep(viewLagMs);
    // Taken and never selected is an answer as well (gap `quote.late`).
    if (t.target.answers.get('quote.late') === 'taken') {
      return t.outOfScope('this target takes quotes that come too late (gap quote.late)');
    }
    const quoteLate = async (maker: (typeof makers)[number]): Promise<Exchange> =>
      t.party(maker).call('quote.submit', {
        params: paramsOf(order),
        body: quoteBody(t, order),
      });
    // A second quote of one maker may be refused for that (gap `quote.twice`), and says less of the request.
    const first = await quoteLate('maker_b');
    if (succeeded(first)) {
      return t.outOfScope('this target takes quotes that come too late (gap quote.late)');
    }
    for (const no of [first, await quoteLate('maker_a')]) {
      const what = 'a quote on a closed request';
      assertRefused(t, 'quote.submit.closed-request-refused', no, what);
    }
  },
}));

export const closedRequestChecks: readonly Check[] = [unknown, ...closed];
