import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  awaitStatus,
  createOrder,
  findInList,
  matchesOrder,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  readOrder,
  assertRefused,
} from '../../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { cancelEffectMs, cancelRequirements, assertCancelledForGood } from './cancelled-order.ts';
import { assertState, assertReaches } from '../../shared/order-assertions.ts';
import {
  acceptanceFields,
  tryAccept,
  tryCancel,
  cancelOrder,
  each,
  isSet,
  viewLagMs,
  terminalStates,
  unsettledStates,
} from '../../shared/order-calls.ts';

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
        ...cancelRequirements,
      ],
      needs: { parties: ['sender', ...new Set<CastName>(['maker_a', ...quotes])] },
      async run(t) {
        const order = await createOrder(t);
        const placed = [];
        for (const maker of quotes) placed.push(await quote(t, maker, order));
        const exchange = await cancelOrder(t, order);
        if (!assertAllowed(t, requirement, exchange, 'a cancel of a PENDING order')) return;
        await assertCancelledForGood(t, order);
        for (const one of placed) {
          const no = await tryAccept(t, order, one);
          assertRefused(
            t,
            'order.accept.cancelled-order-refused',
            no,
            'an acceptance after a cancel',
          );
        }
        await assertClosed(t, order);
      },
    }),
);

async function assertClosed(t: CheckContext, order: PlacedOrder): Promise<void> {
  const party = t.party('maker_a');
  const found = await findInList(t, party, 'rfq.list', matchesOrder(order));
  if (!found.item && found.ended !== 'whole') return;
  t.assert('order.cancel.request-closes', !found.item, {
    message: 'A cancelled order was still among the active requests for quote.',
    actual: found.item,
    seen: found.pages.slice(-1),
  });
}

const others: readonly Check[] = [
  defineCheck({
    id: 'order.cancel.too-dear',
    title: 'A PENDING order whose only quote is above its maximum is cancelled.',
    requirements: ['order.cancel.pending', ...cancelRequirements],
    needs: { parties: ['sender', 'maker_a'] },
    async run(t) {
      const terms = { target_amount: '1000.00', source_amount_max: '250.00' };
      const order = await createOrder(t, terms);
      const body = quoteBody(t, order);
      // Whether it is taken is open (gap `quote.above_max`).
      await t.party('maker_a').call('quote.submit', { params: paramsOf(order), body });
      const exchange = await cancelOrder(t, order);
      const what = 'a cancel of a PENDING order that was quoted above its maximum';
      if (assertAllowed(t, 'order.cancel.pending', exchange, what))
        await assertCancelledForGood(t, order);
    },
  }),
  defineCheck({
    id: 'order.cancel.again',
    title: 'A second cancel, however it is answered, leaves the order as it ended.',
    requirements: ['order.cancel.pending', ...cancelRequirements],
    needs: { parties: ['sender'] },
    async run(t) {
      const order = await createOrder(t);
      const first = await cancelOrder(t, order);
      if (!assertAllowed(t, 'order.cancel.pending', first, 'a cancel of a PENDING order')) return;
      const ended = await awaitStatus(t, order, terminalStates, cancelEffectMs);
      await tryCancel(t, order);
      await assertCancelledForGood(t, order);
      if (!ended) return;
      const after = await readOrder(t, order);
      const stays =
        ended.status === 'FAILED' ? 'order.state.failed-absorbs' : 'order.state.expired-absorbs';
      assertState(t, stays, after, [ended.status], 'after a second cancel');
    },
  }),
  defineCheck({
    id: 'order.cancel.unknown',
    title: 'Cancelling an id that no order has is refused, while the order beside it is cancelled.',
    requirements: ['order.cancel.unknown-refused', 'order.cancel.pending', ...cancelRequirements],
    needs: { parties: ['sender'] },
    async run(t) {
      const order = await createOrder(t);
      const no = await tryCancel(t, { intentId: t.random.uuid() });
      assertRefused(t, 'order.cancel.unknown-refused', no, 'a cancel of no order');
      const yes = await cancelOrder(t, order);
      if (assertAllowed(t, 'order.cancel.pending', yes, 'a cancel of a PENDING order')) {
        await assertCancelledForGood(t, order);
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
      ...cancelRequirements,
    ],
    needs: { parties: ['sender', 'sender_custodian', 'maker_b'] },
    async run(t) {
      const order = await createOrder(t);
      await quote(t, 'maker_b', order);
      await cancelOrder(t, order);
      await assertCancelledForGood(t, order);
      const when = 'though its sender had cancelled it';
      const theirs = await assertReaches(
        t,
        'order.state.views-agree',
        order,
        unsettledStates,
        viewLagMs,
        when,
        'sender_custodian',
      );
      const mine = await readOrder(t, order);
      for (const { data, exchange } of [mine, ...(theirs ? [theirs] : [])]) {
        const set = acceptanceFields.filter((name) => isSet(data, name));
        t.assert('order.quote-id.not-before-acceptance', !set.includes('quote_id'), {
          message: `A cancelled order without an accepted quote showed ${set.join(', ')}.`,
          seen: [exchange],
        });
      }
      await t.party('maker_b').call('quote.submit', {
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

export const cancelPendingChecks: readonly Check[] = [...pending, ...others];
