import type { Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  amountsAgree,
  awaitStatus,
  createOrder,
  type Fields,
  fieldsOf,
  insist,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  type QuoteOptions,
  type Reached,
  readOrder,
  succeeded,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { compare, exact } from '../../src/rules/exact.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import {
  accepted,
  acceptanceFields,
  acceptCall,
  type Accepter,
  awaitTold,
  isSet,
  judgeQuote,
  judgeState,
  lagMs,
  mustReach,
  names,
  settlementPatienceMs,
  stateOf,
  stateTold,
  terminal,
} from './words.ts';

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

export interface Deal {
  readonly order: PlacedOrder;
  readonly quote: PlacedQuote;
  readonly acceptedBy: Accepter;
}

/** Creates, quotes, accepts and settles an order, and judges each step. */
export async function live(trial: Trial, options: LifeOptions = {}): Promise<void> {
  const { by = 'sender', acceptedBy = by, maker = 'maker_a' } = options;
  const order = await createOrder(trial, options.order, { by });
  judgeState(trial, 'order.state.starts-pending', order, ['PENDING'], 'right after its creation');
  const placed = await quote(trial, maker, order, options);
  const before = await readOrder(trial, order, by);
  judgeState(trial, 'quote.submit.order-stays-pending', before, ['PENDING'], 'after a quote alone');
  await acceptAndSettle(trial, { order, quote: placed, acceptedBy });
}

/** From the acceptance on; the rest of `live` for an order that is there. */
export async function acceptAndSettle(trial: Trial, deal: Deal): Promise<void> {
  const acceptance = await judgeAcceptance(trial, deal);
  if (acceptance) await judgeSettlement(trial, deal, acceptance);
}

/** By then an accepted order has settled on any reading of "about four seconds". */
const settledByMs = 6_500;

/** Accepts and judges what the answer and the order then show; undefined where the acceptance failed. */
export async function judgeAcceptance(trial: Trial, deal: Deal): Promise<Exchange | undefined> {
  const { order, quote: placed, acceptedBy } = deal;
  const acceptance = await insist(trial, () => acceptCall(trial, order, placed, acceptedBy));
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

/** Judges that an order shows the terms of the quote that was accepted. */
export function judgeTerms(
  trial: Trial,
  { quote: placed, order }: Pick<Deal, 'quote' | 'order'>,
  { data, exchange }: Pick<Reached, 'data' | 'exchange'>,
): void {
  const seen = [exchange];
  const missing = acceptanceFields.filter((name) => !isSet(data, name));
  trial.judge('order.accepted.sets-quote-fields', missing.length === 0, {
    message: `An order in ${stateOf(data) ?? 'no state'} lacked ${missing.join(', ')}.`,
    seen,
  });
  if (isSet(data, 'quote_id')) {
    trial.judge('order.quote-id.names-accepted-quote', names(data, placed), {
      message: 'The order named another quote than the accepted one.',
      expected: placed.quoteId,
      actual: data['quote_id'],
      seen,
    });
  }
  if (isSet(data, 'market_maker_party_id')) {
    const { partyId } = trial.party(placed.maker);
    trial.judge(
      'order.market-maker-party-id.is-winner',
      data['market_maker_party_id'] === partyId,
      {
        message: 'The order named another maker than the one whose quote was accepted.',
        expected: partyId,
        actual: data['market_maker_party_id'],
        seen,
      },
    );
  }
  judgeRate(trial, placed, data, exchange);
  judgeAmount(trial, order, placed, data, exchange);
}

function judgeRate(trial: Trial, { sent }: PlacedQuote, data: Fields, exchange: Exchange): void {
  const [wanted, found] = [exact(sent['fx_rate']), exact(data['fx_rate'])];
  if (!wanted || !found) return;
  trial.judge('order.fx-rate.of-accepted-quote', compare(wanted, found) === 0, {
    message: 'The order showed another rate than that of the accepted quote.',
    expected: sent['fx_rate'],
    actual: data['fx_rate'],
    seen: [exchange],
  });
}

/** Quotes here are for the whole of their orders, so that the order's own amounts must agree with the rate. */
function judgeAmount(
  trial: Trial,
  order: PlacedOrder,
  { sent }: PlacedQuote,
  data: Fields,
  exchange: Exchange,
): void {
  const target = order.sent['target_amount'];
  const { answers } = trial.target;
  // Which amount was submitted is then anyone's guess.
  if (sent['fx_rate'] !== '1' && answers.get('quote.target_amount') === undefined) return;
  const agree = amountsAgree(data['fx_rate'], data['source_amount_actual'], target);
  if (agree === undefined) return;
  trial.judge('order.source-amount-actual.agrees-with-rate', agree, {
    message:
      'What is paid, the rate and the target amount of an order agreed in neither orientation.',
    actual: { source: data['source_amount_actual'], target, fx_rate: data['fx_rate'] },
    seen: [exchange],
  });
}

const toldWithinMs = 6_000;

/** Follows an accepted order to its settlement and judges what it, its quote and its maker then show. */
export async function judgeSettlement(
  trial: Trial,
  deal: Deal,
  acceptance: Exchange,
): Promise<void> {
  const { order, quote: placed, acceptedBy } = deal;
  const { opened } = trial.party(order.by).events;
  const first = await awaitStatus(
    trial,
    order,
    ['EXECUTING', 'SETTLED'],
    settlementPatienceMs,
    order.by,
  );
  // Told where its stream tells, so that it need not be asked for over and over.
  if (first?.status !== 'SETTLED') await awaitTold(trial, order.by, order, terminal, toldWithinMs);
  const settled =
    first?.status === 'SETTLED'
      ? first
      : await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs, order.by);
  const end = settled ?? (await readOrder(trial, order, order.by));
  for (const requirement of [
    'order.state.executing-to-settled',
    'service.order-to-settlement',
    ...(acceptedBy === 'sender_custodian'
      ? (['quote.accept.custodian-order-settles'] as const)
      : []),
  ] as const) {
    judgeState(trial, requirement, end, ['SETTLED'], '15 s after its quote was accepted');
  }
  if (!settled) return;
  await judgeExecuting(trial, deal, first, opened.received < acceptance.sent);
  const missing = ['transaction_hash', 'settled_at'].filter((name) => !isSet(settled.data, name));
  trial.judge('order.settled.sets-hash', missing.length === 0, {
    message: `A SETTLED order lacked ${missing.join(' and ')}.`,
    seen: [settled.exchange],
  });
  judgeTerms(trial, deal, settled);
  judgeDuration(trial, order, acceptance, settled);
  const kept = 'quote.state.accepted-stays-through-settlement';
  await judgeQuote(
    trial,
    kept,
    order,
    placed,
    ['ACCEPTED'],
    'after its order had settled',
    order.by,
  );
  await judgeQuote(
    trial,
    kept,
    order,
    placed,
    ['ACCEPTED'],
    'after its order had settled',
    'its maker',
  );
  await judgeWon(trial, deal);
}

/** A state may be too short to be read; an event tells of it all the same, where the stream was open throughout. */
async function judgeExecuting(
  trial: Trial,
  { order }: Deal,
  first: Reached | undefined,
  listened: boolean,
): Promise<void> {
  const requirement = 'order.state.quoted-to-executing';
  if (first?.status === 'EXECUTING') {
    trial.judge(requirement, true, { message: '' });
    return;
  }
  const { events } = trial.party(order.by);
  const settledTold = await awaitTold(trial, order.by, order, ['SETTLED'], 5_000);
  const executingTold = await awaitTold(trial, order.by, order, ['EXECUTING'], 1_000);
  if (executingTold) trial.judge(requirement, true, { message: '' });
  else if (settledTold && listened && events.isOpen && events.opened.id === settledTold.stream) {
    trial.judge(requirement, false, {
      message:
        'An order went to SETTLED without ever being EXECUTING, by its reads and its events.',
      expected: 'QUOTED, then EXECUTING, then SETTLED',
      seen: [settledTold],
    });
  }
}

const longestMs = 8_000;
const shortestMs = 1_500;

function judgeDuration(
  trial: Trial,
  order: PlacedOrder,
  acceptance: Exchange,
  { frame }: Reached,
): void {
  // What was told first may be another state, and the read that found this one much later.
  if (!frame || stateTold(frame, order) !== 'SETTLED') return;
  const least = (frame.after ?? frame.received) - acceptance.received;
  const most = frame.received - acceptance.sent;
  trial.judge('limit.settlement-duration', least <= longestMs && most >= shortestMs, {
    message: `An order was told SETTLED ${most / 1000} s after its quote was accepted.`,
    expected: 'about 4 s',
    actual: most / 1000,
    seen: [acceptance, frame],
  });
}

/** The winner can read the settlement; what it shows is for the rules to compare. */
async function judgeWon(trial: Trial, { order, quote: { maker } }: Deal): Promise<void> {
  const party = trial.party(maker);
  const exchange = await insist(trial, () =>
    party.call('settlement.read', { params: paramsOf(order) }),
  );
  const what = `${maker} reading the settlement that it won`;
  const requirement = 'settlement.read.returns-that-settlement';
  if (!allowed(trial, requirement, exchange, what) || !succeeded(exchange)) return;
  const shown = textOf(fieldsOf(exchange), 'intent_id');
  trial.judge(requirement, shown === order.intentId, {
    message: 'A settlement was read that is not that of the order asked for.',
    expected: order.intentId,
    actual: shown ?? null,
    seen: [exchange],
  });
}
