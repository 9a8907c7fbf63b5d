import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Route } from '../../client/http/route.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import type { ClientCredentials } from '../file/target-file.ts';
import { type HelperClient, helperClient, type Outcome, parseJson } from './helper-http.ts';

export type FoundToken = Outcome<{ readonly token: string; readonly expiresInSeconds?: number }>;

/** A token goes into a header as it is: anything but visible ASCII would break it, or smuggle a header in. */
export function asToken(text: string, origin: string, expiresInSeconds?: number): FoundToken {
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const found = token === '' ? 'nothing' : 'several words';
    return { ok: false, message: `${origin} gave no token but ${found}` };
  }
  return { ok: true, token, ...(expiresInSeconds !== undefined && { expiresInSeconds }) };
}

/** Asks an authorization server for a token (RFC 6749, 4.4). */
export async function fromProvider(
  credentials: ClientCredentials,
  route: Route,
): Promise<FoundToken> {
  const client = helperClient({ route });
  try {
    const { at } = credentials;
    const found =
      'tokenUrl' in at
        ? { ok: true as const, url: at.tokenUrl }
        : await metadataUrl(client, at.issuer, 'token_endpoint');
    return found.ok ? await ask(client, found.url, credentials) : found;
  } finally {
    await client.close();
  }
}

/** An address that the metadata of an issuer name: those of OpenID Connect, then those of RFC 8414. */
export async function metadataUrl(
  client: HelperClient,
  issuer: string,
  field: 'token_endpoint' | 'jwks_uri',
): Promise<Outcome<{ readonly url: string }>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  const said: string[] = [];
  for (const place of places) {
    const answer = await client.call('GET', place);
    const url = answer.ok ? fieldsIn(answer.text)?.[field] : undefined;
    if (typeof url === 'string' && URL.canParse(url)) return { ok: true, url };
    said.push(`${place}: ${answer.ok ? `${answer.status} without a ${field}` : answer.message}`);
  }
  return { ok: false, message: `the issuer tells no ${field}: ${said.join('; ')}` };
}

async function ask(
  client: HelperClient,
  url: string,
  credentials: ClientCredentials,
): Promise<FoundToken> {
  const { clientId, scope, audience } = credentials;
  const proof = await proofOf(credentials, url);
  if (!proof.ok) return proof;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(proof.headers.authorization === undefined && { client_id: clientId }),
    ...proof.fields,
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
  });
  const body = { type: 'application/x-www-form-urlencoded', text: form.toString() };
  const answer = await client.call('POST', url, body, proof.headers);
  if (!answer.ok) return { ok: false, message: `${url}: ${answer.message}` };
  const fields = fieldsIn(answer.text);
  const token = fields?.['access_token'];
  if (answer.status !== 200 || typeof token !== 'string') {
    const code = typeof fields?.['error'] === 'string' ? ` (${fields['error']})` : '';
    const message = `${url} answered ${answer.status} without an access_token${code}`;
    return { ok: false, message };
  }
  const lifetime = fields?.['expires_in'];
  return asToken(token, url, typeof lifetime === 'number' ? lifetime : undefined);
}

const fieldsIn = (text: string) =>
  parseJson(text) as Readonly<Record<string, unknown>> | null | undefined;

type Proof = Outcome<{
  readonly headers: { readonly authorization?: string };
  readonly fields: Readonly<Record<string, string>>;
}>;

/** Proof for the server of who the client is. */
async function proofOf(
  { clientId, authentication }: ClientCredentials,
  url: string,
): Promise<Proof> {
  switch (authentication.method) {
    case 'client_secret_post':
      return { ok: true, headers: {}, fields: { client_secret: authentication.secret } };
    case 'client_secret_basic': {
      // Both are encoded as in a form before they are joined (RFC 6749, 2.3.1).
      const [id, secret] = [clientId, authentication.secret].map(formEncoded);
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
      return { ok: true, headers: { authorization }, fields: {} };
    }
    case 'private_key_jwt': {
      const assertion = await assertionFor(clientId, authentication, url);
      return assertion.ok
        ? { ok: true, headers: {}, fields: { ...assertionType, client_assertion: assertion.jwt } }
        : assertion;
    }
    case 'tls_client_auth':
      return { ok: true, headers: {}, fields: {} };
  }
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

const assertionType = {
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
} as const;
const assertionSeconds = 60;
/** No two assertions have one `jti`, even within a millisecond. */
let assertions = 0;

/** A signed assertion of who the client is (RFC 7523, 3). The server lives in the host's time, whatever the target does. */
async function assertionFor(
  clientId: string,
  { key, alg, kid }: { readonly key: string; readonly alg?: string; readonly kid?: string },
  audience: string,
): Promise<Outcome<{ readonly jwt: string }>> {
  const now = systemClock().now();
  assertions += 1;
  try {
    const own = keyObjectOf(key);
    const jwt = await new SignJWT({})
      .setProtectedHeader({ alg: alg ?? algorithmOf(own), ...(kid !== undefined && { kid }) })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setJti(`${now}-${assertions}`)
      .setIssuedAt(Math.floor(now / 1_000))
      .setExpirationTime(Math.floor(now / 1_000) + assertionSeconds)
      .sign(own);
    return { ok: true, jwt };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `the key of ${clientId} signs no assertion: ${reason}` };
  }
}

const keyObjectOf = (key: string): KeyObject =>
  key.trimStart().startsWith('{')
    ? createPrivateKey({ key: parseJson(key) as JsonWebKey, format: 'jwk' })
    : createPrivateKey(key);

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** The usual algorithm of a kind of key. */
function algorithmOf(key: KeyObject): string {
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA';
  return curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'RS256';
}
