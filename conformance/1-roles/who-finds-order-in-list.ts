import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  cancel,
  firstAndLastPage,
  findInList,
  isFields,
  matchesOrder,
  type PlacedOrder,
  quote,
  readOrder,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { viewLagMs } from '../shared/waits.ts';
import { settlementWaitMs, untilSettled } from '../shared/endpoint-operations.ts';
import {
  swappedInstitutions,
  isDeclared,
  sharedCustodian,
  orderBetween,
  rotatedCustodians,
  type OrderParties,
  requiredParties,
  usualParties,
} from './order-parties.ts';

/** How far both orders have come when the lists are looked at. */
type Stage = 'pending' | 'quoted' | 'accepted' | 'settled' | 'cancelled';

/** How a list is asked for: whole, or by the state that the order is in. */
const queries = (status: string): readonly Readonly<Record<string, string>>[] => [{}, { status }];

async function bring(
  t: CheckContext,
  order: PlacedOrder,
  stage: Stage,
  by: CastName,
): Promise<void> {
  if (stage === 'pending') return;
  if (stage === 'cancelled') return void (await cancel(t, order));
  const placed = await quote(t, 'maker_a', order);
  if (stage === 'quoted') return;
  await accept(t, order, placed, by);
  if (stage === 'settled') await untilSettled(t, order);
}

/** Judges that an order is nowhere where a new one would stand in somebody's list. */
async function assertAbsent(
  t: CheckContext,
  by: CastName,
  requirement: RequirementId,
  order: PlacedOrder,
  status: string,
): Promise<void> {
  for (const query of queries(status)) {
    const { items, pages } = await firstAndLastPage(t, t.party(by), 'order.list', { query });
    const found = items.find(matchesOrder(order));
    if (!found && !pages.every(succeeded)) {
      t.inconclusive(requirement, 'the list could not be had');
      continue;
    }
    t.assert(requirement, !found, {
      message: `The list of ${by} held an order that it has no part in.`,
      expected: 'no order of others',
      actual: found,
      seen: pages,
    });
  }
}

/** Judges that an order is in somebody's list, whole and filtered by the state it is in. */
async function assertListed(
  t: CheckContext,
  by: CastName,
  requirement: RequirementId,
  order: PlacedOrder,
  status: string,
): Promise<void> {
  for (const query of queries(status)) {
    const find = () => findInList(t, t.party(by), 'order.list', matchesOrder(order), { query });
    let found = await find();
    if (!found.item) {
      await t.target.timeline.sleep(viewLagMs);
      found = await find();
    }
    // An order that has left its state by now need not be there, and its list has moved for that.
    if (!found.item && 'status' in query && (await statusOf(t, order)) !== status) continue;
    if (!found.item && found.ended !== 'whole') {
      t.inconclusive(requirement, 'not all of the list could be had');
      continue;
    }
    t.assert(requirement, found.item !== undefined, {
      message: `The list of ${by} did not hold an order that it has a part in.`,
      expected: order.intentId,
      seen: found.pages,
    });
  }
}

const statusOf = async (t: CheckContext, order: PlacedOrder): Promise<string> => {
  const { data } = await readOrder(t, order, order.by);
  return isFields(data) ? (textOf(data, 'status') ?? '') : '';
};

interface Row {
  readonly orderParties: OrderParties;
  readonly stage: Stage;
}

const rows: readonly Row[] = [
  { orderParties: usualParties, stage: 'pending' },
  { orderParties: swappedInstitutions, stage: 'quoted' },
  { orderParties: rotatedCustodians, stage: 'quoted' },
  { orderParties: usualParties, stage: 'settled' },
  { orderParties: rotatedCustodians, stage: 'settled' },
  { orderParties: swappedInstitutions, stage: 'cancelled' },
  { orderParties: rotatedCustodians, stage: 'cancelled' },
  { orderParties: sharedCustodian, stage: 'quoted' },
];

const checkOf = ({ orderParties, stage }: Row): Check =>
  defineCheck({
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
        ...new Set([
          ...requiredParties(orderParties),
          ...(stage === 'pending' || stage === 'cancelled' ? [] : (['maker_a'] as const)),
        ]),
      ],
      ...(stage === 'settled' && { waitMs: settlementWaitMs }),
    },
    async run(t) {
      const { creator, rival, keeper, stranger } = orderParties;
      const order = await orderBetween(t, orderParties);
      const other = isDeclared(t, rival)
        ? await orderBetween(t, { ...orderParties, creator: rival, rival: creator })
        : undefined;
      const accepter = orderParties.id === 'rotated' ? keeper : creator;
      await bring(t, order, stage, accepter);
      const status = await statusOf(t, order);
      await assertListed(t, creator, 'order.list.complete', order, status);
      if (isDeclared(t, keeper)) {
        await assertListed(t, keeper, 'order.list.sender-custodian-included', order, status);
      }
      if (isDeclared(t, stranger)) {
        await assertAbsent(t, stranger, 'order.list.custodied-only', order, status);
      }
      if (!other) return;
      await assertAbsent(t, rival, 'order.list.own-only', order, status);
      await assertAbsent(t, creator, 'order.list.own-only', other, 'PENDING');
      await assertListed(t, rival, 'order.list.complete', other, 'PENDING');
    },
  });

export const whoFindsInListChecks: readonly Check[] = rows.map(checkOf);
