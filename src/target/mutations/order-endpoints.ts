import { orderOf, ordersOf } from '../../core/index.ts';
import type { ResponseContext } from '../../server/index.ts';
import type { Written } from './mutation.ts';
import {
  answers,
  envelopes,
  items,
  type Json,
  lists,
  orderAsked,
  orderIn,
  ordersBy,
  payloads,
  quotesOn,
  requests,
  rules,
  text,
  viewsOf,
  without,
} from './tools.ts';

/** The orders that the caller of a list has a part in, newest first, as its filter wants them. */
const ownOrders = ({ state, party, query }: ResponseContext) =>
  ordersOf(state)
    .filter(
      (order) =>
        [
          order.senderPartyId,
          order.senderCustodianPartyId,
          order.receiverCustodianPartyId,
        ].includes(party?.partyId) &&
        (query.status === undefined || query.status === order.status),
    )
    .toReversed();

/** The endpoints of institutions and custodians (4.2, 4.3). */
export const orderEndpointMutations: readonly Written[] = [
  {
    id: 'created-order-not-readable-at-once',
    breaks: ['order.create.readable-afterwards'],
    summary: 'An order can be read two seconds after its creation only.',
    tamper: requests('order.read', (request, { state, now }) => {
      const order = orderOf(state, request.params.intent_id ?? '');
      return order && now - order.createdAt < 2_000 ? { ...request, params: {} } : undefined;
    }),
  },
  {
    id: 'created-order-listed-once-quoted',
    breaks: ['order.create.listed-afterwards', 'order.list.complete'],
    summary: 'An order is in the list of its sender once it has a quote.',
    tamper: lists('order.list', (context) =>
      context.party?.role === 'institution'
        ? ownOrders(context)
            .filter(({ id, status }) => status !== 'PENDING' || quotesOn(context, id).length > 0)
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'creation-answers-intent-id-alone',
    breaks: ['order.create.returns-order'],
    summary: 'A creation answers with id and status alone.',
    tamper: items('order.create', ({ intent_id, status }) => ({ intent_id, status })),
  },
  {
    id: 'creation-without-id',
    breaks: ['order.create.assigns-intent-id'],
    summary: 'A creation answers with the order without its id, which the list shows.',
    tamper: items('order.create', (item) => without(item, 'intent_id')),
  },
  {
    id: 'creation-refused-for-long-decimals',
    breaks: ['order.create.succeeds'],
    summary: 'A creation is refused where the target amount has more than four decimals.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      return /\.\d{5,}$/.test(String(body?.target_amount))
        ? { ...request, body: { ...body, target_amount: '' } }
        : undefined;
    }),
  },
  {
    id: 'creation-doubles-while-one-is-open',
    breaks: ['order.create.once'],
    summary: 'A creation while another order of the sender is open is listed twice.',
    tamper: envelopes('order.list', ({ data, pagination, ...rest }, context) => {
      const own = data as readonly Json[];
      const twin = own.find((item) => {
        const order = orderIn(context, item);
        return (
          order?.status === 'PENDING' &&
          ordersBy(context, order.senderPartyId).some(
            ({ seq, status }) => seq < order.seq && status === 'PENDING',
          )
        );
      });
      const doubled = twin
        ? [...own, { ...twin, intent_id: flipped(String(twin.intent_id)) }]
        : own;
      return { ...rest, pagination, data: doubled };
    }),
  },
  {
    id: 'filter-by-failed-finds-expired-too',
    breaks: ['order.list.status-filter'],
    summary: 'Filtered by FAILED, the list holds expired orders as well.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'FAILED'
        ? ownOrders({ ...context, query: {} })
            .filter(({ status }) => status === 'FAILED' || status === 'EXPIRED')
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filter-by-pending-finds-accepted',
    breaks: ['order.list.status-filter'],
    summary: 'Filtered by PENDING, the list still holds orders that are QUOTED.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'PENDING'
        ? ownOrders({ ...context, query: {} })
            .filter(({ status }) => status === 'PENDING' || status === 'QUOTED')
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filter-loses-orders-with-rivals',
    breaks: ['order.list.status-filter.complete'],
    summary: 'Filtered by SETTLED, orders with more than one quote are missing.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'SETTLED'
        ? ownOrders(context)
            .filter(({ id }) => quotesOn(context, id).length < 2)
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filter-finds-nothing-expired',
    breaks: ['order.list.status-filter.complete'],
    summary: 'Filtered by EXPIRED, the list is empty.',
    tamper: lists('order.list', (context) => (context.query.status === 'EXPIRED' ? [] : undefined)),
  },
  {
    id: 'filter-by-executing-ignored',
    breaks: ['order.list.status-filter'],
    summary: 'A filter by EXECUTING is ignored.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'EXECUTING'
        ? ownOrders({ ...context, query: {} }).map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'filtered-totals-of-the-whole-list',
    breaks: ['order.list.status-filter.totals', 'pagination.total-items.counts'],
    summary: 'Filtered lists of orders give the totals of the whole list.',
    tamper: envelopes('order.list', (envelope, context) => {
      const { pagination } = envelope;
      if (!pagination || context.query.status === undefined) return envelope;
      const total = ownOrders({ ...context, query: {} }).length;
      return {
        ...envelope,
        pagination: {
          ...pagination,
          total_items: total,
          total_pages: Math.ceil(total / pagination.page_size),
        },
      };
    }),
  },
  {
    id: 'custodian-filter-ignored',
    breaks: ['order.list.custodian-status-filter'],
    summary: "A filter has no effect on a custodian's list.",
    tamper: requests('order.list', (request) =>
      request.caller.role === 'custodian' && request.query.status !== undefined
        ? { ...request, query: withoutStatus(request.query) }
        : undefined,
    ),
  },
  {
    id: 'second-page-forgets-the-filter',
    breaks: ['order.list.status-filter'],
    summary: 'The filter is lost on the way to the second page.',
    tamper: requests('order.list', (request) =>
      request.query.status !== undefined && Number(request.query.page ?? 1) > 1
        ? { ...request, query: withoutStatus(request.query) }
        : undefined,
    ),
  },
  {
    id: 'list-shows-rounded-amounts',
    breaks: ['order.list.agrees-with-read'],
    summary: 'Lists show the actual amount rounded to whole units.',
    tamper: items('order.list', (item) =>
      item.source_amount_actual === undefined
        ? item
        : {
            ...item,
            source_amount_actual: text(item.source_amount_actual).replace(/\.\d+$/, '.00'),
          },
    ),
  },
  {
    id: 'unknown-order-reads-as-empty',
    breaks: ['order.read.unknown-refused'],
    summary: 'An unknown order is answered with success and an empty object.',
    tamper: answers('order.read', (wire, { params, state, now }) =>
      wire.status === 404 && orderOf(state, params.intent_id ?? '') === undefined
        ? {
            status: 200,
            headers: {},
            body: {
              data: {},
              meta: { request_id: `r-${now}`, timestamp: new Date(now).toISOString() },
            },
          }
        : wire,
    ),
  },
  {
    id: 'cancel-of-unknown-succeeds',
    breaks: ['order.cancel.unknown-refused'],
    summary: 'Cancelling what does not exist succeeds without content.',
    tamper: answers('order.cancel', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 204, headers: {} } : wire,
    ),
  },
  {
    id: 'no-cancel-once-quoted-upon',
    breaks: ['order.cancel.pending-with-quotes'],
    summary: 'A pending order that has quotes cannot be cancelled.',
    tamper: requests('order.cancel', (request, context) => {
      const id = request.params.intent_id ?? '';
      return orderOf(context.state, id)?.status === 'PENDING' && quotesOn(context, id).length > 0
        ? { ...request, params: {} }
        : undefined;
    }),
  },
  {
    id: 'no-cancel-once-accepted',
    breaks: ['order.cancel.quoted'],
    summary: 'Only pending orders can be cancelled.',
    tamper: rules(() => ({ cancel: { from: ['PENDING'] } })),
  },
  {
    id: 'no-cancel-after-custodian-accepted',
    breaks: ['order.cancel.quoted'],
    summary: 'An order whose quote the custodian accepted cannot be cancelled by the sender.',
    tamper: () => ({
      outcome: (outcome, command, { memory }) => {
        if (
          command.type === 'request' &&
          command.endpoint === 'quote.accept' &&
          command.caller.role === 'custodian'
        ) {
          memory.set(`accepted ${command.params.intent_id ?? ''}`, true);
        }
        return outcome;
      },
      command: (command, { memory }) =>
        command.type === 'request' &&
        command.endpoint === 'order.cancel' &&
        memory.has(`accepted ${command.params.intent_id ?? ''}`)
          ? { ...command, params: {} }
          : command,
    }),
  },
  {
    id: 'cancel-while-executing',
    breaks: ['order.cancel.executing-refused'],
    summary: 'An order can be cancelled while its settlement runs.',
    tamper: rules(({ cancel }) => ({ cancel: { from: [...cancel.from, 'EXECUTING'] } })),
  },
  {
    id: 'cancel-of-settled-answers-success',
    breaks: ['order.cancel.settled-refused'],
    summary: 'Cancelling a settled order is answered with the order as it is.',
    tamper: () => ({
      outcome: (outcome, command, { state }) => {
        if (command.type !== 'request' || command.endpoint !== 'order.cancel') return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        return order?.status === 'SETTLED' && order.senderPartyId === command.caller.partyId
          ? {
              ...outcome,
              reply: { ok: true, status: 200, data: state.world.policy.views.order(order) },
            }
          : outcome;
      },
    }),
  },
  {
    id: 'cancel-fails-an-expired-order',
    breaks: ['order.cancel.expired-stays', 'order.state.expired-absorbs'],
    summary: 'Cancelling an expired order makes it FAILED.',
    tamper: rules(({ cancel }) => ({ cancel: { from: [...cancel.from, 'EXPIRED'] } })),
  },
  {
    id: 'cancelled-request-stays-open',
    breaks: ['order.cancel.request-closes'],
    summary: 'A request whose order was cancelled stays on the list of makers.',
    tamper: rules(({ rfqs }) => ({
      rfqs: {
        isActive: (order) =>
          rfqs.isActive(order) || (order.failureReason === 'USER_CANCELLED' && !order.accepted),
      },
    })),
  },
  {
    id: 'refused-cancel-still-stops-settlement',
    breaks: ['error.refusal-changes-nothing', 'order.state.executing-to-settled'],
    summary: 'A cancel of an executing order is refused, and the settlement stops all the same.',
    tamper: () => ({
      command: (command, { state, memory }) => {
        if (command.type === 'request' && command.endpoint === 'order.cancel') {
          const order = orderOf(state, command.params.intent_id ?? '');
          const own = order?.senderPartyId === command.caller.partyId;
          if (own && order.status === 'EXECUTING') memory.set(`stopped ${order.id}`, true);
        }
        return command.type === 'due' &&
          command.deadline.kind === 'settlement-leg' &&
          memory.has(`stopped ${command.deadline.intentId}`)
          ? { ...command, deadline: { ...command.deadline, intentId: 'none' } }
          : command;
      },
    }),
  },
  {
    id: 'quotes-of-the-order-before',
    breaks: ['order.quotes.only-that-order'],
    summary: 'The quotes of an order hold those on the other open orders of its sender.',
    tamper: lists('order.quotes', (context) => {
      const order = orderAsked(context);
      const open = ordersBy(context, order?.senderPartyId ?? '').filter(
        ({ status, id }) => status === 'PENDING' || id === order?.id,
      );
      return open
        .flatMap(({ id }) => quotesOn(context, id))
        .toReversed()
        .map(viewsOf(context).quote);
    }),
  },
  {
    id: 'quotes-of-one-maker-each',
    breaks: ['order.quotes.complete'],
    summary: 'The quotes of an order hold the last one of two makers at most.',
    tamper: lists('order.quotes', (context) =>
      quotesOn(context, context.params.intent_id ?? '')
        .slice(0, 2)
        .toReversed()
        .map(viewsOf(context).quote),
    ),
  },
  {
    id: 'quotes-vanish-once-accepted',
    breaks: ['order.quotes.complete'],
    summary: 'After an acceptance only the accepted quote is listed for a custodian.',
    tamper: lists('order.quotes', (context) =>
      context.party?.role === 'custodian' && orderAsked(context)?.accepted
        ? quotesOn(context, context.params.intent_id ?? '')
            .filter(({ status }) => status === 'ACCEPTED')
            .map(viewsOf(context).quote)
        : undefined,
    ),
  },
  {
    id: 'no-quotes-is-not-found',
    breaks: ['order.quotes.empty-without-quotes'],
    summary: 'The quotes of an order that has none are not found.',
    tamper: answers('order.quotes', (wire) =>
      Array.isArray((wire.body as Json | undefined)?.data) &&
      ((wire.body as Json).data as readonly unknown[]).length === 0
        ? { status: 404, headers: {}, body: { code: 'not_found' } }
        : wire,
    ),
  },
  {
    id: 'custodian-sees-other-amounts',
    breaks: ['order.quotes.custodian-sees-same'],
    summary: 'A custodian sees the source amounts of quotes in whole units.',
    tamper: items('order.quotes', (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, source_amount: String(item.source_amount).replace(/\.\d+$/, '') }
        : item,
    ),
  },
  {
    id: 'acceptance-wants-a-body',
    breaks: ['quote.accept.no-body-needed'],
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
    tamper: requests('quote.accept', (request, context) => {
      const order = orderOf(context.state, request.params.intent_id ?? '');
      const home = ordersBy(context, order?.senderPartyId ?? '').find(({ id }) =>
        quotesOn(context, id).some((quote) => quote.id === request.params.quote_id),
      );
      return order && home && home.id !== order.id
        ? { ...request, params: { ...request.params, intent_id: home.id } }
        : undefined;
    }),
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
    id: 'custodian-answer-without-rate',
    breaks: ['custodian-acceptance.fx-rate.present'],
    summary: "The answer to a custodian's acceptance has no rate.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'fx_rate') : item,
    ),
  },
  {
    id: 'custodian-answer-without-moment',
    breaks: ['custodian-acceptance.quote-accepted-at.present'],
    summary: "The answer to a custodian's acceptance does not say when.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'quote_accepted_at') : item,
    ),
  },
  {
    id: 'custodian-answer-names-no-quote',
    breaks: ['custodian-acceptance.quote-id.present'],
    summary: "The answer to a custodian's acceptance does not name the quote.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'quote_id') : item,
    ),
  },
  {
    id: 'custodian-answer-says-accepted',
    breaks: ['quote.accept.custodian-returns-quoted', 'custodian-acceptance.status.form'],
    summary: "The answer to a custodian's acceptance has the status of the quote.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian' ? { ...item, status: 'ACCEPTED' } : item,
    ),
  },
  {
    id: 'custodian-answer-amount-number',
    breaks: ['custodian-acceptance.source-amount-actual.form', 'convention.amounts-as-strings'],
    summary: "The answer to a custodian's acceptance has its amount as a JSON number.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, source_amount_actual: +String(item.source_amount_actual) }
        : item,
    ),
  },
  {
    id: 'custodian-answer-with-other-moment',
    breaks: ['quote.accept.custodian-answer-agrees'],
    summary: "The answer to a custodian's acceptance gives a moment that the order does not show.",
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian'
        ? {
            ...item,
            quote_accepted_at: String(item.quote_accepted_at).replace(/\.\d+Z$/, '.999Z'),
          }
        : item,
    ),
  },
  {
    id: 'custodian-acceptance-never-settles',
    breaks: ['quote.accept.custodian-order-settles'],
    summary: 'Nothing starts the settlement of an order whose quote the custodian accepted.',
    tamper: () => ({
      outcome: (outcome, command) =>
        command.type === 'request' &&
        command.endpoint === 'quote.accept' &&
        command.caller.role === 'custodian'
          ? { ...outcome, deadlines: [] }
          : outcome,
    }),
  },
  {
    id: 'proposal-refused-to-everybody',
    breaks: ['proposal.accept.by-sender-custodian'],
    summary: 'The custodian of the sender may not accept a proposal: nobody may.',
    tamper: rules(({ access }) => ({
      access: { may: { ...access.may, 'proposal.accept': [] } },
    })),
  },
  {
    id: 'proposal-of-unknown-accepted',
    breaks: ['proposal.accept.unknown-refused'],
    summary: 'The proposal of an unknown order is accepted, without content.',
    tamper: answers('proposal.accept', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 204, headers: {} } : wire,
    ),
  },
  {
    id: 'proposal-makes-quoted',
    breaks: ['proposal.accept.order-stays-legal'],
    summary: 'An order whose proposal was accepted reads as QUOTED.',
    tamper: items(['proposal.accept', 'order.read', 'order.list'], (item, context) =>
      item.status === 'PENDING' && orderIn(context, item)?.proposalAccepted
        ? { ...item, status: 'QUOTED' }
        : item,
    ),
  },
  {
    id: 'proposal-rewrites-the-maximum',
    breaks: ['proposal.accept.order-stays-legal', 'order.source-amount-max.unchanged'],
    summary: 'Accepting a proposal fills the maximum up to whole hundreds.',
    tamper: rules(() => ({
      stored: {
        order: (after, before) =>
          after.proposalAccepted && !before?.proposalAccepted
            ? { ...after, sourceAmountMax: `${after.sourceAmountMax.split('.')[0] ?? ''}99` }
            : after,
      },
    })),
  },
  {
    id: 'memo-extended-in-events',
    breaks: ['order.memo.unchanged'],
    summary: 'order_updated of a settled order carries another memo.',
    tamper: payloads('order_updated', (data) =>
      data.status === 'SETTLED' && data.memo !== undefined
        ? { ...data, memo: `${text(data.memo)} (settled)` }
        : data,
    ),
  },
];

/** Another id: its first digit is another one. */
const flipped = (id: string): string => `${id.startsWith('0') ? '1' : '0'}${id.slice(1)}`;

function withoutStatus(query: Readonly<Record<string, string>>): Record<string, string> {
  const { status: _, ...rest } = query;
  return rest;
}
