import type { Party } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  createOrder,
  insist,
  orderBody,
  paramsOf,
  quoteBody,
  servedOrRefused,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import { cast } from '../../src/spec/requirements/index.ts';
import { mayOpenAnother } from '../6-events/listening.ts';
import { plainListsOf } from '../narrowings.ts';

const judgeOdd = (trial: Trial, exchange: Exchange, what: string): void =>
  servedOrRefused(trial, 'error.refusal-is-4xx', exchange, what);

const streams = defineCheck({
  id: 'error.odd-streams',
  title:
    'Streams limited to what is no id, or resumed from what was never sent, open or are refused.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender', 'sender_custodian', 'maker_a'] },
  async run(trial) {
    mayOpenAnother(trial);
    const open = async (party: Party, what: Parameters<Party['listen']>[0]): Promise<void> => {
      const stream = await party.listen(what);
      judgeOdd(trial, stream.opened, `a stream with ${JSON.stringify(what)}`);
      await stream.close();
    };
    for (const by of ['sender', 'sender_custodian'] as const) {
      await open(trial.party(by), { intentId: 'no-id' });
    }
    for (const by of ['sender', 'sender_custodian', 'maker_a'] as const) {
      await open(trial.party(by), { lastEventId: 'never-sent' });
    }
  },
});

/** Whether it is taken is open, and so is what it means: that it answers with a fault is not. */
const deadline = defineCheck({
  id: 'error.odd-deadline',
  title: 'A quote with a number for its deadline is taken or refused.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(trial) {
    const order = await createOrder(trial);
    const params = paramsOf(order);
    const maker = trial.party('maker_a');
    await insist(trial, () => maker.call('rfq.read', { params }));
    const valid = quoteBody(trial, order);
    const moment = parseTimestamp(valid['valid_until']);
    if (moment === undefined) trial.giveUp('quotes have no deadline here');
    const body = { ...valid, valid_until: moment };
    const exchange = await maker.call('quote.submit', { params, body });
    judgeOdd(trial, exchange, 'a quote with a number for its deadline');
  },
});

/** Whether null stands for nothing sent is open, and what may be left out is (gap `order.required_fields`). */
const nulls = defineCheck({
  id: 'error.odd-nulls',
  title: 'An order with null in one of its fields is taken or refused.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender'] },
  async run(trial) {
    for (const field of Object.keys(orderBody(trial))) {
      const body = { ...orderBody(trial), [field]: null };
      const exchange = await trial.party('sender').call('order.create', { body });
      judgeOdd(trial, exchange, `an order whose ${field} is null`);
    }
  },
});

/** A character that stores of text may not take, though JSON does. */
const nul = defineCheck({
  id: 'error.odd-memo',
  title: 'An order whose memo holds the character NUL is taken or refused.',
  requirements: ['error.refusal-is-4xx'],
  needs: { parties: ['sender'] },
  async run(trial) {
    const body = orderBody(trial, { memo: 'before\u0000after' });
    const exchange = await trial.party('sender').call('order.create', { body });
    judgeOdd(trial, exchange, 'an order whose memo holds the character NUL');
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
    async run(trial) {
      const { answers } = trial.target;
      const page = answers.get('list.page_param');
      const names = [page, answers.get('list.page_size_param')];
      const queries = [
        ...names.flatMap((name) =>
          name === undefined ? [] : oddNumbers.map((value) => ({ [name]: value })),
        ),
        ...(page === undefined ? [] : [{ [page]: hugePage }]),
        { status: '' },
      ];
      for (const endpoint of plainListsOf(cast[by])) {
        for (const query of queries) {
          const exchange = await trial.party(by).call(endpoint, { query });
          judgeOdd(trial, exchange, `${endpoint} with ${JSON.stringify(query)}`);
        }
      }
    },
  }),
);

export const oddChecks: readonly Check[] = [streams, deadline, nulls, nul, ...pages];
