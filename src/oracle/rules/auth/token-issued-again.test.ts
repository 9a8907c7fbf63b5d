import { expect, test } from 'vitest';
import type { Exchange, HistoryRecord } from '../../../history/records.ts';
import {
  altered,
  listening,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';

const requirement = 'token.create.no-token-needed';

/** A maker's backend is asked for three tokens; some of the answers are others. */
function asked(
  change: (exchange: Exchange, nth: number) => Exchange,
  of = requirement,
): readonly string[] {
  const fake = listening('sender');
  for (let nth = 0; nth < 3; nth += 1) {
    fake.token('maker_b');
    fake.advance(1_000);
  }
  let nth = -1;
  const history = altered(fake, (record): HistoryRecord => {
    if (record.kind !== 'exchange' || record.endpoint !== 'token.create') return record;
    if (record.party !== 'maker_b') return record;
    nth += 1;
    const { body: _, ...request } = record.request;
    return change({ ...record, auth: 'none', request }, nth);
  });
  return outcomes(history, of);
}

const refusedFrom = (first: number, status: number) => (exchange: Exchange, nth: number) =>
  nth < first ? exchange : { ...exchange, response: { status, headers: {}, body: { code: 'no' } } };

test.each([400, 401, 403, 404, 409, 422])(
  'a refusal of a token with %d fails once the party had one',
  (status) => {
    expect(asked(refusedFrom(1, status))).toContain('fail');
    expect(asked(refusedFrom(2, status))).toContain('fail');
  },
);

test.each([
  ['is told to come later', refusedFrom(1, 429)],
  ['was never given one', refusedFrom(0, 404)],
  ['sends a body as well', bodied],
])('nothing is held against a backend whose party %s', (_, change) => {
  expect(asked(change)).not.toContain('fail');
});

/** A maker's backend is asked for a token twice: as part 4.1 has it, and with an empty object. */
const askedWithBody = (plain: number, bodied: number): readonly string[] =>
  asked((exchange, nth) => {
    const status = nth === 0 ? plain : bodied;
    const request = nth === 0 ? exchange.request : { ...exchange.request, body: {} };
    return { ...(status === 200 ? exchange : refusedFrom(0, status)(exchange, nth)), request };
  }, 'token.create.no-body-needed');

test.each([
  [400, 200],
  [415, 200],
  [422, 422],
])('a token that is refused with %d without a body, and answered with %d with one', (...seen) => {
  expect(askedWithBody(...seen)).toContain('fail');
});

test.each([
  [404, 404],
  [403, 403],
  [429, 200],
])(
  'a token request answered with %d without a body, and %d with one, shows no need of a body',
  (...seen) => {
    expect(askedWithBody(...seen)).not.toContain('fail');
  },
);

test.each([
  ['a parameter', { query: { role: 'custodian' } }],
  ['a header', { request: { headers: { 'x-role': 'custodian' } } }],
])('a token may be refused for %s that part 4.1 does not name', (_, more) => {
  const refused = refusedFrom(1, 400);
  const seen = asked((exchange, nth) =>
    nth === 0
      ? exchange
      : {
          ...refused(exchange, nth),
          ...more,
          request: { ...exchange.request, ...('request' in more && more.request) },
        },
  );
  expect(seen).not.toContain('fail');
});

function bodied(exchange: Exchange, nth: number): Exchange {
  const { request } = exchange;
  return nth < 1
    ? exchange
    : { ...refusedFrom(1, 422)(exchange, nth), request: { ...request, body: { party: 'x' } } };
}
