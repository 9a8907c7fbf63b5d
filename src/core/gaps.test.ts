import { describe, expect, it } from 'vitest';
import { type Assignment, type GapId, gapIds, gaps } from '../spec/gaps/index.ts';
import { Desk, orderBody, parties } from './desk.testing.ts';
import { magicFault } from './faults.ts';

/** Gaps with more than one answer to choose from. */
type OpenGap = {
  [Id in GapId]: (typeof gaps)[Id]['values'] extends readonly [string] ? never : Id;
}[GapId];

/** Those that the shell answers alone. */
const shell = [
  'auth.refusal_status',
  'auth.other_party',
  'token.algorithm',
  'token.audience_form',
  'token.lifetime',
  'stream.auth',
  'error.shape',
  'error.statuses',
  'health.response',
  'limits.rate',
  'heartbeat.payload',
  'heartbeat.phase',
  'stream.resume',
  'stream.line_end',
  'stream.extra_events',
] as const satisfies readonly OpenGap[];
type CoreGap = Exclude<OpenGap, (typeof shell)[number]>;

/** What shows a gap's answer, and how it shows under each answer. */
interface Probe<Value extends string> {
  readonly with?: Partial<Assignment>;
  readonly see: (desk: Desk) => unknown;
  readonly shows: { readonly [value in Value]: unknown };
}

const many = (desk: Desk, count: number): void => {
  for (let n = 0; n < count; n += 1) desk.create({ memo: String(n) });
};
const memos = (desk: Desk, query: Record<string, string>) =>
  desk.list('sender', 'order.list', {}, query).map(({ memo }) => memo);
const paged = (desk: Desk, query: Record<string, string>) => {
  const reply = desk.ask('sender', 'order.list', {}, { query });
  return reply.ok ? reply.pagination : reply.error.code;
};
const read = (desk: Desk, intent_id: string) => desk.get('sender', 'order.read', { intent_id });
const statuses = (desk: Desk, intent_id: string) =>
  desk.list('sender', 'order.quotes', { intent_id }).map(({ status }) => status);
const answerOf = (desk: Desk, ...call: Parameters<Desk['ask']>) => {
  const reply = desk.ask(...call);
  return reply.ok ? [reply.status, reply.data] : reply.error.code;
};
const cancelled = (desk: Desk) => {
  const { intent_id } = desk.orderIn('QUOTED');
  desk.get('sender', 'order.cancel', { intent_id });
  return intent_id;
};
const received = (desk: Desk, event: string) => {
  const names = desk.events.filter((sent) => sent.event === event).map(({ to }) => to);
  return names.map((to) => to.split('::')[0]);
};
const makers = ['maker_a', 'maker_b', 'maker_c'];
const submit = (desk: Desk, intent_id: string, more: Record<string, unknown>) =>
  desk.code('maker_a', 'quote.submit', { intent_id }, { body: desk.offer(more) });

const probes: { readonly [Gap in CoreGap]: Probe<Assignment[Gap]> } = {
  'list.page_param': {
    see: (desk) => {
      many(desk, 3);
      return ['page', 'page_number', 'offset'].map((name) =>
        memos(desk, { [name]: '2', page_size: '1' }).join(),
      );
    },
    shows: { page: ['1', '2', '2'], page_number: ['2', '1', '2'], offset: ['2', '2', '0'] },
  },
  'list.page_size_param': {
    see: (desk) => {
      many(desk, 3);
      return ['page_size', 'per_page', 'limit'].map((name) => memos(desk, { [name]: '2' }).length);
    },
    shows: { page_size: [2, 3, 3], per_page: [3, 2, 3], limit: [3, 3, 2] },
  },
  'list.first_page': {
    see: (desk) => {
      many(desk, 2);
      return [paged(desk, {}), desk.code('sender', 'order.list', {}, { query: { page: '0' } })];
    },
    shows: {
      '1': [{ page: 1, page_size: 20, total_items: 2, total_pages: 1 }, 'invalid_query'],
      '0': [{ page: 0, page_size: 20, total_items: 2, total_pages: 1 }, 'ok'],
    },
  },
  'list.max_page_size': {
    see: (desk) => paged(desk, { page_size: '5000' }),
    shows: {
      '100': expect.objectContaining({ page_size: 100 }),
      '10': expect.objectContaining({ page_size: 10 }),
      '1000': expect.objectContaining({ page_size: 1000 }),
    },
  },
  'list.oversize': {
    see: (desk) => paged(desk, { page_size: '101' }),
    shows: { clamp: expect.objectContaining({ page_size: 100 }), refuse: 'invalid_query' },
  },
  'list.past_end': {
    see: (desk) => [
      desk.code('sender', 'order.list', {}, { query: { page: '2' } }),
      desk.code('sender', 'order.list'),
    ],
    shows: { empty: ['ok', 'ok'], refuse: ['invalid_query', 'ok'] },
  },
  'list.order': {
    see: (desk) => {
      many(desk, 3);
      return memos(desk, {}).join();
    },
    shows: { 'newest-first': '2,1,0', 'oldest-first': '0,1,2' },
  },
  'list.empty_total_pages': {
    see: (desk) => paged(desk, {}),
    shows: {
      '0': expect.objectContaining({ total_pages: 0 }),
      '1': expect.objectContaining({ total_pages: 1 }),
    },
  },
  'list.unknown_status': {
    see: (desk) => {
      many(desk, 2);
      const reply = desk.ask('sender', 'order.list', {}, { query: { status: 'pending' } });
      return reply.ok ? reply.pagination?.total_items : reply.error.at;
    },
    shows: { refuse: 'status', empty: 0, ignore: 2 },
  },
  'list.other_filters': {
    see: (desk) => {
      desk.create({ memo: 'usd' });
      desk.create({ memo: 'jpy', source_currency: 'JPY' });
      const rfqs = desk.list('maker_a', 'rfq.list', {}, { currency: 'JPY' }).length;
      return [memos(desk, { currency: 'JPY', status: 'PENDING' }).join(), rfqs];
    },
    shows: { none: ['jpy,usd', 2], currency: ['jpy', 1] },
  },
  'order.required_fields': {
    see: (desk) =>
      (['memo', 'source_contract_id', 'target_amount'] as const).map((name) => {
        const { [name]: _, ...body } = orderBody;
        return desk.code('sender', 'order.create', {}, { body });
      }),
    shows: {
      'all-but-memo': ['ok', 'missing_field', 'missing_field'],
      all: ['missing_field', 'missing_field', 'missing_field'],
      'amounts-and-currencies': ['ok', 'ok', 'missing_field'],
    },
  },
  'order.unknown_fields': {
    see: (desk) => desk.code('sender', 'order.create', {}, { body: { ...orderBody, hue: 1 } }),
    shows: { ignore: 'ok', refuse: 'unknown_field' },
  },
  'order.failure_reason_field': {
    see: (desk) => {
      const { failure_reason, reason, status_reason, failure } = read(desk, cancelled(desk));
      return [failure_reason, reason, status_reason, failure];
    },
    shows: {
      failure_reason: ['USER_CANCELLED', undefined, undefined, undefined],
      reason: [undefined, 'USER_CANCELLED', undefined, undefined],
      status_reason: [undefined, undefined, 'USER_CANCELLED', undefined],
      'failure.reason': [undefined, undefined, undefined, { reason: 'USER_CANCELLED' }],
    },
  },
  'order.unset_fields': {
    see: (desk) => {
      const order = read(desk, desk.create());
      return [order.quote_id, order.settled_at, order.failure_reason, 'fx_rate' in order];
    },
    shows: { absent: [undefined, undefined, undefined, false], null: [null, null, null, true] },
  },
  'order.lifetime': {
    see: (desk) => read(desk, desk.create()).expires_at,
    shows: {
      '60s': '2026-01-01T00:01:00.000Z',
      '30s': '2026-01-01T00:00:30.000Z',
      '300s': '2026-01-01T00:05:00.000Z',
      '3600s': '2026-01-01T01:00:00.000Z',
    },
  },
  'order.contract_reuse': {
    see: (desk) => {
      desk.create();
      const again = { source_contract_id: 'abc123#1' };
      return [{}, again].map((more) =>
        desk.code('sender', 'order.create', {}, { body: { ...orderBody, ...more } }),
      );
    },
    shows: { allow: ['ok', 'ok'], refuse: ['already_done', 'ok'] },
  },
  'order.same_currency': {
    see: (desk) =>
      desk.code('sender', 'order.create', {}, { body: { ...orderBody, target_currency: 'USD' } }),
    shows: { refuse: 'invalid_value', allow: 'ok' },
  },
  'proposal.effect': {
    see: (desk) => {
      const intent_id = desk.create();
      const before = desk.code('maker_a', 'quote.submit', { intent_id }, { body: desk.offer() });
      const announced = received(desk, 'quote_request_new').length;
      const twice = [1, 2].map(() =>
        desk.code('sender_custodian', 'proposal.accept', { intent_id }),
      );
      return [before, announced, twice.join(), received(desk, 'quote_request_new').length];
    },
    shows: {
      none: ['ok', 3, 'ok,ok', 3],
      once: ['ok', 3, 'ok,already_done', 3],
      'opens-quoting': ['not_found', 0, 'ok,ok', 3],
    },
  },
  'proposal.response': {
    see: (desk) =>
      answerOf(desk, 'sender_custodian', 'proposal.accept', { intent_id: desk.create() }),
    shows: {
      order: [200, expect.objectContaining({ status: 'PENDING', memo: 'rent' })],
      'no-content': [204, undefined],
      minimal: [200, { intent_id: expect.any(String), status: 'PENDING' }],
    },
  },
  'cancel.state': {
    see: (desk) => read(desk, cancelled(desk)).status,
    shows: { FAILED: 'FAILED', EXPIRED: 'EXPIRED' },
  },
  'cancel.response': {
    see: (desk) => answerOf(desk, 'sender', 'order.cancel', { intent_id: desk.create() }),
    shows: {
      order: [200, expect.objectContaining({ status: 'FAILED', memo: 'rent' })],
      'no-content': [204, undefined],
      accepted: [202, expect.objectContaining({ status: 'FAILED', memo: 'rent' })],
      minimal: [200, { intent_id: expect.any(String), status: 'FAILED' }],
    },
  },
  'cancel.again': {
    see: (desk) => desk.code('sender', 'order.cancel', { intent_id: cancelled(desk) }),
    shows: { refuse: 'already_done', repeat: 'ok' },
  },
  'cancel.accepted_quote': {
    see: (desk) => {
      const expiring = desk.orderIn('PENDING');
      desk.wait(19_900);
      desk.accept(expiring.intent_id, expiring.quote_id);
      desk.wait(200);
      return [statuses(desk, cancelled(desk)), statuses(desk, expiring.intent_id)].flat();
    },
    shows: {
      ACCEPTED: ['ACCEPTED', 'ACCEPTED'],
      EXPIRED: ['EXPIRED', 'EXPIRED'],
      REJECTED: ['REJECTED', 'REJECTED'],
    },
  },
  'expiry.reason': {
    see: (desk) => {
      const [none, above, usable] = [desk.create(), desk.create(), desk.create()];
      desk.quote(above, 'maker_a', { fx_rate: '0.5' });
      desk.quote(usable, 'maker_a', { fx_rate: '0.5' });
      desk.quote(usable, 'maker_b');
      desk.wait(60_000);
      return [none, above, usable].map((id) => read(desk, id).failure_reason);
    },
    shows: {
      'by-quotes': ['NO_QUOTE', 'SLIPPAGE', undefined],
      unset: [undefined, undefined, undefined],
      'no-quote-only': ['NO_QUOTE', undefined, undefined],
    },
  },
  'withdrawn.state': {
    see: (desk) => {
      const intent_id = desk.create({ memo: '!withdraw' });
      desk.wait(1000);
      const { status, failure_reason } = read(desk, intent_id);
      return [status, failure_reason];
    },
    shows: { FAILED: ['FAILED', 'OPERATOR_WITHDRAWN'], EXPIRED: ['EXPIRED', 'OPERATOR_WITHDRAWN'] },
  },
  'settlement.timeout_state': {
    see: (desk) => {
      const { intent_id } = desk.orderIn('EXECUTING');
      desk.fault(intent_id, { kind: 'stall' });
      desk.wait(31_000);
      const { status, failure_reason } = read(desk, intent_id);
      return [status, failure_reason];
    },
    shows: { FAILED: ['FAILED', 'TIMEOUT'], EXPIRED: ['EXPIRED', 'TIMEOUT'] },
  },
  'settlement.window': {
    see: (desk) => {
      const intent_id = desk.create({ memo: '!stall' });
      desk.accept(intent_id, desk.quote(intent_id));
      const passing = [9999, 1, 19_999, 1].map((ms) => {
        desk.wait(ms);
        return desk.status(intent_id);
      });
      return passing.join();
    },
    shows: {
      '30s': 'EXECUTING,EXECUTING,EXECUTING,FAILED',
      '10s': 'EXECUTING,FAILED,FAILED,FAILED',
    },
  },
  'settlement.steps': {
    see: (desk) => {
      desk.orderIn('SETTLED');
      return desk.events
        .filter(({ to, event }) => to.startsWith('sender::') && event === 'order_updated')
        .map(({ at, data }) => `${(data as { status: string }).status} ${at}`)
        .slice(1);
    },
    shows: {
      '500ms-4000ms': ['EXECUTING 500', 'SETTLED 4000'],
      '0ms-4000ms': ['EXECUTING 0', 'SETTLED 4000'],
      '1500ms-4600ms': ['EXECUTING 1500', 'SETTLED 4600'],
      '50ms-3500ms': ['EXECUTING 50', 'SETTLED 3500'],
    },
  },
  'quote.target_amount': {
    see: (desk) => {
      const intent_id = desk.create();
      const amounts = ['100.00', '125.00'].map((target_amount) =>
        submit(desk, intent_id, { target_amount }),
      );
      const [quote] = desk.list('sender', 'order.quotes', { intent_id });
      return [...amounts, quote?.source_amount, quote?.target_amount];
    },
    shows: {
      target: ['ok', 'invalid_value', '125.00', '100.00'],
      source: ['invalid_value', 'ok', '125.00', '100.00'],
    },
  },
  'quote.amount_match': {
    see: (desk) => submit(desk, desk.create(), { target_amount: '50' }),
    shows: { equal: 'invalid_value', any: 'ok' },
  },
  'quote.rate_orientation': {
    see: (desk) => {
      const intent_id = desk.create();
      desk.quote(intent_id, 'maker_a', { fx_rate: '0.7' });
      return desk.list('sender', 'order.quotes', { intent_id })[0]?.source_amount;
    },
    shows: { 'target-per-source': '142.86', 'source-per-target': '70.00' },
  },
  'money.format': {
    see: (desk) => {
      const intent_id = desk.create();
      for (const fx_rate of ['0.7', '0.9']) desk.quote(intent_id, 'maker_a', { fx_rate });
      const quotes = desk.list('sender', 'order.quotes', { intent_id });
      return quotes.map(({ source_amount }) => source_amount);
    },
    shows: {
      'minor-unit-up': ['111.12', '142.86'],
      '8-decimals-zeros': ['111.11111112', '142.85714286'],
      '10-decimals-trimmed': ['111.1111111112', '142.8571428572'],
      'minor-unit-half-even': ['111.11', '142.86'],
    },
  },
  'quote.above_max': {
    see: (desk) => {
      const intent_id = desk.create();
      const submitted = submit(desk, intent_id, { fx_rate: '0.5' });
      const quote_id = desk.list('maker_a', 'rfq.quotes', { intent_id })[0]?.quote_id as string;
      const accepted = desk.code('sender', 'quote.accept', { intent_id, quote_id });
      const { status, failure_reason } = read(desk, intent_id);
      return [submitted, accepted, status, failure_reason];
    },
    shows: {
      'refuse-accept': ['ok', 'above_maximum', 'PENDING', undefined],
      'refuse-submit': ['above_maximum', 'not_found', 'PENDING', undefined],
      'fail-order': ['ok', 'ok', 'FAILED', 'SLIPPAGE'],
    },
  },
  'quote.twice': {
    see: (desk) => {
      const intent_id = desk.create();
      const codes = [submit(desk, intent_id, {}), submit(desk, intent_id, {})];
      return [...codes, statuses(desk, intent_id).join()];
    },
    shows: {
      allow: ['ok', 'ok', 'PENDING,PENDING'],
      refuse: ['ok', 'already_done', 'PENDING'],
      replace: ['ok', 'ok', 'PENDING,EXPIRED'],
    },
  },
  'quote.winner_others': {
    see: (desk) => {
      const intent_id = desk.create();
      desk.quote(intent_id);
      desk.accept(intent_id, desk.quote(intent_id));
      return [statuses(desk, intent_id).join(), received(desk, 'quote_rejected')].flat();
    },
    shows: { REJECTED: ['ACCEPTED,REJECTED'], PENDING: ['ACCEPTED,PENDING'] },
  },
  'quote.orphans': {
    see: (desk) => {
      const { intent_id } = desk.orderIn('PENDING');
      desk.get('sender', 'order.cancel', { intent_id });
      const at = statuses(desk, intent_id).join();
      desk.wait(20_000);
      return [at, statuses(desk, intent_id).join()];
    },
    shows: {
      lapse: ['PENDING', 'EXPIRED'],
      EXPIRED: ['EXPIRED', 'EXPIRED'],
      REJECTED: ['REJECTED', 'REJECTED'],
    },
  },
  'quote.past_validity': {
    see: (desk) => {
      const intent_id = desk.create();
      const code = submit(desk, intent_id, { valid_until: '2025-12-31T23:59:59.999Z' });
      return [code, statuses(desk, intent_id).join()];
    },
    shows: { refuse: ['invalid_value', ''], expired: ['ok', 'EXPIRED'] },
  },
  'quote.beyond_expiry': {
    see: (desk) => {
      const until = (valid_until: string) => submit(desk, desk.create(), { valid_until });
      return [until('2026-01-01T00:01:00.000Z'), until('2026-01-01T00:01:00.001Z')];
    },
    shows: { allow: ['ok', 'ok'], refuse: ['ok', 'invalid_value'] },
  },
  'quote.max_validity': {
    see: (desk) => {
      const until = (valid_until: string) => submit(desk, desk.create(), { valid_until });
      return [until('2026-01-01T01:00:00.000Z'), until('2026-01-01T01:00:00.001Z')];
    },
    shows: { none: ['ok', 'ok'], '1h': ['ok', 'invalid_value'] },
  },
  'accept.again': {
    see: (desk) => {
      const ids = desk.orderIn('QUOTED');
      return [
        desk.code('sender', 'quote.accept', ids),
        desk.code('sender_custodian', 'quote.accept', ids),
      ];
    },
    shows: { refuse: ['already_done', 'already_done'], repeat: ['ok', 'ok'] },
  },
  'time.boundary': {
    see: (desk) => {
      const ids = desk.orderIn('PENDING');
      const expiring = desk.create();
      desk.wait(20_000);
      const accepted = desk.code('sender', 'quote.accept', ids);
      desk.wait(40_000);
      return [accepted, desk.status(expiring)];
    },
    shows: { passed: ['quote_not_usable', 'EXPIRED'], 'not-yet': ['ok', 'PENDING'] },
  },
  'settlement.beyond_validity': {
    see: (desk) => {
      const { intent_id, quote_id } = desk.orderIn('PENDING');
      desk.wait(18_000);
      desk.accept(intent_id, quote_id);
      desk.wait(5000);
      return desk.status(intent_id);
    },
    shows: { settles: 'SETTLED', fails: 'FAILED' },
  },
  'rfq.detail': {
    see: (desk) => {
      const { intent_id } = desk.orderIn('PENDING');
      const { status, quotes } = desk.get('maker_a', 'rfq.read', { intent_id });
      const others = desk.get('maker_b', 'rfq.read', { intent_id }).quotes;
      return [status, (quotes as unknown[] | undefined)?.length, others];
    },
    shows: {
      none: [undefined, undefined, undefined],
      status: ['ACTIVE', undefined, undefined],
      'own-quotes': [undefined, 1, []],
    },
  },
  'rfq.closed': {
    see: (desk) => desk.code('maker_b', 'rfq.read', { intent_id: cancelled(desk) }),
    shows: { refuse: 'not_found', read: 'ok' },
  },
  'access.foreign': {
    see: (desk) => {
      const { intent_id } = desk.orderIn('SETTLED');
      return [
        desk.code('outsider', 'order.read', { intent_id }),
        desk.code('outsider_custodian', 'order.read', { intent_id }),
        desk.code('maker_b', 'settlement.read', { intent_id }),
        desk.code('outsider', 'order.read', { intent_id: 'none' }),
      ];
    },
    shows: {
      '404': ['not_found', 'not_found', 'not_found', 'not_found'],
      '403': ['not_party_to_order', 'not_party_to_order', 'not_party_to_order', 'not_found'],
    },
  },
  'access.receiver_quotes': {
    see: (desk) => desk.code('receiver_custodian', 'order.quotes', { intent_id: desk.create() }),
    shows: { allow: 'ok', refuse: 'role_not_allowed' },
  },
  'access.receiver_lists': {
    see: (desk) => {
      const intent_id = desk.create();
      const listed = desk.list('receiver_custodian', 'order.list').length;
      return [listed, desk.code('receiver_custodian', 'order.read', { intent_id })];
    },
    shows: { yes: [1, 'ok'], no: [0, 'ok'] },
  },
  'access.receiver_events': {
    see: (desk) => {
      desk.orderIn('QUOTED');
      return received(desk, 'order_updated');
    },
    shows: {
      yes: ['sender', 'sender_custodian', 'receiver_custodian'],
      no: ['sender', 'sender_custodian'],
    },
  },
  'identity.participant': {
    see: (desk) => desk.get('maker_a', 'identity.read'),
    shows: {
      sandbox: {
        party_id: parties.maker_a.partyId,
        operator_party_id: 'Operator::00',
        role: 'market-maker',
        participant_id: '',
        schema_version: 'v2',
      },
      ledger: expect.objectContaining({ participant_id: expect.stringMatching(/^participant::/) }),
    },
  },
  'stats.fields': {
    see: (desk) => {
      desk.orderIn('SETTLED');
      return [desk.get('sender', 'stats.read'), desk.get('maker_a', 'stats.read')];
    },
    shows: {
      flat: [
        expect.objectContaining({ total_orders: 1, settled_orders: 1, failed_orders: 0 }),
        expect.objectContaining({ accepted_quotes: 1, settled_source_volume: { USD: '125' } }),
      ],
      nested: [
        {
          orders: { total: 1, by_status: expect.objectContaining({ SETTLED: 1, PENDING: 0 }) },
          settlements: { total: 1, volume: { source: { USD: '125' }, target: { EUR: '100' } } },
        },
        expect.objectContaining({
          quotes: { total: 1, by_status: expect.objectContaining({ ACCEPTED: 1 }) },
        }),
      ],
    },
  },
  'http.create_status': {
    see: (desk) => answerOf(desk, 'sender', 'order.create', {}, { body: orderBody })[0],
    shows: { '201': 201, '200': 200, '202': 202 },
  },
  'http.success_status': {
    see: (desk) => {
      const ids = desk.orderIn('PENDING');
      return [
        answerOf(desk, 'sender_custodian', 'proposal.accept', ids)[0],
        answerOf(desk, 'sender', 'quote.accept', ids)[0],
        answerOf(desk, 'sender', 'order.cancel', ids)[0],
        answerOf(desk, 'sender', 'order.read', ids)[0],
      ];
    },
    shows: {
      '200': [200, 200, 200, 200],
      '202': [202, 202, 202, 200],
      '201': [201, 201, 201, 200],
    },
  },
  'stream.unknown_filter': {
    see: (desk) => {
      const known = desk.create();
      const open = (as: 'sender' | 'outsider', intent_id: string) =>
        desk.code(as, 'order.events', {}, { query: { intent_id } });
      const unknown = '00000000-0000-4000-8000-000000000000';
      return [
        open('sender', known),
        open('outsider', known),
        open('sender', unknown),
        open('sender', 'x'),
      ];
    },
    shows: {
      silent: ['ok', 'ok', 'ok', 'invalid_query'],
      refuse: ['ok', 'not_found', 'not_found', 'invalid_query'],
    },
  },
  'event.payload': {
    see: (desk) => {
      desk.orderIn('SETTLED');
      const first = (name: string) =>
        desk.events.find(({ event }) => event === name)?.data as object;
      return [
        Object.keys(first('order_updated')).length > 2,
        'meta' in first('order_updated'),
        Object.keys(first('quote_received')),
        Object.keys(first('settlement_completed')).includes('intent_id'),
      ];
    },
    shows: {
      resource: [true, false, expect.arrayContaining(['quote_id', 'fx_rate']), true],
      'named-only': [false, false, ['fx_rate', 'target_amount'], false],
      'enveloped-extra': [true, true, expect.arrayContaining(['fx_rate', 'meta']), true],
    },
  },
  'event.creation': {
    see: (desk) => {
      desk.create();
      return received(desk, 'order_updated');
    },
    shows: { silent: [], updated: ['sender', 'sender_custodian', 'receiver_custodian'] },
  },
  'event.rfq_closed': {
    see: (desk) => {
      const count = () => received(desk, 'quote_request_expired').length;
      const counts = [desk.orderIn('QUOTED') && count(), cancelled(desk) && count()];
      desk.get('sender', 'order.cancel', { intent_id: desk.create() });
      counts.push(count());
      desk.create();
      desk.wait(60_000);
      return [...counts, count()];
    },
    shows: {
      'expiry-and-cancel': [0, 0, 3, 6],
      'expiry-only': [0, 0, 0, 3],
      'every-end': [3, 6, 9, 12],
    },
  },
  'event.rfq_closed_to': {
    see: (desk) => {
      desk.quote(desk.create(), 'maker_b');
      desk.wait(60_000);
      return received(desk, 'quote_request_expired');
    },
    shows: { all: makers, quoted: ['maker_b'], 'not-quoted': ['maker_a', 'maker_c'] },
  },
  'event.rejected_per': {
    see: (desk) => {
      const intent_id = desk.create();
      for (const as of ['maker_b', 'maker_b', 'maker_c'] as const) desk.quote(intent_id, as);
      desk.accept(intent_id, desk.quote(intent_id));
      return received(desk, 'quote_rejected');
    },
    shows: { quote: ['maker_b', 'maker_b', 'maker_c'], maker: ['maker_b', 'maker_c'] },
  },
};

describe('every answer to a gap', () => {
  it('has a probe, or is named as none of the core', () => {
    const open = gapIds.filter((id) => gaps[id].values.length > 1);
    expect([...Object.keys(probes), ...shell].sort()).toEqual(open.sort());
  });

  for (const [id, probe] of Object.entries(probes) as [CoreGap, Probe<string>][]) {
    it.each([...gaps[id].values])(`${id}: %s`, (value) => {
      const desk = new Desk({ ...probe.with, [id]: value });
      expect(probe.see(desk)).toEqual(probe.shows[value]);
    });
  }
});

describe('gaps that meet', () => {
  it('a source amount for any part of the order is priced for the whole', () => {
    const desk = new Desk({ 'quote.target_amount': 'source', 'quote.amount_match': 'any' });
    const intent_id = desk.create();
    const quote_id = desk.quote(intent_id, 'maker_a', { target_amount: '50.00' });
    expect(desk.list('sender', 'order.quotes', { intent_id })[0]).toMatchObject({
      source_amount: '50.00',
      target_amount: '40.00',
    });
    expect(desk.list('maker_a', 'quote.list')[0]).toMatchObject({ target_amount: '50.00' });
    expect(desk.accept(intent_id, quote_id)).toMatchObject({ source_amount_actual: '125.00' });
  });

  it('an order without custodians settles between sender, maker and receiver', () => {
    const desk = new Desk({ 'order.required_fields': 'amounts-and-currencies' });
    const { source_currency, target_currency, target_amount, source_amount_max } = orderBody;
    const body = { source_currency, target_currency, target_amount, source_amount_max };
    const intent_id = desk.get('sender', 'order.create', {}, { body }).intent_id as string;
    desk.accept(intent_id, desk.quote(intent_id));
    desk.wait(5000);
    expect(desk.status(intent_id)).toBe('SETTLED');
  });

  it('only the memos of the list are magic', () => {
    expect(magicFault('!revert:2')).toEqual({ kind: 'revert', leg: 2 });
    for (const memo of ['!revert:5', '!revert:', 'revert', '!constructor', '']) {
      expect(magicFault(memo)).toBeUndefined();
    }
  });
});
