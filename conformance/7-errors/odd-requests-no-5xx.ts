import type { Party } from '../../src/client/contract.ts';
import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  retryWhileRefused,
  orderBody,
  paramsOf,
  quoteBody,
  assertNoServerFault,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import { cast } from '../../src/spec/requirements/index.ts';
import { requireSeveralStreams } from '../shared/streams.ts';
import { topLevelListsOf } from '../shared/narrowed-lists.ts';

const assertOdd = (t: CheckContext, exchange: Exchange, what: string): void =>
  assertNoServerFault(t, 'error.refusal-is-4xx', exchange, what);

const streams = defineCheck({
  id: 'error.odd-streams',
  title:
    'Streams limited to what is no id, or resumed from what was never sent, open or are refused.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender', 'sender_custodian', 'maker_a'] },
  async run(t) {
    requireSeveralStreams(t);
    const open = async (party: Party, what: Parameters<Party['listen']>[0]): Promise<void> => {
      const stream = await party.listen(what);
      assertOdd(t, stream.opened, `a stream with ${JSON.stringify(what)}`);
      await stream.close();
    };
    for (const by of ['sender', 'sender_custodian'] as const) {
      await open(t.party(by), { intentId: 'no-id' });
    }
    for (const by of ['sender', 'sender_custodian', 'maker_a'] as const) {
      await open(t.party(by), { lastEventId: 'never-sent' });
    }
  },
});

/** Whether it is taken is open, and so is what it means: that it answers with a fault is not. */
const deadline = defineCheck({
  id: 'error.odd-deadline',
  title: 'A quote with a number for its deadline is taken or refused.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const params = paramsOf(order);
    const maker = t.party('maker_a');
    await retryWhileRefused(t, () => maker.call('rfq.read', { params }));
    const valid = quoteBody(t, order);
    const moment = parseTimestamp(valid['valid_until']);
    if (moment === undefined) t.notExercised('quotes have no deadline here');
    const body = { ...valid, valid_until: moment };
    const exchange = await maker.call('quote.submit', { params, body });
    assertOdd(t, exchange, 'a quote with a number for its deadline');
  },
});

/** Whether null stands for nothing sent is open, and what may be left out is (gap `order.required_fields`). */
const nulls = defineCheck({
  id: 'error.odd-nulls',
  title: 'An order with null in one of its fields is taken or refused.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender'] },
  async run(t) {
    for (const field of Object.keys(orderBody(t))) {
      const body = { ...orderBody(t), [field]: null };
      const exchange = await t.party('sender').call('order.create', { body });
      assertOdd(t, exchange, `an order whose ${field} is null`);
    }
  },
});

/** A character that stores of text may not take, though JSON does. */
const nul = defineCheck({
  id: 'error.odd-memo',
  title: 'An order whose memo holds the character NUL is taken or refused.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender'] },
  async run(t) {
    const body = orderBody(t, { memo: 'before\u0000after' });
    const exchange = await t.party('sender').call('order.create', { body });
    assertOdd(t, exchange, 'an order whose memo holds the character NUL');
  },
});

/** What somebody may well send by mistake; how each is read is open. */
const oddNumbers = ['0', '-1', 'x', '1.5', ''];
/** Beyond what 32 bits hold. */
const hugePage = '99999999999';

const pages = (['sender', 'sender_custodian', 'maker_a'] as const).map((by) =>
  defineCheck({
    id: `error.odd-pages.${by}`,
    title: `Lists of ${by} asked for pages and sizes that there are none of, or for an empty status, come or are refused.`,
    requirements: ['error.refusal-is-4xx'],
    needs: { parties: [by] },
    async run(t) {
      const { answers } = t.target;
      const page = answers.get('list.page_param');
      const names = [page, answers.get('list.page_size_param')];
      const queries = [
        ...names.flatMap((name) =>
          name === undefined ? [] : oddNumbers.map((value) => ({ [name]: value })),
        ),
        ...(page === undefined ? [] : [{ [page]: hugePage }]),
        { status: '' },
      ];
      for (const endpoint of topLevelListsOf(cast[by])) {
        for (const query of queries) {
          const exchange = await t.party(by).call(endpoint, { query });
          assertOdd(t, exchange, `${endpoint} with ${JSON.stringify(query)}`);
        }
      }
    },
  }),
);

export const oddRequestChecks: readonly Check[] = [streams, deadline, nulls, nul, ...pages];
