import { describe, expect, test } from 'vitest';
import { context, issued } from '../../test/support/oracle/findings-and-edits.ts';
import { contrastOf, type Exercise } from './contrast.ts';
import { viewOf } from './trace/history-view.ts';

/** Reads of 20 open orders and 10 cancelled ones by their sender. `held` is the outcome of each. */
function reads(held: (state: string, place: number) => boolean) {
  const fake = issued('sender');
  for (let n = 0; n < 30; n += 1) {
    const order = fake.create();
    if (n % 3 === 0) fake.cancel(order);
    fake.read('sender', order);
  }
  const view = viewOf(fake, context());
  const exercises = view.endpoint('order.read').map(
    ({ id, data }, place): Exercise => ({
      held: held((data as { status: string }).status, place),
      evidence: [id],
      times: 1,
    }),
  );
  return { exercises, contrast: contrastOf(exercises, view) };
}

describe('the contrast of failures and passes', () => {
  test('names the circumstance that failures share, with the counts, and a pass that is like them', () => {
    const { exercises, contrast } = reads((state) => state === 'PENDING');
    const [passed] = exercises.filter(({ held }) => held);
    expect(contrast).toEqual({
      in: { state: 'FAILED' },
      there: { failed: 10, of: 10 },
      elsewhere: { failed: 0, of: 20 },
      passed: passed?.evidence[0],
    });
  });

  test('names the circumstance even if some exercises in it passed', () => {
    const { contrast } = reads((state, place) => state === 'PENDING' || place < 6);
    expect(contrast).toMatchObject({
      in: { state: 'FAILED' },
      there: { failed: 8, of: 10 },
      elsewhere: { failed: 0, of: 20 },
    });
  });

  test('names a refused request about an order of a list as the circumstance', () => {
    const fake = issued('sender');
    const orders = Array.from({ length: 12 }, () => fake.create());
    fake.advance(61_000);
    const refused = orders.filter((_, place) => place % 3 === 0);
    for (const { intent_id } of refused)
      fake.refuse('sender', 'quote.accept', { params: { intent_id, quote_id: 'q' } });
    const [page] = fake.list('sender', 'order.list');
    const view = viewOf(fake, context());
    const exercises = orders.map(
      (order): Exercise => ({
        held: !refused.includes(order),
        evidence: [page?.id ?? '', view.orders.get(order.intent_id)?.creation?.id ?? ''],
        times: 1,
      }),
    );
    expect(contrastOf(exercises, view)).toMatchObject({
      in: { 'quote.accept': 'refused past expires_at' },
      there: { failed: 4, of: 4 },
      elsewhere: { failed: 0, of: 8 },
    });
  });

  test('names none where failures are anywhere', () => {
    const { contrast } = reads((_, place) => place % 2 === 0);
    expect(contrast).toEqual({ passed: expect.any(String) });
  });

  test('is none where all failed', () => {
    expect(reads(() => false).contrast).toBeUndefined();
  });
});
