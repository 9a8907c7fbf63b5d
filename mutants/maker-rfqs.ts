import { orderOf, ordersOf, type Order } from '../src/reference/core/index.ts';
import type { ResponseContext } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { answers, items, lists, orderAsked, quotesOn, rules, shifted, viewsOf } from './tools.ts';

/** Requests as the list of makers has them, but only some. */
const requestsWhere = (keep: (order: Order, context: ResponseContext) => boolean) =>
  lists('rfq.list', (context) =>
    ordersOf(context.state)
      .filter((order) => order.status === 'PENDING' && keep(order, context))
      .toReversed()
      .map(viewsOf(context).rfqItem),
  );

/** Requests for quote and submissions, as endpoints of market makers (4.4). */
export const makerRequestMutations: readonly Written[] = [
  {
    id: 'one-request-of-each-institution-listed',
    breaks: ['rfq.list.complete', 'rfq.list.holds-new-request'],
    summary: 'The list of requests holds one request of each institution, the newest.',
    tamper: requestsWhere(
      (order, { state }) =>
        ordersOf(state).findLast(
          ({ status, senderPartyId }) =>
            status === 'PENDING' && senderPartyId === order.senderPartyId,
        )?.id === order.id,
    ),
  },
  {
    id: 'requests-vanish-once-quoted-by-a-rival',
    breaks: ['rfq.list.still-listed-once-quoted', 'rfq.list.complete'],
    summary: 'A request leaves the list of all makers once one has quoted.',
    tamper: requestsWhere((order, context) => quotesOn(context, order.id).length === 0),
  },
  {
    id: 'large-requests-for-first-maker',
    breaks: ['rfq.list.same-for-every-maker'],
    summary: 'Large requests are listed for the first market maker only.',
    tamper: requestsWhere(
      (order, { party, parties }) =>
        +order.targetAmount < 1_000 ||
        parties.find(({ role }) => role === 'market-maker')?.partyId === party?.partyId,
    ),
  },
  {
    id: 'requests-without-those-of-proposals',
    breaks: ['rfq.list.holds-new-request', 'rfq.list.complete'],
    summary: 'A request whose proposal was accepted is no longer listed.',
    tamper: requestsWhere((order) => !order.proposalAccepted),
  },
  {
    id: 'accepted-request-stays-until-settled',
    breaks: ['rfq.list.accepted-order-left'],
    summary: 'A request stays listed until its order has settled.',
    tamper: lists('rfq.list', (context) =>
      ordersOf(context.state)
        .filter(({ status }) => ['PENDING', 'QUOTED', 'EXECUTING'].includes(status))
        .toReversed()
        .map(viewsOf(context).rfqItem),
    ),
  },
  {
    id: 'withdrawn-request-stays-listed',
    breaks: ['rfq.list.failed-order-left'],
    summary: 'The request of an order that the operator has withdrawn stays listed.',
    tamper: lists('rfq.list', (context) =>
      ordersOf(context.state)
        .filter(
          ({ status, failureReason }) =>
            status === 'PENDING' || failureReason === 'OPERATOR_WITHDRAWN',
        )
        .toReversed()
        .map(viewsOf(context).rfqItem),
    ),
  },
  {
    id: 'expired-request-stays-listed',
    breaks: ['rfq.list.expired-order-left'],
    summary: 'An expired request that was quoted stays listed.',
    tamper: lists('rfq.list', (context) =>
      ordersOf(context.state)
        .filter(
          ({ id, status, accepted }) =>
            status === 'PENDING' ||
            (status === 'EXPIRED' && !accepted && quotesOn(context, id).length > 0),
        )
        .toReversed()
        .map(viewsOf(context).rfqItem),
    ),
  },
  {
    id: 'request-read-answers-newest',
    breaks: ['rfq.read.returns-that-request'],
    summary: 'A maker that has quoted reads another open request in place of the one it asked for.',
    tamper: items('rfq.read', (item, context) => {
      const order = orderAsked(context);
      const own = quotesOn(context, order?.id ?? '').some(
        ({ makerPartyId }) => makerPartyId === context.party?.partyId,
      );
      const other = ordersOf(context.state).findLast(
        ({ id, status }) => status === 'PENDING' && id !== order?.id,
      );
      return own && other ? viewsOf(context).rfqItem(other) : item;
    }),
  },
  {
    id: 'unknown-request-reads-as-empty',
    breaks: ['rfq.read.unknown-refused'],
    summary: 'An unknown request is answered without content.',
    tamper: answers('rfq.read', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 204, headers: {} } : wire,
    ),
  },
  {
    id: 'request-read-expires-elsewhere',
    breaks: ['rfq.read.agrees-with-list'],
    summary: 'A single request expires five seconds later than the listed one.',
    tamper: items('rfq.read', (item) => ({ ...item, expires_at: shifted(item.expires_at, 5_000) })),
  },
  {
    id: 'submission-answered-200',
    breaks: ['quote.submit.status-201'],
    summary: 'A submission is answered with 200.',
    tamper: rules(() => ({ http: { quoteCreated: 200 } })),
  },
  {
    id: 'second-submission-answered-200',
    breaks: ['quote.submit.status-201'],
    summary: 'A submission on a request that has quotes already is answered with 200.',
    tamper: answers('quote.submit', (wire, context) =>
      wire.status === 201 && quotesOn(context, context.params.intent_id ?? '').length > 1
        ? { ...wire, status: 200 }
        : wire,
    ),
  },
  {
    id: 'submission-answered-202',
    breaks: ['quote.submit.status-201'],
    summary: 'A submission is answered with 202, as it is handled later.',
    tamper: answers('quote.submit', (wire) =>
      wire.status === 201 ? { ...wire, status: 202 } : wire,
    ),
  },
  {
    id: 'quotes-of-third-maker-hidden',
    breaks: ['quote.submit.shown-to-order-side', 'order.quotes.complete'],
    summary: 'The order side sees the quotes of two makers only.',
    tamper: lists('order.quotes', (context) => {
      const all = quotesOn(context, context.params.intent_id ?? '');
      const makers = [...new Set(all.map(({ makerPartyId }) => makerPartyId))].slice(0, 2);
      return all
        .filter(({ makerPartyId }) => makers.includes(makerPartyId))
        .toReversed()
        .map(viewsOf(context).quote);
    }),
  },
  {
    id: 'unknown-request-takes-quotes',
    breaks: ['quote.submit.unknown-request-refused'],
    summary: 'A quote on an unknown request is answered with 202 and forgotten.',
    tamper: answers('quote.submit', (wire, context) =>
      wire.status === 404 && !orderAsked(context) ? { status: 202, headers: {} } : wire,
    ),
  },
  {
    id: 'cancelled-request-takes-quotes',
    breaks: ['quote.submit.closed-request-refused'],
    summary: 'A request can be quoted though its order was cancelled.',
    tamper: rules(({ rfqs }) => ({
      rfqs: {
        isActive: (order) => rfqs.isActive(order) || order.failureReason === 'USER_CANCELLED',
      },
    })),
  },
  {
    id: 'expired-request-takes-quotes',
    breaks: ['quote.submit.expired-request-refused'],
    summary: 'A request can be quoted for ten seconds after it has expired.',
    tamper: () => ({
      outcome: (outcome, command, { state, now }) => {
        if (command.type !== 'request' || command.endpoint !== 'quote.submit') return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        const late =
          order?.status === 'EXPIRED' && !order.accepted && now < order.expiresAt + 10_000;
        if (!late || outcome.reply?.ok !== false) return outcome;
        const { fx_rate, target_amount, valid_until } = command.body as Record<string, unknown>;
        const data = {
          quote_id: order.id,
          intent_id: order.id,
          fx_rate,
          target_amount,
          submitted_at: new Date(now).toISOString(),
          valid_until,
          status: 'PENDING',
        };
        return { ...outcome, reply: { ok: true, status: 201, data } };
      },
    }),
  },
];
