import type { CheckContext } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  type Fields,
  fieldsOf,
  findInList,
  type FoundItem,
  matchesOrder,
  pollUntil,
  proposalExcuseFor,
  paramsOf,
  type PlacedOrder,
  sameId,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import { equalValues } from '../../../src/protocol/equality.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { isSet } from '../../shared/order-fields.ts';

export const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** Looks for a request on a maker's list, until it is there (or gone) or one backend has had its time to catch up. */
export const findRequest = (
  t: CheckContext,
  maker: CastName,
  order: PlacedOrder,
  wanted: 'there' | 'gone',
): Promise<FoundItem> =>
  pollUntil(
    t,
    () => findInList(t, t.party(maker), 'rfq.list', matchesOrder(order)),
    ({ item }) => (item !== undefined) === (wanted === 'there'),
  );

/** Judges that a request is on a maker's list; what an unfinished walk left out shows nothing. */
export async function assertOnList(
  t: CheckContext,
  maker: CastName,
  order: PlacedOrder,
  requirements: readonly RequirementId[],
  when: string,
): Promise<Fields | undefined> {
  const { item, ended, pages } = await findRequest(t, maker, order, 'there');
  const latest = (pages.at(-1)?.received ?? 0) + t.target.clock.offset.most;
  if (!item && (ended !== 'whole' || latest >= (order.expiresAt ?? 0))) return undefined;
  const silent = item ? undefined : proposalExcuseFor(t, order.intentId);
  for (const requirement of requirements) {
    if (silent !== undefined) t.inconclusive(requirement, silent);
    else
      t.assert(requirement, item !== undefined, {
        message: `A request was not among the active ones of ${maker} ${when}.`,
        expected: order.intentId,
        seen: pages.slice(-3),
      });
  }
  return item;
}

export async function assertOffList(
  t: CheckContext,
  maker: CastName,
  order: PlacedOrder,
  requirement: RequirementId,
  when: string,
): Promise<void> {
  const { item, ended, pages } = await findRequest(t, maker, order, 'gone');
  if (!item && ended !== 'whole') return;
  t.assert(requirement, item === undefined, {
    message: `A request was still among the active ones of ${maker} ${when}.`,
    expected: 'no such request',
    actual: item,
    seen: pages.slice(-2),
  });
}

/** Reads one request and judges that it is what the list shows. */
export async function assertRead(
  t: CheckContext,
  maker: CastName,
  order: PlacedOrder,
  listed: Fields | undefined,
): Promise<void> {
  const read = await t.party(maker).call('rfq.read', { params: paramsOf(order) });
  const latest = read.received + t.target.clock.offset.most;
  if (!succeeded(read) && latest >= (order.expiresAt ?? 0)) return;
  if (!assertAllowed(t, 'rfq.read.returns-that-request', read, 'a read of an active request'))
    return;
  const data = fieldsOf(read);
  const same = sameId(data, 'intent_id', order.intentId);
  t.assert('rfq.read.returns-that-request', same, {
    message: 'A read of one request returned another.',
    expected: order.intentId,
    actual: data['intent_id'],
    seen: [read],
  });
  if (!listed) return;
  const shared = [
    'intent_id',
    'created_at',
    'expires_at',
    'source_currency',
    'target_currency',
    'target_amount',
  ];
  const different = shared.filter(
    (name) =>
      isSet(listed, name) && !(isSet(data, name) && equalValues(name, listed[name], data[name])),
  );
  t.assert('rfq.read.agrees-with-list', different.length === 0, {
    message: `A request read by itself differed from the list in ${different.join(', ')}.`,
    expected: listed,
    actual: data,
    seen: [read],
  });
}
