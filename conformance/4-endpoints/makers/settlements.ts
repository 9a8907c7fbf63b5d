import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  type AcceptedOrder,
  assertAllowed,
  awaitStatus,
  createOrder,
  type Fields,
  fieldsOf,
  findInList,
  type FoundItem,
  retryWhileRefused,
  matchesOrder,
  isRefusal,
  paramsOf,
  quote,
  readOrder,
  assertRefused,
  sameId,
  settledOrder,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import { equalValues } from '../../../src/protocol/equality.ts';
import { Settlement } from '../../../src/spec/resources.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { each } from '../../shared/check-table.ts';
import { isSet, stateOf } from '../../shared/order-fields.ts';
import { viewLagMs, settlementTimeoutMs, waits } from '../../shared/waits.ts';

const findSettlement = (t: CheckContext, maker: CastName, intentId: string): Promise<FoundItem> =>
  findInList(t, t.party(maker), 'settlement.list', matchesOrder({ intentId }));

/** Judges that a trade that has settled is on its winner's list, and the same when read by itself. */
async function assertListed(t: CheckContext, intentId: string, winner: CastName): Promise<void> {
  let found = await findSettlement(t, winner, intentId);
  if (!found.item) {
    await t.target.timeline.sleep(viewLagMs);
    found = await findSettlement(t, winner, intentId);
  }
  if (!found.item && found.ended !== 'whole') return;
  t.assert('settlement.list.holds-won', found.item !== undefined, {
    message: 'A trade that had settled was not among the settlements of the maker that won it.',
    expected: intentId,
    seen: found.pages.slice(-3),
  });
  const read = await t.party(winner).call('settlement.read', { params: { intent_id: intentId } });
  if (!assertAllowed(t, 'settlement.read.returns-that-settlement', read, 'a won settlement'))
    return;
  const data = fieldsOf(read);
  const same = sameId(data, 'intent_id', intentId);
  t.assert('settlement.read.returns-that-settlement', same, {
    message: 'A read of one settlement returned another.',
    expected: intentId,
    actual: data['intent_id'],
    seen: [read],
  });
  const { item } = found;
  if (!item) return;
  const different = Object.keys(Settlement.properties).filter((name) => {
    if (!isSet(item, name) && !isSet(data, name)) return false;
    return !isSet(item, name) || !isSet(data, name) || !equalValues(name, item[name], data[name]);
  });
  t.assert('settlement.read.agrees-with-list', different.length === 0, {
    message: `A settlement read by itself differed from the list in ${different.join(', ')}.`,
    expected: item,
    actual: data,
    seen: [read, ...found.pages.slice(-1)],
  });
}

const won = each(
  [
    { maker: 'maker_a', acceptedBy: 'sender', rate: '1' },
    { maker: 'maker_b', acceptedBy: 'sender_custodian', rate: '1' },
    { maker: 'maker_c', acceptedBy: 'sender', rate: '1.0372' },
    { maker: 'maker_a', acceptedBy: 'sender_custodian', rate: '0.98765' },
  ] as const,
  ({ maker, acceptedBy, rate }) =>
    defineCheck({
      id: `settlement.list.${maker}.${acceptedBy}`,
      title: `Trades that ${maker} won at ${rate} and ${acceptedBy} accepted are settlements of ${maker} once settled.`,
      requirements: [
        'settlement.list.holds-won',
        'settlement.read.returns-that-settlement',
        'settlement.read.agrees-with-list',
      ],
      needs: {
        parties: [...new Set<CastName>(['sender', acceptedBy, maker])],
        waitMs: 2 * waits.settlement,
      },
      async run(t) {
        const first = await settledOrder(t, { maker, acceptedBy, rate });
        await assertListed(t, first.order.intentId, maker);
        const second = await settledOrder(t, { maker, acceptedBy, rate });
        for (const { order } of [second, first]) await assertListed(t, order.intentId, maker);
      },
    }),
);

/** Judges that an order that has not settled is no settlement: neither listed nor to be read. */
async function assertNone(
  t: CheckContext,
  maker: CastName,
  intentId: string,
  requirement: 'settlement.list.settled-only' | 'settlement.list.failed-left-out',
  when: string,
): Promise<void> {
  const { item, ended, pages } = await findSettlement(t, maker, intentId);
  if (!item && ended !== 'whole') return;
  t.assert(requirement, item === undefined, {
    message: `A trade was among the settlements ${when}.`,
    expected: 'no such settlement',
    actual: item,
    seen: pages.slice(-2),
  });
}

const early = each(['sender', 'sender_custodian'] as const, (acceptedBy) =>
  defineCheck({
    id: `settlement.list.early.${acceptedBy}`,
    title: `Until a trade that ${acceptedBy} accepted has settled, it is no settlement of its maker.`,
    requirements: ['settlement.list.settled-only', 'settlement.read.unsettled-refused'],
    needs: {
      parties: [...new Set<CastName>(['sender', acceptedBy, 'maker_a'])],
      waitMs: waits.settlement,
    },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_a', order);
      await assertNone(
        t,
        'maker_a',
        order.intentId,
        'settlement.list.settled-only',
        'while its order was PENDING',
      );
      const params = paramsOf(order);
      const no = await t.party('maker_a').call('settlement.read', { params });
      const still = stateOf((await readOrder(t, order)).data) === 'PENDING';
      if (still)
        assertRefused(
          t,
          'settlement.read.unsettled-refused',
          no,
          'the settlement of a PENDING order',
        );
      const accepted: AcceptedOrder = {
        order,
        quote: placed,
        acceptance: await acceptOf(t, order, placed, acceptedBy),
      };
      for (let look = 0; look < 4; look += 1) {
        const { item, ended, pages } = await findSettlement(t, 'maker_a', order.intentId);
        // Where it is shown already, it must be whole: the rules look.
        await t.party('maker_a').call('settlement.read', { params });
        // Read after the list: what is not SETTLED even now, was not when the list was made.
        const after = await readOrder(t, accepted.order);
        const state = stateOf(after.data);
        if (state === 'SETTLED') return;
        if (item || ended === 'whole') {
          // The sender's backend may lag behind the maker's.
          const late = item && (await settlesWithin(t, accepted, viewLagMs));
          if (late) t.inconclusive('settlement.list.settled-only', 'one backend may lag');
          else
            t.assert('settlement.list.settled-only', item === undefined, {
              message: `A trade was among the settlements while its order was ${state}.`,
              expected: 'no such settlement',
              actual: item,
              seen: [...pages.slice(-1), after.exchange],
            });
        }
        await t.target.timeline.sleep(800);
      }
    },
  }),
);

const acceptOf = async (
  t: CheckContext,
  order: AcceptedOrder['order'],
  placed: AcceptedOrder['quote'],
  by: CastName,
): Promise<AcceptedOrder['acceptance']> => {
  const params = { ...paramsOf(order), quote_id: placed.quoteId };
  const exchange = await t.party(by).call('quote.accept', { params });
  if (!succeeded(exchange)) t.notExercised('the quote could not be accepted', [exchange]);
  return { data: fieldsOf(exchange), exchange };
};

const settlesWithin = async (
  t: CheckContext,
  { order }: AcceptedOrder,
  withinMs: number,
): Promise<boolean> => (await awaitStatus(t, order, ['SETTLED'], withinMs)) !== undefined;

const never: readonly Check[] = [
  defineCheck({
    id: 'settlement.read.unknown',
    title:
      'An id that no settlement has is refused to every maker; a settlement of its own is read.',
    requirements: ['settlement.read.unknown-refused', 'settlement.read.unsettled-refused'],
    needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: waits.settlement },
    async run(t) {
      const pending = await createOrder(t);
      const { order } = await settledOrder(t, { maker: 'maker_a' });
      const maker = t.party('maker_a');
      const real = await retryWhileRefused(t, () =>
        maker.call('settlement.read', { params: paramsOf(order) }),
      );
      if (isRefusal(real)) t.notExercised('the real settlement was not read either', [real]);
      for (const maker of ['maker_a', 'maker_b'] as const) {
        const params = { intent_id: t.random.uuid() };
        const no = await t.party(maker).call('settlement.read', { params });
        assertRefused(t, 'settlement.read.unknown-refused', no, 'the settlement of no order');
        const early = await t.party(maker).call('settlement.read', { params: paramsOf(pending) });
        assertRefused(
          t,
          'settlement.read.unsettled-refused',
          early,
          'that of an order without quotes',
        );
      }
    },
  }),
  defineCheck({
    id: 'settlement.list.cancelled',
    title: 'An order that was cancelled, quoted or not, is no settlement of anybody.',
    requirements: ['settlement.list.settled-only'],
    needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 10_000 },
    async run(t) {
      const order = await createOrder(t);
      await quote(t, 'maker_a', order);
      await cancelOrder(t, order);
      await t.target.timeline.sleep(6_000);
      // The rules judge that both sides still find the quote there.
      await t.party('sender').call('order.quotes', { params: paramsOf(order) });
      await t.party('maker_a').call('rfq.quotes', { params: paramsOf(order) });
      for (const maker of ['maker_a', 'maker_b'] as const) {
        await assertNone(
          t,
          maker,
          order.intentId,
          'settlement.list.settled-only',
          'though its order was cancelled',
        );
      }
    },
  }),
  defineCheck({
    id: 'settlement.list.others',
    title:
      'A settled trade is on the list of the maker that won it, and of no maker that quoted it too.',
    requirements: ['settlement.list.won-only', 'settlement.list.holds-won'],
    needs: { parties: ['sender', 'maker_a', 'maker_b', 'maker_c'], waitMs: waits.settlement },
    async run(t) {
      const order = await createOrder(t);
      await quote(t, 'maker_a', order);
      const winner = await quote(t, 'maker_b', order);
      await acceptOf(t, order, winner, 'sender');
      if (!(await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs)))
        t.notExercised('the order did not settle');
      await t.target.timeline.sleep(viewLagMs);
      for (const maker of ['maker_a', 'maker_c'] as const) {
        const { item, ended, pages } = await findSettlement(t, maker, order.intentId);
        if (!item && ended !== 'whole') continue;
        t.assert('settlement.list.won-only', item === undefined, {
          message: `A trade that maker_b won was among the settlements of ${maker}.`,
          expected: 'no such settlement',
          actual: item satisfies Fields | undefined,
          seen: pages.slice(-1),
        });
      }
      const found = await findSettlement(t, 'maker_b', order.intentId);
      if (!found.item && found.ended !== 'whole') return;
      t.assert('settlement.list.holds-won', found.item !== undefined, {
        message: 'A trade that had settled was not among the settlements of the maker that won it.',
        expected: order.intentId,
        seen: found.pages.slice(-3),
      });
    },
  }),
];

export const settlementEndpointChecks: readonly Check[] = [...won, ...early, ...never];
