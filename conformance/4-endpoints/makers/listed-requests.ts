import type { CheckContext } from '../../../src/suite/engine/check.ts';
import {
  findInList,
  type FoundItem,
  matchesOrder,
  pollUntil,
  paramsOf,
  type PlacedOrder,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { walkUnchanged } from '../lists/list-walks.ts';

export const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** Looks for a request on a maker's list, until it is there (or gone) or one backend has had its time to catch up. */
export const findRequest = (
  t: CheckContext,
  maker: CastName,
  order: PlacedOrder,
  expected: 'there' | 'gone',
): Promise<FoundItem> =>
  pollUntil(
    t,
    () => findInList(t, t.party(maker), 'rfq.list', matchesOrder(order)),
    ({ item }) => (item !== undefined) === (expected === 'there'),
  );

/** Maximum number of pages in a walk over requests: more than a run has open at a time. */
const mostPages = 12;

/** Looks for a request on the lists of makers, and reads it. */
export async function findAndRead(
  t: CheckContext,
  order: PlacedOrder,
  by: readonly CastName[] = makers,
): Promise<void> {
  for (const maker of by) {
    await findRequest(t, maker, order, 'there');
    await t.party(maker).call('rfq.read', { params: paramsOf(order) });
  }
}

/** Like `findAndRead`, but walks over each list to its end, which shows other missing items. */
export async function listAndRead(
  t: CheckContext,
  order: PlacedOrder,
  by: readonly CastName[] = makers,
): Promise<void> {
  for (const maker of by) {
    await findAndRead(t, order, [maker]);
    await walkUnchanged(t, { by: maker, endpoint: 'rfq.list' }, { mostPages });
  }
}
