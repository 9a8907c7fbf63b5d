import { expect } from 'vitest';
import { orderBody, parties } from './core-driver.ts';
import { answerOf, cancelled, makers, type Probes, received } from './gap-probe.ts';

/** Who sees what, and how it is told (1.4, 4 to 6). */
export const viewProbes = {
  'rfq.detail': {
    see: (core) => {
      const { intent_id } = core.orderIn('PENDING');
      const { status, quotes } = core.get('maker_a', 'rfq.read', { intent_id });
      const others = core.get('maker_b', 'rfq.read', { intent_id }).quotes;
      return [status, (quotes as unknown[] | undefined)?.length, others];
    },
    shows: {
      none: [undefined, undefined, undefined],
      status: ['ACTIVE', undefined, undefined],
      'own-quotes': [undefined, 1, []],
    },
  },
  'rfq.closed': {
    see: (core) => core.code('maker_b', 'rfq.read', { intent_id: cancelled(core) }),
    shows: { refuse: 'not_found', read: 'ok' },
  },
  'access.foreign': {
    see: (core) => {
      const { intent_id } = core.orderIn('SETTLED');
      return [
        core.code('outsider', 'order.read', { intent_id }),
        core.code('outsider_custodian', 'order.read', { intent_id }),
        core.code('maker_b', 'settlement.read', { intent_id }),
        core.code('outsider', 'order.read', { intent_id: 'none' }),
      ];
    },
    shows: {
      '404': ['not_found', 'not_found', 'not_found', 'not_found'],
      '403': ['not_party_to_order', 'not_party_to_order', 'not_party_to_order', 'not_found'],
    },
  },
  'access.receiver_quotes': {
    see: (core) => core.code('receiver_custodian', 'order.quotes', { intent_id: core.create() }),
    shows: { allow: 'ok', refuse: 'role_not_allowed' },
  },
  'access.receiver_lists': {
    see: (core) => {
      const intent_id = core.create();
      const listed = core.list('receiver_custodian', 'order.list').length;
      return [listed, core.code('receiver_custodian', 'order.read', { intent_id })];
    },
    shows: { yes: [1, 'ok'], no: [0, 'ok'] },
  },
  'access.receiver_events': {
    see: (core) => {
      core.orderIn('QUOTED');
      return received(core, 'order_updated');
    },
    shows: {
      yes: ['sender', 'sender_custodian', 'receiver_custodian'],
      no: ['sender', 'sender_custodian'],
    },
  },
  'identity.participant': {
    see: (core) => core.get('maker_a', 'identity.read'),
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
    see: (core) => {
      core.orderIn('SETTLED');
      return [core.get('sender', 'stats.read'), core.get('maker_a', 'stats.read')];
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
    see: (core) => answerOf(core, 'sender', 'order.create', {}, { body: orderBody })[0],
    shows: { '201': 201, '200': 200, '202': 202 },
  },
  'http.success_status': {
    see: (core) => {
      const ids = core.orderIn('PENDING');
      return [
        answerOf(core, 'sender_custodian', 'proposal.accept', ids)[0],
        answerOf(core, 'sender', 'quote.accept', ids)[0],
        answerOf(core, 'sender', 'order.cancel', ids)[0],
        answerOf(core, 'sender', 'order.read', ids)[0],
      ];
    },
    shows: {
      '200': [200, 200, 200, 200],
      '202': [202, 202, 202, 200],
      '201': [201, 201, 201, 200],
    },
  },
  'stream.unknown_filter': {
    see: (core) => {
      const known = core.create();
      const open = (as: 'sender' | 'outsider', intent_id: string) =>
        core.code(as, 'order.events', {}, { query: { intent_id } });
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
    see: (core) => {
      core.orderIn('SETTLED');
      const first = (name: string) =>
        core.events.find(({ event }) => event === name)?.data as object;
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
    see: (core) => {
      core.create();
      return received(core, 'order_updated');
    },
    shows: { silent: [], updated: ['sender', 'sender_custodian', 'receiver_custodian'] },
  },
  'event.rfq_closed': {
    see: (core) => {
      const count = () => received(core, 'quote_request_expired').length;
      const counts = [core.orderIn('QUOTED') && count(), cancelled(core) && count()];
      core.get('sender', 'order.cancel', { intent_id: core.create() });
      counts.push(count());
      core.create();
      core.wait(60_000);
      return [...counts, count()];
    },
    shows: {
      'expiry-and-cancel': [0, 0, 3, 6],
      'expiry-only': [0, 0, 0, 3],
      'every-end': [3, 6, 9, 12],
    },
  },
  'event.rfq_closed_to': {
    see: (core) => {
      core.quote(core.create(), 'maker_b');
      core.wait(60_000);
      return received(core, 'quote_request_expired');
    },
    shows: { all: makers, quoted: ['maker_b'], 'not-quoted': ['maker_a', 'maker_c'] },
  },
  'event.rejected_per': {
    see: (core) => {
      const intent_id = core.create();
      for (const as of ['maker_b', 'maker_b', 'maker_c'] as const) core.quote(intent_id, as);
      core.accept(intent_id, core.quote(intent_id));
      return received(core, 'quote_rejected');
    },
    shows: { quote: ['maker_b', 'maker_b', 'maker_c'], maker: ['maker_b', 'maker_c'] },
  },
} satisfies Partial<Probes>;
