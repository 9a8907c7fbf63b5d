import type { CheckContext, Check } from '../../src/suite/engine/check.ts';
import type { RequirementId, CastName } from '../../src/spec/requirements/index.ts';
import {
  type PermittedRequest,
  servedRequirement,
  sendForbidden,
  sendRequest,
  type Fixture,
  untilSettled,
} from '../shared/endpoint-requests.ts';
import {
  isDeclared,
  type OrderParties,
  accepterFor,
  partyVariants,
  swappedInstitutions,
  orderBetween,
  requiredParties,
  usualParties,
  otherInstitutionAsReceiver,
  rotatedCustodians,
} from './order-parties.ts';
import { accept, quote } from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  cancel,
  disturbedOrder,
  orderBody,
  placedOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { describeExchange, isRefusal, succeeded } from '../../src/protocol/answers.ts';
import { retryWhileRefused } from '../../src/suite/actions/context.ts';
import { needsOf, settlementTimeoutMs, rows, expiryLagMs, waits } from '../shared/waits.ts';

type Relation = 'creator' | 'otherInstitution' | 'keeper' | 'receiver' | 'otherCustodian';
type OrderOperation =
  | 'order.read'
  | 'order.quotes'
  | 'order.cancel'
  | 'proposal.accept'
  | 'quote.accept';

/**
 * Forbidden operations on an order by relation, each with its requirement. An operation in neither table is open in the
 * document.
 */
const refusals: Readonly<Record<OrderOperation, { readonly [R in Relation]?: RequirementId }>> = {
  'order.read': {
    otherInstitution: 'order.read.foreign-institution-refused',
    otherCustodian: 'order.read.foreign-custodian-refused',
  },
  'order.quotes': {
    otherInstitution: 'order.quotes.foreign-institution-refused',
    otherCustodian: 'order.quotes.foreign-custodian-refused',
  },
  'order.cancel': {
    otherInstitution: 'order.cancel.foreign-institution-refused',
    receiver: 'order.cancel.receiver-custodian-refused',
    keeper: 'access.order.cancel.custodian-refused',
    otherCustodian: 'access.order.cancel.custodian-refused',
  },
  'proposal.accept': {
    otherInstitution: 'access.proposal.accept.institution-refused',
    creator: 'access.proposal.accept.institution-refused',
    receiver: 'proposal.accept.by-receiver-custodian-refused',
    otherCustodian: 'proposal.accept.foreign-custodian-refused',
  },
  'quote.accept': {
    otherInstitution: 'quote.accept.foreign-institution-refused',
    receiver: 'quote.accept.by-receiver-custodian-refused',
    otherCustodian: 'quote.accept.foreign-custodian-refused',
  },
};

const permissions: typeof refusals = {
  'order.read': {
    creator: 'access.order.read.institution-allowed',
    keeper: 'order.read.by-sender-custodian',
    receiver: 'order.read.by-receiver-custodian',
  },
  'order.quotes': {
    creator: 'access.order.quotes.institution-allowed',
    keeper: 'order.quotes.by-sender-custodian',
  },
  'order.cancel': { creator: 'access.order.cancel.institution-allowed' },
  'proposal.accept': { keeper: 'access.proposal.accept.custodian-allowed' },
  'quote.accept': { creator: 'service.sender-accepts', keeper: 'service.sender-custodian-accepts' },
};

const relationWords: Readonly<Record<Relation, string>> = {
  creator: 'its own institution',
  otherInstitution: 'an institution without a part in the order',
  keeper: 'the custodian of the sender',
  receiver: 'the custodian of the receiver',
  otherCustodian: 'a custodian without a part in the order',
};

/** Requests by the declared parties whose relation to an order has an entry in a table. */
const requestsIn =
  (table: typeof refusals) =>
  (t: CheckContext, endpoint: OrderOperation, parties: OrderParties): readonly PermittedRequest[] =>
    (Object.entries(table[endpoint]) as [Relation, RequirementId][])
      .filter(([relation]) => isDeclared(t, parties[relation]))
      .map(([relation, requirement]) => ({ by: parties[relation], endpoint, requirement }));

const forbiddenRequests = requestsIn(refusals);
const permittedRequests = requestsIn(permissions);

const idsOf = (...endpoints: readonly OrderOperation[]): RequirementId[] => [
  ...new Set<RequirementId>(
    endpoints.flatMap((each) => [
      servedRequirement,
      ...Object.values(refusals[each]),
      ...Object.values(permissions[each]),
    ]),
  ),
];

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

const failed: Check = {
  id: 'access.relation.reads.usual.failed',
  title: 'Who has a part in an order reads it once its settlement has failed; nobody else does.',
  requirements: idsOf('order.read'),
  needs: {
    parties: ['sender', 'maker_a'],
    controls: ['fail_settlement'],
    waitMs: waits.settlement,
  },
  async run(t) {
    const order = await disturbedOrder(t, 'fail_settlement');
    await accept(t, order, await quote(t, 'maker_a', order), 'sender');
    const ended = await awaitStatus(t, order, ['FAILED'], settlementTimeoutMs);
    if (!ended) t.notExercised('the order did not fail');
    await readings(t, usualParties, { order }, ['order.read']);
  },
};

const readInEachState: readonly Check[] = [
  ...partyVariants.map((orderParties) => ({ orderParties, end: 'settled' as const })),
  { orderParties: usualParties, end: 'cancelled' as const },
  { orderParties: swappedInstitutions, end: 'expired' as const },
].map<Check>(({ orderParties, end }) => ({
  id: `access.relation.reads.${orderParties.id}.${end}`,
  title: `Who has a part in an order reads it and its quotes in each state until it is ${end}; nobody else does (${orderParties.id}).`,
  requirements: idsOf('order.read', 'order.quotes'),
  needs: needsOf(waits.settlement, ...requiredParties(orderParties), 'maker_a'),
  async run(t) {
    const order = await orderBetween(t, orderParties);
    const fixture = { order };
    const isUsual = orderParties === usualParties;
    // The order itself is as before once it is quoted, and it had no quotes to read before.
    await readings(t, orderParties, fixture, isUsual ? undefined : ['order.read']);
    const placed = await quote(t, 'maker_a', order);
    if (isDeclared(t, 'maker_b')) await quote(t, 'maker_b', order);
    await readings(t, orderParties, fixture, isUsual ? undefined : ['order.quotes']);
    if (end === 'cancelled') await cancel(t, order);
    else if (end === 'expired') await untilExpired(t, order, expiryLagMs);
    else await accept(t, order, placed, accepterFor(t, orderParties));
    await readings(t, orderParties, fixture);
    if (end !== 'settled') return;
    const executing = isUsual && (await awaitStatus(t, order, ['EXECUTING'], 4_000));
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

interface Row {
  readonly endpoint: 'order.cancel' | 'proposal.accept' | 'quote.accept';
  readonly orderParties: OrderParties;
  /** Party that may do it, and does it last. */
  readonly actor: 'creator' | 'keeper';
  readonly quotes: readonly CastName[];
  /** True if the sender's custodian has accepted the proposal before: that allows nothing to any other party. */
  readonly proposed?: true;
}

const operationPhrases: Readonly<Record<Row['endpoint'], string>> = {
  'order.cancel': 'cancel an order',
  'proposal.accept': 'accept its proposal',
  'quote.accept': 'accept a quote on it',
};

const cancelRows = rows(
  [usualParties, []],
  [usualParties, ['maker_a', 'maker_b']],
  [swappedInstitutions, ['maker_a']],
  [rotatedCustodians, ['maker_a']],
  [otherInstitutionAsReceiver, ['maker_a']],
  [usualParties, ['maker_b'], true],
).map(
  ([orderParties, quotes, proposed]): Row => ({
    endpoint: 'order.cancel',
    orderParties,
    actor: 'creator',
    quotes,
    ...(proposed && { proposed }),
  }),
);

const proposalRows = partyVariants.map(
  (orderParties): Row => ({
    endpoint: 'proposal.accept',
    orderParties,
    actor: 'keeper',
    quotes: [],
  }),
);

const acceptRows = rows(
  [usualParties, 'creator', ['maker_a']],
  [usualParties, 'keeper', ['maker_b', 'maker_a']],
  [usualParties, 'keeper', ['maker_b'], true],
  [otherInstitutionAsReceiver, 'creator', ['maker_a']],
  [swappedInstitutions, 'creator', ['maker_a', 'maker_b']],
  [swappedInstitutions, 'keeper', ['maker_a']],
  [rotatedCustodians, 'keeper', ['maker_b', 'maker_a']],
  [rotatedCustodians, 'creator', ['maker_a']],
).map(
  ([orderParties, actor, quotes, proposed]): Row => ({
    endpoint: 'quote.accept',
    orderParties,
    actor,
    quotes,
    ...(proposed && { proposed }),
  }),
);

/** 4.2, 4.3: who may cancel an order, accept its proposal and accept its quotes; all others are refused. */
const acting = [...cancelRows, ...proposalRows, ...acceptRows].map<Check>(
  ({ endpoint, orderParties, actor, quotes, proposed }) => ({
    id: `access.relation.${endpoint}.${orderParties.id}.${actor}.${proposed ? 'proposed' : `${quotes.length}-quotes`}`,
    title: `${proposed ? 'Once the proposal was accepted nobody' : 'Nobody'} but ${endpoint === 'quote.accept' ? "the sender's side" : relationWords[actor]} can ${operationPhrases[endpoint]}; then ${relationWords[actor]} does (${orderParties.id}).`,
    requirements: [...idsOf(endpoint), 'error.refusal-changes-nothing'],
    needs: {
      parties: [
        ...requiredParties(orderParties),
        orderParties[actor],
        ...(proposed ? [orderParties.keeper] : []),
        ...quotes,
      ],
    },
    async run(t) {
      const left = proposed || endpoint === 'proposal.accept';
      const order = await orderBetween(t, orderParties, left ? 'leave' : undefined);
      if (proposed) {
        const opened = await retryWhileRefused(t, () =>
          sendRequest(t, orderParties.keeper, 'proposal.accept', { order }),
        );
        if (!succeeded(opened))
          t.notExercised(`${describeExchange(opened)} to the proposal's acceptance`, [opened]);
      }
      let fixture: Fixture = { order };
      for (const maker of quotes) fixture = { order, quote: await quote(t, maker, order) };
      const permitted = permittedRequests(t, endpoint, orderParties).filter(
        ({ by }) => by === orderParties[actor],
      );
      const forbidden = forbiddenRequests(t, endpoint, orderParties);
      await sendForbidden(t, fixture, forbidden, permitted);
      // The acceptance by the sender's custodian allows nothing to the receiver's custodian.
      if (endpoint === 'proposal.accept' && isDeclared(t, orderParties.receiver))
        await sendRequest(t, orderParties.receiver, endpoint, fixture);
    },
  }),
);

/** 4.2: a QUOTED order is cancelled by its institution alone, not by its maker. The state may last next to nothing. */
const cancelQuoted = partyVariants.map<Check>((orderParties) => ({
  id: `access.relation.order.cancel.${orderParties.id}.accepted`,
  title: `Right after a quote was accepted nobody but ${orderParties.creator} can cancel the order (${orderParties.id}).`,
  requirements: [
    ...idsOf('order.cancel', 'proposal.accept'),
    'access.order.cancel.market-maker-refused',
  ],
  needs: { parties: [...requiredParties(orderParties), 'maker_a'] },
  async run(t) {
    const order = await orderBetween(t, orderParties);
    const placed = await quote(t, 'maker_a', order);
    await t.inOneMoment(async () => {
      await accept(t, order, placed, accepterFor(t, orderParties));
      const others = forbiddenRequests(t, 'order.cancel', orderParties).map(({ by }) => by);
      for (const by of [...others, placed.maker]) {
        await sendRequest(t, by, 'order.cancel', { order });
      }
      const bare = await sendRequest(t, order.by, 'order.cancel', { order });
      // A target may want a body (gap `cancel.request`).
      if (isRefusal(bare)) await sendRequest(t, order.by, 'order.cancel', { order }, { body: {} });
    });
    for (const { by } of forbiddenRequests(t, 'proposal.accept', orderParties)) {
      await sendRequest(t, by, 'proposal.accept', { order });
    }
  },
}));

export const whoMayChangeChecks: readonly Check[] = [...acting, ...cancelQuoted];
