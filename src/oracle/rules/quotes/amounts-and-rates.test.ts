import { describe, expect, test } from 'vitest';
import type { History } from '../../../history/records.ts';
import { edited, issued, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';

const requirement = 'quote.source-amount.agrees-with-rate';

/** Quotes for 100.00 at rates just above 2. `amounts` computes their source amounts. */
function quoted(
  amounts: readonly ((rate: number) => string)[],
  currencyOf: (index: number) => string = () => 'USD',
): History {
  const fake = issued('sender');
  const rates = amounts.map((_, index) => 2.0107 + index / 1_000);
  for (const [index, rate] of rates.entries()) {
    const order = fake.create('sender', { source_currency: currencyOf(index) });
    fake.quote('maker_a', order, rate.toFixed(4));
    fake.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
  }
  return edited(fake, { at: 'order.quotes' }, (one) => {
    const rate = Number(one['fx_rate']);
    const index = rates.findIndex((each) => each.toFixed(4) === one['fx_rate']);
    one['source_amount'] = amounts[index]?.(rate);
  });
}

const cents = (round: (value: number) => number) => (rate: number) =>
  (round(10_000 / rate) / 100).toFixed(2);
const down = cents(Math.floor);
const up = cents(Math.ceil);
const nearest = cents(Math.round);
const whole = (rate: number): string => `${Math.floor(100 / rate)}`;
const turnedOver = (rate: number): string => (100 * rate).toFixed(2);

const many = <T>(one: T, count = 40): T[] => Array.from({ length: count }, () => one);

describe('a target that has shown how it computes amounts', () => {
  test.each([
    ['down', down, up],
    ['up', up, down],
    ['to the nearest', nearest, up],
  ])('%s: one that is rounded otherwise fails', (_, usual, other) => {
    expect(outcomes(quoted(many(usual)), requirement)).not.toContain('fail');
    // Of a few that might be rounded to the nearest as well, one at least is not.
    expect(outcomes(quoted([...many(usual, 60), ...many(other, 3)]), requirement)).toContain(
      'fail',
    );
  });

  test.each([
    ['in whole units', whole],
    ['the other way round', turnedOver],
  ])('one that is %s fails', (_, other) => {
    expect(outcomes(quoted([...many(down), other]), requirement)).toContain('fail');
  });

  test.each([
    ['rounds either way', [...many(down, 20), ...many(up, 20)]],
    ['shows whole units often', [...many(down, 30), ...many(whole, 3)]],
    ['turns rates over often', [...many(down, 30), ...many(turnedOver, 3)]],
    ['has shown little', [...many(down, 5), up, whole, turnedOver]],
  ])('nothing is held against one that %s', (_, amounts) => {
    expect(outcomes(quoted(amounts), requirement)).not.toContain('fail');
  });
});

describe('a target that rounds the amounts of each currency in one way', () => {
  const inTwo = (usual: (rate: number) => string, other: (rate: number) => string) =>
    outcomes(
      quoted([...many(usual), ...many(other, 15)], (index) => (index < 40 ? 'USD' : 'GBP')),
      requirement,
    );

  test.each([
    ['down', down, up],
    ['up', up, down],
    ['to the nearest', nearest, down],
  ])('is a warning if most amounts are rounded %s and some differently', (_, usual, other) => {
    expect(inTwo(usual, other)).toContain('warn');
    expect(inTwo(usual, other)).not.toContain('fail');
  });

  test.each([
    ['down', down],
    ['up', up],
    ['to the nearest', nearest],
  ])('passes if all amounts are rounded %s', (_, way) => {
    expect(new Set(inTwo(way, way))).toEqual(new Set(['pass']));
  });
});
