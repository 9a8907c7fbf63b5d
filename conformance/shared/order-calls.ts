import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  cancelOptions,
  type Fields,
  isRefusal,
  type OrderRef,
  paramsOf,
  type PlacedQuote,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { tolerance } from '../../src/protocol/tolerances.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import type { OrderState } from '../../src/spec/vocabulary.ts';

/** Longer than "about four seconds" by far: who waits this long in vain has not seen a settlement. */
export const settlementTimeoutMs = tolerance.settlement;

/** How long a stalled settlement is waited for: no window is shown (gap `settlement.window`), and most are of seconds. */
export const settlementWindowMs = 45_000;

/** How far one party's backend may lag behind another's (gap `views.lag`). */
export const viewLagMs = tolerance.replicationLagMs;

/** How late a deadline may take effect (gap `order.expiry_lag`), with room for the look itself. */
export const expiryLagMs = 3_500;

/** The waits that checks of this part announce, in milliseconds of target time. */
export const waits = {
  settlement: 16_000,
  quoteExpiry: 9_000,
  orderExpiry: 70_000,
} as const;

export const accepted: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];

export const unsettledStates: readonly OrderState[] = ['EXPIRED', 'FAILED'];

export const terminalStates: readonly OrderState[] = ['SETTLED', 'EXPIRED', 'FAILED'];

export const stateOf = (data: Fields): string | undefined => textOf(data, 'status');

export const statusIsOneOf = (states: readonly string[], data: Fields): boolean =>
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
export const tryAccept = (
  t: CheckContext,
  order: OrderRef,
  { quoteId }: Pick<PlacedQuote, 'quoteId'>,
  by: CastName = 'sender',
): Promise<Exchange> =>
  t.party(by).call('quote.accept', { params: { ...paramsOf(order), quote_id: quoteId } });

/** One attempt to cancel, whatever comes of it. */
export const tryCancel = (
  t: CheckContext,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<Exchange> => t.party(by).call('order.cancel', cancelOptions(t, order));

/**
 * Cancels where that must work; with an empty object where a target wants a body (gap `cancel.request`). Reads the order
 * after a refusal, so that the rules can tell whether there was a reason for it.
 */
export async function cancelOrder(
  t: CheckContext,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<Exchange> {
  const bare = await tryCancel(t, order, by);
  if (!isRefusal(bare)) return bare;
  const full = await t.party(by).call('order.cancel', { params: paramsOf(order), body: {} });
  if (succeeded(full)) return full;
  await t.party(by).call('order.read', { params: paramsOf(order) });
  return bare;
}

const responsiveMs = 150;

const busyPauseMs = 3_000;

const longestRushMs = 60_000;

/**
 * Waits while calls queue up behind those of other checks, as they do on a target that is spared more than so many
 * a second: what must happen within a second of a deadline would come too late. Nobody queues where time stands still.
 */
export async function waitWhileBusy(t: CheckContext): Promise<void> {
  const { timeline } = t.target;
  if (timeline.kind !== 'system') return;
  const end = timeline.now() + longestRushMs;
  while (timeline.now() < end) {
    const before = timeline.now();
    const { received } = await t.party('sender').call('identity.read');
    if (received - before < responsiveMs) return;
    await timeline.sleep(busyPauseMs);
  }
}

/** Sends calls at the same moment, with nobody else of this run in between. */
export const simultaneously = (
  t: CheckContext,
  calls: readonly (() => Promise<Exchange>)[],
): Promise<Exchange[]> =>
  t.exclusively(() =>
    t.target.timeline.together(calls.map((call, index) => [`call ${index + 1}`, call])),
  );

/** A table of checks from a table of situations. */
export const each = <T>(table: readonly T[], check: (row: T) => Check): readonly Check[] =>
  table.map(check);
