import type { History } from '../../../src/history/records.ts';
import { edited, type Place, withExchanges, without } from './findings-and-edits.ts';
import { partyIds } from './fake-wire.ts';

export type Json = Record<string, unknown>;

/** One thing broken each in a history that is in order, and a requirement that must fail for it. */
export type Defects = readonly (readonly [
  what: string,
  requirement: string,
  breaking: (history: History) => History,
])[];

export const set = (place: Place, field: string, value: unknown) => (history: History) =>
  edited(history, place, (resource) => {
    resource[field] = value;
  });
export const body = (place: Place, edit: (body: Json) => void) => (history: History) =>
  withExchanges(history, place, (_, found) => edit(found));

/**
 * A requirement, a place (`order.read@sender:SETTLED#0`: endpoint or event, party, state, number
 * from 0), and the change to its records. No change: they are removed. A number: their status. A
 * path: a field of the resource or of the exchange (`claims.iss`, `body.meta`), removed if there is
 * no value.
 */
type Row = readonly [requirement: string, place: string, change?: number | string, value?: unknown];

/** The first read or event of an order in a state, by or to its sender. */
const short = { read: 'order.read@sender', update: 'order_updated@sender' } as const;

function placeOf(given: string): Place {
  const text = given.replace(
    /^(read|update)(:.*)$/,
    (_, name: keyof typeof short, state: string) => `${short[name]}${state}#0`,
  );
  const found = /^(?<at>[\w.]+)(?:@(?<party>\w+))?(?::(?<status>\w+))?(?:#(?<nth>\d+))?$/.exec(
    text,
  );
  const { nth, ...place } = Object.fromEntries(
    Object.entries(found?.groups ?? {}).filter(([, part]) => part !== undefined),
  );
  return { ...place, ...(nth !== undefined && { nth: Number(nth) }) } as unknown as Place;
}

function breakingOf([, at, change, ...values]: Row): (history: History) => History {
  const place = placeOf(at);
  if (change === undefined) return (history) => without(history, place);
  const isStatus = typeof change === 'number';
  const field = isStatus ? 'response.status' : change.replace(/^body\b/, 'response.body');
  const [value] = isStatus ? [change] : values;
  const path = field.split('.');
  const alter = (whole: Json): void => {
    const holder = path.slice(0, -1).reduce((one, name) => one[name] as Json, whole);
    const name = path.at(-1) ?? '';
    if (value === undefined) delete holder[name];
    else holder[name] = typeof value === 'function' ? value(holder[name]) : value;
  };
  return (history) =>
    /^(?:response|claims)\./.test(field)
      ? withExchanges(history, place, (exchange) => alter(exchange as unknown as Json))
      : edited(history, place, alter);
}

const withoutItems = (list: Json): Json => ({
  ...list,
  data: [],
  pagination: { page: 1, page_size: 20, total_items: 0, total_pages: 0 },
});

const rows: readonly Row[] = [
  // Resources and their fields (2).
  ['envelope.data-present', 'read:PENDING', 'body.data'],
  ['envelope.meta-present', 'order.list#2', 'body.meta'],
  ['meta.timestamp.present', 'read:QUOTED', 'body.meta.timestamp'],
  ['meta.timestamp.form', 'read:QUOTED', 'body.meta.timestamp', '2026-03-02T09:00:00Z'],
  ['meta.timestamp.form', 'read:QUOTED', 'body.meta.timestamp', '2026-03-02T10:00:00.000+01:00'],
  [
    'meta.timestamp.time-of-response',
    'read:SETTLED',
    'body.meta.timestamp',
    '2026-03-02T09:00:00.000Z',
  ],
  ['envelope.pagination-on-lists', 'quote.list#1', 'body.pagination'],
  [
    'envelope.pagination-on-lists-only',
    'read:QUOTED',
    'body.pagination',
    { page: 1, page_size: 1, total_items: 1, total_pages: 1 },
  ],
  ['envelope.list-data-is-array', 'rfq.list#0', 'body.data', { items: [] }],
  ['pagination.page.form', 'rfq.list#0', 'body.pagination.page', '1'],
  ['pagination.total-pages.arithmetic', 'order.list#2', 'body.pagination.total_pages', 3],
  ['pagination.total-items.counts', 'order.quotes#0', 'body.pagination.total_items', 2],
  ['pagination.page-size.holds', 'order.quotes#0', 'body.pagination.page_size', 2],
  ['order.intent-id.form', 'order.list#3', 'intent_id', 'order-1'],
  ['order.status.form', 'read:EXECUTING', 'status', 'SETTLING'],
  ['order.target-amount.form', 'read:SETTLED', 'target_amount', 100],
  ['convention.amounts-as-strings', 'rfq.list#2', 'target_amount', 100],
  ['order.sender-party-id.form', 'read:PENDING', 'sender_party_id', 'Alder'],
  ['order.created-at.form', 'read:PENDING', 'created_at', 1772442000000],
  ['order.receiver-party-id.present', 'order.read@sender_custodian#0', 'receiver_party_id'],
  ['order.memo.echo', 'read:SETTLED', 'memo', 'changed'],
  ['order.source-contract-id.echo', 'order.list#2', 'source_contract_id', '00ff#1'],
  ['order.target-amount.echo', 'read:QUOTED', 'target_amount', '100.01'],
  ['order.sender-party-id.is-creator', 'order.create#0', 'sender_party_id', partyIds.outsider],
  ['order.created-at.at-creation', 'order.create#0', 'created_at', '2026-03-02T08:00:00.000Z'],
  ['order.memo.unchanged', 'read:SETTLED', 'memo', 'other'],
  ['order.fx-rate.not-before-acceptance', 'read:PENDING', 'fx_rate', '0.85'],
  ['order.quote-id.form', 'read:PENDING', 'quote_id', ''],
  ['order.market-maker-party-id.set-on-acceptance', 'read:QUOTED', 'market_maker_party_id'],
  ['order.quote-accepted-at.set-on-acceptance', 'read:SETTLED', 'quote_accepted_at'],
  ['order.transaction-hash.not-before-settlement', 'read:EXECUTING', 'transaction_hash', '0xabcd'],
  ['order.failure-reason.not-when-settled', 'read:SETTLED', 'failure_reason', 'TIMEOUT'],
  ['order.failure-reason.views-agree', 'order.list:FAILED', 'failure_reason', 'REVERT'],
  ['order.settled.sets-hash', 'read:SETTLED', 'transaction_hash'],
  ['order.fx-rate.unchanged', 'read:SETTLED', 'fx_rate', '0.86'],
  [
    'order.settled-at.unchanged',
    'order.read@sender_custodian:SETTLED',
    'settled_at',
    '2026-03-02T09:00:13.000Z',
  ],
  ['settlement.atomic', 'order.read:FAILED', 'settled_at', '2026-03-02T09:00:13.000Z'],
  ['settlement.atomic', 'order.read:FAILED', 'transaction_hash', '0xabcd'],
  // Money, secrets and states (2 to 4).
  ['quote.source-amount.agrees-with-rate', 'order.quotes', 'source_amount', '117.67'],
  ['order.source-amount-actual.at-most-max', 'read:SETTLED', 'source_amount_actual', '130.01'],
  ['order.source-amount-actual.of-accepted-quote', 'read:QUOTED', 'source_amount_actual', '119.05'],
  ['order.fx-rate.of-accepted-quote', 'quote.accept#0', 'fx_rate', '0.84'],
  [
    'order.market-maker-party-id.is-winner',
    'read:QUOTED',
    'market_maker_party_id',
    partyIds.maker_b,
  ],
  ['own-quote.fx-rate.echo', 'quote.submit#1', 'fx_rate', '0.8401'],
  ['quote.fx-rate.as-submitted', 'order.quotes#0', 'fx_rate', '0.8'],
  ['settlement.fx-rate.as-order', 'settlement.read', 'fx_rate', '0.84'],
  [
    'settlement.mm-delivered-target-amount.as-order',
    'settlement.list',
    'mm_delivered_target_amount',
    '99.00',
  ],
  ['rfq.read.hides-sender-identity', 'rfq.read#0', 'sender_party_id', partyIds.sender],
  ['maker.sees-no-sender-identity', 'heartbeat@maker_c', 'last_of', partyIds.sender],
  ['maker.sees-no-sender-identity', 'identity.read@maker_b', 'last_client', partyIds.sender],
  ['maker.sees-no-sender-identity', 'token.create@maker_a#0', 'clients', [partyIds.sender]],
  [
    'rfq.read.hides-sender-identity',
    'rfq.read#0',
    'from',
    partyIds.sender.replace(/(?<=::.{6}).*/, '...'),
  ],
  [
    'rfq.list.hides-sender-identity',
    'rfq.list#0',
    'parties',
    [{ of: { them: partyIds.sender_custodian } }],
  ],
  ['event.quote-request-new.hides-sender-identity', 'quote_request_new#0', 'from', 'Alder'],
  ['rfq.list.hides-sender-identity', 'rfq.list#0', 'ref', `v1.${btoa(partyIds.sender)}`],
  [
    'rfq.list.hides-sender-identity',
    'rfq.list#0',
    'cursor',
    `c_${btoa(`{"id":17,"of":"${partyIds.sender}"}`)}`,
  ],
  [
    'event.quote-request-new.hides-sender-identity',
    'quote_request_new#0',
    'tag',
    Buffer.from(partyIds.sender_custodian).toString('hex').toUpperCase(),
  ],
  ['rfq.list.hides-sender-identity', 'rfq.list', 'body.meta.origin', partyIds.sender_custodian],
  ['rfq.read.hides-sender-identity', 'rfq.read', 'response.headers.x-origin', partyIds.sender],
  ['rfq.read.hides-sender-identity', 'rfq.read#0', partyIds.sender, true],
  ['maker.sees-no-sender-identity', 'quote.submit#0', 'for', partyIds.sender],
  [
    'maker.sees-no-sender-identity',
    'quote_request_expired',
    'custodian',
    partyIds.sender_custodian,
  ],
  ['order.state.starts-pending', 'order.create#0', 'status', 'QUOTED'],
  ['order.state.listed-transitions-only', 'read:EXECUTING', 'status', 'PENDING'],
  ['order.state.settled-absorbs', 'order.list@sender:SETTLED', 'status', 'FAILED'],
  ['quote.accept.returns-quoted', 'quote.accept#0', 'status', 'PENDING'],
  ['quote.accept.custodian-returns-quoted', 'quote.accept@sender_custodian', 'status', 'EXECUTING'],
  ['order.accept.second-quote-refused', 'quote.accept#1', 200],
  ['order.cancel.settled-refused', 'order.cancel#0', 200],
  ['order.cancel.never-settles', 'order.read@sender:FAILED', 'status', 'SETTLED'],
  ['order.state.cancel-ends-order', 'order.read@sender:FAILED', 'status', 'PENDING'],
  ['order.state.pending-to-expired', 'read:EXPIRED', 'status', 'PENDING'],
  ['order.state.quote-needed', 'read:EXPIRED', 'status', 'EXECUTING'],
  ['quote.state.pending-to-rejected', 'order.quotes@sender:REJECTED', 'status', 'PENDING'],
  ['quote.state.one-accepted-per-order', 'rfq.quotes@maker_b:REJECTED', 'status', 'ACCEPTED'],
  [
    'quote.state.accepted-stays-through-settlement',
    'order.quotes@sender:ACCEPTED',
    'status',
    'EXPIRED',
  ],
  ['quote.state.pending-to-expired', 'order.quotes@sender:EXPIRED', 'status', 'PENDING'],
  ['quote.state.pending-to-expired.not-early', 'order.quotes:PENDING#0', 'status', 'EXPIRED'],
  ['quote.submit.status-201', 'quote.submit#1', 200],
  [
    'quote.accept.returns-order',
    'quote.accept#0',
    'intent_id',
    '00000000-0000-4000-8000-aa0000000009',
  ],
  ['quote.accept.custodian-answer-agrees', 'quote.accept@sender_custodian', 'fx_rate', '0.9'],
  // Lists, tokens, events and refusals (4 to 7).
  ['order.list.sender-custodian-included', 'order.list@sender_custodian', 'body', withoutItems],
  ['order.list.status-filter', 'order.list@sender#7', 'status', 'PENDING'],
  ['order.list.own-only', 'order.list@sender', 'intent_id', '00000000-0000-4000-8000-aa0000000003'],
  [
    'quote.list.own-only',
    'quote.list@maker_a#0',
    'quote_id',
    '00000000-0000-4000-8000-bb0000000002',
  ],
  [
    'rfq.list.accepted-order-left',
    'rfq.list@maker_b',
    'intent_id',
    '00000000-0000-4000-8000-aa0000000001',
  ],
  ['access.order.list.market-maker-refused', 'order.list@maker_a', 200],
  ['auth.order.list.token-required', 'order.list@sender#0', 200],
  ['auth.expired-token-401', 'order.list@sender#1', 403],
  ['order.read.foreign-institution-refused', 'order.read@outsider', 200],
  ['version.schema-pinned', 'identity.read#2', 'schema_version', 'v3'],
  ['token.role.as-claim', 'token.create#1', 'role', 'institution'],
  ['claim.iss.fixed', 'token.create#0', 'claims.iss', 'me'],
  [
    'token.exp-matches-expires-in',
    'token.create#0',
    'claims.exp',
    (exp: unknown) => Number(exp) + 3600,
  ],
  ['event.order-updated.on-quoted', 'order_updated@sender:QUOTED'],
  ['event.order-updated.on-executing', 'order_updated@sender:EXECUTING'],
  ['event.order-updated.on-cancel', 'order_updated@sender:FAILED'],
  ['event.order-updated.on-expired', 'order_updated@sender:EXPIRED'],
  ['event.order-updated.to-sender-custodian', 'order_updated@sender_custodian:SETTLED'],
  ['event.every-open-stream', 'order_updated@sender:SETTLED#1'],
  ['event.quote-received.sent', 'quote_received@sender#2'],
  ['event.quote-received.to-sender-custodian', 'quote_received@sender_custodian#0'],
  ['event.quote-request-new.to-every-maker', 'quote_request_new@maker_c#0'],
  ['event.quote-accepted.sent', 'quote_accepted#0'],
  [
    'event.quote-accepted.agrees-with-quote',
    'quote_accepted#0',
    'quote_id',
    '00000000-0000-4000-8000-bb00000000ff',
  ],
  ['event.quote-accepted.on-custodian-acceptance', 'quote_accepted#1'],
  ['event.quote-rejected.to-every-loser', 'quote_rejected@maker_c'],
  ['event.settlement-completed.sent', 'settlement_completed#0'],
  ['event.after-cause', 'update:QUOTED', 'status', 'SETTLED'],
  ['event.in-order', 'update:SETTLED', 'status', 'PENDING'],
  ['event.quote-received.has-fx-rate', 'quote_received#0', 'fx_rate'],
  ['event.settlement-completed.has-transaction-hash', 'settlement_completed#0', 'transaction_hash'],
  ['limit.heartbeat-interval.order-stream', 'heartbeat@receiver_custodian#1'],
  ['event.heartbeat.maker-stream', 'heartbeat@maker_c'],
  ['error.refusal-is-4xx', 'order.cancel#0', 500],
];

export const defects: Defects = rows.map((row) => [
  row.slice(1, 3).join(' '),
  row[0],
  breakingOf(row),
]);
