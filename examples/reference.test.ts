// Tests of a client of the service against the reference. The test decides when time passes.
import { type Reference, startReference } from 'assay/reference';
import { afterAll, beforeAll, expect, it } from 'vitest';

let reference: Reference;

beforeAll(async () => {
  reference = await startReference({ clock: 'virtual' });
});
afterAll(() => reference.close());

/** Stands for the client that you test. */
async function ask(method: 'GET' | 'POST', path: string, token?: string, body?: object) {
  const response = await fetch(`${reference.baseUrls.sender}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { readonly data: Readonly<Record<string, string>> };
  return answer.data;
}

it('sees an order expire that nobody quotes', async () => {
  const { token } = await ask('POST', '/auth/token');
  const { parties } = reference;
  const order = await ask('POST', '/api/v1/orders', token, {
    sender_custodian_party_id: parties.sender_custodian.partyId,
    receiver_party_id: parties.outsider.partyId,
    receiver_custodian_party_id: parties.receiver_custodian.partyId,
    intent_signature: 'ab'.repeat(64),
    source_contract_id: `${'cd'.repeat(32)}#0`,
    source_currency: 'USD',
    source_amount_max: '2000.00',
    target_currency: 'EUR',
    target_amount: '1000.00',
    memo: 'invoice 4711',
  });
  expect(order).toMatchObject({ status: 'PENDING', memo: 'invoice 4711' });

  await reference.advance(Date.parse(order['expires_at'] ?? '') - reference.now());

  const later = await ask('GET', `/api/v1/orders/${order['intent_id']}`, token);
  expect(later).toMatchObject({ status: 'EXPIRED' });
});
