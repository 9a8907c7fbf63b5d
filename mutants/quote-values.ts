import type { Written } from './mutation.ts';
import { quoteOf } from '../src/reference/core/index.ts';
import { items, orderIn, payloads, quoteIn, quotesOn, requests, rules, shifted } from './tools.ts';

/** Terms of quotes, as both sides see them (2.3). */
export const quoteTermMutations: readonly Written[] = [
  {
    id: 'quote-ids-of-second-quotes-repeat',
    breaks: ['quote.quote-id.unique'],
    summary: 'A second quote of a maker on a request is answered with the id of its first.',
    tamper: items('quote.submit', (item, context) => {
      const first = quotesOn(context, String(item.intent_id)).find(
        ({ makerPartyId }) => makerPartyId === context.party?.partyId,
      );
      return first ? { ...item, quote_id: first.id } : item;
    }),
  },
  {
    id: 'lapsed-quote-is-used-again',
    breaks: ['quote.state.expired-absorbs'],
    summary:
      "A maker's quote after one of its own has lapsed is written over that one, and keeps its id.",
    tamper: items(['quote.submit', 'order.quotes', 'rfq.quotes', 'quote.list'], (item, context) => {
      const own = quotesOn(context, String(item.intent_id)).filter(
        ({ makerPartyId }) => makerPartyId === quoteIn(context, item)?.makerPartyId,
      );
      const lapsed = own.find(({ status }) => status === 'EXPIRED');
      return lapsed && item.status === 'PENDING' ? { ...item, quote_id: lapsed.id } : item;
    }),
  },
  {
    id: 'quotes-listed-under-the-first-maker',
    breaks: ['quote.market-maker-party-id.is-submitter'],
    summary: 'With several quotes on an order all are shown as those of the first maker.',
    tamper: items('order.quotes', (item, context) => ({
      ...item,
      market_maker_party_id: quotesOn(context, String(item.intent_id))[0]?.makerPartyId,
    })),
  },
  {
    id: 'long-rates-cut-for-the-order-side',
    breaks: ['quote.fx-rate.as-submitted', 'quote.views-agree'],
    summary: 'The order side sees rates with six decimals at most.',
    tamper: items('order.quotes', (item) => ({
      ...item,
      fx_rate: String(item.fx_rate).replace(/(\.\d{6})\d+$/, '$1'),
    })),
  },
  {
    id: 'rate-inverted-for-custodian',
    breaks: ['quote.fx-rate.as-submitted'],
    summary: 'A custodian sees the inverse of the rate.',
    tamper: items('order.quotes', (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, fx_rate: (1 / +String(item.fx_rate)).toFixed(6) }
        : item,
    ),
  },
  {
    id: 'source-amount-of-second-quote-in-tens',
    breaks: ['quote.source-amount.agrees-with-rate'],
    summary: 'The quote of a second maker shows its source amount rounded to tens.',
    tamper: items('order.quotes', (item, context) =>
      quotesOn(context, String(item.intent_id))[0]?.id === item.quote_id
        ? item
        : { ...item, source_amount: String(Math.round(+String(item.source_amount) / 10) * 10) },
    ),
  },
  {
    id: 'own-amount-in-whole-units',
    breaks: ['own-quote.target-amount.echo'],
    summary: 'The amount of a quote is shown to its maker in whole units.',
    tamper: items(['quote.submit', 'quote.list', 'rfq.quotes'], (item) => ({
      ...item,
      target_amount: String(item.target_amount).replace(/\.\d+$/, ''),
    })),
  },
  {
    id: 'deadline-rounded-to-seconds',
    breaks: ['quote.valid-until.as-submitted', 'own-quote.valid-until.echo'],
    summary: 'A deadline loses its milliseconds when the quote is stored.',
    tamper: rules(() => ({
      stored: {
        quote: (after, before) =>
          before ? after : { ...after, validUntil: after.validUntil - (after.validUntil % 1_000) },
      },
    })),
  },
  {
    id: 'deadline-of-the-order-for-quotes',
    breaks: ['quote.valid-until.as-submitted', 'quote.views-agree'],
    summary: 'The order side sees expires_at of the order as the deadline of each quote.',
    tamper: items('order.quotes', (item, context) => {
      const order = orderIn(context, item);
      return order ? { ...item, valid_until: new Date(order.expiresAt).toISOString() } : item;
    }),
  },
  {
    id: 'submitted-at-of-the-order',
    breaks: ['quote.submitted-at.at-submission'],
    summary: 'submitted_at of a quote is when its order was created.',
    tamper: items(['quote.submit', 'quote.list', 'rfq.quotes', 'order.quotes'], (item, context) => {
      const order = orderIn(context, item);
      return order ? { ...item, submitted_at: new Date(order.createdAt).toISOString() } : item;
    }),
  },
  {
    id: 'submitted-at-moves-on-rejection',
    breaks: ['quote.terms-unchanged'],
    summary: 'A quote that is rejected is as if submitted at that moment.',
    tamper: rules(() => ({
      stored: {
        quote: (after, before, { now }) =>
          before && after.status === 'REJECTED' ? { ...after, submittedAt: now } : after,
      },
    })),
  },
  {
    id: 'deadline-cut-on-acceptance',
    breaks: ['quote.terms-unchanged'],
    summary: 'The deadline of an accepted quote becomes the moment of its acceptance.',
    tamper: items(['order.quotes', 'quote.list', 'rfq.quotes'], (item) =>
      item.status === 'ACCEPTED' ? { ...item, valid_until: shifted(item.submitted_at, 1) } : item,
    ),
  },
  {
    id: 'echo-of-last-rate',
    breaks: ['own-quote.fx-rate.echo'],
    summary: "A second quote's answer shows the rate of the first.",
    tamper: items('quote.submit', (item, context) => {
      const first = quotesOn(context, String(item.intent_id)).find(
        ({ makerPartyId }) => makerPartyId === context.party?.partyId,
      );
      return first ? { ...item, fx_rate: first.rate } : item;
    }),
  },
  {
    id: 'same-rate-answers-with-the-first-quote',
    breaks: ['own-quote.valid-until.echo'],
    summary: 'A second quote at the rate of the first is answered with that one, deadline and all.',
    tamper: items('quote.submit', (item, context) => {
      const first = quotesOn(context, String(item.intent_id)).find(
        ({ makerPartyId, rate }) =>
          makerPartyId === context.party?.partyId && rate === item.fx_rate,
      );
      if (!first) return item;
      const [submitted_at, valid_until] = [first.submittedAt, first.validUntil].map((at) =>
        new Date(at).toISOString(),
      );
      return { ...item, quote_id: first.id, submitted_at, valid_until };
    }),
  },
  {
    id: 'rate-with-four-decimals-in-own-list',
    breaks: ['own-quote.fx-rate.echo'],
    summary: 'The list of own quotes rounds rates to four decimals.',
    tamper: items('quote.list', (item) => ({
      ...item,
      fx_rate: String(item.fx_rate).replace(/(\.\d{4})\d+$/, '$1'),
    })),
  },
  {
    id: 'answer-names-the-quote-as-order',
    breaks: ['own-quote.intent-id.echo'],
    summary: 'The answer to a submission holds the id of the quote where the order should be.',
    tamper: items('quote.submit', (item) => ({ ...item, intent_id: item.quote_id })),
  },
  {
    id: 'quotes-of-other-order-by-name',
    breaks: ['quote.intent-id.names-order'],
    summary: 'Rejected quotes name themselves as their order in the list.',
    tamper: items('order.quotes', (item) =>
      item.status === 'REJECTED' ? { ...item, intent_id: item.quote_id } : item,
    ),
  },
  {
    id: 'last-second-of-a-quote-unusable',
    breaks: ['quote.state.usable-until-deadline'],
    summary: 'A quote cannot be accepted in its last second.',
    tamper: requests('quote.accept', (request, { state, now }) => {
      const quote = quoteOf(state, request.params.quote_id ?? '');
      return quote && quote.validUntil - now < 1_000 ? { ...request, params: {} } : undefined;
    }),
  },
  {
    id: 'last-tenth-of-a-second-unusable',
    breaks: ['quote.state.usable-until-deadline'],
    summary: 'A quote cannot be accepted in its last tenth of a second.',
    tamper: requests('quote.accept', (request, { state, now }) => {
      const quote = quoteOf(state, request.params.quote_id ?? '');
      return quote && quote.validUntil - now < 100 ? { ...request, params: {} } : undefined;
    }),
  },
  {
    id: 'short-quotes-unusable',
    breaks: ['quote.state.usable-until-deadline'],
    summary: 'A quote whose deadline is nearer than the settlement takes cannot be accepted.',
    tamper: requests('quote.accept', (request, { state, now }) => {
      const quote = quoteOf(state, request.params.quote_id ?? '');
      return quote && quote.validUntil - now < 4_000 ? { ...request, params: {} } : undefined;
    }),
  },
  {
    id: 'rate-of-event-cut',
    breaks: ['event.quote-received.agrees-with-list'],
    summary: 'quote_received rounds its rate to four decimals.',
    tamper: payloads('quote_received', (data) => ({
      ...data,
      fx_rate: String(data.fx_rate).replace(/(\.\d{4})\d+$/, '$1'),
    })),
  },
];
