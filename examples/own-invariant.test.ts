// An invariant of your own: a cancelled order never settles. fast-check draws the orders.
import { memos, type Terms, terms } from 'assay/arbitraries';
import { startReference } from 'assay/reference';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';

const reference = await startReference({ clock: 'virtual' });
afterAll(() => reference.close());
const { parties, baseUrls } = reference;

async function ask(method: 'GET' | 'POST', path: string, body?: object) {
  const token = await fetch(`${baseUrls.sender}/auth/token`, { method: 'POST' });
  const { data } = (await token.json()) as { readonly data: { readonly token: string } };
  const response = await fetch(`${baseUrls.sender}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${data.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { readonly data: Readonly<Record<string, string>> };
  return answer.data;
}

const create = (traded: Terms, memo: string) =>
  ask('POST', '/orders', {
    sender_custodian_party_id: parties.sender_custodian.partyId,
    receiver_party_id: parties.outsider.partyId,
    receiver_custodian_party_id: parties.receiver_custodian.partyId,
    intent_signature: 'ab'.repeat(64),
    source_contract_id: `${'cd'.repeat(32)}#0`,
    ...traded,
    memo,
  });

it('never settles an order that was cancelled', async () => {
  await fc.assert(
    fc.asyncProperty(terms(), memos(), async (traded, memo) => {
      const order = await create(traded, memo);
      await ask('POST', `/orders/${order['intent_id']}/cancel`, {});
      await reference.advance(10_000);
      const { status, target_amount } = await ask('GET', `/orders/${order['intent_id']}`);
      expect(['EXPIRED', 'FAILED']).toContain(status);
      expect(target_amount).toBe(traded.target_amount);
    }),
    { numRuns: 50, seed: 1 },
  );
});
