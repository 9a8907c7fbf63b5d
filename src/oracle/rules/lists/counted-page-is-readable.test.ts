import { expect, test } from 'vitest';
import type { Exchange } from '../../../history/records.ts';
import {
  altered,
  outcomes,
  FakeTarget,
} from '../../../../test/support/oracle/findings-and-edits.ts';

/** A list of 50 orders in pages of 20, walked some times; the answers to some pages are others. */
function outcomesWhen(
  change: (exchange: Exchange, page: string | undefined) => Exchange,
  endpoint: 'order.list' | 'rfq.list' = 'order.list',
  walks = 2,
): readonly string[] {
  const fake = new FakeTarget();
  for (let n = 0; n < 50; n += 1) fake.create();
  for (let n = 0; n < walks; n += 1) {
    fake.list(endpoint === 'order.list' ? 'sender' : 'maker_a', endpoint);
    fake.advance(10);
  }
  const history = altered(fake, (record) =>
    record.kind === 'exchange' && record.endpoint === endpoint
      ? change(record, record.query['page'])
      : record,
  );
  const answers = (gap: string) => (gap === 'list.page_param' ? 'page' : undefined);
  return outcomes(history, 'list.pages-complete', { answers });
}

const refused = (exchange: Exchange, status = 404): Exchange => ({
  ...exchange,
  response: { status, headers: {}, body: { code: 'no' } },
});

test('a page that is counted is there', () => {
  expect(outcomesWhen((exchange) => exchange)).not.toContain('fail');
  for (const status of [400, 403, 404, 422]) {
    const third = outcomesWhen((one, page) => (page === '3' ? refused(one, status) : one));
    expect(third).toContain('fail');
  }
});

test('nothing is said of a list that may have become shorter', () => {
  const third = (one: Exchange, page: string | undefined) => (page === '3' ? refused(one) : one);
  expect(outcomesWhen(third, 'rfq.list')).not.toContain('fail');
});

test.each([
  ['never served, time and again', 6, () => true, true],
  ['never served, now and then', 4, () => true, false],
  ['served once', 6, (nth: number) => nth !== 3, false],
])('a page of a list that may have become shorter: %s', (_, walks, isRefused, fails) => {
  let nth = 0;
  const second = (one: Exchange, page: string | undefined) =>
    page === '2' && isRefused((nth += 1)) ? refused(one) : one;
  expect(outcomesWhen(second, 'rfq.list', walks).includes('fail')).toBe(fails);
});

test.each(['', ' 2', '1.0', '-1', 'x'])('a refused page %j is no finding', (page) => {
  const odd = outcomesWhen((one, asked) =>
    asked === '3' ? refused({ ...one, query: { ...one.query, page } }) : one,
  );
  expect(odd).not.toContain('fail');
});

test('a refused page past the end, or a refusal with 429, is no finding', () => {
  const beyond = outcomesWhen((one, page) =>
    page === '3' ? refused({ ...one, query: { ...one.query, page: '4' } }) : one,
  );
  expect(beyond).not.toContain('fail');
  expect(outcomesWhen((one, page) => (page === '3' ? refused(one, 429) : one))).not.toContain(
    'fail',
  );
});

test('an offset that leaves nothing out may be refused', () => {
  const fake = new FakeTarget();
  for (let n = 0; n < 50; n += 1) fake.create();
  fake.list('sender', 'order.list');
  const answers = (gap: string) => (gap === 'list.page_param' ? 'offset' : undefined);
  const verdicts = (offset: string) =>
    outcomes(
      altered(fake, (record) => {
        if (record.kind !== 'exchange' || record.query['page'] === undefined) return record;
        const place = (Number(record.query['page']) - 1) * 20;
        const one = { ...record, query: { offset: String(place) } };
        return String(place) === offset ? refused(one, 400) : one;
      }),
      'list.pages-complete',
      { answers },
    );
  expect(verdicts('0')).not.toContain('fail');
  expect(verdicts('20')).toContain('fail');
});
