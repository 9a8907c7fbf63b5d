import { orderOf, ordersOf } from '../src/reference/core/index.ts';
import type { Written } from './mutation.ts';
import type { TamperContext } from '../src/reference/http/index.ts';
import { items, ordersBy, quotesOn, type Request, requests, viewsOf, without } from './tools.ts';

/** An acceptance as if its path had named the order that the quote is on, another of the same sender. */
function underItsOwnOrder(request: Request, context: TamperContext): Request | undefined {
  const order = orderOf(context.state, request.params.intent_id ?? '');
  const home = ordersBy(context, order?.senderPartyId ?? '').find(({ id }) =>
    quotesOn(context, id).some((quote) => quote.id === request.params.quote_id),
  );
  return order && home && home.id !== order.id
    ? { ...request, params: { ...request.params, intent_id: home.id } }
    : undefined;
}

/** Accepting quotes (4.2). */
export const acceptanceMutations: readonly Written[] = [
  {
    id: 'acceptance-wants-a-body',
    breaks: ['quote.accept.no-body-needed', 'service.sender-accepts'],
    summary: 'An acceptance is refused unless it names the quote in a body as well.',
    tamper: requests('quote.accept', (request) =>
      request.body === undefined ? { ...request, params: {} } : undefined,
    ),
  },
  {
    id: 'acceptance-returns-the-quote',
    breaks: ['quote.accept.returns-order'],
    summary: 'An acceptance returns the quote in place of the order.',
    tamper: items('quote.accept', (item, context) => {
      const quote = quotesOn(context, String(item.intent_id)).find(
        ({ id }) => id === item.quote_id,
      );
      return quote && context.party?.role === 'institution' ? viewsOf(context).quote(quote) : item;
    }),
  },
  {
    id: 'acceptance-without-rate',
    breaks: ['quote.accept.returns-fx-rate'],
    summary: 'The order that an acceptance returns has no rate yet.',
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'institution' ? without(item, 'fx_rate') : item,
    ),
  },
  {
    id: 'acceptance-without-winner',
    breaks: ['quote.accept.returns-market-maker'],
    summary: 'The order that an acceptance returns names no market maker yet.',
    tamper: items('quote.accept', (item) => without(item, 'market_maker_party_id')),
  },
  {
    id: 'best-quote-taken-instead',
    breaks: ['quote.accept.selects-named-quote'],
    summary: 'The best of the pending quotes is accepted, whichever was named.',
    tamper: requests('quote.accept', (request, context) => {
      const pending = quotesOn(context, request.params.intent_id ?? '').filter(
        ({ status }) => status === 'PENDING',
      );
      const best = pending.toSorted((one, other) => +one.cost - +other.cost)[0];
      return best && pending.some(({ id }) => id === request.params.quote_id)
        ? { ...request, params: { ...request.params, quote_id: best.id } }
        : undefined;
    }),
  },
  {
    id: 'latest-of-a-maker-taken-instead',
    breaks: ['quote.accept.selects-named-quote'],
    summary: "Of a maker's two quotes the later is accepted, whichever was named.",
    tamper: requests('quote.accept', (request, context) => {
      const all = quotesOn(context, request.params.intent_id ?? '');
      const named = all.find(({ id }) => id === request.params.quote_id);
      const last = all.findLast(
        ({ makerPartyId, status }) => makerPartyId === named?.makerPartyId && status === 'PENDING',
      );
      return last ? { ...request, params: { ...request.params, quote_id: last.id } } : undefined;
    }),
  },
  {
    id: 'lapsed-quote-stands-for-its-makers-other',
    breaks: ['order.accept.expired-quote-refused'],
    summary: 'Who accepts a quote that has lapsed gets another one of its maker that has not.',
    tamper: requests('quote.accept', (request, context) => {
      const quotes = quotesOn(context, request.params.intent_id ?? '');
      const named = quotes.find(({ id }) => id === request.params.quote_id);
      const other = quotes.find(
        ({ makerPartyId, status }) => makerPartyId === named?.makerPartyId && status === 'PENDING',
      );
      return named?.status === 'EXPIRED' && other
        ? { ...request, params: { ...request.params, quote_id: other.id } }
        : undefined;
    }),
  },
  {
    id: 'unknown-quote-takes-the-only-one',
    breaks: ['quote.accept.unknown-quote-refused'],
    summary: 'An unknown quote_id accepts the only quote there is.',
    tamper: requests('quote.accept', (request, context) => {
      const all = quotesOn(context, request.params.intent_id ?? '');
      const known = all.some(({ id }) => id === request.params.quote_id);
      const only = all.length === 1 ? all[0] : undefined;
      return only && !known
        ? { ...request, params: { ...request.params, quote_id: only.id } }
        : undefined;
    }),
  },
  {
    id: 'quote-of-own-other-order-accepted',
    breaks: ['quote.accept.quote-of-other-order-refused'],
    summary: "A quote on one order can be accepted under another of the sender's orders.",
    tamper: requests('quote.accept', underItsOwnOrder),
  },
  {
    id: 'custodian-accepts-quote-of-other-order',
    breaks: ['quote.accept.quote-of-other-order-refused'],
    summary: 'A custodian may accept a quote on one order under another of the same sender.',
    tamper: requests('quote.accept', (request, context) =>
      request.caller.role === 'custodian' ? underItsOwnOrder(request, context) : undefined,
    ),
  },
  {
    id: 'order-in-path-ignored-on-acceptance',
    breaks: ['quote.accept.unknown-order-refused'],
    summary: 'Only the quote in the path counts: any intent_id will do.',
    tamper: requests('quote.accept', (request, context) => {
      if (orderOf(context.state, request.params.intent_id ?? '')) return undefined;
      const home = ordersOf(context.state).find(({ id }) =>
        quotesOn(context, id).some((quote) => quote.id === request.params.quote_id),
      );
      return home && { ...request, params: { ...request.params, intent_id: home.id } };
    }),
  },
  {
    id: 'closed-two-seconds-before-the-end',
    breaks: ['order.expires-at.acceptable-until'],
    summary: 'In the last two seconds of an order none of its quotes is found to accept.',
    tamper: requests('quote.accept', (request, { state, now }) => {
      const order = orderOf(state, request.params.intent_id ?? '');
      const isLate = order?.status === 'PENDING' && order.expiresAt - now < 2_000;
      return isLate ? { ...request, params: { ...request.params, quote_id: order.id } } : undefined;
    }),
  },
  {
    id: 'accepted-rate-through-a-float',
    breaks: ['order.fx-rate.of-accepted-quote'],
    summary: 'A settled order is read with the rate that a float makes of its own.',
    tamper: items('order.read', (item) =>
      item.status === 'SETTLED' ? { ...item, fx_rate: String(Number(item.fx_rate)) } : item,
    ),
  },
];
