import { type Probes, read, received, statuses, submit } from './gap-probe.ts';

/** Quotes: what they mean and what becomes of them (2.3, 3.2). */
export const quoteProbes = {
  'quote.target_amount': {
    see: (core) => {
      const intent_id = core.create();
      const amounts = ['100.00', '125.00'].map((target_amount) =>
        submit(core, intent_id, { target_amount }),
      );
      const [quote] = core.list('sender', 'order.quotes', { intent_id });
      return [...amounts, quote?.source_amount, quote?.target_amount];
    },
    shows: {
      target: ['ok', 'invalid_value', '125.00', '100.00'],
      source: ['invalid_value', 'ok', '125.00', '100.00'],
    },
  },
  'quote.amount_match': {
    see: (core) => submit(core, core.create(), { target_amount: '50' }),
    shows: { equal: 'invalid_value', any: 'ok' },
  },
  'quote.rate_orientation': {
    see: (core) => {
      const intent_id = core.create();
      core.quote(intent_id, 'maker_a', { fx_rate: '0.7' });
      return core.list('sender', 'order.quotes', { intent_id })[0]?.source_amount;
    },
    shows: { 'target-per-source': '142.86', 'source-per-target': '70.00' },
  },
  'money.format': {
    see: (core) => {
      const intent_id = core.create();
      for (const fx_rate of ['0.7', '0.9']) core.quote(intent_id, 'maker_a', { fx_rate });
      const quotes = core.list('sender', 'order.quotes', { intent_id });
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
    see: (core) => {
      const intent_id = core.create();
      const submitted = submit(core, intent_id, { fx_rate: '0.5' });
      const quote_id = core.list('maker_a', 'rfq.quotes', { intent_id })[0]?.quote_id as string;
      const accepted = core.code('sender', 'quote.accept', { intent_id, quote_id });
      const { status, failure_reason } = read(core, intent_id);
      return [submitted, accepted, status, failure_reason];
    },
    shows: {
      'refuse-accept': ['ok', 'above_maximum', 'PENDING', undefined],
      'refuse-submit': ['above_maximum', 'not_found', 'PENDING', undefined],
      'fail-order': ['ok', 'ok', 'FAILED', 'SLIPPAGE'],
    },
  },
  'quote.twice': {
    see: (core) => {
      const intent_id = core.create();
      const codes = [submit(core, intent_id, {}), submit(core, intent_id, {})];
      return [...codes, statuses(core, intent_id).join()];
    },
    shows: {
      allow: ['ok', 'ok', 'PENDING,PENDING'],
      refuse: ['ok', 'already_done', 'PENDING'],
      replace: ['ok', 'ok', 'PENDING,EXPIRED'],
    },
  },
  'quote.winner_others': {
    see: (core) => {
      const intent_id = core.create();
      core.quote(intent_id);
      core.accept(intent_id, core.quote(intent_id));
      return [statuses(core, intent_id).join(), received(core, 'quote_rejected')].flat();
    },
    shows: { REJECTED: ['ACCEPTED,REJECTED'], PENDING: ['ACCEPTED,PENDING'] },
  },
  'quote.orphans': {
    see: (core) => {
      const { intent_id } = core.orderIn('PENDING');
      core.get('sender', 'order.cancel', { intent_id });
      const at = statuses(core, intent_id).join();
      core.wait(20_000);
      return [at, statuses(core, intent_id).join()];
    },
    shows: {
      lapse: ['PENDING', 'EXPIRED'],
      EXPIRED: ['EXPIRED', 'EXPIRED'],
      REJECTED: ['REJECTED', 'REJECTED'],
    },
  },
  'quote.past_validity': {
    see: (core) => {
      const intent_id = core.create();
      const code = submit(core, intent_id, { valid_until: '2025-12-31T23:59:59.999Z' });
      return [code, statuses(core, intent_id).join()];
    },
    shows: { refuse: ['invalid_value', ''], expired: ['ok', 'EXPIRED'] },
  },
  'quote.beyond_expiry': {
    see: (core) => {
      const until = (valid_until: string) => submit(core, core.create(), { valid_until });
      return [until('2026-01-01T00:01:00.000Z'), until('2026-01-01T00:01:00.001Z')];
    },
    shows: { allow: ['ok', 'ok'], refuse: ['ok', 'invalid_value'] },
  },
  'quote.max_validity': {
    see: (core) => {
      const until = (valid_until: string) => submit(core, core.create(), { valid_until });
      return [until('2026-01-01T01:00:00.000Z'), until('2026-01-01T01:00:00.001Z')];
    },
    shows: { none: ['ok', 'ok'], '1h': ['ok', 'invalid_value'] },
  },
  'accept.again': {
    see: (core) => {
      const ids = core.orderIn('QUOTED');
      return [
        core.code('sender', 'quote.accept', ids),
        core.code('sender_custodian', 'quote.accept', ids),
      ];
    },
    shows: { refuse: ['already_done', 'already_done'], repeat: ['ok', 'ok'] },
  },
  'time.boundary': {
    see: (core) => {
      const ids = core.orderIn('PENDING');
      const expiring = core.create();
      core.wait(20_000);
      const accepted = core.code('sender', 'quote.accept', ids);
      core.wait(40_000);
      return [accepted, core.status(expiring)];
    },
    shows: { passed: ['quote_not_usable', 'EXPIRED'], 'not-yet': ['ok', 'PENDING'] },
  },
  'settlement.beyond_validity': {
    see: (core) => {
      const { intent_id, quote_id } = core.orderIn('PENDING');
      core.wait(18_000);
      core.accept(intent_id, quote_id);
      core.wait(5000);
      return core.status(intent_id);
    },
    shows: { settles: 'SETTLED', fails: 'FAILED' },
  },
} satisfies Partial<Probes>;
