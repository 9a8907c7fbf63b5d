import type { CheckContext, Check } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  type PlacedOrder,
  readOrder,
  cancel,
} from '../../src/suite/actions/orders.ts';
import { type Fields, fieldsOf, matchesOrder, textOf } from '../../src/protocol/answers.ts';
import { retryWhileRefused } from '../../src/suite/actions/context.ts';
import { assertRefused } from '../../src/suite/actions/refusal-assertions.ts';
import { quote, accept } from '../../src/suite/actions/quotes.ts';
import { findInList, firstAndLastPage } from '../../src/suite/actions/find-in-list.ts';
import { tradeAwaitsProposal } from '../../src/spec/gaps/proposals.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import {
  sendRequest,
  sendForbidden,
  servedRequirement,
  untilSettled,
} from '../shared/endpoint-requests.ts';
import { viewLagMs, waits } from '../shared/waits.ts';

/** Members of the cast by their relation to an order. */
export interface OrderParties {
  readonly id: string;
  readonly creator: CastName;
  /** An institution that has no part in it. */
  readonly otherInstitution: CastName;
  readonly keeper: CastName;
  readonly receiver: CastName;
  /** A custodian that has no part in it. */
  readonly otherCustodian: CastName;
}

/** The roles of the cast. The other sets swap the two institutions and exchange the custodians. */
export const usualParties: OrderParties = {
  id: 'usual',
  creator: 'sender',
  otherInstitution: 'outsider',
  keeper: 'sender_custodian',
  receiver: 'receiver_custodian',
  otherCustodian: 'outsider_custodian',
};
export const swappedInstitutions: OrderParties = {
  ...usualParties,
  id: 'exchanged',
  creator: 'outsider',
  otherInstitution: 'sender',
};
export const rotatedCustodians: OrderParties = {
  ...usualParties,
  id: 'rotated',
  keeper: 'outsider_custodian',
  receiver: 'sender_custodian',
  otherCustodian: 'receiver_custodian',
};
/** The institution without a part in the sender's side is named as the receiver: that does not make the order its own. */
export const otherInstitutionAsReceiver: OrderParties = { ...usualParties, id: 'receiving' };
/** One custodian is that of the sender and of the receiver. */
const sharedCustodian: OrderParties = {
  ...usualParties,
  id: 'joint',
  receiver: 'sender_custodian',
};
export const partyVariants: readonly OrderParties[] = [
  usualParties,
  swappedInstitutions,
  rotatedCustodians,
];

/** The parties that must be declared; the others take part if they are declared. */
export const requiredParties = ({ id, creator, keeper, receiver, otherCustodian }: OrderParties) =>
  id === 'rotated' ? [creator, keeper, receiver, otherCustodian] : [creator];

export const isDeclared = (t: CheckContext, name: CastName): boolean =>
  t.target.parties[name] !== undefined;

/** An order between these parties; open for quotes unless its proposal is to be left. */
export async function orderBetween(
  t: CheckContext,
  orderParties: OrderParties,
  proposal?: 'leave',
): Promise<PlacedOrder> {
  const { id, creator, otherInstitution, keeper, receiver } = orderParties;
  const named: Fields = {
    ...(id === 'receiving' &&
      isDeclared(t, otherInstitution) && { receiver_party_id: t.party(otherInstitution).partyId }),
    ...(isDeclared(t, keeper) && { sender_custodian_party_id: t.party(keeper).partyId }),
    ...(isDeclared(t, receiver) && { receiver_custodian_party_id: t.party(receiver).partyId }),
  };
  const order = await createOrder(t, named, { by: creator, proposal: 'leave' });
  const waits = tradeAwaitsProposal(t.target.answers.get('proposal.effect'));
  if (waits && proposal !== 'leave' && isDeclared(t, keeper)) {
    await retryWhileRefused(t, () => sendRequest(t, keeper, 'proposal.accept', { order }));
  }
  return order;
}

/** The sender, or its custodian if the parties are not the usual ones: so both accept in some checks. */
export const accepterFor = (t: CheckContext, { id, creator, keeper }: OrderParties): CastName =>
  id !== 'usual' && isDeclared(t, keeper) ? keeper : creator;

export const mixedIdChecks = [usualParties, swappedInstitutions].map<Check>((orderParties) => ({
  id: `access.relation.mixed-ids.${orderParties.id}`,
  title: `With an order of its own open, ${orderParties.otherInstitution} accepts neither a foreign quote on it nor its own quote on a foreign order.`,
  requirements: [
    'quote.accept.foreign-institution-refused',
    'quote.accept.quote-of-other-order-refused',
    'order.cancel.foreign-institution-refused',
    'order.read.foreign-institution-refused',
    'error.refusal-changes-nothing',
    'service.sender-accepts',
    servedRequirement,
  ],
  needs: { parties: ['sender', 'outsider', 'maker_a'] },
  async run(t) {
    const { otherInstitution, creator } = orderParties;
    const foreign = await orderBetween(t, orderParties);
    const own = await orderBetween(t, {
      ...orderParties,
      creator: otherInstitution,
      otherInstitution: creator,
    });
    const theirs = await quote(t, 'maker_a', foreign);
    const mine = await quote(t, 'maker_a', own);
    const endpoint = 'quote.accept';
    const requirement = 'service.sender-accepts';
    await readOrder(t, own, otherInstitution);
    const [mixed] = await sendForbidden(
      t,
      { order: foreign, quote: theirs },
      [
        { by: otherInstitution, endpoint, fixture: { order: own, quote: theirs } },
        { by: otherInstitution, endpoint, fixture: { order: foreign, quote: mine } },
        { by: otherInstitution, endpoint },
        { by: otherInstitution, endpoint: 'order.cancel' },
      ],
      [{ by: creator, endpoint, requirement }],
    );
    if (mixed) {
      const what = 'an acceptance of a quote on another order';
      assertRefused(t, 'quote.accept.quote-of-other-order-refused', mixed, what);
    }
    const kept = await readOrder(t, own, otherInstitution);
    const latest = kept.exchange.received + t.target.clock.offset.most;
    if (latest >= mine.validUntil) return;
    await sendForbidden(
      t,
      { order: own, quote: mine },
      [
        { by: creator, endpoint },
        { by: creator, endpoint: 'order.cancel' },
      ],
      [{ by: otherInstitution, endpoint, requirement }],
    );
    await sendRequest(t, creator, 'order.read', { order: own });
    await sendRequest(t, otherInstitution, 'order.read', { order: foreign });
  },
}));

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
const queriesFor = (order: PlacedOrder, status: string): readonly Wanted[] => [
  { order, query: {} },
  { order, query: { status } },
];

interface Wanted {
  readonly order: PlacedOrder;
  readonly query: { readonly status?: string };
}

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
    ...(stage === 'settled' && { waitMs: waits.settlement }),
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
      // The page with its own order, which was read before, would show the other as well.
      const { status } = wanted.query;
      if (!lists.some(({ query }) => query.status === status))
        await firstAndLastPage(t, t.party(creator), 'order.list', { query: wanted.query });
      await find(t, otherInstitution, wanted);
    }
  },
}));
