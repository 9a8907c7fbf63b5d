import { parseTimestamp } from '../../../spec/forms.ts';
import { quoteStates } from '../../../spec/vocabulary.ts';
import { setQuoteState } from '../lifecycle/end-order.ts';
import { readQuoteFields } from './request-body.ts';
import { uuidOf } from '../ids.ts';
import { isAmount, sameAmount } from '../money.ts';
import { quoteExpiry } from '../lifecycle/deadlines.ts';
import { costIn } from '../policy/quotes.ts';
import type { Order, Quote } from '../records.ts';
import { type Refusal, refuse } from '../errors.ts';
import { every } from '../store/tables.ts';
import { emitQuoteReceived } from '../lifecycle/emit-events.ts';
import type { Request, UnitOfWork } from '../unit-of-work.ts';
import { minorUnitsOf, rfqGroup } from '../world-setup.ts';
import { handlerOf, notFound, onOrder, onRfq, type ReadResult, withoutInput } from './handler.ts';
import { byStatus, listReply, pageOnly, withCurrency } from './list-reply.ts';

interface Offer {
  readonly rate: string;
  readonly submittedAmount: string;
  readonly validUntil: number;
}

function readOffer(work: UnitOfWork, { body }: Request): ReadResult<Offer> {
  const read = readQuoteFields(body, work.policy.body);
  if (!read.ok) return read;
  const { fx_rate: rate = '', target_amount: submittedAmount = '', valid_until } = read.input;
  const validUntil = parseTimestamp(valid_until) ?? 0;
  const { quotes, time } = work.policy;
  if (quotes.alreadyExpired === 'refuse' && time.passed(work.now, validUntil)) {
    return refuse('invalid_value', 'valid_until has passed already', '/valid_until');
  }
  if (validUntil - work.now > quotes.longestValidityMs) {
    const detail = `valid_until is more than ${quotes.longestValidityMs} ms ahead`;
    return refuse('invalid_value', detail, '/valid_until');
  }
  return { ok: true, input: { rate, submittedAmount, validUntil } };
}

type Amounts = Pick<Quote, 'sourceAmount' | 'targetAmount' | 'cost'>;

/** Amounts of the offer, or a refusal if they cannot be paid. */
function price(work: UnitOfWork, order: Order, offer: Offer): (Amounts & { ok: true }) | Refusal {
  const { money, quotes, body } = work.policy;
  const units = (currency: string): number => minorUnitsOf(work.world, currency);
  const cost = costIn(order.sourceCurrency, order.targetAmount, offer.rate, units, money);
  const { source, target } = quotes.amounts(offer, order, cost, units, money);
  if (![cost, source, target].every((amount) => isAmount(amount, body.amounts))) {
    const detail = 'at this rate the amounts are beyond what can be paid';
    return refuse('invalid_value', detail, '/fx_rate');
  }
  // A source amount that buys the whole order is its cost, however the backend would have rounded it.
  const buysWhole = sameAmount(target, order.targetAmount);
  return { ok: true, sourceAmount: source, targetAmount: target, cost: buysWhole ? source : cost };
}

function checkOffer(
  work: UnitOfWork,
  order: Order,
  offer: Offer,
  amounts: Amounts,
): Refusal | undefined {
  const { money, quotes } = work.policy;
  const { sourceAmount: source, targetAmount: target, cost } = amounts;
  if (!quotes.isWhole({ source, target }, order)) {
    const detail = 'target_amount does not come to the whole amount of the order';
    return refuse('invalid_value', detail, '/target_amount');
  }
  if (quotes.validBeyondOrder === 'refuse' && offer.validUntil > order.expiresAt) {
    return refuse('invalid_value', 'valid_until is after the expiry of the order', '/valid_until');
  }
  if (quotes.aboveMaximumAtSubmission === 'refuse' && !money.affordable(cost, order)) {
    return refuse('above_maximum', 'the sender would not pay that much', '/fx_rate');
  }
  return undefined;
}

const submit = onRfq<Offer>((work, request, order, offer) => {
  const { quotes, rfqs, time, views, http } = work.policy;
  if (!rfqs.isActive(order) || time.passed(work.now, order.expiresAt)) {
    return refuse('wrong_state', 'the request can no longer be quoted');
  }
  const maker = request.caller.partyId;
  if (quotes.second === 'refuse' && work.tables.orderQuotes.of(order.id, maker).size > 0) {
    return refuse('already_done', 'the caller has quoted on this request');
  }
  const amounts = price(work, order, offer);
  if (!amounts.ok) return amounts;
  const refusal = checkOffer(work, order, offer, amounts);
  if (refusal !== undefined) return refusal;
  if (quotes.second === 'replace') {
    for (const quote of work.tables.quotesOf(order.id, maker))
      if (quote.status === 'PENDING') setQuoteState(work, quote, quotes.replacedAs);
  }
  const dead = time.passed(work.now, offer.validUntil);
  const quote = work.saveQuote({
    id: uuidOf(request.entropy),
    seq: work.tables.quotes.size,
    intentId: order.id,
    makerPartyId: maker,
    rate: offer.rate,
    submittedAmount: offer.submittedAmount,
    sourceAmount: amounts.sourceAmount,
    targetAmount: amounts.targetAmount,
    cost: amounts.cost,
    submittedAt: work.now,
    validUntil: offer.validUntil,
    status: dead ? quotes.expiredAs : quotes.submittedAs,
  });
  if (!dead) work.schedule(quoteExpiry(work.policy, quote));
  emitQuoteReceived(work, order, quote);
  return { ok: true, status: http.quoteCreated, data: views.ownQuote(quote) };
});

export const submitQuote = handlerOf(readOffer, submit);

export const listQuotesOfOrder = handlerOf(
  pageOnly,
  onOrder((work, _request, order, { page }) => {
    const keys = work.tables.orderQuotes.of(order.id, every);
    return listReply(work, page, keys, work.tables.quotes, work.policy.views.quote);
  }),
);

export const listOwnQuotes = handlerOf(
  byStatus(quoteStates),
  (work, { caller }, { page, label }) => {
    const keys = work.tables.makerQuotes.of(caller.partyId, label);
    return listReply(work, page, keys, work.tables.quotes, work.policy.views.ownQuote);
  },
);

export const listOwnQuotesOfRfq = handlerOf(
  pageOnly,
  onRfq((work, { caller }, order, { page }) => {
    const keys = work.tables.orderQuotes.of(order.id, caller.partyId);
    return listReply(work, page, keys, work.tables.quotes, work.policy.views.ownQuote);
  }),
);

export const listRfqs = handlerOf(withCurrency(pageOnly), (work, _request, { page, label }) => {
  const keys = work.tables.activeRfqs.of(rfqGroup, label);
  return listReply(work, page, keys, work.tables.orders, work.policy.views.rfqItem);
});

export const readRfq = withoutInput(
  onRfq((work, { caller }, order) => {
    const { rfqs, views } = work.policy;
    const active = rfqs.isActive(order);
    if (!active && !rfqs.closedReadable) return notFound('request', order.id, 'intent_id');
    const own = () => work.tables.quotesOf(order.id, caller.partyId);
    return { ok: true, status: 200, data: views.rfqDetail(order, active, own) };
  }),
);
