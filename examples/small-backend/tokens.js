// JSON Web Tokens, signed with a key that lives as long as the process.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const key = randomBytes(32);
const lifetime = 3_600;
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (text) => createHmac('sha256', key).update(text).digest();
const head = base64({ alg: 'HS256', typ: 'JWT' });

export function tokenFor({ id, role }) {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    sub: id,
    canton_party_id: id,
    role,
    iss: 'svc',
    aud: 'svc-api',
    iat: now,
    exp: now + lifetime,
  };
  const text = `${head}.${base64(claims)}`;
  return { token: `${text}.${signed(text).toString('base64url')}`, expires_in: lifetime };
}

export const bearerOf = ({ headers }) => /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** The claims of a token of ours that has not expired. */
export function verifiedClaims(token = '') {
  const [first, second, third, ...more] = token.split('.');
  if (first !== head || !third || more.length > 0) return undefined;
  const [given, right] = [Buffer.from(third, 'base64url'), signed(`${first}.${second}`)];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const claims = JSON.parse(Buffer.from(second, 'base64url').toString());
  return claims.exp * 1_000 > Date.now() ? claims : undefined;
}
