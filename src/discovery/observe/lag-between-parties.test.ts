import { expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import { exchange } from '../../../test/support/records.ts';
import { exchangesOf } from './exchange-index.ts';
import { observeLag } from './lag-between-parties.ts';

const startMs = Date.parse('2026-03-02T09:00:00.000Z');
const params = { intent_id: 'o' };

/** An exchange that was answered at once, so many milliseconds after the start. */
const at = (
  ms: number,
  endpoint: NonNullable<Exchange['endpoint']>,
  party: string,
  status: number,
  data: unknown = {},
): Exchange =>
  exchange({
    id: `#${ms}`,
    party,
    endpoint,
    params: endpoint === 'order.create' ? {} : params,
    status,
    data,
    at: startMs + ms,
  });

const created = at(0, 'order.create', 'sender', 201, params);
const quoted = at(1_000, 'quote.submit', 'maker_a', 201, { quote_id: 'q' });
const listed = (ms: number, ...ids: readonly string[]): Exchange =>
  at(
    ms,
    'order.quotes',
    'sender',
    200,
    ids.map((quote_id) => ({ quote_id })),
  );

const paged = (list: Exchange, total_pages: number): Exchange => {
  const pagination = { page: 1, page_size: 1, total_items: total_pages, total_pages };
  const body = { ...(list.response?.body as object), pagination };
  return { ...list, response: { status: 200, headers: {}, body } };
};

it.each<[string, string | undefined, readonly Exchange[]]>([
  ['a request that is there at once', 'at-once', [created, at(20, 'rfq.read', 'maker_a', 200)]],
  [
    'a request that is refused for a while',
    'one a little after the other',
    [created, at(20, 'rfq.read', 'maker_a', 404), at(700, 'rfq.read', 'maker_a', 200)],
  ],
  ['a request that stays refused', undefined, [created, at(20, 'rfq.read', 'maker_a', 403)]],
  [
    'a request that waits for its proposal',
    undefined,
    [
      created,
      at(20, 'rfq.read', 'maker_a', 404),
      at(30, 'proposal.accept', 'sender_custodian', 200),
      at(40, 'rfq.read', 'maker_a', 200),
    ],
  ],
  ['a request that is read late', undefined, [created, at(900, 'rfq.read', 'maker_a', 200)]],
  [
    'a quote that is found on another page',
    'at-once',
    [quoted, paged(listed(1_001, 'p'), 2), paged(listed(1_002, 'Q'), 2)],
  ],
  ['what its own party reads', undefined, [created, at(20, 'order.read', 'sender', 200)]],
  ['a quote that is listed at once', 'at-once', [quoted, listed(1_001, 'p', 'q')]],
  [
    'a quote that is listed later',
    'one a little after the other',
    [quoted, listed(1_001, 'p'), listed(1_500, 'p', 'q')],
  ],
  [
    'one quote at once, another order late',
    'one a little after the other',
    [
      created,
      at(20, 'rfq.read', 'maker_a', 404),
      at(700, 'rfq.read', 'maker_a', 200),
      quoted,
      listed(1_001, 'q'),
    ],
  ],
])('%s: %s', (_, answer, exchanges) => {
  const answers = [...observeLag(exchangesOf({ records: exchanges }))].map(
    (observation) => observation.answer,
  );
  expect(answers).toEqual(answer === undefined ? [] : [answer]);
});
