import { expect, it } from 'vitest';
import type { GapId } from '../../spec/gaps/index.ts';
import { fakeTarget, req, runAsCheck } from '../engine/testing.ts';
import { assertAllowed } from './refusal-assertions.ts';

const one = req('a.one');

interface Given {
  readonly custodian?: string;
  readonly opened?: boolean;
  readonly answers?: Partial<Record<GapId, string>>;
}

/** Verdict on a maker's refused read of the second request. `opened`: it can read the first. */
async function verdictOf({ custodian, opened = false, answers = {} }: Given) {
  let created = 0;
  const target = fakeTarget({
    answers,
    answer: ({ endpoint, options }) => {
      if (endpoint === 'order.create') {
        created += 1;
        return { status: 201, body: { data: { intent_id: `order-${created}` } } };
      }
      const isFirst = options.params?.intent_id === 'order-1';
      return { status: opened && isFirst ? 200 : 404, body: { data: {} } };
    },
  });
  const { judged } = await runAsCheck(target, async (t) => {
    const own = t.party('sender_custodian').partyId;
    const body = { sender_custodian_party_id: custodian ?? own };
    for (const intent_id of ['order-1', 'order-2']) {
      await t.party('sender').call('order.create', { body });
      const read = await t.party('maker_a').call('rfq.read', { params: { intent_id } });
      if (intent_id === 'order-2') assertAllowed(t, one, read);
    }
  });
  return judged[0]?.verdict;
}

it('is inconclusive if the proposal may wait for a custodian that is no party', async () => {
  expect(await verdictOf({ custodian: 'Vault::ab' })).toBe('inconclusive');
});

it('fails if the custodian is a party, or if nothing waits for it', async () => {
  expect(await verdictOf({})).toBe('fail');
  expect(await verdictOf({ custodian: 'Vault::ab', opened: true })).toBe('fail');
  const answers = { 'proposal.effect': 'none' };
  expect(await verdictOf({ custodian: 'Vault::ab', answers })).toBe('fail');
});

it.each([
  ['OPERATOR_WITHDRAWN', 'inconclusive'],
  [undefined, 'inconclusive'],
  ['REVERT', 'fail'],
])('shows nothing where the order has failed by itself: %s', async (failure_reason, verdict) => {
  const order = { intent_id: 'order-1', status: 'FAILED', failure_reason };
  const target = fakeTarget({
    answer: ({ endpoint }) => ({
      status: endpoint === 'order.read' ? 200 : 409,
      body: { data: order },
    }),
  });
  const params = { intent_id: 'ORDER-1' };
  const { judged } = await runAsCheck(target, async (t) => {
    await t.party('sender').call('order.read', { params });
    assertAllowed(t, one, await t.party('sender').call('order.cancel', { params }));
  });
  expect(judged[0]?.verdict).toBe(verdict);
});
