import { expect } from 'vitest';
import { orderBody } from '../desk.testing.ts';
import { answerOf, cancelled, type Probes, read, received, statuses } from './gap-probes.ts';

/** Orders: their creation, cancel and ends (2.2, 3.1). */
export const probesOfOrders = {
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
      const [given] = desk.list('sender', 'order.quotes', { intent_id });
      const quote_id = String(given?.['quote_id']);
      const early = desk.code('sender', 'quote.accept', { intent_id, quote_id });
      const twice = [1, 2].map(() =>
        desk.code('sender_custodian', 'proposal.accept', { intent_id }),
      );
      return [before, announced, early, twice.join(), received(desk, 'quote_request_new').length];
    },
    shows: {
      none: ['ok', 3, 'ok', 'ok,ok', 3],
      once: ['ok', 3, 'ok', 'ok,already_done', 3],
      'opens-quoting': ['not_found', 0, 'not_found', 'ok,ok', 3],
      'opens-acceptance': ['ok', 3, 'wrong_state', 'ok,ok', 3],
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
} satisfies Partial<Probes>;
