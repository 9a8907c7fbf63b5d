import { expect } from 'vitest';
import { orderBody } from './core-driver.ts';
import { answerOf, cancelled, type Probes, read, received, statuses } from './gap-probe.ts';

/** Orders: their creation, cancel and ends (2.2, 3.1). */
export const orderProbes = {
  'order.required_fields': {
    see: (core) =>
      (['memo', 'source_contract_id', 'target_amount'] as const).map((name) => {
        const { [name]: _, ...body } = orderBody;
        return core.code('sender', 'order.create', {}, { body });
      }),
    shows: {
      'all-but-memo': ['ok', 'missing_field', 'missing_field'],
      all: ['missing_field', 'missing_field', 'missing_field'],
      'amounts-and-currencies': ['ok', 'ok', 'missing_field'],
    },
  },
  'order.unknown_fields': {
    see: (core) => core.code('sender', 'order.create', {}, { body: { ...orderBody, hue: 1 } }),
    shows: { ignore: 'ok', refuse: 'unknown_field' },
  },
  'order.failure_reason_field': {
    see: (core) => {
      const { failure_reason, reason, status_reason, failure } = read(core, cancelled(core));
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
    see: (core) => {
      const order = read(core, core.create());
      return [order.quote_id, order.settled_at, order.failure_reason, 'fx_rate' in order];
    },
    shows: { absent: [undefined, undefined, undefined, false], null: [null, null, null, true] },
  },
  'order.lifetime': {
    see: (core) => read(core, core.create()).expires_at,
    shows: {
      '60s': '2026-01-01T00:01:00.000Z',
      '30s': '2026-01-01T00:00:30.000Z',
      '300s': '2026-01-01T00:05:00.000Z',
      '3600s': '2026-01-01T01:00:00.000Z',
    },
  },
  'order.contract_reuse': {
    see: (core) => {
      core.create();
      const again = { source_contract_id: 'abc123#1' };
      return [{}, again].map((more) =>
        core.code('sender', 'order.create', {}, { body: { ...orderBody, ...more } }),
      );
    },
    shows: { allow: ['ok', 'ok'], refuse: ['already_done', 'ok'] },
  },
  'order.same_currency': {
    see: (core) =>
      core.code('sender', 'order.create', {}, { body: { ...orderBody, target_currency: 'USD' } }),
    shows: { refuse: 'invalid_value', allow: 'ok' },
  },
  'proposal.effect': {
    see: (core) => {
      const intent_id = core.create();
      const before = core.code('maker_a', 'quote.submit', { intent_id }, { body: core.offer() });
      const announced = received(core, 'quote_request_new').length;
      const [given] = core.list('sender', 'order.quotes', { intent_id });
      const quote_id = String(given?.['quote_id']);
      const early = core.code('sender', 'quote.accept', { intent_id, quote_id });
      const twice = [1, 2].map(() =>
        core.code('sender_custodian', 'proposal.accept', { intent_id }),
      );
      return [before, announced, early, twice.join(), received(core, 'quote_request_new').length];
    },
    shows: {
      none: ['ok', 3, 'ok', 'ok,ok', 3],
      once: ['ok', 3, 'ok', 'ok,already_done', 3],
      'opens-quoting': ['not_found', 0, 'not_found', 'ok,ok', 3],
      'opens-acceptance': ['ok', 3, 'wrong_state', 'ok,ok', 3],
    },
  },
  'proposal.response': {
    see: (core) =>
      answerOf(core, 'sender_custodian', 'proposal.accept', { intent_id: core.create() }),
    shows: {
      order: [200, expect.objectContaining({ status: 'PENDING', memo: 'rent' })],
      'no-content': [204, undefined],
      minimal: [200, { intent_id: expect.any(String), status: 'PENDING' }],
    },
  },
  'cancel.state': {
    see: (core) => read(core, cancelled(core)).status,
    shows: { FAILED: 'FAILED', EXPIRED: 'EXPIRED' },
  },
  'cancel.response': {
    see: (core) => answerOf(core, 'sender', 'order.cancel', { intent_id: core.create() }),
    shows: {
      order: [200, expect.objectContaining({ status: 'FAILED', memo: 'rent' })],
      'no-content': [204, undefined],
      accepted: [202, expect.objectContaining({ status: 'FAILED', memo: 'rent' })],
      minimal: [200, { intent_id: expect.any(String), status: 'FAILED' }],
    },
  },
  'cancel.again': {
    see: (core) => core.code('sender', 'order.cancel', { intent_id: cancelled(core) }),
    shows: { refuse: 'already_done', repeat: 'ok' },
  },
  'cancel.accepted_quote': {
    see: (core) => {
      const expiring = core.orderIn('PENDING');
      core.wait(19_900);
      core.accept(expiring.intent_id, expiring.quote_id);
      core.wait(200);
      return [statuses(core, cancelled(core)), statuses(core, expiring.intent_id)].flat();
    },
    shows: {
      ACCEPTED: ['ACCEPTED', 'ACCEPTED'],
      EXPIRED: ['EXPIRED', 'EXPIRED'],
      REJECTED: ['REJECTED', 'REJECTED'],
    },
  },
  'expiry.reason': {
    see: (core) => {
      const [none, above, usable] = [core.create(), core.create(), core.create()];
      core.quote(above, 'maker_a', { fx_rate: '0.5' });
      core.quote(usable, 'maker_a', { fx_rate: '0.5' });
      core.quote(usable, 'maker_b');
      core.wait(60_000);
      return [none, above, usable].map((id) => read(core, id).failure_reason);
    },
    shows: {
      'by-quotes': ['NO_QUOTE', 'SLIPPAGE', undefined],
      unset: [undefined, undefined, undefined],
      'no-quote-only': ['NO_QUOTE', undefined, undefined],
    },
  },
  'withdrawn.state': {
    see: (core) => {
      const intent_id = core.create({ memo: '!withdraw' });
      core.wait(1000);
      const { status, failure_reason } = read(core, intent_id);
      return [status, failure_reason];
    },
    shows: { FAILED: ['FAILED', 'OPERATOR_WITHDRAWN'], EXPIRED: ['EXPIRED', 'OPERATOR_WITHDRAWN'] },
  },
  'settlement.timeout_state': {
    see: (core) => {
      const { intent_id } = core.orderIn('EXECUTING');
      core.fault(intent_id, { kind: 'stall' });
      core.wait(31_000);
      const { status, failure_reason } = read(core, intent_id);
      return [status, failure_reason];
    },
    shows: { FAILED: ['FAILED', 'TIMEOUT'], EXPIRED: ['EXPIRED', 'TIMEOUT'] },
  },
  'settlement.window': {
    see: (core) => {
      const intent_id = core.create({ memo: '!stall' });
      core.accept(intent_id, core.quote(intent_id));
      const passing = [9999, 1, 19_999, 1].map((ms) => {
        core.wait(ms);
        return core.status(intent_id);
      });
      return passing.join();
    },
    shows: {
      '30s': 'EXECUTING,EXECUTING,EXECUTING,FAILED',
      '10s': 'EXECUTING,FAILED,FAILED,FAILED',
    },
  },
  'settlement.steps': {
    see: (core) => {
      core.orderIn('SETTLED');
      return core.events
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
