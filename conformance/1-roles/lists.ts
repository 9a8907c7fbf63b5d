import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  cancel,
  endsOfList,
  findInList,
  isFields,
  isOrder,
  type PlacedOrder,
  quote,
  readOrder,
  succeeded,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { lagMs } from '../3-states/words.ts';
import { settlementWaitMs, untilSettled } from '../deeds.ts';
import {
  exchanged,
  isThere,
  joint,
  orderBetween,
  rotated,
  type Sides,
  sidesNeed,
  usual,
} from './sides.ts';

/** How far both orders have come when the lists are looked at. */
type Stage = 'pending' | 'quoted' | 'accepted' | 'settled' | 'cancelled';

/** How a list is asked for: whole, or by the state that the order is in. */
const queries = (status: string): readonly Readonly<Record<string, string>>[] => [{}, { status }];

async function bring(trial: Trial, order: PlacedOrder, stage: Stage, by: CastName): Promise<void> {
  if (stage === 'pending') return;
  if (stage === 'cancelled') return void (await cancel(trial, order));
  const placed = await quote(trial, 'maker_a', order);
  if (stage === 'quoted') return;
  await accept(trial, order, placed, by);
  if (stage === 'settled') await untilSettled(trial, order);
}

/** Judges that an order is nowhere where a new one would stand in somebody's list. */
async function judgeAbsent(
  trial: Trial,
  by: CastName,
  requirement: RequirementId,
  order: PlacedOrder,
  status: string,
): Promise<void> {
  for (const query of queries(status)) {
    const { items, pages } = await endsOfList(trial, trial.party(by), 'order.list', { query });
    const found = items.find(isOrder(order));
    if (!found && !pages.every(succeeded)) {
      trial.undecided(requirement, 'the list could not be had');
      continue;
    }
    trial.judge(requirement, !found, {
      message: `The list of ${by} held an order that it has no part in.`,
      expected: 'no order of others',
      actual: found,
      seen: pages,
    });
  }
}

/** Judges that an order is in somebody's list, whole and filtered by the state it is in. */
async function judgeListed(
  trial: Trial,
  by: CastName,
  requirement: RequirementId,
  order: PlacedOrder,
  status: string,
): Promise<void> {
  for (const query of queries(status)) {
    const find = () => findInList(trial, trial.party(by), 'order.list', isOrder(order), { query });
    let found = await find();
    if (!found.item) {
      await trial.target.timeline.sleep(lagMs);
      found = await find();
    }
    // An order that has left its state by now need not be there, and its list has moved for that.
    if (!found.item && 'status' in query && (await statusOf(trial, order)) !== status) continue;
    if (!found.item && found.ended !== 'whole') {
      trial.undecided(requirement, 'not all of the list could be had');
      continue;
    }
    trial.judge(requirement, found.item !== undefined, {
      message: `The list of ${by} did not hold an order that it has a part in.`,
      expected: order.intentId,
      seen: found.pages,
    });
  }
}

const statusOf = async (trial: Trial, order: PlacedOrder): Promise<string> => {
  const { data } = await readOrder(trial, order, order.by);
  return isFields(data) ? (textOf(data, 'status') ?? '') : '';
};

interface Row {
  readonly sides: Sides;
  readonly stage: Stage;
}

const rows: readonly Row[] = [
  { sides: usual, stage: 'pending' },
  { sides: exchanged, stage: 'quoted' },
  { sides: rotated, stage: 'quoted' },
  { sides: usual, stage: 'settled' },
  { sides: rotated, stage: 'settled' },
  { sides: exchanged, stage: 'cancelled' },
  { sides: rotated, stage: 'cancelled' },
  { sides: joint, stage: 'quoted' },
];

const checkOf = ({ sides, stage }: Row): Check =>
  defineCheck({
    id: `access.lists.${sides.id}.${stage}`,
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
          ...sidesNeed(sides),
          ...(stage === 'pending' || stage === 'cancelled' ? [] : (['maker_a'] as const)),
        ]),
      ],
      ...(stage === 'settled' && { waitMs: settlementWaitMs }),
    },
    async run(trial) {
      const { creator, rival, keeper, stranger } = sides;
      const order = await orderBetween(trial, sides);
      const other = isThere(trial, rival)
        ? await orderBetween(trial, { ...sides, creator: rival, rival: creator })
        : undefined;
      const accepter = sides.id === 'rotated' ? keeper : creator;
      await bring(trial, order, stage, accepter);
      const status = await statusOf(trial, order);
      await judgeListed(trial, creator, 'order.list.complete', order, status);
      if (isThere(trial, keeper)) {
        await judgeListed(trial, keeper, 'order.list.sender-custodian-included', order, status);
      }
      if (isThere(trial, stranger)) {
        await judgeAbsent(trial, stranger, 'order.list.custodied-only', order, status);
      }
      if (!other) return;
      await judgeAbsent(trial, rival, 'order.list.own-only', order, status);
      await judgeAbsent(trial, creator, 'order.list.own-only', other, 'PENDING');
      await judgeListed(trial, rival, 'order.list.complete', other, 'PENDING');
    },
  });

export const listChecks: readonly Check[] = rows.map(checkOf);
