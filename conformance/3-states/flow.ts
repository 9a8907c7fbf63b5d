import type { Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  type Fields,
  fieldsOf,
  insist,
  quote,
  type QuoteOptions,
  readOrder,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { judgeSettlement } from './settle.ts';
import { type Deal, judgeTerms } from './terms.ts';
import { judgeState, judgeStillPending, mustReach } from './verdicts.ts';
import { acceptCall, accepted, type Accepter, lagMs, stateOf } from './words.ts';

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
export async function live(trial: Trial, options: LifeOptions = {}): Promise<void> {
  const { by = 'sender', acceptedBy = by, maker = 'maker_a' } = options;
  const order = await createOrder(trial, options.order, { by });
  judgeState(trial, 'order.state.starts-pending', order, ['PENDING'], 'right after its creation');
  const placed = await quote(trial, maker, order, options);
  const before = await readOrder(trial, order, by);
  const stays = 'quote.submit.order-stays-pending';
  if (!judgeStillPending(trial, stays, order, before, 'after a quote alone')) {
    trial.giveUp('the order was no longer PENDING when a quote had been taken', [before.exchange]);
  }
  await acceptAndSettle(trial, { order, quote: placed, acceptedBy });
}

/** From the acceptance on; the rest of `live` for an order that is there. Answers with the acceptance that succeeded. */
export async function acceptAndSettle(trial: Trial, deal: Deal): Promise<Exchange | undefined> {
  const acceptance = await judgeAcceptance(trial, deal);
  if (acceptance) await judgeSettlement(trial, deal, acceptance);
  return acceptance;
}

/** By then an accepted order has settled on any reading of "about four seconds". */
const settledByMs = 6_500;

/** Accepts and judges what the answer and the order then show; undefined where the acceptance failed. */
export async function judgeAcceptance(trial: Trial, deal: Deal): Promise<Exchange | undefined> {
  const { order, quote: placed, acceptedBy } = deal;
  const acceptance = await insist(trial, () => acceptCall(trial, order, placed, acceptedBy));
  const last = Math.min(placed.validUntil, order.expiresAt ?? Number.POSITIVE_INFINITY);
  if (!succeeded(acceptance) && acceptance.received + trial.target.clock.offset.most >= last)
    trial.giveUp('the acceptance came too late', [acceptance]);
  const what = `${acceptedBy} accepting a valid quote of ${placed.maker}`;
  if (!allowed(trial, acceptances[acceptedBy], acceptance, what)) return undefined;
  // On a busy target the answer may be long in coming; what then lapses is not the order's fault.
  const left = placed.validUntil - trial.target.clock.offset.most - acceptance.received;
  if (left < settledByMs)
    trial.giveUp('the quote was accepted too late to outlast a settlement', [acceptance]);
  const answer = { data: fieldsOf(acceptance), exchange: acceptance };
  if (stateOf(answer.data) !== undefined) {
    judgeState(
      trial,
      'order.state.pending-to-quoted',
      answer,
      ['QUOTED'],
      'in the answer to its acceptance',
    );
  }
  const when = 'after its quote was accepted';
  const shown = await mustReach(
    trial,
    'order.state.pending-to-quoted',
    order,
    accepted,
    lagMs,
    when,
    order.by,
  );
  if (shown) judgeTerms(trial, deal, shown);
  return acceptance;
}
