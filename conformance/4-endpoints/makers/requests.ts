import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  disturbedOrder,
  type Fields,
  fieldsOf,
  isFields,
  itemsOf,
  paramsOf,
  type PlacedOrder,
  quote,
  assertRefused,
  succeeded,
  targetNow,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import { formatTimestamp } from '../../../src/spec/forms.ts';
import type { RequirementId } from '../../../src/spec/requirements/index.ts';
import { acceptProposal } from '../../3-states/acceptance/proposal-acceptance.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { each } from '../../shared/check-table.ts';
import { settlementTimeoutMs, expiryLagMs, waits } from '../../shared/waits.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import { assertOffList, assertRead, assertOnList, makers, findRequest } from './listed-requests.ts';

const there = [
  'rfq.list.holds-new-request',
  'rfq.list.complete',
] as const satisfies readonly RequirementId[];

/** Whatever it brings about, a proposal that was accepted leaves the request open (gap `proposal.effect`). */
async function proposedOrder(t: CheckContext): Promise<PlacedOrder> {
  const order = await createOrder(t, {}, { proposal: 'leave' });
  const exchange = await acceptProposal(t, order);
  if (!succeeded(exchange)) t.notExercised('the proposal could not be accepted', [exchange]);
  return order;
}

const listed = each(
  [
    { id: 'plain', changes: {}, by: 'sender' },
    { id: 'of-outsider', changes: {}, by: 'outsider' },
    {
      id: 'other-currencies',
      changes: { source_currency: 'GBP', target_currency: 'CHF' },
      by: 'sender',
    },
    { id: 'of-accepted-proposal', changes: {}, by: 'sender', accepting: ['sender_custodian'] },
  ] as const,
  ({ id, changes, by, ...rest }) =>
    defineCheck({
      id: `rfq.list.${id}`,
      title: `A new request (${id}) is on every maker's list, and still there for the others once one has quoted.`,
      requirements: [
        ...there,
        'rfq.list.same-for-every-maker',
        'rfq.list.still-listed-once-quoted',
        'rfq.read.returns-that-request',
        'rfq.read.agrees-with-list',
      ],
      needs: {
        parties: [by, ...makers, ...('accepting' in rest ? rest.accepting : [])],
        waitMs: 10_000,
      },
      async run(t) {
        const second = await createOrder(t, {}, { by });
        const order =
          'accepting' in rest ? await proposedOrder(t) : await createOrder(t, changes, { by });
        for (const maker of makers) {
          const requirements =
            maker === 'maker_a' ? there : [...there, 'rfq.list.same-for-every-maker' as const];
          const item = await assertOnList(t, maker, order, requirements, 'after its creation');
          await assertRead(t, maker, order, item);
        }
        await quote(t, 'maker_b', order);
        const others = ['maker_a', 'maker_c'] as const;
        for (const maker of others) {
          const requirement = ['rfq.list.still-listed-once-quoted'] as const;
          const item = await assertOnList(t, maker, order, requirement, 'once another had quoted');
          await assertRead(t, maker, order, item);
        }
        await quote(t, 'maker_c', order);
        const requirement = ['rfq.list.still-listed-once-quoted'] as const;
        await assertOnList(t, 'maker_a', order, requirement, 'once both others had quoted');
        await assertOnList(t, 'maker_a', second, there, 'beside one that was quoted');
      },
    }),
);

const left = each(
  [
    { id: 'accepted', by: 'sender', requirement: 'rfq.list.accepted-order-left' },
    {
      id: 'accepted-by-custodian',
      by: 'sender_custodian',
      requirement: 'rfq.list.accepted-order-left',
    },
    { id: 'cancelled', by: undefined, requirement: 'order.cancel.request-closes' },
  ] as const,
  ({ id, by, requirement }) =>
    defineCheck({
      id: `rfq.list.left.${id}`,
      title: `A request whose order is ${id} leaves every maker's list; the one beside it stays.`,
      requirements: [requirement, ...there],
      needs: { parties: ['sender', ...(by ? [by] : []), ...makers], waitMs: 10_000 },
      async run(t) {
        const beside = await createOrder(t);
        const order = await createOrder(t);
        for (const maker of makers)
          await assertOnList(t, maker, order, there, 'after its creation');
        const placed = await quote(t, 'maker_a', order);
        await quote(t, 'maker_b', order);
        if (by) await accept(t, order, placed, by);
        else await cancelOrder(t, order);
        for (const maker of makers)
          await assertOffList(t, maker, order, requirement, `though it was ${id}`);
        await assertOnList(t, 'maker_c', beside, there, `though only another was ${id}`);
      },
    }),
);

const expired = defineCheck({
  id: 'rfq.list.left.expired',
  title:
    "Requests whose orders have expired, quoted or not, leave every maker's list and take no quote.",
  requirements: ['rfq.list.expired-order-left', 'quote.submit.expired-request-refused'],
  needs: { parties: ['sender', ...makers], waitMs: waits.orderExpiry },
  async run(t) {
    const bare = await createOrder(t);
    const quoted = await createOrder(t);
    for (const maker of makers) await findRequest(t, maker, bare, 'there');
    await quote(t, 'maker_a', quoted);
    // The twin of what comes: while it lasts, the request takes a quote.
    const yes = await quote(t, 'maker_c', bare);
    // Two orders of one moment need not live as long as each other.
    for (const order of [bare, quoted]) await untilExpired(t, order, expiryLagMs);
    for (const order of [bare, quoted]) {
      for (const maker of makers) {
        await assertOffList(
          t,
          maker,
          order,
          'rfq.list.expired-order-left',
          'though it had expired',
        );
      }
    }
    for (const [maker, order] of [
      ['maker_b', bare],
      ['maker_a', bare],
      ['maker_c', quoted],
    ] as const) {
      const body = { ...yes.sent, valid_until: formatTimestamp(targetNow(t).latest + 30_000) };
      const no = await t.party(maker).call('quote.submit', { params: paramsOf(order), body });
      assertRefused(t, 'quote.submit.expired-request-refused', no, 'a quote on an expired request');
    }
  },
});

const withdrawn = defineCheck({
  id: 'rfq.list.left.withdrawn',
  title:
    "A request whose order the operator has withdrawn leaves every maker's list; the one beside it stays.",
  requirements: ['rfq.list.failed-order-left', ...there],
  needs: {
    parties: ['sender', ...makers],
    controls: ['withdraw_order'],
    waitMs: 10_000 + settlementTimeoutMs,
  },
  async run(t) {
    const beside = await createOrder(t);
    const order = await disturbedOrder(t, 'withdraw_order');
    const ended = await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    if (!ended) t.notExercised('the order was not withdrawn while it was PENDING');
    for (const maker of makers)
      await assertOffList(t, maker, order, 'rfq.list.failed-order-left', 'though it was withdrawn');
    await assertOnList(t, 'maker_c', beside, there, 'though only another was withdrawn');
  },
});

/** What a maker is shown of a request says nothing of whose it is: judged by rules, brought about here. */
const fresh = defineCheck({
  id: 'rfq.read.after-quotes',
  title: 'A request that was quoted, by this maker and by others, is read the same as before.',
  requirements: ['rfq.read.returns-that-request', 'rfq.read.agrees-with-list'],
  needs: { parties: ['sender', ...makers] },
  async run(t) {
    const order = await createOrder(t, {
      target_amount: '777.25',
      source_amount_max: '1999.50',
    });
    for (const maker of makers) {
      const item = await findRequest(t, maker, order, 'there');
      await assertRead(t, maker, order, item.item);
      await quote(t, maker, order);
      const again = await t.party(maker).call('rfq.read', { params: paramsOf(order) });
      const pages = itemsOf(await t.party(maker).call('rfq.quotes', { params: paramsOf(order) }));
      if (succeeded(again) && isFields(fieldsOf(again)) && pages.length > 0) {
        await assertRead(t, maker, order, item.item);
      }
    }
  },
});

/** Orders that are like others in all that a maker sees, or nearly so. */
const unusual = each(
  [
    {
      id: 'one-custodian',
      title: 'one custodian on both sides',
      changes: (t: CheckContext): Fields => ({
        receiver_custodian_party_id: t.party('sender_custodian').partyId,
      }),
    },
    {
      id: 'many-decimals',
      title: 'an amount of nine decimals, where such are taken,',
      changes: (): Fields => ({ target_amount: '1234.567890123', source_amount_max: '98765.43' }),
    },
  ] as const,
  ({ id, title, changes }) =>
    defineCheck({
      id: `rfq.list.unusual.${id}`,
      title: `The request of an order with ${title} is on every maker's list.`,
      requirements: ['rfq.list.holds-new-request'],
      needs: { parties: ['sender', 'sender_custodian', ...makers] },
      async run(t) {
        const order = await createOrder(t, changes(t));
        for (const maker of makers) {
          const requirements = ['rfq.list.holds-new-request'] as const;
          await assertOnList(t, maker, order, requirements, 'after its creation');
        }
      },
    }),
);

export const requestChecks: readonly Check[] = [
  ...listed,
  ...unusual,
  ...left,
  withdrawn,
  expired,
  fresh,
];
