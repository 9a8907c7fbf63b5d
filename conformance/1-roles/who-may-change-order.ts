import type { Check } from '../../src/suite/engine/check.ts';
import {
  accept,
  describeExchange,
  isRefusal,
  quote,
  retryWhileRefused,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { sendForbidden } from '../shared/forbidden-requests.ts';
import { type Fixture, sendRequest } from '../shared/endpoint-operations.ts';
import { forbiddenRequests, idsOf, permittedRequests, relationWords } from './permissions.ts';
import {
  accepterFor,
  isDeclared,
  orderBetween,
  type OrderParties,
  partyVariants,
  requiredParties,
  otherInstitutionAsReceiver,
  rotatedCustodians,
  swappedInstitutions,
  usualParties,
} from './order-parties.ts';
import { rows } from '../shared/check-table.ts';

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

/** 4.2: a QUOTED order is cancelled by its institution alone. The state may last next to nothing. */
const cancelQuoted = partyVariants.map<Check>((orderParties) => ({
  id: `access.relation.order.cancel.${orderParties.id}.accepted`,
  title: `Right after a quote was accepted nobody but ${orderParties.creator} can cancel the order (${orderParties.id}).`,
  requirements: idsOf('order.cancel', 'proposal.accept'),
  needs: { parties: [...requiredParties(orderParties), 'maker_a'] },
  async run(t) {
    const order = await orderBetween(t, orderParties);
    const placed = await quote(t, 'maker_a', order);
    await t.inOneMoment(async () => {
      await accept(t, order, placed, accepterFor(t, orderParties));
      for (const { by } of forbiddenRequests(t, 'order.cancel', orderParties)) {
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
