import { isTaken, partyOf, type Proof } from './world.ts';

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

function withClaims(token: string, claims: Record<string, unknown>): string {
  const [head, , signature] = token.split('.');
  const body = Buffer.from(JSON.stringify({ ...claimsOf(token), ...claims })).toString('base64url');
  return `${head}.${body}.${signature}`;
}

export const serviceProofs: Readonly<Record<string, Proof>> = {
  'health-lapses-with-first-token': async (world) => {
    await world.advance(world.dialect.tokenSeconds * 1000 + 1_000);
    return !isTaken(await world.send('GET', 'sender', 'health'));
  },
  'token-served-again-for-ten-minutes': async (world) => {
    await world.newToken('sender');
    await world.advance(9 * 60_000);
    const { data } = await world.send('POST', 'sender', 'auth/token');
    const left = Number(claimsOf(String(data.token)).exp) - world.now() / 1000;
    return Math.abs(left - Number(data.expires_in)) > 60;
  },
  'makers-expired-token-lasts-a-minute': async (world) => {
    const token = await world.newToken('maker_a');
    await world.advance(world.dialect.tokenSeconds * 1000 + 30_000);
    return (await world.send('GET', 'maker_a', 'api/v1/whoami', { token })).status !== 401;
  },
  'known-signature-passes': async (world) => {
    const token = await world.newToken('sender');
    await world.send('GET', 'sender', 'api/v1/whoami', { token });
    const party = partyOf('outsider');
    const forged = withClaims(token, { sub: party, canton_party_id: party });
    return isTaken(await world.send('GET', 'outsider', 'api/v1/whoami', { token: forged }));
  },
  'role-checked-before-expiry': async (world) => {
    const token = await world.newToken('maker_a');
    await world.advance(world.dialect.tokenSeconds * 1000 + 1_000);
    return (await world.send('GET', 'maker_a', 'api/v1/orders', { token })).status !== 401;
  },
  'refused-cancel-rewrites-reason': async (world) => {
    const id = await world.order();
    await world.advance(world.dialect.lifetimeMs + 1_000);
    await world.post('sender', `orders/${id}/cancel`);
    return (await world.get('sender', `orders/${id}`)).text.includes('"USER_CANCELLED"');
  },
  'broken-json-answered-in-html': async (world) => {
    const token = await world.newToken('sender');
    const { text } = await world.send('POST', 'sender', 'api/v1/orders', { body: '{', token });
    return text.includes('<html>');
  },
  'version-lost-after-an-hour': async (world) => {
    await world.advance(3_600_001);
    return (await world.get('sender', 'whoami')).data.schema_version !== 'v2';
  },
  'every-third-identity-is-old': async (world) => {
    await world.get('sender', 'whoami');
    await world.get('maker_a', 'whoami');
    return (await world.get('sender', 'whoami')).data.schema_version !== 'v2';
  },
};
