import type { Check, Trial } from '../../src/conformance/check.ts';
import {
  awaitStatus,
  type Fields,
  fieldsOf,
  isFields,
  isRefusal,
  itemsOf,
  type OrderRef,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  type Reached,
  readOrder,
  succeeded,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { Exchange, Frame } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { failureReasons, type OrderState } from '../../src/spec/words.ts';

/** Longer than "about four seconds" by far: who waits this long in vain has not seen a settlement. */
export const settlementPatienceMs = 15_000;
/** How far one party's backend may lag behind another's (gap `views.lag`). */
export const lagMs = 2_000;
/** How late a deadline may take effect (gap `order.expiry_lag`), with room for the look itself. */
export const sweepMs = 3_500;

/** The waits that checks of this part announce, in milliseconds of target time. */
export const waits = {
  settlement: 16_000,
  quoteExpiry: 9_000,
  orderExpiry: 70_000,
} as const;

export const accepted: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];
export const unsettled: readonly OrderState[] = ['EXPIRED', 'FAILED'];
export const terminal: readonly OrderState[] = ['SETTLED', 'EXPIRED', 'FAILED'];

export const stateOf = (data: Fields): string | undefined => textOf(data, 'status');
export const among = (states: readonly string[], data: Fields): boolean =>
  states.includes(stateOf(data) ?? '');

/** A field that is there: absent and null both mean that it is not set (gap `order.unset_fields`). */
export const isSet = (data: Fields, name: string): boolean =>
  data[name] !== undefined && data[name] !== null;

export const acceptanceFields = [
  'quote_id',
  'market_maker_party_id',
  'fx_rate',
  'source_amount_actual',
  'quote_accepted_at',
] as const;

/** Who accepts quotes for the sender's side. */
export type Accepter = 'sender' | 'outsider' | 'sender_custodian';

/** One attempt to accept a quote, whatever comes of it. */
export const acceptCall = (
  trial: Trial,
  order: OrderRef,
  { quoteId }: Pick<PlacedQuote, 'quoteId'>,
  by: CastName = 'sender',
): Promise<Exchange> =>
  trial.party(by).call('quote.accept', { params: { ...paramsOf(order), quote_id: quoteId } });

/** One attempt to cancel, whatever comes of it. */
export const cancelCall = (
  trial: Trial,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<Exchange> => trial.party(by).call('order.cancel', { params: paramsOf(order) });

/** Cancels where that must work; with an empty object where a target wants a body (gap `cancel.request`). */
export async function cancelling(
  trial: Trial,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<Exchange> {
  const bare = await cancelCall(trial, order, by);
  if (!isRefusal(bare)) return bare;
  const full = await trial.party(by).call('order.cancel', { params: paramsOf(order), body: {} });
  return succeeded(full) ? full : bare;
}

const calmMs = 150;
const busyPauseMs = 3_000;
const longestRushMs = 60_000;

/**
 * Waits while calls queue up behind those of other checks, as they do on a target that is spared more than so many
 * a second: what must happen within a second of a deadline would come too late. Nobody queues where time stands still.
 */
export async function untilCalm(trial: Trial): Promise<void> {
  const { timeline } = trial.target;
  if (timeline.kind !== 'system') return;
  const end = timeline.now() + longestRushMs;
  while (timeline.now() < end) {
    const before = timeline.now();
    const { received } = await trial.party('sender').call('identity.read');
    if (received - before < calmMs) return;
    await timeline.sleep(busyPauseMs);
  }
}

/** Sends calls at the same moment, with nobody else of this run in between. */
export const atOnce = (
  trial: Trial,
  calls: readonly (() => Promise<Exchange>)[],
): Promise<Exchange[]> =>
  trial.quietly(() =>
    trial.target.timeline.together(calls.map((call, index) => [`call ${index + 1}`, call])),
  );

/** The object in a frame that names an order: the payload itself, or one within it (gap `event.wrapping`). */
function orderIn(data: unknown, depth = 2): Fields | undefined {
  if (!isFields(data)) return undefined;
  if (textOf(data, 'intent_id') !== undefined && textOf(data, 'status') !== undefined) return data;
  if (depth === 0) return undefined;
  for (const inner of Object.values(data)) {
    const found = orderIn(inner, depth - 1);
    if (found) return found;
  }
  return undefined;
}

/** The state that a frame tells of an order; undefined where it tells of something else. */
export function stateTold(frame: Frame, { intentId }: OrderRef): string | undefined {
  if (frame.event !== 'order_updated') return undefined;
  const order = orderIn(frame.data);
  return order && textOf(order, 'intent_id') === intentId ? stateOf(order) : undefined;
}

/** The first event, past or to come, that tells an order in one of some states. */
export const awaitTold = (
  trial: Trial,
  by: CastName,
  order: OrderRef,
  states: readonly string[],
  withinMs: number,
): Promise<Frame | undefined> =>
  trial
    .party(by)
    .events.find(
      (frame) => states.includes(stateTold(frame, order) ?? ''),
      trial.target.timeline.now() + withinMs,
    );

const reasons: readonly string[] = failureReasons;
const freeText = ['memo', 'status', 'intent_signature', 'source_contract_id'];

/** The failure reason that an order shows under whatever name, up to two levels deep. */
export function reasonOf(order: Fields): string | undefined {
  for (const [name, value] of Object.entries(order)) {
    if (freeText.includes(name)) continue;
    const texts = isFields(value) ? Object.values(value) : [value];
    const found = texts.find((text) => typeof text === 'string' && reasons.includes(text));
    if (typeof found === 'string') return found;
  }
  return undefined;
}

/** Judges the failure reason of an order where it shows one: whether and where it does is open. */
export function judgeReason(
  trial: Trial,
  requirement: RequirementId,
  { data, exchange }: { readonly data: Fields; readonly exchange: Exchange },
  wanted: readonly string[],
): void {
  const reason = reasonOf(data);
  if (reason === undefined) return;
  trial.judge(requirement, wanted.includes(reason), {
    message: `The order showed the failure reason ${reason}.`,
    expected: wanted.join(' or '),
    actual: reason,
    seen: [exchange],
  });
}

/** Judges the state that an order was read in. */
export function judgeState(
  trial: Trial,
  requirement: RequirementId,
  { data, exchange }: { readonly data: Fields; readonly exchange: Exchange },
  states: readonly OrderState[],
  when: string,
): boolean {
  return trial.judge(requirement, among(states, data), {
    message: `An order was ${stateOf(data) ?? 'in no state'} ${when}.`,
    expected: states.join(' or '),
    actual: stateOf(data) ?? null,
    seen: [exchange],
  });
}

/** Waits for states and judges that one of them came. */
export async function mustReach(
  trial: Trial,
  requirement: RequirementId,
  order: OrderRef,
  states: readonly OrderState[],
  withinMs: number,
  when: string,
  by: CastName = 'sender',
): Promise<Reached | undefined> {
  const reached = await awaitStatus(trial, order, states, withinMs, by);
  if (reached) {
    trial.judge(requirement, true, { message: '' });
    return reached;
  }
  const now = await readOrder(trial, order, by);
  // It may have come to pass between the last look and this one.
  const late = among(states, now.data);
  judgeState(trial, requirement, now, states, when);
  if (!late) return undefined;
  return { status: stateOf(now.data) as OrderState, ...now };
}

/** The quotes of an order as a party of its side lists them: all that fit a first page. */
export async function quotesOf(
  trial: Trial,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<{ readonly items: readonly Fields[]; readonly exchange: Exchange }> {
  const exchange = await trial.party(by).call('order.quotes', { params: paramsOf(order) });
  return { items: itemsOf(exchange), exchange };
}

/** A maker's own quotes on one request. */
export async function ownQuotesOf(
  trial: Trial,
  order: OrderRef,
  maker: CastName,
): Promise<{ readonly items: readonly Fields[]; readonly exchange: Exchange }> {
  const exchange = await trial.party(maker).call('rfq.quotes', { params: paramsOf(order) });
  return { items: itemsOf(exchange), exchange };
}

export const quoteIn = (
  items: readonly Fields[],
  { quoteId }: Pick<PlacedQuote, 'quoteId'>,
): Fields | undefined => items.find((item) => textOf(item, 'quote_id') === quoteId);

/**
 * Judges the state of a quote as the order side lists it, once whoever looks can have caught up. A quote that is not
 * in the list is somebody else's matter.
 */
export async function judgeQuote(
  trial: Trial,
  requirement: RequirementId,
  order: OrderRef,
  quote: PlacedQuote,
  states: readonly string[],
  when: string,
  by: CastName | 'its maker' = 'sender',
): Promise<boolean | undefined> {
  const look = () =>
    by === 'its maker' ? ownQuotesOf(trial, order, quote.maker) : quotesOf(trial, order, by);
  const end = trial.target.timeline.now() + lagMs;
  for (;;) {
    const { items, exchange } = await look();
    const status = textOf(quoteIn(items, quote), 'status');
    const holds = status !== undefined && states.includes(status);
    if (!holds && trial.target.timeline.now() < end) {
      await trial.target.timeline.sleep(500);
      continue;
    }
    if (status === undefined) return undefined;
    return trial.judge(requirement, holds, {
      message: `A quote of ${quote.maker} was ${status} ${when}.`,
      expected: states.join(' or '),
      actual: status,
      seen: [exchange],
    });
  }
}

/** Whether an answer shows an order as accepted with a quote: its id where the answer has one. */
export const names = (data: Fields, { quoteId }: Pick<PlacedQuote, 'quoteId'>): boolean =>
  textOf(data, 'quote_id')?.toLowerCase() === quoteId.toLowerCase();

/**
 * Reads an order that must not have changed while nobody touched it: judged by the fields that a state or another
 * party's act would move. Its own deadline ends the wait, not the judgement.
 */
export async function judgeUntouched(
  trial: Trial,
  requirement: RequirementId,
  order: PlacedOrder,
  after: string,
): Promise<void> {
  const { data, exchange } = await readOrder(trial, order, order.by);
  const latest = exchange.received + trial.target.clock.offset.most;
  if (order.expiresAt === undefined || latest >= order.expiresAt) return;
  const moved = acceptanceFields.filter((name) => isSet(data, name));
  trial.judge(requirement, stateOf(data) === 'PENDING' && moved.length === 0, {
    message: `An order that nobody touched was ${stateOf(data) ?? 'in no state'} ${after}${moved.length > 0 ? `, with ${moved.join(', ')} set` : ''}.`,
    expected: 'PENDING, without an accepted quote',
    actual: data,
    seen: [exchange],
  });
}

/** A table of checks from a table of situations. */
export const each = <T>(table: readonly T[], check: (row: T) => Check): readonly Check[] =>
  table.map(check);

export const statusIn = (exchange: Exchange): string | undefined => stateOf(fieldsOf(exchange));
