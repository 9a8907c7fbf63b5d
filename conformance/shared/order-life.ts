import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  createOrder,
  type Fields,
  fieldsOf,
  retryWhileRefused,
  quote,
  type QuoteOptions,
  readOrder,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { assertSettlement } from './settlement-assertions.ts';
import { type Deal, assertAcceptedTerms } from './accepted-terms.ts';
import { assertState, assertStillPending, assertReaches } from './order-assertions.ts';
import { tryAccept, accepted, type Accepter, viewLagMs, stateOf } from './order-calls.ts';

/** What a whole life of an order judges, whatever its circumstances. */
export const lifeRequirements = [
  'order.state.starts-pending',
  'quote.submit.order-stays-pending',
  'order.state.pending-to-quoted',
  'order.accepted.sets-quote-fields',
  'order.quote-id.names-accepted-quote',
  'order.market-maker-party-id.is-winner',
  'order.fx-rate.of-accepted-quote',
  'order.source-amount-actual.agrees-with-rate',
  'order.state.quoted-to-executing',
  'order.state.executing-to-settled',
  'order.settled.sets-hash',
  'limit.settlement-duration',
  'quote.state.accepted-stays-through-settlement',
  'settlement.read.returns-that-settlement',
  'service.order-to-settlement',
] as const satisfies readonly RequirementId[];

const acceptances = {
  sender: 'service.sender-accepts',
  outsider: 'service.sender-accepts',
  sender_custodian: 'service.sender-custodian-accepts',
} as const satisfies Record<Accepter, RequirementId>;

export const lifeRequirementsOf = (by: Accepter = 'sender'): readonly RequirementId[] => [
  ...lifeRequirements,
  acceptances[by],
  ...(by === 'sender_custodian' ? (['quote.accept.custodian-order-settles'] as const) : []),
];

export interface LifeOptions extends QuoteOptions {
  /** Who creates the order. */
  readonly by?: 'sender' | 'outsider';
  readonly acceptedBy?: Accepter;
  readonly maker?: CastName;
  /** Fields of the order. */
  readonly order?: Fields;
}

/** Creates, quotes, accepts and settles an order, and judges each step. */
export async function assertFullLife(t: CheckContext, options: LifeOptions = {}): Promise<void> {
  const { by = 'sender', acceptedBy = by, maker = 'maker_a' } = options;
  const order = await createOrder(t, options.order, { by });
  assertState(t, 'order.state.starts-pending', order, ['PENDING'], 'right after its creation');
  const placed = await quote(t, maker, order, options);
  const before = await readOrder(t, order, by);
  const stays = 'quote.submit.order-stays-pending';
  if (!assertStillPending(t, stays, order, before, 'after a quote alone')) {
    t.notExercised('the order was no longer PENDING when a quote had been taken', [
      before.exchange,
    ]);
  }
  await acceptAndSettle(t, { order, quote: placed, acceptedBy });
}

/** From the acceptance on; the rest of `live` for an order that is there. Answers with the acceptance that succeeded. */
export async function acceptAndSettle(t: CheckContext, deal: Deal): Promise<Exchange | undefined> {
  const acceptance = await assertAcceptance(t, deal);
  if (acceptance) await assertSettlement(t, deal, acceptance);
  return acceptance;
}

/** By then an accepted order has settled on any reading of "about four seconds". */
const settledByMs = 6_500;

/** Accepts and judges what the answer and the order then show; undefined where the acceptance failed. */
export async function assertAcceptance(t: CheckContext, deal: Deal): Promise<Exchange | undefined> {
  const { order, quote: placed, acceptedBy } = deal;
  const acceptance = await retryWhileRefused(t, () => tryAccept(t, order, placed, acceptedBy));
  const last = Math.min(placed.validUntil, order.expiresAt ?? Number.POSITIVE_INFINITY);
  if (!succeeded(acceptance) && acceptance.received + t.target.clock.offset.most >= last)
    t.notExercised('the acceptance came too late', [acceptance]);
  const what = `${acceptedBy} accepting a valid quote of ${placed.maker}`;
  if (!assertAllowed(t, acceptances[acceptedBy], acceptance, what)) return undefined;
  // On a busy target the answer may be long in coming; what then lapses is not the order's fault.
  const left = placed.validUntil - t.target.clock.offset.most - acceptance.received;
  if (left < settledByMs)
    t.notExercised('the quote was accepted too late to outlast a settlement', [acceptance]);
  const answer = { data: fieldsOf(acceptance), exchange: acceptance };
  if (stateOf(answer.data) !== undefined) {
    assertState(
      t,
      'order.state.pending-to-quoted',
      answer,
      ['QUOTED'],
      'in the answer to its acceptance',
    );
  }
  const when = 'after its quote was accepted';
  const shown = await assertReaches(
    t,
    'order.state.pending-to-quoted',
    order,
    accepted,
    viewLagMs,
    when,
    order.by,
  );
  if (shown) assertAcceptedTerms(t, deal, shown);
  return acceptance;
}
