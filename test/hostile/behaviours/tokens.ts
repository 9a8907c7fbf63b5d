import type { Behaviour } from '../proxy.ts';
import { type Json, long } from './building-blocks.ts';

export const token =
  (change: (data: Json) => Json): Behaviour =>
  async (visit) => {
    if (visit.path !== '/auth/token') return 'pass';
    const { status, headers, body } = await visit.relay();
    const parsed = JSON.parse(body) as { data: Json };
    visit.response
      .writeHead(status, headers)
      .end(JSON.stringify({ ...parsed, data: change(parsed.data) }));
    return undefined;
  };
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Behaviours with which no party can even read its identity. */
export const lostTokenBehaviours: Readonly<Record<string, Behaviour>> = {
  'gives a token that breaks the header': token((data) => ({ ...data, token: 'a\r\nx-evil: 1' })),
  'gives a token of other scripts': token((data) => ({ ...data, token: 'жетон' })),
};

export const tokenBehaviours: Readonly<Record<string, Behaviour>> = {
  'gives a token that is no JWT': token((data) => ({ ...data, token: 'open sesame' })),
  'gives a number for a token': token((data) => ({ ...data, token: 17 })),
  'gives a token of a megabyte': token((data) => ({ ...data, token: long(1_000_000) })),
  'gives a token of broken JSON': token((data) => ({ ...data, token: 'eyJ7.e30x.AAAA' })),
  'gives a token with claims of null': token((data) => ({
    ...data,
    token: `${part(null)}.${part(null)}.x`,
  })),
  ...Object.fromEntries(
    [-1, 0, '3600', 1e308, 0.001, null].map((lifetime) => [
      `gives tokens that expire in ${JSON.stringify(lifetime)}`,
      token((data) => ({ ...data, expires_in: lifetime })),
    ]),
  ),
  'gives tokens that nobody accepts': ({ path, response }) => {
    if (path === '/auth/token' || path === '/health') return 'pass';
    response.writeHead(401).end();
    return undefined;
  },
  'calls every party the same': token((data) => ({
    ...data,
    canton_party_id: 'Same::00',
    role: data['role'],
  })),
};
