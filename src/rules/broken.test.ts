import { describe, expect, test } from 'vitest';
import type { History, HistoryRecord } from '../history/records.ts';
import { altered, edited, exchanged, outcomes, type Place, wholeLife, without } from './testing.ts';
import { partyIds } from './testing-world.ts';

type Json = Record<string, unknown>;
const life = wholeLife();

const set = (place: Place, field: string, value: unknown) => (history: History) =>
  edited(history, place, (resource) => {
    resource[field] = value;
  });
const unset = (place: Place, field: string) => (history: History) =>
  edited(history, place, (resource) => {
    delete resource[field];
  });
const status = (place: Place, code: number) => (history: History) =>
  exchanged(history, place, (exchange) => {
    exchange.response = { headers: {}, ...exchange.response, status: code };
  });
const body = (place: Place, edit: (body: Json) => void) => (history: History) =>
  exchanged(history, place, (_, found) => edit(found));

const read = (state: string, nth = 0): Place => ({
  at: 'order.read',
  party: 'sender',
  status: state,
  nth,
});
const update = (state: string, nth = 0): Place => ({
  at: 'order_updated',
  party: 'sender',
  status: state,
  nth,
});

/** One thing broken each, and a requirement that must fail for it. */
const defects: readonly (readonly [string, string, (history: History) => History])[] = [
  // part 2.1
  ['no data', 'envelope.data-present', body(read('PENDING'), (found) => delete found['data'])],
  [
    'no meta',
    'envelope.meta-present',
    body({ at: 'order.list', nth: 2 }, (found) => delete found['meta']),
  ],
  [
    'meta without a time',
    'meta.timestamp.present',
    body(read('QUOTED'), (found) => delete (found['meta'] as Json)['timestamp']),
  ],
  [
    'a time of response without milliseconds',
    'meta.timestamp.form',
    body(
      read('QUOTED'),
      (found) => ((found['meta'] as Json)['timestamp'] = '2026-03-02T09:00:00Z'),
    ),
  ],
  [
    'a time of response in another zone',
    'meta.timestamp.form',
    body(
      read('QUOTED'),
      (found) => ((found['meta'] as Json)['timestamp'] = '2026-03-02T10:00:00.000+01:00'),
    ),
  ],
  [
    'a stale time of response',
    'meta.timestamp.time-of-response',
    body(
      read('SETTLED'),
      (found) => ((found['meta'] as Json)['timestamp'] = '2026-03-02T09:00:00.000Z'),
    ),
  ],
  [
    'a list without pagination',
    'envelope.pagination-on-lists',
    body({ at: 'quote.list', nth: 1 }, (found) => delete found['pagination']),
  ],
  [
    'pagination on a single order',
    'envelope.pagination-on-lists-only',
    body(
      read('QUOTED'),
      (found) => (found['pagination'] = { page: 1, page_size: 1, total_items: 1, total_pages: 1 }),
    ),
  ],
  [
    'a list in an object',
    'envelope.list-data-is-array',
    body({ at: 'rfq.list', nth: 0 }, (found) => (found['data'] = { items: [] })),
  ],
  [
    'a page number in a string',
    'pagination.page.form',
    body({ at: 'rfq.list', nth: 0 }, (found) => ((found['pagination'] as Json)['page'] = '1')),
  ],
  [
    'a wrong number of pages',
    'pagination.total-pages.arithmetic',
    body(
      { at: 'order.list', nth: 2 },
      (found) => ((found['pagination'] as Json)['total_pages'] = 3),
    ),
  ],
  [
    'a total that is one short',
    'pagination.total-items.counts',
    body(
      { at: 'order.quotes', nth: 0 },
      (found) => ((found['pagination'] as Json)['total_items'] = 2),
    ),
  ],
  [
    'more items than the page size',
    'pagination.page-size.holds',
    body(
      { at: 'order.quotes', nth: 0 },
      (found) => ((found['pagination'] as Json)['page_size'] = 2),
    ),
  ],
  // part 2.2, fields
  [
    'an order id that is no UUID',
    'order.intent-id.form',
    set({ at: 'order.list', nth: 3 }, 'intent_id', 'order-1'),
  ],
  ['an unknown status', 'order.status.form', set(read('EXECUTING'), 'status', 'SETTLING')],
  ['an amount as a number', 'order.target-amount.form', set(read('SETTLED'), 'target_amount', 100)],
  [
    'an amount as a number in a list',
    'convention.amounts-as-strings',
    set({ at: 'rfq.list', nth: 2 }, 'target_amount', 100),
  ],
  [
    'a party without its hex',
    'order.sender-party-id.form',
    set(read('PENDING'), 'sender_party_id', 'Alder'),
  ],
  [
    'a creation time in epoch milliseconds',
    'order.created-at.form',
    set(read('PENDING'), 'created_at', 1772442000000),
  ],
  [
    'a field missing in the custodian view',
    'order.receiver-party-id.present',
    unset({ at: 'order.read', party: 'sender_custodian', nth: 0 }, 'receiver_party_id'),
  ],
  ['another memo', 'order.memo.echo', set(read('SETTLED'), 'memo', 'changed')],
  [
    'another contract in the list',
    'order.source-contract-id.echo',
    set({ at: 'order.list', nth: 2 }, 'source_contract_id', '00ff#1'),
  ],
  [
    'another target amount',
    'order.target-amount.echo',
    set(read('QUOTED'), 'target_amount', '100.01'),
  ],
  [
    'a sender that is not the creator',
    'order.sender-party-id.is-creator',
    set({ at: 'order.create', nth: 0 }, 'sender_party_id', partyIds.outsider),
  ],
  [
    'a shifted creation time',
    'order.created-at.at-creation',
    set({ at: 'order.create', nth: 0 }, 'created_at', '2026-03-02T08:00:00.000Z'),
  ],
  ['an expiry that moves', 'order.memo.unchanged', set(read('SETTLED'), 'memo', 'other')],
  // part 2.2, moments
  [
    'a rate before acceptance',
    'order.fx-rate.not-before-acceptance',
    set(read('PENDING'), 'fx_rate', '0.85'),
  ],
  [
    'a quote id before acceptance in null form',
    'order.quote-id.form',
    set(read('PENDING'), 'quote_id', ''),
  ],
  [
    'no maker after acceptance',
    'order.market-maker-party-id.set-on-acceptance',
    unset(read('QUOTED'), 'market_maker_party_id'),
  ],
  [
    'no acceptance time once settled',
    'order.quote-accepted-at.set-on-acceptance',
    unset(read('SETTLED'), 'quote_accepted_at'),
  ],
  [
    'a hash before settlement',
    'order.transaction-hash.not-before-settlement',
    set(read('EXECUTING'), 'transaction_hash', '0xabcd'),
  ],
  ['no hash once settled', 'order.settled.sets-hash', unset(read('SETTLED'), 'transaction_hash')],
  ['a rate that changes', 'order.fx-rate.unchanged', set(read('SETTLED'), 'fx_rate', '0.86')],
  [
    'a settlement time that changes',
    'order.settled-at.unchanged',
    set(
      { at: 'order.read', party: 'sender_custodian', status: 'SETTLED' },
      'settled_at',
      '2026-03-02T09:00:13.000Z',
    ),
  ],
  [
    'a settled moment on a cancelled order',
    'settlement.atomic',
    set({ at: 'order.read', status: 'FAILED' }, 'settled_at', '2026-03-02T09:00:13.000Z'),
  ],
  // money
  [
    'an amount off by a cent',
    'quote.source-amount.agrees-with-rate',
    set({ at: 'order.quotes' }, 'source_amount', '117.67'),
  ],
  [
    'an amount above the maximum',
    'order.source-amount-actual.at-most-max',
    set(read('SETTLED'), 'source_amount_actual', '130.01'),
  ],
  [
    'an actual amount that is not the quoted one',
    'order.source-amount-actual.of-accepted-quote',
    set(read('QUOTED'), 'source_amount_actual', '119.05'),
  ],
  [
    'the rate of a rival',
    'order.fx-rate.of-accepted-quote',
    set({ at: 'quote.accept', nth: 0 }, 'fx_rate', '0.84'),
  ],
  [
    'the maker of a rival',
    'order.market-maker-party-id.is-winner',
    set(read('QUOTED'), 'market_maker_party_id', partyIds.maker_b),
  ],
  [
    'a rate that is not the submitted one',
    'own-quote.fx-rate.echo',
    set({ at: 'quote.submit', nth: 1 }, 'fx_rate', '0.8401'),
  ],
  [
    'a list with another rate',
    'quote.fx-rate.as-submitted',
    set({ at: 'order.quotes', nth: 0 }, 'fx_rate', '0.8'),
  ],
  [
    'a settlement with another rate',
    'settlement.fx-rate.as-order',
    set({ at: 'settlement.read' }, 'fx_rate', '0.84'),
  ],
  [
    'a settlement with another amount delivered',
    'settlement.mm-delivered-target-amount.as-order',
    set({ at: 'settlement.list' }, 'mm_delivered_target_amount', '99.00'),
  ],
  // privacy
  [
    'the sender in a request',
    'rfq.read.hides-sender-identity',
    set({ at: 'rfq.read', nth: 0 }, 'sender_party_id', partyIds.sender),
  ],
  [
    'the custodian deep in a list',
    'rfq.list.hides-sender-identity',
    set({ at: 'rfq.list', nth: 0 }, 'parties', [{ of: { them: partyIds.sender_custodian } }]),
  ],
  [
    'the name of the sender in an event',
    'event.quote-request-new.hides-sender-identity',
    set({ at: 'quote_request_new', nth: 0 }, 'from', 'Alder'),
  ],
  [
    'the sender encoded in a reference',
    'rfq.list.hides-sender-identity',
    set({ at: 'rfq.list', nth: 0 }, 'ref', `v1.${btoa(partyIds.sender)}`),
  ],
  [
    'the custodian in the meta object of a list',
    'rfq.list.hides-sender-identity',
    body({ at: 'rfq.list' }, (found) => {
      found['meta'] = { ...(found['meta'] as Json), origin: partyIds.sender_custodian };
    }),
  ],
  [
    'the sender in a header',
    'rfq.read.hides-sender-identity',
    (history) =>
      exchanged(history, { at: 'rfq.read' }, (exchange) => {
        const { response } = exchange;
        if (!response) return;
        const headers = { ...response.headers, 'x-origin': partyIds.sender };
        exchange.response = { ...response, headers };
      }),
  ],
  [
    'the sender as a key',
    'rfq.read.hides-sender-identity',
    set({ at: 'rfq.read', nth: 0 }, partyIds.sender, true),
  ],
  [
    'the sender in an own quote',
    'maker.sees-no-sender-identity',
    set({ at: 'quote.submit', nth: 0 }, 'for', partyIds.sender),
  ],
  [
    "the sender's custodian in the end of a request",
    'maker.sees-no-sender-identity',
    set({ at: 'quote_request_expired' }, 'custodian', partyIds.sender_custodian),
  ],
  // states
  [
    'a new order that is QUOTED',
    'order.state.starts-pending',
    set({ at: 'order.create', nth: 0 }, 'status', 'QUOTED'),
  ],
  [
    'an order that goes back',
    'order.state.listed-transitions-only',
    set(read('EXECUTING'), 'status', 'PENDING'),
  ],
  [
    'a settled order that fails',
    'order.state.settled-absorbs',
    set({ at: 'order.list', party: 'sender', status: 'SETTLED' }, 'status', 'FAILED'),
  ],
  [
    'an acceptance that stays PENDING',
    'quote.accept.returns-quoted',
    set({ at: 'quote.accept', nth: 0 }, 'status', 'PENDING'),
  ],
  [
    'an acceptance by the custodian that is EXECUTING',
    'quote.accept.custodian-returns-quoted',
    set({ at: 'quote.accept', party: 'sender_custodian' }, 'status', 'EXECUTING'),
  ],
  [
    'a second acceptance',
    'order.accept.second-quote-refused',
    status({ at: 'quote.accept', nth: 1 }, 200),
  ],
  [
    'a cancel of a settled order',
    'order.cancel.settled-refused',
    status({ at: 'order.cancel', nth: 0 }, 200),
  ],
  [
    'a cancelled order that settles',
    'order.cancel.never-settles',
    set({ at: 'order.read', party: 'sender', status: 'FAILED' }, 'status', 'SETTLED'),
  ],
  [
    'a cancelled order that stays',
    'order.state.cancel-ends-order',
    set({ at: 'order.read', party: 'sender', status: 'FAILED' }, 'status', 'PENDING'),
  ],
  [
    'an order that never expires',
    'order.state.pending-to-expired',
    set(read('EXPIRED'), 'status', 'PENDING'),
  ],
  [
    'an order that settles without acceptance',
    'order.state.quote-needed',
    set(read('EXPIRED'), 'status', 'EXECUTING'),
  ],
  [
    'a rival that stays PENDING',
    'quote.state.pending-to-rejected',
    set({ at: 'order.quotes', party: 'sender', status: 'REJECTED' }, 'status', 'PENDING'),
  ],
  [
    'two accepted quotes',
    'quote.state.one-accepted-per-order',
    set({ at: 'rfq.quotes', party: 'maker_b', status: 'REJECTED' }, 'status', 'ACCEPTED'),
  ],
  [
    'an accepted quote that expires',
    'quote.state.accepted-stays-through-settlement',
    set({ at: 'order.quotes', party: 'sender', status: 'ACCEPTED' }, 'status', 'EXPIRED'),
  ],
  [
    'a quote that does not expire',
    'quote.state.pending-to-expired',
    set({ at: 'order.quotes', party: 'sender', status: 'EXPIRED' }, 'status', 'PENDING'),
  ],
  [
    'a quote that expires early',
    'quote.state.pending-to-expired.not-early',
    set({ at: 'order.quotes', status: 'PENDING', nth: 0 }, 'status', 'EXPIRED'),
  ],
  [
    'a submission answered with 200',
    'quote.submit.status-201',
    status({ at: 'quote.submit', nth: 1 }, 200),
  ],
  [
    'an acceptance that returns another order',
    'quote.accept.returns-order',
    set({ at: 'quote.accept', nth: 0 }, 'intent_id', '00000000-0000-4000-8000-aa0000000009'),
  ],
  [
    'a custodian told another rate',
    'quote.accept.custodian-answer-agrees',
    set({ at: 'quote.accept', party: 'sender_custodian' }, 'fx_rate', '0.9'),
  ],
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
      exchanged(history, { at: 'token.create', nth: 0 }, (exchange) => {
        exchange.claims = { ...exchange.claims, iss: 'me' };
      }),
  ],
  [
    'a token that lives twice as long as it says',
    'token.exp-matches-expires-in',
    (history) =>
      exchanged(history, { at: 'token.create', nth: 0 }, (exchange) => {
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

describe('one thing broken', () => {
  test.each(defects)('%s fails %s', (_, requirement, breaking) => {
    expect(outcomes(breaking(life), requirement)).toContain('fail');
  });

  const vaguely: typeof defects = [
    [
      'the memo in a request',
      'rfq.hides-order-particulars',
      set({ at: 'rfq.read', nth: 0 }, 'note', 'for sender 1'),
    ],
    [
      'the winner in quote_rejected, under any name',
      'event.quote-rejected.keeps-winner-secret',
      set({ at: 'quote_rejected', nth: 0 }, 'won_by', partyIds.maker_a),
    ],
    [
      'a failure reason that is none of the six',
      'order.failure-reason.admissible',
      (history: History) =>
        edited(history, { at: 'order_updated', status: 'FAILED' }, (order) => {
          if (order['failure_reason'] === 'USER_CANCELLED') order['failure_reason'] = 'CANCELLED';
        }),
    ],
    [
      'the same request id twice',
      'meta.request-id.distinct',
      body(
        { at: 'order.list', party: 'sender_custodian' },
        (found) => ((found['meta'] as Json)['request_id'] = 'r'),
      ),
    ],
    [
      'a settlement that takes 20 seconds',
      'limit.settlement-duration',
      set(
        { at: 'order_updated', status: 'SETTLED' },
        'quote_accepted_at',
        '2026-03-02T08:59:50.000Z',
      ),
    ],
  ];
  test.each(vaguely)('%s is noticed under %s', (_, requirement, breaking) => {
    const seen = outcomes(breaking(life), requirement);
    expect(seen.includes('fail') || seen.includes('warn')).toBe(true);
  });

  test.each([
    ['Bank of Alder', 'fail'],
    ['bank-a', 'fail'],
    ['Bank', 'pass'],
    ['client 7', 'pass'],
  ])('that a request is of a party named %s', (name, outcome) => {
    const requirement = 'rfq.read.hides-sender-identity';
    const rename = (record: HistoryRecord): HistoryRecord =>
      JSON.parse(JSON.stringify(record).replaceAll('Alder::', `${name}::`)) as HistoryRecord;
    const breaking = set({ at: 'rfq.read', nth: 0 }, 'client', name);
    expect(outcomes(breaking(altered(life, rename)), requirement)).toContain(outcome);
    expect(outcomes(altered(life, rename), requirement)).not.toContain('fail');
  });
});
