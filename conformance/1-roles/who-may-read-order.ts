import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  cancel,
  disturbedOrder,
  orderBody,
  placedOrder,
  quote,
  untilExpired,
} from '../../src/suite/actions/index.ts';
import { needsOf, settlementTimeoutMs } from '../shared/waits.ts';
import { sendForbidden, servedRequirement } from '../shared/forbidden-requests.ts';
import {
  sendRequest,
  type Fixture,
  settlementWaitMs,
  untilSettled,
} from '../shared/endpoint-operations.ts';
import { idsOf, forbiddenRequests, permittedRequests } from './permissions.ts';
import {
  accepterFor,
  partyVariants,
  swappedInstitutions,
  isDeclared,
  orderBetween,
  type OrderParties,
  requiredParties,
  usualParties,
} from './order-parties.ts';

/** All parties ask for an order and its quotes: permitted and forbidden ones. */
async function readings(
  t: CheckContext,
  orderParties: OrderParties,
  fixture: Fixture,
  endpoints: readonly ('order.read' | 'order.quotes')[] = ['order.read', 'order.quotes'],
): Promise<void> {
  for (const endpoint of endpoints) {
    await sendForbidden(
      t,
      fixture,
      forbiddenRequests(t, endpoint, orderParties),
      permittedRequests(t, endpoint, orderParties),
    );
  }
}

/** Maximum delay until a deadline takes effect (gap `order.expiry_lag`). */
const expiryLagMs = 3_000;

/** Part 2: a party is its whole identifier; on another backend its name may be that of another. */
const namesake: Check = {
  id: 'access.relation.reads.same-name-custodian',
  title: "A custodian that has only its name in common with an order's may not read the order.",
  requirements: [
    'order.read.foreign-custodian-refused',
    'order.read.by-sender-custodian',
    servedRequirement,
  ],
  needs: { parties: ['sender', 'sender_custodian', 'outsider_custodian'] },
  async run(t) {
    const { partyId } = t.party('outsider_custodian');
    const other = `${partyId.slice(0, partyId.lastIndexOf('::'))}::${t.random.hex(40)}`;
    const body = orderBody(t, { receiver_custodian_party_id: other });
    const order = placedOrder(
      'sender',
      body,
      await t.party('sender').call('order.create', { body }),
    );
    if (!order) return t.outOfScope('custodians are known parties here (gap order.party_check)');
    const endpoint = 'order.read';
    await sendForbidden(
      t,
      { order },
      [{ by: 'outsider_custodian', endpoint }],
      [{ by: 'sender_custodian', endpoint }],
    );
  },
};

/** 4.2, 4.3: only the parties of a FAILED order may read it. */
const failed: Check = {
  id: 'access.relation.reads.usual.failed',
  title: 'Who has a part in an order reads it once its settlement has failed; nobody else does.',
  requirements: idsOf('order.read'),
  needs: {
    parties: ['sender', 'maker_a'],
    controls: ['fail_settlement'],
    waitMs: settlementWaitMs,
  },
  async run(t) {
    const order = await disturbedOrder(t, 'fail_settlement');
    await accept(t, order, await quote(t, 'maker_a', order), 'sender');
    const ended = await awaitStatus(t, order, ['FAILED'], settlementTimeoutMs);
    if (!ended) t.notExercised('the order did not fail');
    await readings(t, usualParties, { order }, ['order.read']);
  },
};

/** 4.2, 4.3: in each state only the permitted parties may read an order and its quotes. */
const readInEachState: readonly Check[] = [
  ...partyVariants.map((orderParties) => ({ orderParties, end: 'settled' as const })),
  { orderParties: usualParties, end: 'cancelled' as const },
  { orderParties: swappedInstitutions, end: 'expired' as const },
].map<Check>(({ orderParties, end }) => ({
  id: `access.relation.reads.${orderParties.id}.${end}`,
  title: `Who has a part in an order reads it and its quotes in each state until it is ${end}; nobody else does (${orderParties.id}).`,
  requirements: idsOf('order.read', 'order.quotes'),
  needs: needsOf(settlementWaitMs, ...requiredParties(orderParties), 'maker_a'),
  async run(t) {
    const order = await orderBetween(t, orderParties);
    const fixture = { order };
    await readings(t, orderParties, fixture);
    const placed = await quote(t, 'maker_a', order);
    if (isDeclared(t, 'maker_b')) await quote(t, 'maker_b', order);
    await readings(t, orderParties, fixture);
    if (end === 'cancelled') await cancel(t, order);
    else if (end === 'expired') await untilExpired(t, order, expiryLagMs);
    else await accept(t, order, placed, accepterFor(t, orderParties));
    await readings(t, orderParties, fixture);
    if (end !== 'settled') return;
    const executing =
      orderParties === usualParties && (await awaitStatus(t, order, ['EXECUTING'], 4_000));
    // The state may end before a party sees it.
    if (executing) await readings(t, orderParties, fixture);
    await untilSettled(t, order);
    await readings(t, orderParties, fixture);
    // Its permission is open (gap `access.receiver_quotes`). Rules compare its view, if it gets one, with the others.
    if (isDeclared(t, orderParties.receiver))
      await sendRequest(t, orderParties.receiver, 'order.quotes', fixture);
  },
}));

export const whoMayReadChecks: readonly Check[] = [...readInEachState, failed, namesake];
