import type { Exchange } from '../../history/records.ts';
import { type Fields, isDenied, itemsOf, succeeded, textOf } from '../../protocol/answers.ts';
import {
  cancelOptions,
  openForQuotes,
  paramsOf,
  type PlacedOrder,
} from '../../suite/actions/orders.ts';
import { retryWhileRefused, targetNow } from '../../suite/actions/context.ts';
import { callAs, placeOrder, type ProbeContext, submitQuote } from './probe-context.ts';

/** Tests if quoting waits for the custodian's acceptance of the proposal, and the effect of a second acceptance. */
export async function probeProposal(t: ProbeContext): Promise<void> {
  const order = await placeOrder(t);
  await awaitRequestVisible(t, order);
  const first = await submitQuote(t, order);
  if (!succeeded(await acceptProposal(t, order))) return;
  if (isDenied(first.exchange)) {
    await awaitRequestVisible(t, order);
    await submitQuote(t, order);
  } else {
    await t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) });
  }
}

/** An order that can be quoted; its proposal is accepted if the target waits for that. */
export async function openOrder(t: ProbeContext, changes: Fields = {}): Promise<PlacedOrder> {
  const order = await placeOrder(t, changes);
  await openForQuotes(t, order);
  await awaitRequestVisible(t, order);
  return order;
}

const acceptProposal = (t: ProbeContext, order: PlacedOrder): Promise<Exchange> =>
  retryWhileRefused(t, () =>
    t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) }),
  );

/** Waits until the maker's backend knows the request, or its time to learn of it is over. */
async function awaitRequestVisible(t: ProbeContext, order: PlacedOrder): Promise<void> {
  if (!t.has('maker_a')) return;
  await retryWhileRefused(t, () =>
    t.party('maker_a').call('rfq.read', { params: paramsOf(order) }),
  );
}

/** Amounts at which each reading of a rate and of a submitted amount gives another result. */
const roundAmounts = { target_amount: '100.00', source_amount_max: '1000.00' };

/**
 * Tests the meaning of a rate and an amount. At 1.25 the counter amount of 100 is 80 or 125, so the amount that a
 * target takes for the whole order shows its reading.
 */
export async function probeAmounts(t: ProbeContext): Promise<void> {
  const order = await openOrder(t, roundAmounts);
  const params = paramsOf(order);
  for (const amount of t.has('maker_a') ? ['100.00', '80.00', '125.00'] : []) {
    const { id } = await submitQuote(t, order, { rate: '1.25', amount });
    if (id !== undefined) break;
  }
  await callAs(t, 'sender', 'order.quotes', { params });
  await callAs(t, 'receiver_custodian', 'order.quotes', { params });
  await callAs(t, 'maker_a', 'rfq.read', { params });
}

/** A division that does not end, for the number of decimals; each on an order of its own, see gap `quote.twice`. */
export async function probeRounding(t: ProbeContext): Promise<void> {
  const order = await openOrder(t, roundAmounts);
  await submitQuote(t, order, { rate: '1.3333333', amount: '100.00' });
  await callAs(t, 'sender', 'order.quotes', { params: paramsOf(order) });
}

/** A quote over half of the order. */
export async function probePartialAmount(t: ProbeContext): Promise<void> {
  await submitQuote(t, await openOrder(t, roundAmounts), { amount: '50.00' });
}

/** Validity beyond either end. */
export async function probeValidity(t: ProbeContext): Promise<void> {
  const first = await openOrder(t);
  await submitQuote(t, first, { validUntil: targetNow(t).latest - 3_600_000 });
  const second = await openOrder(t);
  if (second.expiresAt !== undefined)
    await submitQuote(t, second, { validUntil: second.expiresAt + 30_000 });
}

/** Accepts a quote; tries again if the acceptance may have waited for that of the order's proposal. */
export async function acceptQuote(t: ProbeContext, order: PlacedOrder, quoteId: string) {
  const params = { ...paramsOf(order), quote_id: quoteId };
  const first = await t.party('sender').call('quote.accept', { params });
  if (!isDenied(first) || !t.has('sender_custodian')) return first;
  if (!succeeded(await acceptProposal(t, order))) return first;
  return t.party('sender').call('quote.accept', { params });
}

/** Submits a quote twice, accepts one of them twice, and reads the state of the other. */
export async function probeAcceptance(t: ProbeContext): Promise<void> {
  const order = await openOrder(t);
  const first = await submitQuote(t, order);
  if (first.id === undefined) return;
  const params = paramsOf(order);
  const maker = t.party('maker_a');
  const { body } = first.exchange.request;
  await maker.call('quote.submit', { params, body });
  const own = await maker.call('rfq.quotes', { params });
  const pending = itemsOf(own).find((item) => item['status'] === 'PENDING');
  const quoteId = textOf(pending, 'quote_id') ?? first.id;
  if (!succeeded(await acceptQuote(t, order, quoteId))) return;
  await callAs(t, 'sender', 'quote.accept', { params: { ...params, quote_id: quoteId } });
  await callAs(t, 'sender', 'order.quotes', { params });
  await callAs(t, 'maker_a', 'rfq.read', { params });
  await callAs(t, 'maker_b', 'rfq.read', { params });
  await callAs(t, 'maker_b', 'quote.submit', { params, body });
}

/** Effect of a cancel on an accepted quote, and on a pending one. */
export async function probeCancelled(t: ProbeContext): Promise<void> {
  for (const isAccepted of [true, false]) {
    const order = await openOrder(t);
    const { id } = await submitQuote(t, order);
    if (id === undefined) return;
    if (isAccepted) await acceptQuote(t, order, id);
    const params = paramsOf(order);
    await callAs(t, 'sender', 'order.cancel', cancelOptions(t, order));
    await callAs(t, 'sender', 'order.read', { params });
    await callAs(t, 'sender', 'order.quotes', { params });
  }
}

/** A quote above the maximum: 100 against 50 is above it in either orientation. */
export async function probeAboveMaximum(t: ProbeContext): Promise<void> {
  const order = await openOrder(t, { target_amount: '100.00', source_amount_max: '50.00' });
  const { id } = await submitQuote(t, order);
  if (id === undefined) return;
  const params = paramsOf(order);
  await callAs(t, 'sender', 'order.quotes', { params });
  await callAs(t, 'sender', 'quote.accept', { params: { ...params, quote_id: id } });
  await callAs(t, 'sender', 'order.read', { params });
}
