import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  cancel,
  fieldsOf,
  findInList,
  firstAndLastPage,
  matchesOrder,
  type PlacedOrder,
  quote,
  readOrder,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { viewLagMs } from '../shared/waits.ts';
import { sendRequest, settlementWaitMs, untilSettled } from '../shared/endpoint-operations.ts';
import {
  isDeclared,
  orderBetween,
  type OrderParties,
  requiredParties,
  rotatedCustodians,
  sharedCustodian,
  swappedInstitutions,
  usualParties,
} from './order-parties.ts';

/** Stage of the order when the lists are read. */
type Stage = 'pending' | 'quoted' | 'settled' | 'cancelled';

async function bring(t: CheckContext, order: PlacedOrder, stage: Stage, accepter: CastName) {
  if (stage === 'pending') return;
  if (stage === 'cancelled') return void (await cancel(t, order));
  const placed = await quote(t, 'maker_a', order);
  if (stage === 'quoted') return;
  await accept(t, order, placed, accepter);
  await untilSettled(t, order);
}

/** Whole, and filtered by the state that the order is in. */
const queriesFor = (order: PlacedOrder, status: string) => [
  { order, query: {} },
  { order, query: { status } },
];

type Wanted = ReturnType<typeof queriesFor>[number];

/** Reads a list up to an order. If the order is missing, reads it and the list again, since a list may lag. */
async function find(t: CheckContext, by: CastName, { order, query }: Wanted): Promise<void> {
  const once = () => findInList(t, t.party(by), 'order.list', matchesOrder(order), { query });
  if ((await once()).item) return;
  await sendRequest(t, by, 'order.read', { order });
  await t.target.timeline.sleep(viewLagMs);
  await once();
  await sendRequest(t, by, 'order.read', { order });
}

const rows: readonly { readonly orderParties: OrderParties; readonly stage: Stage }[] = [
  { orderParties: usualParties, stage: 'pending' },
  { orderParties: swappedInstitutions, stage: 'quoted' },
  { orderParties: rotatedCustodians, stage: 'quoted' },
  { orderParties: usualParties, stage: 'settled' },
  { orderParties: rotatedCustodians, stage: 'settled' },
  { orderParties: swappedInstitutions, stage: 'cancelled' },
  { orderParties: rotatedCustodians, stage: 'cancelled' },
  { orderParties: sharedCustodian, stage: 'quoted' },
];

/** 4.2, 4.3: an institution lists its own orders, a custodian those that it custodies. */
export const whoFindsInListChecks = rows.map<Check>(({ orderParties, stage }) => ({
  id: `access.lists.${orderParties.id}.${stage}`,
  title: `With two institutions' orders side by side, each finds its own in its list, and custodians those that they keep (${stage}).`,
  requirements: [
    'order.list.own-only',
    'order.list.custodied-only',
    'order.list.sender-custodian-included',
    'order.list.complete',
  ],
  needs: {
    parties: [
      ...requiredParties(orderParties),
      ...(stage === 'pending' || stage === 'cancelled' ? [] : (['maker_a'] as const)),
    ],
    ...(stage === 'settled' && { waitMs: settlementWaitMs }),
  },
  async run(t) {
    const { creator, otherInstitution, keeper, otherCustodian } = orderParties;
    const order = await orderBetween(t, orderParties);
    const other = isDeclared(t, otherInstitution)
      ? await orderBetween(t, {
          ...orderParties,
          creator: otherInstitution,
          otherInstitution: creator,
        })
      : undefined;
    await bring(t, order, stage, orderParties.id === 'rotated' ? keeper : creator);
    const { exchange } = await readOrder(t, order, order.by);
    const lists = queriesFor(order, textOf(fieldsOf(exchange), 'status') ?? '');
    const owners = [creator, keeper].filter((by) => isDeclared(t, by));
    for (const wanted of lists) for (const by of owners) await find(t, by, wanted);
    const others = [otherInstitution, otherCustodian].filter((by) => isDeclared(t, by));
    for (const by of others) {
      for (const { query } of lists) {
        await firstAndLastPage(t, t.party(by), 'order.list', { query });
      }
    }
    if (!other) return;
    for (const wanted of queriesFor(other, 'PENDING')) {
      await firstAndLastPage(t, t.party(creator), 'order.list', { query: wanted.query });
      await find(t, otherInstitution, wanted);
    }
  },
}));
