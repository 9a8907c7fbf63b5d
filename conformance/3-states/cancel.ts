import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  awaitStatus,
  createOrder,
  findInList,
  isOrder,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  readOrder,
  refused,
} from '../../src/conformance/moves/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { effectMs, endRequirements, judgeEnd } from './cancelled.ts';
import { judgeState, mustReach } from './verdicts.ts';
import {
  acceptanceFields,
  acceptCall,
  cancelCall,
  cancelling,
  each,
  isSet,
  lagMs,
  terminal,
  unsettled,
} from './words.ts';

const pending = each(
  [
    { id: 'pending', quotes: [], requirement: 'order.cancel.pending' },
    { id: 'with-one-quote', quotes: ['maker_a'], requirement: 'order.cancel.pending-with-quotes' },
    {
      id: 'with-three-quotes',
      quotes: ['maker_b', 'maker_c', 'maker_a'],
      requirement: 'order.cancel.pending-with-quotes',
    },
  ] as const satisfies readonly {
    id: string;
    quotes: readonly CastName[];
    requirement: RequirementId;
  }[],
  ({ id, quotes, requirement }) =>
    defineCheck({
      id: `order.cancel.${id}`,
      title: `A PENDING order with ${quotes.length} quotes is cancelled, ends unsettled and is no longer a request.`,
      requirements: [
        requirement,
        'order.cancel.request-closes',
        'order.accept.cancelled-order-refused',
        ...endRequirements,
      ],
      needs: { parties: ['sender', ...new Set<CastName>(['maker_a', ...quotes])] },
      async run(trial) {
        const order = await createOrder(trial);
        const placed = [];
        for (const maker of quotes) placed.push(await quote(trial, maker, order));
        const exchange = await cancelling(trial, order);
        if (!allowed(trial, requirement, exchange, 'a cancel of a PENDING order')) return;
        await judgeEnd(trial, order);
        for (const one of placed) {
          const no = await acceptCall(trial, order, one);
          refused(
            trial,
            'order.accept.cancelled-order-refused',
            no,
            'an acceptance after a cancel',
          );
        }
        await judgeClosed(trial, order);
      },
    }),
);

async function judgeClosed(trial: Trial, order: PlacedOrder): Promise<void> {
  const party = trial.party('maker_a');
  const found = await findInList(trial, party, 'rfq.list', isOrder(order));
  if (!found.item && found.ended !== 'whole') return;
  trial.judge('order.cancel.request-closes', !found.item, {
    message: 'A cancelled order was still among the active requests for quote.',
    actual: found.item,
    seen: found.pages.slice(-1),
  });
}

const others: readonly Check[] = [
  defineCheck({
    id: 'order.cancel.too-dear',
    title: 'A PENDING order whose only quote is above its maximum is cancelled.',
    requirements: ['order.cancel.pending', ...endRequirements],
    needs: { parties: ['sender', 'maker_a'] },
    async run(trial) {
      const terms = { target_amount: '1000.00', source_amount_max: '250.00' };
      const order = await createOrder(trial, terms);
      const body = quoteBody(trial, order);
      // Whether it is taken is open (gap `quote.above_max`).
      await trial.party('maker_a').call('quote.submit', { params: paramsOf(order), body });
      const exchange = await cancelling(trial, order);
      const what = 'a cancel of a PENDING order that was quoted above its maximum';
      if (allowed(trial, 'order.cancel.pending', exchange, what)) await judgeEnd(trial, order);
    },
  }),
  defineCheck({
    id: 'order.cancel.again',
    title: 'A second cancel, however it is answered, leaves the order as it ended.',
    requirements: ['order.cancel.pending', ...endRequirements],
    needs: { parties: ['sender'] },
    async run(trial) {
      const order = await createOrder(trial);
      const first = await cancelling(trial, order);
      if (!allowed(trial, 'order.cancel.pending', first, 'a cancel of a PENDING order')) return;
      const ended = await awaitStatus(trial, order, terminal, effectMs);
      await cancelCall(trial, order);
      await judgeEnd(trial, order);
      if (!ended) return;
      const after = await readOrder(trial, order);
      const stays =
        ended.status === 'FAILED' ? 'order.state.failed-absorbs' : 'order.state.expired-absorbs';
      judgeState(trial, stays, after, [ended.status], 'after a second cancel');
    },
  }),
  defineCheck({
    id: 'order.cancel.unknown',
    title: 'Cancelling an id that no order has is refused, while the order beside it is cancelled.',
    requirements: ['order.cancel.unknown-refused', 'order.cancel.pending', ...endRequirements],
    needs: { parties: ['sender'] },
    async run(trial) {
      const order = await createOrder(trial);
      const no = await cancelCall(trial, { intentId: trial.random.uuid() });
      refused(trial, 'order.cancel.unknown-refused', no, 'a cancel of no order');
      const yes = await cancelling(trial, order);
      if (allowed(trial, 'order.cancel.pending', yes, 'a cancel of a PENDING order')) {
        await judgeEnd(trial, order);
      }
    },
  }),
  defineCheck({
    id: 'order.cancel.leaves-no-acceptance',
    title:
      'A cancelled order that nobody accepted carries no accepted quote, for its custodian neither.',
    requirements: [
      'order.quote-id.not-before-acceptance',
      'order.state.views-agree',
      ...endRequirements,
    ],
    needs: { parties: ['sender', 'sender_custodian', 'maker_b'] },
    async run(trial) {
      const order = await createOrder(trial);
      await quote(trial, 'maker_b', order);
      await cancelling(trial, order);
      await judgeEnd(trial, order);
      const when = 'though its sender had cancelled it';
      const theirs = await mustReach(
        trial,
        'order.state.views-agree',
        order,
        unsettled,
        lagMs,
        when,
        'sender_custodian',
      );
      const mine = await readOrder(trial, order);
      for (const { data, exchange } of [mine, ...(theirs ? [theirs] : [])]) {
        const set = acceptanceFields.filter((name) => isSet(data, name));
        trial.judge('order.quote-id.not-before-acceptance', !set.includes('quote_id'), {
          message: `A cancelled order without an accepted quote showed ${set.join(', ')}.`,
          seen: [exchange],
        });
      }
      await trial.party('maker_b').call('quote.submit', {
        params: paramsOf(order),
        body: {
          fx_rate: '1',
          target_amount: order.sent['target_amount'],
          valid_until: order.data['expires_at'],
        },
      });
    },
  }),
];

export const cancelChecks: readonly Check[] = [...pending, ...others];
