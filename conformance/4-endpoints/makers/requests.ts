import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  disturbedOrder,
  type Fields,
  paramsOf,
  type PlacedOrder,
  quote,
  readOrder,
  succeeded,
  targetNow,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import { formatTimestamp } from '../../../src/spec/forms.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { acceptProposal } from '../../3-states/acceptance/proposal-acceptance.ts';
import { untilNear } from '../../shared/order-expiry.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { settlementTimeoutMs, expiryLagMs, waits } from '../../shared/waits.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import { findAndRead, findRequest, listAndRead, makers } from './listed-requests.ts';
import { rows } from '../../shared/check-table.ts';

const there = [
  'rfq.list.holds-new-request',
  'rfq.list.complete',
] as const satisfies readonly RequirementId[];
const readable = [
  'rfq.read.returns-that-request',
  'rfq.read.agrees-with-list',
] as const satisfies readonly RequirementId[];

/** An order whose proposal was accepted. That leaves its request open, whatever the answer to gap `proposal.effect`. */
async function proposedOrder(t: CheckContext): Promise<PlacedOrder> {
  const order = await createOrder(t, {}, { proposal: 'leave' });
  const exchange = await acceptProposal(t, order);
  if (!succeeded(exchange)) t.notExercised('the proposal could not be accepted', [exchange]);
  return order;
}

type Create = (t: CheckContext) => Promise<PlacedOrder>;
const ofFields = (fields: Fields) => (t: CheckContext) => createOrder(t, fields);
const sameCustodian: Create = (t) =>
  createOrder(t, { receiver_custodian_party_id: t.party('sender_custodian').partyId });
const manyDecimals = { target_amount: '1234.567890123', source_amount_max: '98765.43' };

/** Kinds of new requests: name, further parties, and creation. */
const newRequests: readonly (readonly [string, readonly CastName[], Create])[] = [
  ['plain', ['sender'], ofFields({})],
  ['of-outsider', ['sender', 'outsider'], (t) => createOrder(t, {}, { by: 'outsider' })],
  ['other-currencies', ['sender'], ofFields({ source_currency: 'GBP', target_currency: 'CHF' })],
  ['of-accepted-proposal', ['sender', 'sender_custodian'], proposedOrder],
  ['unusual.one-custodian', ['sender', 'sender_custodian'], sameCustodian],
  ['unusual.many-decimals', ['sender'], ofFields(manyDecimals)],
];

/** 4.4: the list holds the active requests, the same for every maker, and each can be read. */
const listed = newRequests.map<Check>(([id, parties, create]) => ({
  id: `rfq.list.${id}`,
  title: `A new request (${id}) is on every maker's list, and still there for the others once one has quoted.`,
  requirements: [
    ...there,
    'rfq.list.same-for-every-maker',
    'rfq.list.still-listed-once-quoted',
    ...readable,
  ],
  needs: { parties: [...parties, ...makers], waitMs: 10_000 },
  async run(t) {
    await createOrder(t);
    const order = await create(t);
    // Whole lists are walked over for the usual ones: of the others nothing but their own place can differ.
    await (id === 'plain' || id === 'of-outsider' ? listAndRead : findAndRead)(t, order);
    await quote(t, 'maker_b', order);
    await findAndRead(t, order, ['maker_a', 'maker_c']);
    await quote(t, 'maker_c', order);
    await findAndRead(t, order, ['maker_a']);
  },
}));

const lookUntilGone = async (t: CheckContext, order: PlacedOrder): Promise<void> => {
  for (const maker of makers) await findRequest(t, maker, order, 'gone');
};

/** 4.4: a request that takes no more quotes leaves the list; another one stays. */
const left = rows(
  { id: 'accepted', by: 'sender', requirement: 'rfq.list.accepted-order-left' },
  {
    id: 'accepted-by-custodian',
    by: 'sender_custodian',
    requirement: 'rfq.list.accepted-order-left',
  },
  { id: 'cancelled', by: undefined, requirement: 'order.cancel.request-closes' },
).map<Check>(({ id, by, requirement }) => ({
  id: `rfq.list.left.${id}`,
  title: `A request whose order is ${id} leaves every maker's list; the one beside it stays.`,
  requirements: [requirement, ...there],
  needs: { parties: ['sender', ...(by ? [by] : []), ...makers], waitMs: 10_000 },
  async run(t) {
    const beside = await createOrder(t);
    const order = await createOrder(t);
    await findAndRead(t, order);
    const placed = await quote(t, 'maker_a', order);
    await quote(t, 'maker_b', order);
    if (by) await accept(t, order, placed, by);
    else await cancelOrder(t, order);
    await lookUntilGone(t, order);
    await listAndRead(t, beside, ['maker_c']);
  },
}));

/** 3.1, 4.4: an order that the operator withdraws has failed, and its request is not active any more. */
const withdrawn: Check = {
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
    await lookUntilGone(t, order);
    await listAndRead(t, beside, ['maker_c']);
  },
};

/** 3.1, 4.4: an order that expires takes its request with it: it is listed no more, and takes no quote. */
const expired: Check = {
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
    // The control case: while it lasts, the request takes a quote.
    const taken = await quote(t, 'maker_c', bare);
    // Two orders of one moment need not live as long as each other.
    for (const order of [bare, quoted]) await untilExpired(t, order, expiryLagMs);
    for (const order of [bare, quoted]) {
      await readOrder(t, order);
      await lookUntilGone(t, order);
    }
    for (const [maker, order] of [
      ['maker_b', bare],
      ['maker_a', bare],
      ['maker_c', quoted],
    ] as const) {
      const body = { ...taken.sent, valid_until: formatTimestamp(targetNow(t).latest + 30_000) };
      await t.party(maker).call('quote.submit', { params: paramsOf(order), body });
    }
  },
};

/** 4.4: a request is active while its order is PENDING, whatever the states of its quotes. */
const lapsed: Check = {
  id: 'rfq.list.all-quotes-lapsed',
  title:
    'A request whose quotes have all lapsed is listed for a maker that has not quoted, who can read it.',
  requirements: ['rfq.list.still-listed-once-quoted', ...readable],
  needs: { parties: ['sender', ...makers], waitMs: waits.quoteExpiry },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order, { validForMs: 1_500 });
    const { validUntil } = await quote(t, 'maker_b', order, { validForMs: 1_500 });
    const { timeline, clock } = t.target;
    await timeline.until(validUntil - clock.offset.least + expiryLagMs);
    const { data, exchange } = await readOrder(t, order);
    if (stateOf(data) !== 'PENDING')
      t.notExercised('the order did not outlast its quotes', [exchange]);
    await listAndRead(t, order, ['maker_c']);
  },
};

/** Near enough to a deadline that a list which closes early has closed, and far enough to be asked twice. */
const beforeEndMs = 4_000;

/** 4.4: and it is active up to the deadline of the order, not in its youth only. */
const untilTheEnd: Check = {
  id: 'rfq.list.until-the-end',
  title: 'Some seconds before its order expires a request is still listed, and can be read.',
  requirements: ['rfq.list.holds-new-request', ...readable],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    await untilNear(t, order, beforeEndMs);
    await listAndRead(t, order, ['maker_a']);
  },
};

/** 4.4: a request reads the same before and after it was quoted. */
const quoted = rows(
  { id: 'after-quotes', by: makers, title: 'by this maker and by others, is read as before' },
  { id: 'once-quoted', by: ['maker_a'], title: 'and is listed still, can be read by its maker' },
).map<Check>(({ id, by, title }) => ({
  id: `rfq.read.${id}`,
  title: `A request that was quoted, ${title}.`,
  requirements: readable,
  needs: { parties: ['sender', ...by] },
  async run(t) {
    const order = await createOrder(t, {
      target_amount: '777.25',
      source_amount_max: '1999.50',
    });
    for (const maker of by) {
      await findAndRead(t, order, [maker]);
      await quote(t, maker, order);
      await findAndRead(t, order, [maker]);
    }
  },
}));

export const requestChecks: readonly Check[] = [
  ...listed,
  ...left,
  withdrawn,
  expired,
  lapsed,
  untilTheEnd,
  ...quoted,
];
