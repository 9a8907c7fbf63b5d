import { afterAll, beforeAll, expect, it } from 'vitest';
import { referenceCockpit } from '../../src/cockpit/cockpit.ts';
import type { Session } from '../../src/cockpit/session.ts';
import { createApp } from '../../src/reference/http/index.ts';
import { playOnReference } from '../../src/run/play-embedded.ts';
import { loadWritten } from '../../src/run/try-reproduction.ts';
import { referenceAnswers } from '../../src/spec/gaps/index.ts';

/** As `assay serve --ui`: clients from elsewhere reach the reference that the cockpit drives. */
const app = createApp('prefix');
let origin = '';
let session: Session;
beforeAll(async () => {
  session = await referenceCockpit({
    seed: 7n,
    assignment: referenceAnswers,
    served: { app, origin: () => origin },
    openers: {
      library: { folder: '.', names: [] },
      cwd: '.',
      tamperOf: () => ({}),
      readLibrary: () => undefined,
    },
  });
  origin = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await session.close();
  await app.fastify.close();
});

const baseUrl = (name: string): string =>
  session.hello.parties.find((party) => party.name === name)?.baseUrl ?? '';

async function post(url: string, body: unknown, token?: string): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    method: 'POST',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });
  const { data } = (await answer.json()) as { readonly data: Record<string, string> };
  return data;
}

it('records and repeats actions of clients outside the cockpit', async () => {
  await session.do({ do: 'act', party: 'sender', action: 'create order' });
  const first = session.rows.find(({ what }) => what === 'order.create')?.intentId ?? '';
  await session.do({ do: 'advance', ms: 1_000 });
  const maker = baseUrl('maker_a');
  const { token } = await post(`${maker}/auth/token`, undefined);
  const quote = { fx_rate: '1', target_amount: '1000.00', valid_until: '2030-01-01T00:00:31.000Z' };
  const url = `${maker}/api/v1/quote-requests/${first}/quotes`;
  const { quote_id: id = '' } = await post(url, quote, token);
  expect(
    await session.do({
      do: 'act',
      party: 'sender',
      action: 'accept quote',
      order: first,
      quote: id,
    }),
  ).toMatchObject({ ok: true });
  await session.do({ do: 'advance', ms: 5_000 });

  const text = await session.exported();
  expect(text).toContain('- maker_a: submit quote');
  expect(text).toContain('status: SETTLED');
  const { played } = await playOnReference(loadWritten(text), { seed: 1n, keepsRecords: false });
  expect(played.failures).toEqual([]);
  expect(session.rows.some(({ driver }) => driver === 'outside')).toBe(true);
});
