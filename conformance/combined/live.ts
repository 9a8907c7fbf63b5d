import type { DrivenLife } from '../../src/combinations/factors.ts';
import {
  paramsOf,
  type PlacedOrder,
  readOrder,
  openForQuotes,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { type PlacedQuote, placedQuote, quote } from '../../src/suite/actions/quotes.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import { fieldsOf, isRefusal, succeeded } from '../../src/protocol/answers.ts';
import { pollUntil, retryWhileRefused, targetNow } from '../../src/suite/actions/context.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import {
  findQuote,
  ownQuotesOf,
  quoteBeyondExpiry,
  cancelOrder,
  tryAccept,
  tryCancel,
  quotesOf,
  acceptQuote,
  tryQuote,
  createWith,
  otherContent,
} from '../shared/order-life.ts';
import {
  untilLapsed,
  expiryLagMs,
  settlementTimeoutMs,
  untilBefore,
  viewLagMs,
  waits,
} from '../shared/waits.ts';
import {
  stateOf,
  assertReason,
  assertState,
  openSecondStream,
  resumePoint,
} from '../shared/order-states.ts';
import type { EventStream } from '../../src/client/contract.ts';
import type { Exchange } from '../../src/history/records.ts';
import { tolerance } from '../../src/protocol/tolerances.ts';
import { terminalOrderStates, unsettledStates } from '../../src/spec/states.ts';
import type { OrderState } from '../../src/spec/vocabulary.ts';

/** Moments of a life's actions on the target's clock, in milliseconds since the epoch. */
interface Moments {
  /** Submission of the quote that is to be accepted. Absent: at once. */
  readonly quoteAt?: number;
  /** Acceptance. Absent: as soon as the quote exists. */
  readonly acceptAt?: number;
  /** Deadline of that quote. Absent: the usual validity. */
  readonly validUntil?: number;
}

/** Before `valid_until`: longer than a settlement takes, shorter than "far". */
const secondsMs = 8_500;
/** Like `secondsMs`, but before `expires_at`, with room for the quote to end in between. */
const nearExpiryMs = 9_500;
/** Within the last second, and long enough for a request. */
const lastMs = 980;
/** Within the last second of a quote: settlement begins before the deadline if it begins at once, or after it. */
const lastOfQuoteMs = { settled: 950, expired: 250 } as const;
/** Longer than the delay until a deadline takes effect. */
const afterMs = 4_000;
const briefMs = 2_500;
const farMs = 30_000;

/** Time from the submission of a quote to its acceptance or to the order's own deadline. */
const aheadMs = 2_500;

const beforeExpiry = { seconds: nearExpiryMs, last: lastMs, after: -afterMs } as const;

/** The moments of a life in which a quote is accepted. */
function momentsOf(life: DrivenLife, now: number, expiresAt: number): Moments {
  const valid = life['valid-until'];
  const expires = life['expires-at'];
  const leadMs = lastOfQuoteMs[life.ending === 'settled' ? 'settled' : 'expired'];
  if (expires === 'far' || expires === 'none') {
    if (valid === 'seconds') return { validUntil: now + secondsMs };
    if (valid === 'last') return { validUntil: now + briefMs, acceptAt: now + briefMs - leadMs };
    if (valid === 'after') return { validUntil: now + briefMs, acceptAt: now + briefMs + afterMs };
    return {};
  }
  const acceptAt = expiresAt - beforeExpiry[expires];
  const lastChance = Math.min(acceptAt, expiresAt);
  const quoteAt = lastChance - aheadMs;
  if (valid === 'seconds') return { quoteAt, acceptAt, validUntil: acceptAt + secondsMs };
  if (valid === 'last') return { quoteAt, acceptAt, validUntil: acceptAt + leadMs };
  if (valid === 'after') {
    const early = lastChance - briefMs - afterMs;
    return { quoteAt: early, acceptAt, validUntil: early + briefMs };
  }
  return { quoteAt, acceptAt, validUntil: acceptAt + farMs };
}

/** True if its acceptance must be granted, whatever the target's answers to the gaps. */
export const isInTime = (life: DrivenLife): boolean =>
  [life['valid-until'], life['expires-at']].every((near) => near === 'far' || near === 'seconds');

/** True if its acceptance comes too late. */
export const isTooLate = (life: DrivenLife): boolean =>
  [life['valid-until'], life['expires-at']].includes('after');

/** True if it ends only at the order's own deadline. */
export const awaitsExpiry = (life: DrivenLife): boolean =>
  !['far', 'none'].includes(life['expires-at']) ||
  (life.ending === 'expired' && life['valid-until'] !== 'last');

/** Maker of the quote that is to be accepted. */
export const winner = 'maker_a';

/** Makers of the rival quotes. */
export const rivalsIn = ({ rivals }: DrivenLife): readonly CastName[] =>
  (({ none: [], one: ['maker_b'], several: ['maker_b', 'maker_c'], own: [winner] }) as const)[
    rivals
  ];

const once = 'a maker has one quote at a time here (gap quote.twice)';

/** Places the rival quotes and waits until the first of them has lapsed. */
async function placeLapsing(t: CheckContext, order: PlacedOrder, life: DrivenLife) {
  const [first, ...others] = rivalsIn(life);
  if (first === undefined) return [];
  requireTwoOfOneMaker(t, life);
  const brief = await quote(t, first, order, { validForMs: briefMs });
  const placed = [brief];
  for (const maker of others) placed.push(await quote(t, maker, order));
  await untilLapsed(t, brief);
  return placed;
}

/** Places the rival quotes so that all are valid when the winner is accepted. */
async function placeLasting(t: CheckContext, order: PlacedOrder, life: DrivenLife) {
  requireTwoOfOneMaker(t, life);
  const near = life['expires-at'];
  const isLeft = near === 'none' && life.ending === 'expired';
  const beyond = isLeft || near === 'last' || near === 'after';
  const placed: PlacedQuote[] = [];
  for (const maker of rivalsIn(life)) {
    const longer = beyond ? await quoteBeyondExpiry(t, maker, order) : undefined;
    placed.push(longer ?? (await quote(t, maker, order)));
  }
  return placed;
}

function requireTwoOfOneMaker(t: CheckContext, { rivals }: DrivenLife): void {
  const known = t.target.answers.get('quote.twice');
  if (rivals === 'own' && known !== undefined && known !== 'allow') t.outOfScope(once);
}

/** The quote that is to be accepted, with the deadline that its life wants. */
async function placeWinner(
  t: CheckContext,
  order: PlacedOrder,
  { validUntil }: Moments,
  rivals: readonly PlacedQuote[],
): Promise<PlacedQuote> {
  if (validUntil === undefined) return stillBeside(t, order, await quote(t, winner, order), rivals);
  const exchange = await t.promptly(() => tryQuote(t, winner, order, { validUntil }));
  const placed = placedQuote(winner, exchange);
  if (!placed || placed.validUntil !== validUntil) {
    await readOrder(t, order, order.by);
    const gaps = 'gaps quote.beyond_expiry, quote.max_validity';
    return t.notExercised(`no quote with that deadline was taken (${gaps})`, [exchange]);
  }
  return stillBeside(t, order, placed, rivals);
}

/** Ends the check if a second quote of a maker replaced the first. */
async function stillBeside(
  t: CheckContext,
  order: PlacedOrder,
  placed: PlacedQuote,
  rivals: readonly PlacedQuote[],
): Promise<PlacedQuote> {
  const own = rivals.find(({ maker }) => maker === winner);
  if (!own || t.target.answers.get('quote.twice') === 'allow') return placed;
  const { items } = await ownQuotesOf(t, order, winner);
  const states = ['PENDING', 'EXPIRED'];
  const stands = states.includes(stateOf(findQuote(items, own) ?? {}) ?? '');
  if (placed.quoteId === own.quoteId || !stands) t.outOfScope(once);
  return placed;
}

/** Submits a quote on an order with an accepted quote. It may be refused (gap `quote.late`), and changes nothing. */
async function quoteLate(t: CheckContext, order: PlacedOrder): Promise<void> {
  await tryQuote(t, 'maker_c', order);
}

const listenerOf = ({ accepter }: DrivenLife): CastName =>
  accepter === 'custodian' ? 'sender_custodian' : 'sender';

/** Opens a stream for the life, beside the one that the party has open for the whole run. */
async function listenTo(t: CheckContext, order: PlacedOrder, life: DrivenLife) {
  if (life.streams === 'whole') return undefined;
  return openSecondStream(t, listenerOf(life), { intentId: order.intentId });
}

/** Resumes a stream from its last event id. It was closed before the quote was accepted. */
async function resume(
  t: CheckContext,
  order: PlacedOrder,
  life: DrivenLife,
  stream: EventStream,
): Promise<void> {
  const listener = listenerOf(life);
  await openSecondStream(t, listener, { intentId: order.intentId, ...resumePoint(stream) });
}

/** After this time most settlements of "about four seconds" are complete. No read before, since each read is a call. */
const usualSettlementMs = 4_500;

/** "About four seconds", read widely, with room for the following calls. */
const outlastsSettlementMs = tolerance.settlementMaxMs + 500;

const money = {
  usual: { currencies: 'usual', size: 'usual' },
  'no-minor-unit': { currencies: 'to-yen', size: 'usual' },
  small: { currencies: 'usual', size: 'small' },
  large: { currencies: 'usual', size: 'large' },
} as const;

/** When that may be is open: here it is before any quote has come, or once all have. */
const acceptProposal = (t: CheckContext, order: PlacedOrder): Promise<Exchange> =>
  t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) });

/** Plays one life to its end, and reads the results: the rules judge them. */
export async function live(t: CheckContext, life: DrivenLife): Promise<void> {
  const control = life.ending === 'failed' ? t.target.controls.fail_settlement : undefined;
  const { order, refused } = await createWith(t, {
    creator: 'sender',
    money: money[life.money],
    ...(control?.order && { fields: control.order }),
  });
  if (control) t.markDisturbed(order.intentId);
  await control?.call?.(order.intentId);
  if (awaitsExpiry(life)) announceExpiry(t, order);
  const stream = await listenTo(t, order, life);
  await openForQuotes(t, order);
  const isProposedFirst = t.random.below(2) === 0;
  if (life.proposal === 'accepted' && isProposedFirst)
    await retryWhileRefused(t, () => acceptProposal(t, order));
  const lapsed = life.lapsed === 'yes' ? await placeLapsing(t, order, life) : undefined;
  const momentsNow = () => momentsOf(life, targetNow(t).latest, order.expiresAt ?? 0);
  const { quoteAt } = momentsNow();
  if (quoteAt !== undefined) await untilBefore(t, quoteAt, 0);
  const rivals = lapsed ?? (await placeLasting(t, order, life));
  const moments = momentsNow();
  const chosen = await placeWinner(t, order, moments, rivals);
  if (life.proposal === 'accepted' && !isProposedFirst) await acceptProposal(t, order);
  if (life.streams === 'resumed') await stream?.close();
  // An expired order sends no more events.
  const isEarly = life['expires-at'] === 'after';
  if (isEarly && life.streams === 'resumed' && stream) await resume(t, order, life, stream);
  if (moments.acceptAt !== undefined) await untilBefore(t, moments.acceptAt, 0);
  const acceptance =
    life.accepter === 'nobody' ? undefined : await acceptIn(t, order, chosen, life);
  if (life.beside === 'late-quote') await quoteLate(t, order);
  if (!isEarly && life.streams === 'resumed' && stream) await resume(t, order, life, stream);
  const outlasts =
    acceptance !== undefined &&
    chosen.validUntil >= acceptance.received + t.target.clock.offset.most + outlastsSettlementMs;
  await end(t, order, life, outlasts ? 'outlasts settlement' : 'may lapse');
  await look(t, order, life);
  if (refused) t.notExercised(`${otherContent}: its other factors were tried`, [refused]);
}

function announceExpiry(t: CheckContext, order: PlacedOrder): void {
  const { expiresAt } = order;
  if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
  const left = expiresAt - targetNow(t).earliest;
  t.allowWait(left + waits.settlement, "this target's orders' life");
}

/** Accepts as the life has it, and answers with the last attempt. */
async function acceptIn(t: CheckContext, order: PlacedOrder, quote: PlacedQuote, life: DrivenLife) {
  const by = life.accepter === 'custodian' ? 'sender_custodian' : 'sender';
  if (isTooLate(life)) {
    return tryAccept(t, order, quote, by);
  }
  if (life.ending === 'cancelled') {
    return acceptAndCancel(t, order, quote, by);
  }
  if (isInTime(life)) {
    return acceptQuote(t, { order, quote, acceptedBy: by });
  }
  const acceptance = await t.promptly(() => tryAccept(t, order, quote, by));
  // Rules judge if it came in time, and its consequences.
  if (isRefusal(acceptance)) {
    await readOrder(t, order, order.by);
    t.notExercised('the acceptance came too late, or was refused', [acceptance]);
  }
  return acceptance;
}

/**
 * An acceptance in time and a cancel with nothing in between, once the acceptance is granted. How long an order is
 * QUOTED is open.
 */
async function acceptAndCancel(
  t: CheckContext,
  order: PlacedOrder,
  quote: PlacedQuote,
  by: 'sender' | 'sender_custodian',
): Promise<Exchange> {
  const both = async (): Promise<{ accepted: Exchange; cancelled?: Exchange }> => {
    const accepted = await tryAccept(t, order, quote, by);
    return isRefusal(accepted) ? { accepted } : { accepted, cancelled: await tryCancel(t, order) };
  };
  const { accepted, cancelled } = await pollUntil(
    t,
    () => t.exclusively(both),
    (one) => !isRefusal(one.accepted),
  );
  if (isRefusal(accepted)) {
    const deadline = Math.min(quote.validUntil, order.expiresAt ?? Number.POSITIVE_INFINITY);
    if (accepted.received + t.target.clock.offset.most < deadline) {
      const accepts =
        by === 'sender' ? 'service.sender-accepts' : 'service.sender-custodian-accepts';
      assertAllowed(t, accepts, accepted, `${by} accepting a valid quote of ${quote.maker}`);
    }
    await readOrder(t, order, order.by);
    t.notExercised('the quote that was to be cancelled was not accepted', [accepted]);
  }
  if (cancelled && isRefusal(cancelled)) {
    await readOrder(t, order, order.by);
    t.notExercised('the order was QUOTED too shortly for a cancel to meet it', [cancelled]);
  }
  return accepted;
}

/** Goes on to the end of a life. */
async function end(t: CheckContext, order: PlacedOrder, life: DrivenLife, validity: Validity) {
  const { timeline } = t.target;
  switch (life.ending) {
    case 'settled':
      await timeline.sleep(usualSettlementMs);
      await reach(t, order, life['valid-until'] === 'last' ? terminalOrderStates : ['SETTLED']);
      return;
    case 'failed':
      await fail(t, order, validity);
      return;
    case 'cancelled':
      if (life.accepter === 'nobody' || isTooLate(life)) await cancelOrder(t, order);
      await timeline.sleep(life.accepter === 'nobody' ? viewLagMs + 1 : 8_000);
      await reach(t, order, unsettledStates);
      return;
    case 'expired':
      if (life['valid-until'] === 'last' && !isTooLate(life)) {
        // It expires with its quote if settlement has not begun by then.
        await timeline.sleep(expiryLagMs + usualSettlementMs);
        await reach(t, order, terminalOrderStates);
        return;
      }
      await untilExpired(t, order, expiryLagMs);
      await reach(t, order, ['EXPIRED']);
  }
}

/** `outlasts settlement`: the quote's deadline cannot pass before the settlement ends. */
type Validity = 'outlasts settlement' | 'may lapse';

/** Waits for the expected end of a life. If it ends otherwise, the rules judge if that is admissible. */
async function reach(t: CheckContext, order: PlacedOrder, states: readonly OrderState[]) {
  const reached = await awaitStatus(t, order, states, settlementTimeoutMs);
  if (reached) return;
  const { data, exchange } = await readOrder(t, order, order.by);
  t.notExercised(`the order came to another end: ${stateOf(data) ?? 'none'}`, [exchange]);
}

/** 3.1: a settlement that is made to fail ends its order FAILED; that it was made to only the check knows. */
async function fail(t: CheckContext, order: PlacedOrder, validity: Validity): Promise<void> {
  const ended = await awaitStatus(t, order, ['FAILED'], settlementTimeoutMs);
  if (validity === 'may lapse')
    t.notExercised("the quote's deadline may have ended the order before its settlement failed");
  const seen = ended ?? (await readOrder(t, order, order.by));
  const when = 'though its settlement was made to fail';
  assertState(t, 'order.state.executing-to-failed', seen, ['FAILED'], when);
  if (ended) assertReason(t, 'order.failure-reason.revert', ended, ['REVERT']);
}

/** Reads the results of a life as every party sees them. */
async function look(t: CheckContext, order: PlacedOrder, life: DrivenLife): Promise<void> {
  const ofReceiver = t.target.parties.receiver_custodian && t.random.below(2) === 0;
  const custodian = ofReceiver ? 'receiver_custodian' : 'sender_custodian';
  const { exchange } = await readOrder(t, order, custodian);
  await quotesOf(t, order, life.accepter === 'custodian' ? 'sender' : 'sender_custodian');
  await ownQuotesOf(t, order, winner);
  const [rival = winner] = rivalsIn(life);
  if (life.ending !== 'settled' && rival !== winner) await ownQuotesOf(t, order, rival);
  if (succeeded(exchange) && stateOf(fieldsOf(exchange)) === 'SETTLED') {
    const maker = t.party(winner);
    await retryWhileRefused(t, () => maker.call('settlement.read', { params: paramsOf(order) }));
  }
}
