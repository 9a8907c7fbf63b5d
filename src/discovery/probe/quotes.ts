import { formatTimestamp } from '../../spec/forms.ts';
import { tradeAwaitsProposal } from '../../spec/gaps/proposals.ts';
import type { Exchange } from '../../history/records.ts';
import {
  callAs,
  type ProbeContext,
  type ProbeOrder,
  submitQuote,
  targetNow,
} from './probe-context.ts';
import { itemsOf, lagMs, refused, succeeded, text } from '../../protocol/exchange-queries.ts';

/** Whether quoting waits for the custodian's acceptance of the proposal, and what accepting it again does. */
export async function probeProposal(context: ProbeContext): Promise<void> {
  const order = await context.order();
  if (!order) return;
  await awaitRequestVisible(context, order);
  const first = await submitQuote(context, order);
  if (!first) return;
  const params = { intent_id: order.id };
  const accepted = await acceptProposal(context, order);
  if (!accepted || !succeeded(accepted)) return;
  if (refused(first.exchange)) {
    await awaitRequestVisible(context, order);
    await submitQuote(context, order);
  } else {
    await callAs(context, 'sender_custodian', 'proposal.accept', { params });
  }
}

/** An order that can be quoted, its proposal accepted where the target waits for that. */
async function openOrder(context: ProbeContext, changes = {}): Promise<ProbeOrder | undefined> {
  const order = await context.order(changes);
  if (!order) return undefined;
  if (tradeAwaitsProposal(context.target.answers.get('proposal.effect')))
    await acceptProposal(context, order);
  await awaitRequestVisible(context, order);
  return order;
}

/** What one backend has answered, another may learn a moment later: a call is made again while it is refused. */
async function insist(
  { target: { timeline } }: ProbeContext,
  call: () => Promise<Exchange | undefined>,
): Promise<Exchange | undefined> {
  const end = timeline.now() + lagMs;
  for (let pauseMs = 100; ; pauseMs *= 2) {
    const exchange = await call();
    if (!exchange || !refused(exchange) || timeline.now() >= end) return exchange;
    await timeline.until(Math.min(end, timeline.now() + pauseMs));
  }
}

const acceptProposal = (context: ProbeContext, { id }: ProbeOrder): Promise<Exchange | undefined> =>
  insist(context, () =>
    callAs(context, 'sender_custodian', 'proposal.accept', { params: { intent_id: id } }),
  );

/** Waits until the maker's backend knows of the request, or has had its time to. */
const awaitRequestVisible = (context: ProbeContext, { id }: ProbeOrder): Promise<unknown> =>
  insist(context, () => callAs(context, 'maker_a', 'rfq.read', { params: { intent_id: id } }));

/**
 * What a rate and an amount mean. At 1.25 the counter amount of 100 is 80 or 125, so whichever amount a target takes
 * for the whole order tells its reading.
 */
export async function probeAmounts(context: ProbeContext): Promise<void> {
  const order = await openOrder(context, { target_amount: '100.00', source_amount_max: '1000.00' });
  if (!order) return;
  const params = { intent_id: order.id };
  for (const amount of ['100.00', '80.00', '125.00']) {
    const given = await submitQuote(context, order, { fx_rate: '1.25', target_amount: amount });
    if (given?.id !== undefined || given === undefined) break;
  }
  await callAs(context, 'sender', 'order.quotes', { params });
  await callAs(context, 'receiver_custodian', 'order.quotes', { params });
  await callAs(context, 'maker_a', 'rfq.read', { params });
}

/** A division that does not end, for the number of decimals; each on an order of its own, see gap `quote.twice`. */
export async function probeRounding(context: ProbeContext): Promise<void> {
  const order = await openOrder(context, { target_amount: '100.00', source_amount_max: '1000.00' });
  if (!order) return;
  await submitQuote(context, order, { fx_rate: '1.3333333' });
  await callAs(context, 'sender', 'order.quotes', { params: { intent_id: order.id } });
}

/** A quote over half of the order. */
export async function probePartialAmount(context: ProbeContext): Promise<void> {
  const order = await openOrder(context, { target_amount: '100.00', source_amount_max: '1000.00' });
  if (order) await submitQuote(context, order, { fx_rate: '1', target_amount: '50.00' });
}

/** Validity beyond either end. */
export async function probeValidity(context: ProbeContext): Promise<void> {
  const first = await openOrder(context);
  if (!first) return;
  const past = formatTimestamp(targetNow(context) - 3_600_000);
  await submitQuote(context, first, { valid_until: past });
  const second = await openOrder(context);
  const expires = Date.parse(String(second?.fields['expires_at']));
  if (!second || Number.isNaN(expires)) return;
  await submitQuote(context, second, { valid_until: formatTimestamp(expires + 30_000) });
}

/** Accepts a quote; once more where the acceptance may have waited for that of the order's proposal. */
async function acceptQuote(
  context: ProbeContext,
  order: ProbeOrder,
  params: { readonly intent_id: string; readonly quote_id: string },
): Promise<Exchange | undefined> {
  const first = await callAs(context, 'sender', 'quote.accept', { params });
  if (!first || !refused(first)) return first;
  const opened = await acceptProposal(context, order);
  if (!opened || !succeeded(opened)) return first;
  return callAs(context, 'sender', 'quote.accept', { params });
}

/** A quote twice, the acceptance of one of them twice, and what becomes of the other. */
export async function probeAcceptance(context: ProbeContext): Promise<void> {
  const order = await openOrder(context);
  const first = order && (await submitQuote(context, order));
  if (!order || first?.id === undefined) return;
  const params = { intent_id: order.id };
  const body = first.exchange.request.body;
  await callAs(context, 'maker_a', 'quote.submit', { params, body });
  const own = await callAs(context, 'maker_a', 'rfq.quotes', { params });
  const pending = own && itemsOf(own).find((item) => item['status'] === 'PENDING');
  const quoteId = text(pending?.['quote_id']) ?? first.id;
  const both = { intent_id: order.id, quote_id: quoteId };
  const accepted = await acceptQuote(context, order, both);
  if (!accepted || !succeeded(accepted)) return;
  await callAs(context, 'sender', 'quote.accept', { params: both });
  await callAs(context, 'sender', 'order.quotes', { params });
  await callAs(context, 'maker_a', 'rfq.read', { params });
  await callAs(context, 'maker_b', 'rfq.read', { params });
  await callAs(context, 'maker_b', 'quote.submit', { params, body });
}

/** What a cancel leaves of an accepted quote, and of a pending one. */
export async function probeCancelled(context: ProbeContext): Promise<void> {
  for (const accept of [true, false]) {
    const order = await openOrder(context);
    const given = order && (await submitQuote(context, order));
    if (!order || given?.id === undefined) return;
    const params = { intent_id: order.id };
    const both = { ...params, quote_id: given.id };
    if (accept) await acceptQuote(context, order, both);
    await callAs(context, 'sender', 'order.cancel', { params });
    await callAs(context, 'sender', 'order.read', { params });
    await callAs(context, 'sender', 'order.quotes', { params });
  }
}

/** A quote above the maximum: 100 against 50 is above it in either orientation. */
export async function probeAboveMaximum(context: ProbeContext): Promise<void> {
  const order = await openOrder(context, { target_amount: '100.00', source_amount_max: '50.00' });
  const given = order && (await submitQuote(context, order));
  if (!order || given?.id === undefined) return;
  const params = { intent_id: order.id };
  await callAs(context, 'sender', 'order.quotes', { params });
  await callAs(context, 'sender', 'quote.accept', { params: { ...params, quote_id: given.id } });
  await callAs(context, 'sender', 'order.read', { params });
}
