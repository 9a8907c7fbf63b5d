import { withExchanges, without } from './findings-and-edits.ts';
import { body, type Defects, set, status, unset, update } from './defects.ts';

/** What lists, tokens, events and refusals can have wrong (4 to 7). */
export const brokenTraffic: Defects = [
  // lists and access
  [
    'a list that leaves out the custodian',
    'order.list.sender-custodian-included',
    body({ at: 'order.list', party: 'sender_custodian' }, (found) =>
      Object.assign(found, {
        data: [],
        pagination: { page: 1, page_size: 20, total_items: 0, total_pages: 0 },
      }),
    ),
  ],
  [
    'a filter that does not filter',
    'order.list.status-filter',
    set({ at: 'order.list', party: 'sender', nth: 7 }, 'status', 'PENDING'),
  ],
  [
    'a foreign order in a list',
    'order.list.own-only',
    set({ at: 'order.list', party: 'sender' }, 'intent_id', '00000000-0000-4000-8000-aa0000000003'),
  ],
  [
    "a rival's quote in a maker's list",
    'quote.list.own-only',
    set(
      { at: 'quote.list', party: 'maker_a', nth: 0 },
      'quote_id',
      '00000000-0000-4000-8000-bb0000000002',
    ),
  ],
  [
    'an accepted order among the requests',
    'rfq.list.accepted-order-left',
    set({ at: 'rfq.list', party: 'maker_b' }, 'intent_id', '00000000-0000-4000-8000-aa0000000001'),
  ],
  [
    'a maker that lists orders',
    'access.order.list.market-maker-refused',
    status({ at: 'order.list', party: 'maker_a' }, 200),
  ],
  [
    'no token needed',
    'auth.order.list.token-required',
    status({ at: 'order.list', party: 'sender', nth: 0 }, 200),
  ],
  [
    'an expired token answered with 403',
    'auth.expired-token-401',
    status({ at: 'order.list', party: 'sender', nth: 1 }, 403),
  ],
  [
    'a stranger who reads',
    'order.read.foreign-institution-refused',
    status({ at: 'order.read', party: 'outsider' }, 200),
  ],
  // tokens
  [
    'another schema version',
    'version.schema-pinned',
    set({ at: 'identity.read', nth: 2 }, 'schema_version', 'v3'),
  ],
  [
    'another role in the token result',
    'token.role.as-claim',
    set({ at: 'token.create', nth: 1 }, 'role', 'institution'),
  ],
  [
    'another issuer',
    'claim.iss.fixed',
    (history) =>
      withExchanges(history, { at: 'token.create', nth: 0 }, (exchange) => {
        exchange.claims = { ...exchange.claims, iss: 'me' };
      }),
  ],
  [
    'a token that lives twice as long as it says',
    'token.exp-matches-expires-in',
    (history) =>
      withExchanges(history, { at: 'token.create', nth: 0 }, (exchange) => {
        exchange.claims = { ...exchange.claims, exp: Number(exchange.claims?.['exp']) + 3600 };
      }),
  ],
  // events
  [
    'no event for QUOTED',
    'event.order-updated.on-quoted',
    (history) => without(history, { at: 'order_updated', party: 'sender', status: 'QUOTED' }),
  ],
  [
    'no event for EXECUTING',
    'event.order-updated.on-executing',
    (history) => without(history, { at: 'order_updated', party: 'sender', status: 'EXECUTING' }),
  ],
  [
    'no event for a cancel',
    'event.order-updated.on-cancel',
    (history) => without(history, { at: 'order_updated', party: 'sender', status: 'FAILED' }),
  ],
  [
    'no event for expiry',
    'event.order-updated.on-expired',
    (history) => without(history, { at: 'order_updated', party: 'sender', status: 'EXPIRED' }),
  ],
  [
    'no event for the custodian',
    'event.order-updated.to-sender-custodian',
    (history) =>
      without(history, { at: 'order_updated', party: 'sender_custodian', status: 'SETTLED' }),
  ],
  [
    'one of two streams left out',
    'event.every-open-stream',
    (history) =>
      without(history, { at: 'order_updated', party: 'sender', status: 'SETTLED', nth: 1 }),
  ],
  [
    'no quote_received',
    'event.quote-received.sent',
    (history) => without(history, { at: 'quote_received', party: 'sender', nth: 2 }),
  ],
  [
    'no quote_received for the custodian',
    'event.quote-received.to-sender-custodian',
    (history) => without(history, { at: 'quote_received', party: 'sender_custodian', nth: 0 }),
  ],
  [
    'no quote_request_new for one maker',
    'event.quote-request-new.to-every-maker',
    (history) => without(history, { at: 'quote_request_new', party: 'maker_c', nth: 0 }),
  ],
  [
    'no quote_accepted',
    'event.quote-accepted.sent',
    (history) => without(history, { at: 'quote_accepted', nth: 0 }),
  ],
  [
    'another quote in quote_accepted',
    'event.quote-accepted.agrees-with-quote',
    set({ at: 'quote_accepted', nth: 0 }, 'quote_id', '00000000-0000-4000-8000-bb00000000ff'),
  ],
  [
    'no quote_accepted after the custodian',
    'event.quote-accepted.on-custodian-acceptance',
    (history) => without(history, { at: 'quote_accepted', nth: 1 }),
  ],
  [
    'no quote_rejected for one loser',
    'event.quote-rejected.to-every-loser',
    (history) => without(history, { at: 'quote_rejected', party: 'maker_c' }),
  ],
  [
    'no settlement_completed',
    'event.settlement-completed.sent',
    (history) => without(history, { at: 'settlement_completed', nth: 0 }),
  ],
  [
    'a status that is told too early',
    'event.after-cause',
    set(update('QUOTED'), 'status', 'SETTLED'),
  ],
  [
    'statuses told in the wrong order',
    'event.in-order',
    set(update('SETTLED'), 'status', 'PENDING'),
  ],
  [
    'a quote_received without a rate',
    'event.quote-received.has-fx-rate',
    unset({ at: 'quote_received', nth: 0 }, 'fx_rate'),
  ],
  [
    'a settlement_completed without a hash',
    'event.settlement-completed.has-transaction-hash',
    unset({ at: 'settlement_completed', nth: 0 }, 'transaction_hash'),
  ],
  [
    'a missing heartbeat',
    'limit.heartbeat-interval.order-stream',
    (history) => without(history, { at: 'heartbeat', party: 'receiver_custodian', nth: 1 }),
  ],
  [
    'no heartbeats at all',
    'event.heartbeat.maker-stream',
    (history) => without(history, { at: 'heartbeat', party: 'maker_c' }),
  ],
  // errors
  ['an internal error', 'error.refusal-is-4xx', status({ at: 'order.cancel', nth: 0 }, 500)],
];
