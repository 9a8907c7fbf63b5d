import { expect, it } from 'vitest';
import type { Tamper } from '../reference/http/index.ts';
import { playAndJudge } from './run-world.ts';
import { createOrder, planOf } from './judge/testing.ts';

const asked = planOf([
  createOrder,
  { at: { afterMs: 1 }, by: 'sender_custodian', do: 'stray', endpoint: 'proposal.accept' },
  { at: { afterMs: 1 }, by: 'sender', do: 'stray', endpoint: 'order.quotes' },
]);

it('holds what is granted of an order that does not exist against the target', async () => {
  const granting: Tamper = {
    response: (answer, { endpoint }) =>
      endpoint === 'proposal.accept' && answer.status === 404
        ? { status: 204, headers: {} }
        : answer,
  };
  const found = async (tamper?: Tamper) => {
    const { outcome } = await playAndJudge(
      asked,
      { depth: 'process', mutation: 'x' },
      { tamperOf: () => tamper ?? {} },
    );
    return outcome.findings.map(({ cause }) => cause);
  };
  expect(await found()).toEqual([]);
  expect(await found(granting)).toContain('unknown order · proposal.accept');
});
