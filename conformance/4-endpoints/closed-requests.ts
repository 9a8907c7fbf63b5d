import { type Check, defineCheck } from '../../src/conformance/check.ts';
import {
  accept,
  createOrder,
  insist,
  isRefusal,
  paramsOf,
  quote,
  quoteBody,
  refused,
  said,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import { cancelling, each, lagMs } from '../3-states/words.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

const unknown = defineCheck({
  id: 'rfq.unknown',
  title: 'An id that no request has can be neither read nor quoted, while a real one can.',
  requirements: ['rfq.read.unknown-refused', 'quote.submit.unknown-request-refused'],
  needs: { parties: ['sender', ...makers] },
  async run(trial) {
    const order = await createOrder(trial);
    for (const maker of makers) {
      const party = trial.party(maker);
      const real = await insist(trial, () => party.call('rfq.read', { params: paramsOf(order) }));
      if (!succeeded(real))
        trial.giveUp(`the real request was not read either: ${said(real)}`, [real]);
      const params = { intent_id: trial.random.uuid() };
      const read = await party.call('rfq.read', { params });
      refused(trial, 'rfq.read.unknown-refused', read, 'a read of no request');
      const no = await party.call('quote.submit', { params, body: quoteBody(trial, order) });
      if (isRefusal(no)) await quote(trial, maker, order);
      refused(trial, 'quote.submit.unknown-request-refused', no, 'a quote on no request');
    }
  },
});

const closed = each(
  [
    { id: 'accepted', by: 'sender' },
    { id: 'accepted-by-custodian', by: 'sender_custodian' },
    { id: 'cancelled', by: undefined },
  ] as const,
  ({ id, by }) =>
    defineCheck({
      id: `quote.submit.closed.${id}`,
      title: `A request whose order was ${id} takes no further quote, of a maker with one or without.`,
      requirements: ['quote.submit.closed-request-refused'],
      needs: { parties: ['sender', ...(by ? [by] : []), 'maker_a', 'maker_b'], waitMs: 5_000 },
      async run(trial) {
        const order = await createOrder(trial);
        const placed = await quote(trial, 'maker_a', order);
        if (by) await accept(trial, order, placed, by);
        else await cancelling(trial, order);
        await trial.target.timeline.sleep(lagMs);
        // Taken and never selected is an answer as well (gap `quote.late`).
        if (trial.target.answers.get('quote.late') === 'taken') {
          return trial.outOfScope('this target takes quotes that come too late (gap quote.late)');
        }
        for (const maker of ['maker_b', 'maker_a'] as const) {
          const body = quoteBody(trial, order);
          const no = await trial
            .party(maker)
            .call('quote.submit', { params: paramsOf(order), body });
          if (succeeded(no)) {
            return trial.outOfScope('this target takes quotes that come too late (gap quote.late)');
          }
          refused(trial, 'quote.submit.closed-request-refused', no, 'a quote on a closed request');
        }
      },
    }),
);

export const closedRequestChecks: readonly Check[] = [unknown, ...closed];
