import { describe, expect, it } from 'vitest';
import { gapIds, gaps } from '../spec/gaps/index.ts';
import { Desk, orderBody } from './desk.testing.ts';
import { magicFault } from './faults.ts';
import { type CoreGap, type Probe, type Probes, shell } from './testing/gap-probes.ts';
import { probesOfLists } from './testing/gaps-of-lists.ts';
import { probesOfOrders } from './testing/gaps-of-orders.ts';
import { probesOfQuotes } from './testing/gaps-of-quotes.ts';
import { probesOfViews } from './testing/gaps-of-views.ts';

const probes: Probes = {
  ...probesOfLists,
  ...probesOfOrders,
  ...probesOfQuotes,
  ...probesOfViews,
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
