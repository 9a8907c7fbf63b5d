import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  assertAllowed,
  retryWhileRefused,
  isRefusal,
  type PlacedOrder,
  quote,
  assertRefused,
  describeExchange,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { assertForbidden, type ForbiddenRequest } from '../shared/forbidden-requests.ts';
import { sendRequest, type Fixture } from '../shared/endpoint-operations.ts';
import { idsOf, forbiddenRequests, permittedRequests, relationWords } from './permissions.ts';
import {
  accepterFor,
  partyVariants,
  swappedInstitutions,
  orderBetween,
  rivalAsReceiver,
  rotatedCustodians,
  type OrderParties,
  requiredParties,
  usualParties,
} from './order-parties.ts';

interface Act {
  readonly endpoint: 'order.cancel' | 'proposal.accept' | 'quote.accept';
  readonly orderParties: OrderParties;
  /** Who then does it. */
  readonly twin: 'creator' | 'keeper';
  readonly quotes: readonly CastName[];
  /** Once the sender's custodian has accepted the proposal, which opens nothing to anybody else. */
  readonly proposed?: true;
}

const operationPhrases: Readonly<Record<Act['endpoint'], string>> = {
  'order.cancel': 'cancel an order',
  'proposal.accept': 'accept its proposal',
  'quote.accept': 'accept a quote on it',
};

const acts: readonly Act[] = [
  { endpoint: 'order.cancel', orderParties: usualParties, twin: 'creator', quotes: [] },
  {
    endpoint: 'order.cancel',
    orderParties: usualParties,
    twin: 'creator',
    quotes: ['maker_a', 'maker_b'],
  },
  {
    endpoint: 'order.cancel',
    orderParties: swappedInstitutions,
    twin: 'creator',
    quotes: ['maker_a'],
  },
  {
    endpoint: 'order.cancel',
    orderParties: rotatedCustodians,
    twin: 'creator',
    quotes: ['maker_a'],
  },
  { endpoint: 'order.cancel', orderParties: rivalAsReceiver, twin: 'creator', quotes: ['maker_a'] },
  {
    endpoint: 'order.cancel',
    orderParties: usualParties,
    twin: 'creator',
    quotes: ['maker_b'],
    proposed: true,
  },
  { endpoint: 'proposal.accept', orderParties: usualParties, twin: 'keeper', quotes: [] },
  { endpoint: 'proposal.accept', orderParties: swappedInstitutions, twin: 'keeper', quotes: [] },
  { endpoint: 'proposal.accept', orderParties: rotatedCustodians, twin: 'keeper', quotes: [] },
  { endpoint: 'quote.accept', orderParties: usualParties, twin: 'creator', quotes: ['maker_a'] },
  {
    endpoint: 'quote.accept',
    orderParties: usualParties,
    twin: 'keeper',
    quotes: ['maker_b', 'maker_a'],
  },
  {
    endpoint: 'quote.accept',
    orderParties: usualParties,
    twin: 'keeper',
    quotes: ['maker_b'],
    proposed: true,
  },
  { endpoint: 'quote.accept', orderParties: rivalAsReceiver, twin: 'creator', quotes: ['maker_a'] },
  {
    endpoint: 'quote.accept',
    orderParties: swappedInstitutions,
    twin: 'creator',
    quotes: ['maker_a', 'maker_b'],
  },
  {
    endpoint: 'quote.accept',
    orderParties: swappedInstitutions,
    twin: 'keeper',
    quotes: ['maker_a'],
  },
  {
    endpoint: 'quote.accept',
    orderParties: rotatedCustodians,
    twin: 'keeper',
    quotes: ['maker_b', 'maker_a'],
  },
  {
    endpoint: 'quote.accept',
    orderParties: rotatedCustodians,
    twin: 'creator',
    quotes: ['maker_a'],
  },
];

const acting = acts.map(({ endpoint, orderParties, twin, quotes, proposed }) =>
  defineCheck({
    id: `access.relation.${endpoint}.${orderParties.id}.${twin}.${proposed ? 'proposed' : `${quotes.length}-quotes`}`,
    title: `${proposed ? 'Once the proposal was accepted nobody' : 'Nobody'} but ${endpoint === 'quote.accept' ? "the sender's side" : relationWords[twin]} can ${operationPhrases[endpoint]}; then ${relationWords[twin]} does (${orderParties.id}).`,
    requirements: [...idsOf(endpoint), 'error.refusal-changes-nothing'],
    needs: {
      parties: [
        ...new Set([
          ...requiredParties(orderParties),
          orderParties[twin],
          ...(proposed ? [orderParties.keeper] : []),
          ...quotes,
        ]),
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
      const served = permittedRequests(t, endpoint, orderParties).filter(
        ({ by }) => by === orderParties[twin],
      );
      const negatives = forbiddenRequests(t, endpoint, orderParties);
      await assertForbidden(t, fixture, negatives, served);
      if (endpoint === 'proposal.accept') await refusedAgain(t, fixture, negatives);
    },
  }),
);

/** What the sender's custodian did opens nothing to the receiver's, though its own repetition may be answered as well. */
async function refusedAgain(
  t: CheckContext,
  fixture: Fixture,
  negatives: readonly ForbiddenRequest[],
): Promise<void> {
  for (const { by, endpoint, requirement, what } of negatives) {
    if (requirement !== 'proposal.accept.by-receiver-custodian-refused') continue;
    const answer = await sendRequest(t, by, endpoint, fixture);
    assertRefused(t, requirement, answer, `${what}, once that of the sender has`);
  }
}

/** As the cast's institution cancels, once: with an empty object where no body will not do (gap `cancel.request`). */
async function cancelOnce(t: CheckContext, order: PlacedOrder): Promise<Exchange> {
  const bare = await sendRequest(t, order.by, 'order.cancel', { order });
  if (!isRefusal(bare)) return bare;
  return sendRequest(t, order.by, 'order.cancel', { order }, { body: {} });
}

/**
 * A QUOTED order may still be cancelled, by its institution alone. The state may last next to nothing: a refusal
 * counts only where the institution's own cancel, right after, still succeeds.
 */
const cancelQuoted = partyVariants.map((orderParties) =>
  defineCheck({
    id: `access.relation.order.cancel.${orderParties.id}.accepted`,
    title: `Right after a quote was accepted nobody but ${orderParties.creator} can cancel the order (${orderParties.id}).`,
    requirements: idsOf('order.cancel', 'proposal.accept'),
    needs: { parties: [...new Set([...requiredParties(orderParties), 'maker_a'] as const)] },
    async run(t) {
      const order = await orderBetween(t, orderParties);
      const placed = await quote(t, 'maker_a', order);
      const negatives = forbiddenRequests(t, 'order.cancel', orderParties);
      const { answers, twin } = await t.exclusively(async () => {
        await accept(t, order, placed, accepterFor(t, orderParties));
        const tried: Exchange[] = [];
        for (const { by, endpoint } of negatives) {
          tried.push(await sendRequest(t, by, endpoint, { order }));
        }
        return {
          answers: tried,
          twin: await cancelOnce(t, order),
        };
      });
      for (const [index, { requirement, what }] of negatives.entries()) {
        const answer = answers[index];
        if (answer && (succeeded(twin) || !isRefusal(answer))) {
          assertRefused(t, requirement, answer, `${what}, on an order that is QUOTED`);
        }
      }
      if (succeeded(twin)) assertAllowed(t, 'access.order.cancel.institution-allowed', twin);
      // Too late for a proposal, which may be all that keeps others out: only what opens tells anything.
      for (const { by, requirement, what } of forbiddenRequests(
        t,
        'proposal.accept',
        orderParties,
      )) {
        const answer = await sendRequest(t, by, 'proposal.accept', { order });
        if (!isRefusal(answer))
          assertRefused(t, requirement, answer, `${what}, once it was QUOTED`);
      }
    },
  }),
);

export const whoMayChangeChecks: readonly Check[] = [...acting, ...cancelQuoted];
