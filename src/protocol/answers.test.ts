import { describe, expect, it } from 'vitest';
import { limitError } from '../history/limits.ts';
import type { Exchange, WireError } from '../history/records.ts';
import { exchange } from '../../test/support/records.ts';
import { describeExchange, noAnswerReason, withCompleteAnswers } from './answers.ts';

let count = 0;
const asked = (given: Partial<Exchange>): Exchange => {
  count += 1;
  return exchange({ id: `a#${count}`, endpoint: 'order.create', at: count, ...given });
};
const answered = (status: number, more: Partial<Exchange> = {}): Exchange =>
  asked({ response: { status, headers: {} }, ...more });

const isAnswer = (one: Exchange): boolean => noAnswerReason(one) === undefined;

it('is told with the path of its endpoint, so that it is the same for every order', () => {
  const request = { method: 'POST', path: '/api/v1/orders/o-1/cancel', headers: {} };
  expect(describeExchange(answered(409, { endpoint: 'order.cancel', request }))).toBe(
    'POST /api/v1/orders/{intent_id}/cancel answered 409',
  );
});

describe('a complete answer of the service', () => {
  it.each([200, 201, 204, 301, 400, 401, 404, 409, 425, 429, 500, 501, 505])(
    'is a %d',
    (status) => {
      expect(isAnswer(answered(status))).toBe(true);
    },
  );

  it.each([408, 502, 503, 504])('is no %d, which a gateway gives', (status) => {
    expect(isAnswer(answered(status))).toBe(false);
  });

  it.each<WireError>([
    { code: 'refused', message: 'connect ECONNREFUSED' },
    { code: 'reset', message: 'read ECONNRESET' },
    { code: 'timeout', message: 'no response headers within 15000 ms' },
    { code: 'protocol', message: 'broken gzip body: unexpected end of file' },
    { code: 'aborted', message: 'given up' },
    limitError('json.depth'),
  ])('is nothing that ended in $code', (error) => {
    expect(noAnswerReason(asked({ error }))).toBe(error.message);
    expect(isAnswer(asked({ response: undefined }))).toBe(false);
  });
});

describe('a status of 304', () => {
  const asking = (name: string): Exchange =>
    answered(304, {
      endpoint: 'order.read',
      request: { method: 'GET', path: '/api/v1/orders/x', headers: { [name]: '"7"' } },
    });

  it.each(['if-none-match', 'If-Modified-Since'])('is the copy that %s asked about', (name) => {
    const [one] = withCompleteAnswers([asking(name)]);
    expect(one).toMatchObject({ error: { message: expect.stringMatching(/304/) } });
    expect(one).not.toHaveProperty('response');
  });

  it('is an answer to who asked about no copy', () => {
    expect(isAnswer(asking('accept'))).toBe(true);
  });
});

describe("a gateway's status", () => {
  const gateway = [503, 502, 503].map((status, n) => answered(status, { sent: n * 6_000 }));
  const shown = (records: readonly Exchange[]): readonly unknown[] =>
    withCompleteAnswers(records).map((one) => one.kind === 'exchange' && one.response?.status);

  it('is the answer of the service where it is all that ever came from there', () => {
    expect(shown(gateway)).toEqual([503, 502, 503]);
    expect(shown(gateway.slice(1))).toEqual([undefined, undefined]);
  });

  it.each([
    ['one outage', [0, 2_000, 4_000]],
    ['two outages', [0, 20, 40, 18_000, 18_010]],
  ])('is none where it came in %s', (_, sent) => {
    const seen = sent.map((moment) => answered(503, { sent: moment }));
    expect(shown(seen)).toEqual(sent.map(() => undefined));
  });

  describe('of a read', () => {
    const read = { method: 'GET', path: '/x', headers: {} };
    const stats = [0, 2_000, 6_000].map((sent) =>
      answered(503, { sent, endpoint: 'stats.read', request: read }),
    );
    const other = (sent: number, more: Partial<Exchange> = {}): Exchange =>
      answered(200, { sent, endpoint: 'order.list', request: read, ...more });
    const own = [503, 503, 503, 200];
    const none = [undefined, undefined, undefined, 200];

    it.each([
      ['the party is served other reads meanwhile', [other(3_000)], own],
      [
        'others get something else there',
        [other(3_000), other(1, { endpoint: 'stats.read', party: 'outsider' })],
        [...own, 200],
      ],
      ['the party is served before and after', [other(7_000)], none],
      ['others alone are served', [other(3_000, { party: 'outsider' })], none],
      ['a token alone is issued', [other(3_000, { request: { ...read, method: 'POST' } })], none],
    ])('where %s', (_, served, expected) => {
      expect(shown([...stats, ...served])).toEqual(expected);
    });
  });

  it('is none where anything else came, or nothing but elsewhere', () => {
    const [other, elsewhere] = [answered(409), answered(200, { party: 'outsider' })];
    expect(shown([...gateway, other])).toEqual([undefined, undefined, undefined, 409]);
    expect(shown([...gateway, elsewhere])).toEqual([503, 502, 503, 200]);
  });

  it('is shown as no answer, its opening of a stream too', () => {
    const [one] = withCompleteAnswers([answered(504, { opensStream: true })]);
    expect(one).toMatchObject({
      error: { code: 'gateway', message: expect.stringMatching(/504/) },
    });
    expect(one).not.toHaveProperty('response');
    expect(one).not.toHaveProperty('opensStream');
  });
});
