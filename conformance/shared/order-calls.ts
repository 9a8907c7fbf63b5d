import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  cancelOptions,
  isRefusal,
  type OrderRef,
  paramsOf,
  type PlacedQuote,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';

/** Parties that accept quotes for the sender's side. */
export type Accepter = 'sender' | 'outsider' | 'sender_custodian';

/** One attempt to accept a quote. Judges nothing. */
export const tryAccept = (
  t: CheckContext,
  order: OrderRef,
  { quoteId }: Pick<PlacedQuote, 'quoteId'>,
  by: CastName = 'sender',
): Promise<Exchange> =>
  t.party(by).call('quote.accept', { params: { ...paramsOf(order), quote_id: quoteId } });

/** One attempt to cancel. Judges nothing. */
export const tryCancel = (
  t: CheckContext,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<Exchange> => t.party(by).call('order.cancel', cancelOptions(t, order));

/**
 * Cancels an order that can be cancelled; with an empty object if the target wants a body (gap `cancel.request`). Reads
 * the order after a refusal, so that the rules can judge if there was a reason for it.
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

/** Sends calls at the same moment. */
export const simultaneously = (
  t: CheckContext,
  calls: readonly (() => Promise<Exchange>)[],
): Promise<Exchange[]> =>
  t.inOneMoment(() =>
    t.target.timeline.together(calls.map((call, index) => [`call ${index + 1}`, call])),
  );
