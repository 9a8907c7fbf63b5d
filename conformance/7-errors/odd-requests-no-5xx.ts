import type { Party } from '../../src/client/contract.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertNoServerFault,
  createOrder,
  orderBody,
  paramsOf,
  quoteBody,
  retryWhileRefused,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import { cast, type CastName } from '../../src/spec/requirements/index.ts';
import { requireSeveralStreams } from '../shared/streams.ts';
import { topLevelListsOf } from '../shared/narrowed-lists.ts';
import { rows } from '../shared/check-table.ts';

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

/** Page numbers that do not exist, and one beyond 32 bits. */
const oddPages = ['0', '-1', 'x', '1.5', '', '99999999999'];
const oddSizes = ['0', '-1', 'x', '1.5', ''];

function pagesOf(t: CheckContext, by: CastName): readonly Attempt[] {
  const { answers } = t.target;
  const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
  const queries: readonly Readonly<Record<string, string>>[] = [
    ...(page === undefined ? [] : oddPages.map((value) => ({ [page]: value }))),
    ...(size === undefined ? [] : oddSizes.map((value) => ({ [size]: value }))),
    { status: '' },
  ];
  return topLevelListsOf(cast[by]).flatMap((endpoint) =>
    queries.map(
      (query): Attempt => [
        `${endpoint} with ${JSON.stringify(query)}`,
        () => t.party(by).call(endpoint, { query }),
      ],
    ),
  );
}

/** 7: the meaning of these requests is open. They may be served or refused, but must not cause a 5xx. */
const oddRequests: readonly {
  readonly id: string;
  readonly title: string;
  readonly parties: readonly CastName[];
  readonly attempts: (t: CheckContext) => readonly Attempt[];
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
    attempts: (t: CheckContext) => pagesOf(t, by),
  })),
];

export const oddRequestChecks = oddRequests.map<Check>(({ id, title, parties, attempts }) => ({
  id: `error.${id}`,
  title,
  requirements: ['error.refusal-is-4xx'],
  needs: { parties },
  async run(t) {
    for (const [what, send] of attempts(t)) {
      assertNoServerFault(t, 'error.refusal-is-4xx', await send(), what);
    }
  },
}));
