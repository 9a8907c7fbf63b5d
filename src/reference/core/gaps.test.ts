import { describe, expect, it } from 'vitest';
import { gapIds, gaps } from '../../spec/gaps/index.ts';
import { CoreDriver, orderBody } from '../../../test/support/core/core-driver.ts';
import { magicFault } from './lifecycle/faults.ts';
import {
  type CoreGap,
  type Probe,
  type Probes,
  httpGaps,
} from '../../../test/support/core/gap-probe.ts';
import { listProbes } from '../../../test/support/core/list-gaps.ts';
import { orderProbes } from '../../../test/support/core/order-gaps.ts';
import { quoteProbes } from '../../../test/support/core/quote-gaps.ts';
import { viewProbes } from '../../../test/support/core/view-gaps.ts';

const probes: Probes = {
  ...listProbes,
  ...orderProbes,
  ...quoteProbes,
  ...viewProbes,
};

describe('every answer to a gap', () => {
  it('has a probe, or is named as none of the core', () => {
    const open = gapIds.filter((id) => gaps[id].values.length > 1);
    expect([...Object.keys(probes), ...httpGaps].sort()).toEqual(open.sort());
  });

  for (const [id, probe] of Object.entries(probes) as [CoreGap, Probe<string>][]) {
    it.each([...gaps[id].values])(`${id}: %s`, (value) => {
      const core = new CoreDriver({ ...probe.with, [id]: value });
      expect(probe.see(core)).toEqual(probe.shows[value]);
    });
  }
});

describe('gaps that meet', () => {
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

  it('only the memos of the list are magic', () => {
    expect(magicFault('!revert:2')).toEqual({ kind: 'revert', leg: 2 });
    for (const memo of ['!revert:5', '!revert:', 'revert', '!constructor', '']) {
      expect(magicFault(memo)).toBeUndefined();
    }
  });
});
