/**
 * Code of a client that uses openapi-fetch with types generated from `/openapi.json`. It creates an
 * order, has it quoted, accepts, and pages, without a cast. The compiler must reject its last
 * lines.
 */
export const clientSource = `
import createClient from 'openapi-fetch';
import type { paths } from './paths.ts';

type Client = ReturnType<typeof createClient<paths>>;

async function clientAt(baseUrl: string): Promise<Client> {
  const client = createClient<paths>({ baseUrl });
  const { data, error } = await client.POST('/auth/token');
  if (!data) throw new Error(error.detail);
  const { token, role, expires_in } = data.data;
  if (expires_in < 60) throw new Error(\`a \${role} has no time\`);
  client.use({
    onRequest({ request }) {
      request.headers.set('authorization', \`Bearer \${token}\`);
      return request;
    },
  });
  return client;
}

async function createOrder(sender: Client, contract: string) {
  const { data, error } = await sender.POST('/api/v1/orders', {
    body: {
      sender_custodian_party_id: 'Custodian::01',
      intent_signature: 'c0ffee',
      receiver_party_id: 'Receiver::02',
      receiver_custodian_party_id: 'Custodian::03',
      source_contract_id: contract,
      source_currency: 'USD',
      target_currency: 'EUR',
      target_amount: '100.00',
      source_amount_max: '120.00',
    },
  });
  if (!data) throw new Error(\`\${error.code}: \${error.detail}\`);
  return data.data;
}

export async function main(senderUrl: string, makerUrl: string): Promise<readonly string[]> {
  const [sender, maker] = [await clientAt(senderUrl), await clientAt(makerUrl)];
  const said: string[] = [];
  const order = await createOrder(sender, 'ab#1');
  said.push(order.status, order.failure_reason ?? 'no reason');

  const path = { intent_id: order.intent_id };
  const quoted = await maker.POST('/api/v1/quote-requests/{intent_id}/quotes', {
    params: { path },
    body: {
      fx_rate: '1',
      target_amount: '100.00',
      valid_until: new Date(Date.parse(order.created_at) + 20_000).toISOString(),
    },
  });
  if (!quoted.data) throw new Error(quoted.error.detail);
  const { quote_id } = quoted.data.data;
  const accepted = await sender.POST('/api/v1/orders/{intent_id}/quotes/{quote_id}/accept', {
    params: { path: { ...path, quote_id } },
  });
  if (!accepted.data) throw new Error(accepted.error.detail);
  said.push(accepted.data.data.status, accepted.data.data.source_amount_actual ?? 'no amount');

  const next = await createOrder(sender, 'ab#2');
  const cancelled = await sender.POST('/api/v1/orders/{intent_id}/cancel', {
    params: { path: { intent_id: next.intent_id } },
  });
  if (!cancelled.data) throw new Error(cancelled.error.detail);
  said.push(cancelled.data.data.failure_reason ?? 'no reason');

  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, error } = await sender.GET('/api/v1/orders', {
      params: { query: { page, page_size: 1 } },
    });
    if (!data) throw new Error(error.detail);
    pages = data.pagination.total_pages;
    said.push(...data.data.map(({ status }) => \`page \${page}: \${status}\`));
  }

  const refused = await sender.GET('/api/v1/orders/{intent_id}', {
    params: { path: { intent_id: '00000000-0000-4000-8000-000000000000' } },
  });
  if (refused.error) said.push(refused.error.code, String(refused.error.status));
  return said;
}

/** Calls that must not compile. */
export async function refusedByTheCompiler(sender: Client): Promise<void> {
  // @ts-expect-error: a field of the body is missing
  await sender.POST('/api/v1/orders', { body: { target_amount: '1' } });
  // @ts-expect-error: there is no such parameter
  await sender.GET('/api/v1/orders', { params: { query: { page_number: 1 } } });
  const { error } = await sender.GET('/api/v1/whoami');
  // @ts-expect-error: no code of a refusal is called so
  if (error?.code === 'no_such_code') throw new Error('never');
}
`;
