import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  cameFromBody,
  createOrder,
  openLimitExcuse,
  type Fields,
  fieldsOf,
  findInList,
  retryWhileRefused,
  isByUndeclaredMaker,
  matchesOrder,
  isRefusal,
  itemsOf,
  orderBody,
  answerEvidence,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  quote,
  assertRefused,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { tolerance } from '../../../src/protocol/tolerances.ts';
import { equalValues } from '../../../src/protocol/equality.ts';
import { parseTimestamp } from '../../../src/spec/forms.ts';
import { Order } from '../../../src/spec/resources.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { each } from '../../shared/check-table.ts';
import { isSet, stateOf } from '../../shared/order-fields.ts';
import { viewLagMs } from '../../shared/waits.ts';
import { pagesExamined, callsAnsweredBefore, idOf, whileUnchanged } from '../lists/list-walks.ts';

const bodies: readonly {
  readonly id: string;
  readonly title: string;
  readonly by: 'sender' | 'outsider';
  readonly changes: Fields;
  /** Whether everything in it is beyond doubt: else a target may have a reason to refuse it. */
  readonly plain?: true;
}[] = [
  { id: 'usual', title: 'A whole order', by: 'sender', changes: {}, plain: true },
  {
    id: 'outsider',
    title: "Another institution's order, with digits alone as its memo",
    by: 'outsider',
    changes: { memo: '0070' },
    plain: true,
  },
  {
    id: 'long-decimals',
    title: 'An order with amounts of many decimals',
    by: 'sender',
    changes: { target_amount: '1234.56789012', source_amount_max: '98765.43210987' },
  },
  {
    id: 'longer-decimals',
    title: 'An order with amounts of ten decimals',
    by: 'sender',
    changes: { target_amount: '2.0000000001', source_amount_max: '9.0000000009' },
  },
  {
    id: 'large',
    title: 'An order over an amount beyond the reach of floating point',
    by: 'sender',
    changes: { target_amount: '12345678901234567.89', source_amount_max: '98765432109876543.21' },
  },
  {
    id: 'small',
    title: 'An order over a hundredth',
    by: 'outsider',
    changes: { target_amount: '0.01', source_amount_max: '0.02' },
  },
];

/**
 * Creates an order; another institution's again with a custodian of its own where it was refused: for whom the
 * sender's custodian keeps is open (gap `order.party_check`). `certain`: nothing in it gave a reason to refuse it.
 */
async function place(
  t: CheckContext,
  by: 'sender' | 'outsider',
  body: Fields,
): Promise<{ readonly body: Fields; readonly exchange: Exchange; readonly certain: boolean }> {
  const party = t.party(by);
  const exchange = await party.call('order.create', { body });
  if (by === 'sender' || !isRefusal(exchange)) return { body, exchange, certain: true };
  if (!t.target.parties.outsider_custodian) return { body, exchange, certain: false };
  const keeper = t.party('outsider_custodian').partyId;
  const own = { ...body, sender_custodian_party_id: keeper };
  return { body: own, exchange: await party.call('order.create', { body: own }), certain: true };
}

const created = each(bodies, ({ id, title, by, changes, plain }) =>
  defineCheck({
    id: `order.create.${id}`,
    title: `${title} is created once, returned, readable and listed, as it was sent.`,
    requirements: [
      ...(plain ? (['order.create.succeeds'] as const) : []),
      'order.create.returns-order',
      'order.create.returns-pending',
      'order.create.assigns-intent-id',
      'order.create.readable-afterwards',
      'order.create.listed-afterwards',
      'order.create.once',
      'order.read.returns-that-order',
      'order.list.agrees-with-read',
    ],
    needs: { parties: [by] },
    async run(t) {
      const { body, exchange, certain } = await place(t, by, orderBody(t, changes, by));
      if (plain && certain) {
        const full = isRefusal(exchange) ? await noRoomFor(t, by) : undefined;
        if (full !== undefined) t.notExercised(full, [exchange]);
        assertAllowed(t, 'order.create.succeeds', exchange, 'a complete and valid order');
      }
      if (!succeeded(exchange)) t.notExercised('the order was not created', [exchange]);
      const order = placedOrder(by, body, exchange);
      t.assert('order.create.assigns-intent-id', order !== undefined, {
        message: 'A creation returned no intent_id.',
        actual: answerEvidence(exchange),
        seen: [exchange],
      });
      if (!order) return;
      t.assert('order.create.returns-pending', stateOf(order.data) === 'PENDING', {
        message: 'A creation returned an order in another state.',
        expected: 'PENDING',
        actual: order.data['status'],
        seen: [exchange],
      });
      assertSame(t, 'order.create.returns-order', body, order.data, 'a creation', [exchange]);
      const read = await retryWhileRefused(t, () =>
        t.party(by).call('order.read', { params: paramsOf(order) }),
      );
      assertAllowed(t, 'order.create.readable-afterwards', read, 'a read of an order just created');
      if (!succeeded(read)) return;
      assertSame(t, 'order.create.readable-afterwards', body, fieldsOf(read), 'a read', [read]);
      await assertListedOnce(t, order);
    },
  }),
);

/** Why a party can have no further order just now, where one that is like others before is refused as well. */
const noRoomFor = async (t: CheckContext, by: CastName): Promise<string | undefined> =>
  openLimitExcuse(t, await t.party(by).call('order.create', { body: orderBody(t, {}, by) }), 1);

/** Judges that what an answer shows of an order is what was sent for it. */
function assertSame(
  t: CheckContext,
  requirement: RequirementId,
  sent: Fields,
  shown: Fields,
  where: string,
  seen: Parameters<CheckContext['notExercised']>[1],
): void {
  const different = Object.keys(Order.properties).filter(
    (name) =>
      isSet(sent, name) && !(isSet(shown, name) && equalValues(name, sent[name], shown[name])),
  );
  t.assert(requirement, different.length === 0, {
    message: `What ${where} shows of an order differs in ${different.join(', ')} from what was sent.`,
    expected: Object.fromEntries(different.map((name) => [name, sent[name]])),
    actual: Object.fromEntries(different.map((name) => [name, shown[name] ?? null])),
    ...(seen && { seen }),
  });
}

const createdOf = (item: Fields | undefined): number =>
  parseTimestamp(item?.['created_at']) ?? Number.NaN;

/** Judges that an order is on its creator's list, and that no other was made of the same body. */
async function assertListedOnce(t: CheckContext, order: PlacedOrder): Promise<void> {
  const look = () => findInList(t, t.party(order.by), 'order.list', matchesOrder(order));
  let found = await look();
  if (!found.item) {
    await t.target.timeline.sleep(viewLagMs);
    found = await look();
  }
  if (!found.item && found.ended !== 'whole') return;
  t.assert('order.create.listed-afterwards', found.item !== undefined, {
    message: "An order that was created was not on its creator's list.",
    expected: order.intentId,
    seen: [order.exchange, ...found.pages.slice(-3)],
  });
  // A second order would stand beside the first, on the page that shows it; one that is older came of an earlier run.
  const since = createdOf(found.item) - tolerance.stamp;
  const alike = found.pages
    .flatMap(itemsOf)
    .filter((item) => cameFromBody(t, order.sent, item) && !(createdOf(item) < since));
  const ids = new Set(alike.map((item) => textOf(item, 'intent_id')?.toLowerCase()));
  t.assert('order.create.once', ids.size <= 1, {
    message: 'One creation made more than one order.',
    expected: [order.intentId],
    actual: [...ids],
    seen: [order.exchange, ...found.pages.slice(-1)],
  });
}

/** The whole list of a party against all that was created for it in this run. */
const complete = each(
  [
    { by: 'sender', requirement: 'order.list.complete', creators: ['sender'] },
    { by: 'outsider', requirement: 'order.list.complete', creators: ['outsider'] },
    {
      by: 'sender_custodian',
      requirement: 'order.list.sender-custodian-included',
      creators: ['sender', 'outsider'],
    },
  ] as const,
  ({ by, requirement, creators }) =>
    defineCheck({
      id: `order.list.complete.${by}`,
      title: `The list of ${by} holds every order that was created for it, some a moment before.`,
      requirements: [requirement],
      needs: { parties: [...new Set<CastName>([by, ...creators])], waitMs: 20_000 },
      async run(t) {
        await t.target.timeline.sleep(12_000);
        const own: PlacedOrder[] = [];
        for (const creator of creators) own.push(await createOrder(t, {}, { by: creator }));
        const [order] = own;
        if (order) await cancelOrder(t, order, order.by);
        await t.target.timeline.sleep(viewLagMs + 100);
        const since = t.target.timeline.now() - viewLagMs;
        const { partyId } = t.party(by);
        const concerns = (sent: unknown) =>
          by !== 'sender_custodian' ||
          (sent as Fields | undefined)?.['sender_custodian_party_id'] === partyId;
        const due = creators
          .flatMap((creator) => callsAnsweredBefore(t, creator, 'order.create', since + 1))
          .filter((exchange) => concerns(exchange.request.body));
        const listing = { by, endpoint: 'order.list' } as const;
        const found = await whileUnchanged(t, listing, pagesExamined, async () => undefined);
        if (found?.before.ended === 'whole') {
          const there = new Set(found.before.items.map((item) => idOf(listing, item)));
          const missing = due.filter(
            (exchange) => !there.has((textOf(fieldsOf(exchange), 'intent_id') ?? '').toLowerCase()),
          );
          t.assert(requirement, missing.length === 0, {
            message: 'The list of orders left out orders that were created before.',
            expected: `${due.length} orders among ${there.size}`,
            actual: missing.map((exchange) => textOf(fieldsOf(exchange), 'intent_id')),
            seen: [...missing.slice(0, 3), ...found.before.pages.slice(0, 3)],
          });
        }
        for (const one of own) {
          const { item, ended, pages } = await findInList(
            t,
            t.party(by),
            'order.list',
            matchesOrder(one),
          );
          if (!item && ended !== 'whole') continue;
          t.assert(requirement, item !== undefined, {
            message: 'The list of orders left out an order that was created before.',
            expected: one.intentId,
            seen: [one.exchange, ...pages.slice(-3)],
          });
        }
      },
    }),
);

const unknown: readonly Check[] = [
  defineCheck({
    id: 'order.read.unknown',
    title:
      'An id that no order has is refused to its institution and its custodian; a real one is read.',
    requirements: ['order.read.unknown-refused', 'order.quotes.unknown-refused'],
    needs: { parties: ['sender', 'sender_custodian', 'maker_a'] },
    async run(t) {
      const order = await createOrder(t);
      await quote(t, 'maker_a', order);
      for (const by of ['sender', 'sender_custodian'] as const) {
        const party = t.party(by);
        const real = await retryWhileRefused(t, () =>
          party.call('order.read', { params: paramsOf(order) }),
        );
        if (!succeeded(real)) t.notExercised('the real order was not read either', [real]);
        const params = { intent_id: t.random.uuid() };
        const read = await party.call('order.read', { params });
        assertRefused(t, 'order.read.unknown-refused', read, 'a read of no order');
        const listed = await party.call('order.quotes', { params });
        // An empty list below an id that nothing has says as much (gap `access.unknown`).
        const none = succeeded(listed) && itemsOf(listed).length === 0;
        if (none) t.assert('order.quotes.unknown-refused', true, { message: '' });
        else assertRefused(t, 'order.quotes.unknown-refused', listed, 'the quotes of no order');
      }
    },
  }),
  defineCheck({
    id: 'order.quotes.empty',
    title: 'The quotes of an order that has none are an empty list, though another order has some.',
    requirements: ['order.quotes.empty-without-quotes', 'order.quotes.only-that-order'],
    needs: { parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b'], waitMs: viewLagMs },
    async run(t) {
      const bare = await createOrder(t);
      const other = await createOrder(t);
      await quote(t, 'maker_a', other);
      await quote(t, 'maker_b', other);
      await t.target.timeline.sleep(viewLagMs);
      for (const by of ['sender', 'sender_custodian'] as const) {
        const { items, exchange } = await quotesOf(t, bare, by);
        if (isRefusal(exchange) && by !== 'sender') continue;
        const ours = items.filter((item) => !isByUndeclaredMaker(t, item));
        t.assert('order.quotes.empty-without-quotes', succeeded(exchange) && ours.length === 0, {
          message: 'The quotes of an order without any were not an empty list.',
          expected: [],
          actual: answerEvidence(exchange),
          seen: [exchange],
        });
        const full = await quotesOf(t, other, by);
        const foreign = full.items.filter(
          (item) => !matchesOrder(other)(item) && isSet(item, 'intent_id'),
        );
        if (full.items.length === 0) continue;
        t.assert('order.quotes.only-that-order', foreign.length === 0, {
          message: "An order's quotes held a quote on another order.",
          expected: other.intentId,
          actual: foreign,
          seen: [full.exchange],
        });
      }
    },
  }),
];

export const orderEndpointChecks: readonly Check[] = [...created, ...complete, ...unknown];
