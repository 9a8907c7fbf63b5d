import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { assertRefused, assertNoServerFault } from '../../src/suite/actions/refusal-assertions.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
  orderBody,
} from '../../src/suite/actions/orders.ts';
import { quote, settledOrder, quoteBody } from '../../src/suite/actions/quotes.ts';
import { retryWhileRefused } from '../../src/suite/actions/context.ts';
import { succeeded } from '../../src/protocol/answers.ts';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { cancelOrder } from '../shared/order-life.ts';
import { waits, rows } from '../shared/waits.ts';
import type { Party } from '../../src/client/contract.ts';
import type { Exchange } from '../../src/history/records.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import { cast, type CastName } from '../../src/spec/requirements/index.ts';
import { requireSeveralStreams } from '../shared/order-states.ts';
import { topLevelListsOf } from '../shared/endpoint-requests.ts';

/** Path segments in place of an id: no order can have them. */
const words = ['no-such-thing', '0', 'null', '..%2F..', "'%20OR%201=1"];

/** Variants of a real id that are no UUID: they name nothing. */
function nearly(id: string, { random }: Pick<CheckContext, 'random'>): readonly string[] {
  // A position in the first group of the UUID, before the dash.
  const at = random.below(8);
  return [
    id.slice(0, -1),
    `${id}0`,
    `${id.slice(0, at)}g${id.slice(at + 1)}`,
    `${id.slice(0, 8)}${id.slice(9)}0`,
  ];
}

const reads = rows(
  { endpoint: 'order.read', by: 'sender' },
  { endpoint: 'order.quotes', by: 'sender' },
  { endpoint: 'order.read', by: 'sender_custodian' },
  { endpoint: 'order.quotes', by: 'sender_custodian' },
  { endpoint: 'rfq.read', by: 'maker_a' },
  { endpoint: 'rfq.quotes', by: 'maker_a' },
).map<Check>(({ endpoint, by }) => ({
  id: `error.malformed-id.${endpoint}.${by}`,
  title: `A path of ${endpoint} whose id is no UUID is refused with a 4xx; a real id is served.`,
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender', by] },
  async run(t) {
    const order = await createOrder(t);
    const party = t.party(by);
    const real = await retryWhileRefused(t, () =>
      party.call(endpoint, { params: paramsOf(order) }),
    );
    if (!succeeded(real)) t.notExercised('the real id was not served either', [real]);
    // A list below an id that nothing has may be empty, and so it may be below one that nothing can have.
    const mayBeEmpty = endpoint === 'order.quotes' || endpoint === 'rfq.quotes';
    for (const word of [...words, ...nearly(order.intentId, t)]) {
      const exchange = await party.send(
        'GET',
        endpoints[endpoint].path.replace('{intent_id}', word),
      );
      if (succeeded(exchange) && mayBeEmpty) continue;
      assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
    }
  },
}));

const operations: Check = {
  id: 'error.malformed-id.acts',
  title:
    'Operations on ids that are no UUIDs are refused with a 4xx, and leave the order beside alone.',
  requirements: ['error.refusal-is-4xx', 'error.refusal-changes-nothing', 'order.cancel.pending'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { sent, quoteId } = await quote(t, 'maker_a', order);
    await readOrder(t, order);
    const id = order.intentId;
    const accepters = (['sender', 'sender_custodian'] as const).filter(
      (by) => t.target.parties[by],
    );
    const acts = [
      ...['no-such-thing', ...nearly(id, t)].flatMap((wrong) => [
        ['sender', `orders/${wrong}/cancel`, undefined] as const,
        ['maker_a', `quote-requests/${wrong}/quotes`, sent] as const,
      ]),
      ...accepters.flatMap((by) => [
        [by, `orders/${id}/quotes/no-such-thing/accept`, undefined] as const,
        [by, `orders/${id}/quotes/${t.random.pick(nearly(quoteId, t))}/accept`, undefined] as const,
        [by, `orders/${t.random.pick(nearly(id, t))}/quotes/${quoteId}/accept`, undefined] as const,
        [by, 'orders/no-such-thing/quotes/no-such-thing/accept', undefined] as const,
      ]),
      ...accepters
        .filter((by) => by === 'sender_custodian')
        .flatMap((by) =>
          ['no-such-thing', t.random.pick(nearly(id, t))].map(
            (wrong) => [by, `orders/${wrong}/accept`, undefined] as const,
          ),
        ),
    ];
    for (const [by, path, body] of acts) {
      const exchange = await t.party(by).send('POST', `/api/v1/${path}`, body ? { body } : {});
      assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
    }
    await readOrder(t, order);
    await cancelOrder(t, order);
  },
};

const settlements: Check = {
  id: 'error.malformed-id.settlement.read.maker_a',
  title:
    'A path of settlement.read whose id is no UUID is refused with a 4xx; a real id is served.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.settlement },
  async run(t) {
    const { order } = await settledOrder(t);
    const maker = t.party('maker_a');
    const real = await retryWhileRefused(t, () =>
      maker.call('settlement.read', { params: paramsOf(order) }),
    );
    if (!succeeded(real)) t.notExercised('the real id was not served either', [real]);
    for (const word of [...words, ...nearly(order.intentId, t)]) {
      const exchange = await maker.send('GET', `/api/v1/settlements/${word}`);
      assertRefused(t, 'error.refusal-is-4xx', exchange, 'an id that is no UUID');
    }
  },
};

export const idErrorChecks: readonly Check[] = [...reads, operations, settlements];

/** Sends a request that a client may well send by mistake, with its name. */
type Attempt = readonly [what: string, send: () => Promise<Exchange>];

const streams = (t: CheckContext): readonly Attempt[] => {
  requireSeveralStreams(t);
  const open = (by: CastName, limit: Parameters<Party['listen']>[0]): Attempt => [
    `a stream with ${JSON.stringify(limit)}`,
    async () => {
      const stream = await t.party(by).listen(limit);
      await stream.close();
      return stream.opened;
    },
  ];
  return [
    open('sender', { intentId: 'no-id' }),
    open('sender_custodian', { intentId: 'no-id' }),
    open('sender', { lastEventId: 'never-sent' }),
    open('sender_custodian', { lastEventId: 'never-sent' }),
    open('maker_a', { lastEventId: 'never-sent' }),
  ];
};

async function numberAsDeadline(t: CheckContext): Promise<Exchange> {
  const order = await createOrder(t);
  const params = paramsOf(order);
  const maker = t.party('maker_a');
  await retryWhileRefused(t, () => maker.call('rfq.read', { params }));
  const valid = quoteBody(t, order);
  const deadline = parseTimestamp(valid['valid_until']);
  if (deadline === undefined) return t.notExercised('quotes have no deadline here');
  return maker.call('quote.submit', { params, body: { ...valid, valid_until: deadline } });
}

const createWith = (t: CheckContext, changes: Readonly<Record<string, unknown>>) => () =>
  t.party('sender').call('order.create', { body: { ...orderBody(t), ...changes } });

/** Pages and sizes that do not exist, and some beyond 32 bits. */
const odd = {
  pages: ['0', '-1', 'x', '1.5', '', '99999999999'],
  sizes: ['0', '-1', 'x', '1.5', '', '99999999999'],
};
const oddBelowOrder = { pages: ['0', '-1', 'x', '99999999999'], sizes: ['0', 'x'] };

function oddPagesOf(
  t: CheckContext,
  by: CastName,
  endpoint: EndpointName,
  order?: PlacedOrder,
): readonly Attempt[] {
  const { answers } = t.target;
  const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
  const { pages, sizes } = order ? oddBelowOrder : odd;
  const queries: readonly Readonly<Record<string, string>>[] = [
    ...(page === undefined ? [] : pages.map((value) => ({ [page]: value }))),
    ...(size === undefined ? [] : sizes.map((value) => ({ [size]: value }))),
    ...(order ? [] : [{ status: '' }]),
  ];
  return queries.map(
    (query): Attempt => [
      `${endpoint} with ${JSON.stringify(query)}`,
      () => t.party(by).call(endpoint, { query, ...(order && { params: paramsOf(order) }) }),
    ],
  );
}

/** The lists below an order, which may read their pages in a way of their own. */
async function pagesBelowOrder(t: CheckContext): Promise<readonly Attempt[]> {
  const order = await createOrder(t);
  await quote(t, 'maker_a', order);
  return [
    ...oddPagesOf(t, 'sender', 'order.quotes', order),
    ...oddPagesOf(t, 'maker_a', 'rfq.quotes', order),
  ];
}

/** Filters that a parser may make a list of, and one with a character that stores may not take. */
const oddFilters = ['status=PENDING&status=', 'status%5B%5D=PENDING', 'status=%00'];

/** Rates that divide to nothing, to more than a column holds or not at all, and one of more digits than many keep. */
const oddRates = ['0', `0.${'0'.repeat(29)}1`, `1${'0'.repeat(30)}`, '1.000000012345678901'];

async function ratesOf(t: CheckContext): Promise<readonly Attempt[]> {
  const order = await createOrder(t);
  const params = paramsOf(order);
  const maker = t.party('maker_a');
  await retryWhileRefused(t, () => maker.call('rfq.read', { params }));
  return oddRates.map((rate): Attempt => {
    const body = { ...quoteBody(t, order), fx_rate: rate };
    return [`a quote at the rate ${rate}`, () => maker.call('quote.submit', { params, body })];
  });
}

/** 7: the meaning of these requests is open. They may be served or refused, but must not cause a 5xx. */
const oddRequests: readonly {
  readonly id: string;
  readonly title: string;
  readonly parties: readonly CastName[];
  readonly attempts: (t: CheckContext) => readonly Attempt[] | Promise<readonly Attempt[]>;
}[] = [
  {
    id: 'odd-streams',
    title:
      'Streams limited to what is no id, or resumed from what was never sent, open or are refused.',
    parties: ['sender', 'sender_custodian', 'maker_a'],
    attempts: streams,
  },
  {
    id: 'odd-deadline',
    title: 'A quote with a number for its deadline is taken or refused.',
    parties: ['sender', 'maker_a'],
    attempts: (t) => [['a quote with a number for its deadline', () => numberAsDeadline(t)]],
  },
  {
    // The meaning of null is open, and so are the fields that may be missing (gap `order.required_fields`).
    id: 'odd-nulls',
    title: 'An order with null in one of its fields is taken or refused.',
    parties: ['sender'],
    attempts: (t) =>
      Object.keys(orderBody(t)).map(
        (field): Attempt => [`an order whose ${field} is null`, createWith(t, { [field]: null })],
      ),
  },
  {
    // A character that stores of text may not take, though JSON does.
    id: 'odd-memo',
    title: 'An order whose memo holds the character NUL is taken or refused.',
    parties: ['sender'],
    attempts: (t) => [
      ['an order whose memo holds the character NUL', createWith(t, { memo: 'before\u0000after' })],
    ],
  },
  {
    id: 'unknown-status',
    title: 'Lists filtered by a word that is no state answer with success or with a refusal.',
    parties: ['sender', 'sender_custodian', 'maker_a'],
    attempts: (t) =>
      rows(
        ['sender', 'order.list'],
        ['sender_custodian', 'order.list'],
        ['maker_a', 'quote.list'],
      ).map(
        ([by, endpoint]): Attempt => [
          'a state that is none',
          () => t.party(by).call(endpoint, { query: { status: 'LOST' } }),
        ],
      ),
  },
  ...(['sender', 'sender_custodian', 'maker_a'] as const).map((by) => ({
    id: `odd-pages.${by}`,
    title: `Lists of ${by} asked for pages and sizes that there are none of, or for an empty status, come or are refused.`,
    parties: [by],
    attempts: (t: CheckContext) =>
      topLevelListsOf(cast[by]).flatMap((endpoint) => oddPagesOf(t, by, endpoint)),
  })),
  {
    id: 'odd-pages.quotes',
    title:
      'The quotes of an order asked for pages and sizes that there are none of come or are refused.',
    parties: ['sender', 'maker_a'],
    attempts: pagesBelowOrder,
  },
  {
    id: 'odd-filters',
    title: 'Lists filtered twice, by a list or by NUL come or are refused.',
    parties: ['sender', 'maker_a'],
    attempts: (t) =>
      oddFilters.flatMap((filter) =>
        rows(['sender', 'orders'], ['maker_a', 'quotes']).map(
          ([by, list]): Attempt => [
            `a list with ?${filter}`,
            () => t.party(by).send('GET', `/api/v1/${list}?${filter}`),
          ],
        ),
      ),
  },
  {
    id: 'odd-rates',
    title:
      'Quotes at a rate of nothing, next to nothing, many digits or beyond all measure are taken or refused.',
    parties: ['sender', 'maker_a'],
    attempts: ratesOf,
  },
];

export const oddRequestChecks = oddRequests.map<Check>(({ id, title, parties, attempts }) => ({
  id: `error.${id}`,
  title,
  requirements: ['error.refusal-is-4xx'],
  needs: { parties },
  async run(t) {
    for (const [what, send] of await attempts(t)) {
      assertNoServerFault(t, 'error.refusal-is-4xx', await send(), what);
    }
  },
}));
