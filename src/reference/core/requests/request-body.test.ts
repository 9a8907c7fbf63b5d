import { describe, expect, it } from 'vitest';
import { CoreDriver, orderBody } from '../../../../test/support/core/core-driver.ts';
import { saveState } from '../state.ts';

const nul = String.fromCharCode(0);

/** Invalid values of one field, each with the code of its refusal. */
const badFields: readonly (readonly [name: string, value: unknown, code: string])[] = [
  ['target_amount', 100, 'invalid_type'],
  ['target_amount', null, 'invalid_type'],
  ['target_amount', ['1'], 'invalid_type'],
  ['target_amount', '', 'invalid_form'],
  ['target_amount', '1e3', 'invalid_form'],
  ['target_amount', '0x1F', 'invalid_form'],
  ['target_amount', '1_000', 'invalid_form'],
  ['target_amount', '.5', 'invalid_form'],
  ['target_amount', '5.', 'invalid_form'],
  ['target_amount', ' 5', 'invalid_form'],
  ['target_amount', '5\n', 'invalid_form'],
  ['target_amount', 'Infinity', 'invalid_form'],
  ['target_amount', 'NaN', 'invalid_form'],
  ['target_amount', '+5', 'invalid_form'],
  ['target_amount', '-5', 'invalid_value'],
  ['target_amount', '0', 'invalid_value'],
  ['target_amount', '0.00', 'invalid_value'],
  ['target_amount', `1${'0'.repeat(18)}`, 'invalid_value'],
  ['target_amount', `0.${'0'.repeat(10)}1`, 'invalid_value'],
  ['target_amount', '9'.repeat(100_000), 'invalid_value'],
  ['source_amount_max', '-0.01', 'invalid_value'],
  ['source_currency', '', 'invalid_form'],
  ['source_currency', 'U SD', 'invalid_form'],
  ['source_currency', 'U'.repeat(17), 'invalid_value'],
  ['target_currency', 'USD', 'invalid_value'],
  ['sender_custodian_party_id', 'Custodian', 'invalid_form'],
  ['receiver_party_id', 'R::xyz', 'invalid_form'],
  ['receiver_party_id', `R${nul}::ab`, 'invalid_form'],
  ['source_contract_id', 'abc123', 'invalid_form'],
  ['source_contract_id', '#0', 'invalid_form'],
  ['intent_signature', 'no hex', 'invalid_form'],
  ['memo', `a${nul}b`, 'invalid_form'],
  ['memo', 'half \ud83d', 'invalid_form'],
  ['memo', 'm'.repeat(1001), 'invalid_value'],
  ['memo', {}, 'invalid_type'],
];

describe('a body that is not an order', () => {
  it.each(badFields)('%s = %j: %s', (name, value, code) => {
    const core = new CoreDriver();
    const before = saveState(core.state);
    const reply = core.ask('sender', 'order.create', {}, { body: { ...orderBody, [name]: value } });
    expect(reply).toMatchObject({ ok: false, error: { code, at: `/${name}` } });
    expect(saveState(core.state)).toEqual(before);
    expect(core.events).toEqual([]);
  });

  it.each([[undefined], [null], ['text'], [7], [true], [[]]])('%j', (body) => {
    expect(new CoreDriver().code('sender', 'order.create', {}, { body })).toBe('malformed_body');
  });

  it('its form is judged before the role', () => {
    expect(new CoreDriver().code('maker_a', 'order.create', {}, { body: {} })).toBe(
      'missing_field',
    );
  });
});

describe('names with a meaning in the language', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

  it('are unknown fields as any other', () => {
    const extra = JSON.parse(`{${names.map((name) => `"${name}":{"memo":"x"}`).join()}}`) as object;
    const core = new CoreDriver();
    const body = Object.assign(JSON.parse('{"__proto__":{"memo":"x"}}') as object, {
      ...orderBody,
      ...extra,
    });
    expect(core.code('sender', 'order.create', {}, { body })).toBe('ok');
    expect(({} as { memo?: string }).memo).toBeUndefined();
  });

  it('do not stand in for a missing field', () => {
    const body = JSON.parse('{"__proto__":{"memo":"inherited"}}') as object;
    expect(new CoreDriver().code('sender', 'order.create', {}, { body })).toBe('missing_field');
  });

  it.each(names)('%s is a currency that no party holds', (source_currency) => {
    const core = new CoreDriver();
    const intent_id = core.create({ source_currency });
    core.accept(intent_id, core.quote(intent_id));
    core.wait(5000);
    expect(core.get('sender', 'order.read', { intent_id }).failure_reason).toBe('REVERT');
  });

  it.each(names)('%s is no id, no state and no parameter', (name) => {
    const core = new CoreDriver();
    const ids = { intent_id: name, quote_id: name };
    for (const endpoint of [
      'order.read',
      'order.quotes',
      'order.cancel',
      'quote.accept',
    ] as const) {
      expect(core.code('sender', endpoint, ids)).toBe('not_found');
    }
    expect(core.code('sender', 'order.list', {}, { query: { status: name } })).toBe(
      'invalid_query',
    );
    expect(core.code('sender', 'order.list', {}, { query: { [name]: '1' } })).toBe('ok');
  });
});

describe('a body that is not a quote', () => {
  it.each([
    ['valid_until', '2026-02-30T00:00:00.000Z', 'invalid_form'],
    ['valid_until', '2026-01-01T24:00:00.000Z', 'invalid_form'],
    ['valid_until', '2026-01-01T00:00:20Z', 'invalid_form'],
    ['valid_until', '2026-01-01T00:00:20.000+01:00', 'invalid_form'],
    ['valid_until', 1_767_225_620_000, 'invalid_type'],
    ['valid_until', '2025-12-31T23:59:59.999Z', 'invalid_value'],
    ['fx_rate', '0', 'invalid_value'],
    ['fx_rate', '-1', 'invalid_value'],
    ['fx_rate', '1.00000000001', 'invalid_value'],
    ['target_amount', '100.01', 'invalid_value'],
  ])('%s = %j: %s', (name, value, code) => {
    const core = new CoreDriver();
    const intent_id = core.create();
    const body = core.offer({ [name]: value });
    const reply = core.ask('maker_a', 'quote.submit', { intent_id }, { body });
    expect(reply).toMatchObject({ ok: false, error: { code, at: `/${name}` } });
  });

  it('a rate at which the amounts cannot be paid is refused', () => {
    const core = new CoreDriver();
    const intent_id = core.create({ target_amount: '999999999999999999' });
    const body = core.offer({ target_amount: '999999999999999999', fx_rate: '0.0000000001' });
    expect(core.code('maker_a', 'quote.submit', { intent_id }, { body })).toBe('invalid_value');
  });

  it('an amount written otherwise is the same amount', () => {
    const core = new CoreDriver();
    const intent_id = core.create();
    expect(core.quote(intent_id, 'maker_a', { target_amount: '100.0' })).toBeDefined();
  });
});

describe('a query that is not a page', () => {
  it.each(['0', '-1', '1.5', '1e3', '', ' 1', 'x', '9'.repeat(16)])('page=%s', (page) => {
    const reply = new CoreDriver().ask('sender', 'order.list', {}, { query: { page } });
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_query', at: 'page' } });
  });

  it('page_size=0', () => {
    const query = { page_size: '0' };
    expect(new CoreDriver().code('maker_a', 'rfq.list', {}, { query })).toBe('invalid_query');
  });

  it('a page far beyond is empty', () => {
    const query = { page: '999999999999999', page_size: '100' };
    expect(new CoreDriver().list('sender', 'order.list', {}, query)).toEqual([]);
  });
});
