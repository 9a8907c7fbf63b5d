import { expect, test } from 'vitest';
import { viewOf } from '../oracle/trace/history-view.ts';
import { context, issued } from '../../test/support/oracle/findings-and-edits.ts';
import { triedIn } from './tried.ts';

test('ages, roundings and exact maxima are counted', () => {
  const fake = issued('sender');
  const young = fake.create();
  fake.quote('maker_a', young, '1');
  fake.advance(3_600_000);
  const old = fake.create();
  fake.quote('maker_a', old, '0.85');
  fake.quote('maker_b', old, '0.8');
  const tried = triedIn(viewOf(fake, context()), undefined);
  expect(tried).toMatchObject({
    orders: 2,
    after_3_minutes: 1,
    after_1_hour: 1,
    after_1_day: 0,
    quotes: 3,
    rates: 3,
    rounded_target_per_source: 1,
    rounded_source_per_target: 0,
  });
});
