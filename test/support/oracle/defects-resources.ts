import { partyIds } from './fake-wire.ts';
import { body, type Defects, type Json, read, set, unset } from './defects.ts';

/** What resources and their fields can have wrong (2). */
export const brokenResources: Defects = [
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
  [
    'a failure reason once settled',
    'order.failure-reason.not-when-settled',
    set(read('SETTLED'), 'failure_reason', 'TIMEOUT'),
  ],
  [
    'another failure reason in a list',
    'order.failure-reason.views-agree',
    set({ at: 'order.list', status: 'FAILED' }, 'failure_reason', 'REVERT'),
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
  [
    'a hash on a cancelled order',
    'settlement.atomic',
    set({ at: 'order.read', status: 'FAILED' }, 'transaction_hash', '0xabcd'),
  ],
];
