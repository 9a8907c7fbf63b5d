import { describe, expect, it } from 'vitest';
import { type Assignment, type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import { gapsOverTime } from '../../discovery/over-time.ts';
import { CoreDriver, orderBody } from '../../../test/support/core/core-driver.ts';
import { seenAtOnce } from '../../../test/support/core/seen-gaps.ts';
import { magicFault } from './lifecycle/faults.ts';

/** Looks at the reference, with the result that each answer to a gap must give. */
interface Probe<Value extends string> {
  readonly see: (core: CoreDriver) => unknown;
  readonly shows: { readonly [value in Value]: unknown };
}

const submit = (core: CoreDriver, more: Record<string, unknown>) =>
  core.code('maker_a', 'quote.submit', { intent_id: core.create() }, { body: core.offer(more) });
const endOf = (core: CoreDriver, intent_id: string) => {
  const { status, failure_reason } = core.get('sender', 'order.read', { intent_id });
  return [status, failure_reason];
};

/** Gaps of the core that discovery does not see; src/discovery/*.test.ts test the others. */
const probes: { readonly [Id in GapId]?: Probe<Assignment[Id]> } = {
  'list.other_filters': {
    see: (core) => {
      core.create({ memo: 'usd' });
      core.create({ memo: 'jpy', source_currency: 'JPY' });
      const query = { currency: 'JPY', status: 'PENDING' };
      const orders = core.list('sender', 'order.list', {}, query);
      const requests = core.list('maker_a', 'rfq.list', {}, { currency: 'JPY' });
      return [orders.map(({ memo }) => memo).join(), requests.length];
    },
    shows: { none: ['jpy,usd', 2], currency: ['jpy', 1] },
  },
  'withdrawn.state': {
    see: (core) => {
      const intent_id = core.create({ memo: '!withdraw' });
      core.wait(1000);
      return endOf(core, intent_id);
    },
    shows: { FAILED: ['FAILED', 'OPERATOR_WITHDRAWN'], EXPIRED: ['EXPIRED', 'OPERATOR_WITHDRAWN'] },
  },
  'settlement.timeout_state': {
    see: (core) => {
      const { intent_id } = core.orderIn('EXECUTING');
      core.fault(intent_id, { kind: 'stall' });
      core.wait(31_000);
      return endOf(core, intent_id);
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
  'quote.winner_others': {
    see: (core) => {
      const intent_id = core.create();
      core.quote(intent_id);
      core.accept(intent_id, core.quote(intent_id));
      const quotes = core.list('sender', 'order.quotes', { intent_id });
      return quotes.map(({ status }) => status);
    },
    shows: { REJECTED: ['ACCEPTED', 'REJECTED'], PENDING: ['ACCEPTED', 'PENDING'] },
  },
  'quote.max_validity': {
    see: (core) =>
      ['2026-01-01T01:00:00.000Z', '2026-01-01T01:00:00.001Z'].map((valid_until) =>
        submit(core, { valid_until }),
      ),
    shows: { none: ['ok', 'ok'], '1h': ['ok', 'invalid_value'] },
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
  'event.rejected_per': {
    see: (core) => {
      const intent_id = core.create();
      for (const as of ['maker_b', 'maker_b', 'maker_c'] as const) core.quote(intent_id, as);
      core.accept(intent_id, core.quote(intent_id));
      return core.eventsSince().filter((line) => line.endsWith(' quote_rejected'));
    },
    shows: {
      quote: ['maker_b quote_rejected', 'maker_b quote_rejected', 'maker_c quote_rejected'],
      maker: ['maker_b quote_rejected', 'maker_c quote_rejected'],
    },
  },
};

/** Gaps that only the HTTP shell shows; tested by test/reference/gaps.test.ts. */
const ofShell: readonly GapId[] = [
  'error.statuses',
  'limits.rate',
  'heartbeat.payload',
  'heartbeat.phase',
  'stream.line_end',
];

describe('every answer to a gap', () => {
  it('is seen by discovery or by a probe', () => {
    const seen = new Set<string>([...seenAtOnce, ...gapsOverTime, ...Object.keys(probes)]);
    const open = gapIds.filter((id) => gaps[id].values.length > 1);
    expect(open.filter((id) => !seen.has(id))).toEqual(gapIds.filter((id) => ofShell.includes(id)));
  });

  for (const [id, probe] of Object.entries(probes) as [GapId, Probe<string>][]) {
    it.each([...gaps[id].values])(`${id}: %s`, (value) => {
      expect(probe.see(new CoreDriver({ [id]: value }))).toEqual(probe.shows[value]);
    });
  }
});

describe('combined answers to gaps', () => {
  it('a source amount for any part of the order is priced for the whole', () => {
    const core = new CoreDriver({ 'quote.target_amount': 'source', 'quote.amount_match': 'any' });
    const intent_id = core.create();
    const quote_id = core.quote(intent_id, 'maker_a', { target_amount: '50.00' });
    expect(core.list('sender', 'order.quotes', { intent_id })[0]).toMatchObject({
      source_amount: '50.00',
      target_amount: '40.00',
    });
    expect(core.list('maker_a', 'quote.list')[0]).toMatchObject({ target_amount: '50.00' });
    expect(core.accept(intent_id, quote_id)).toMatchObject({ source_amount_actual: '125.00' });
  });

  it('an order without custodians settles between sender, maker and receiver', () => {
    const core = new CoreDriver({ 'order.required_fields': 'amounts-and-currencies' });
    const { source_currency, target_currency, target_amount, source_amount_max } = orderBody;
    const body = { source_currency, target_currency, target_amount, source_amount_max };
    const intent_id = core.get('sender', 'order.create', {}, { body }).intent_id as string;
    core.accept(intent_id, core.quote(intent_id));
    core.wait(5000);
    expect(core.status(intent_id)).toBe('SETTLED');
  });

  it('only the listed memos cause faults', () => {
    expect(magicFault('!revert:2')).toEqual({ kind: 'revert', leg: 2 });
    for (const memo of ['!revert:5', '!revert:', 'revert', '!constructor', '']) {
      expect(magicFault(memo)).toBeUndefined();
    }
  });
});
