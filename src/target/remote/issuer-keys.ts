import type { JSONWebKeySet } from 'jose';
import type { SignatureVerdict, Target } from '../../client/contract.ts';
import type { Route } from '../../client/http/route.ts';
import { isObject } from '../../protocol/json.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import type { KeySource, Participant } from '../file/target-file.ts';
import { metadataUrl } from './client-credentials.ts';
import { helperClient, type Outcome, parseJson } from './helper-http.ts';
import type { PreflightProblem } from './preflight.ts';

type Fetched = Outcome<{ readonly keys: JSONWebKeySet }>;

async function fetchKeys(source: KeySource, route: Route): Promise<Fetched> {
  const client = helperClient({ route });
  try {
    const found =
      'jwksUri' in source
        ? { ok: true as const, url: source.jwksUri }
        : await metadataUrl(client, source.issuer, 'jwks_uri');
    if (!found.ok) return found;
    const answer = await client.call('GET', found.url);
    if (!answer.ok) return { ok: false, message: `${found.url}: ${answer.message}` };
    const set = parseJson(answer.text);
    const isSet = isObject(set) && Array.isArray(set['keys']) && set['keys'].every(isObject);
    return isSet && answer.status === 200
      ? { ok: true, keys: set as unknown as JSONWebKeySet }
      : { ok: false, message: `${found.url} answered ${answer.status} without a JSON Web Key Set` };
  } finally {
    await client.close();
  }
}

/** Fetches the keys that the participants of a file name, so that a wrong address shows before the run. */
export async function openIssuerKeys(participants: readonly Participant[]): Promise<{
  readonly problems: readonly PreflightProblem[];
  readonly verify?: NonNullable<Target['verify']>;
}> {
  const problems: PreflightProblem[] = [];
  const sets = new Map<CastName, { keys: JSONWebKeySet; readonly renew: () => Promise<Fetched> }>();
  const bySource = new Map<string, Promise<Fetched>>();
  for (const { name, keys: source, route, places } of participants) {
    if (!source) continue;
    const renew = () => fetchKeys(source, route);
    const key = JSON.stringify(source);
    const fetched = await (bySource.get(key) ?? renew());
    bySource.set(key, Promise.resolve(fetched));
    if (fetched.ok) sets.set(name, { keys: fetched.keys, renew });
    else {
      const message = `no keys to verify tokens with: ${fetched.message}`;
      const shared = { error: `keys ${key}`, party: name };
      problems.push({ kind: 'misconfigured', place: places.keys, message, shared });
    }
  }
  if (sets.size === 0) return { problems };
  return {
    problems,
    async verify(party, token) {
      const known = sets.get(party);
      if (!known) return { kind: 'unknown' };
      const verdict = await verifySignature(token, known.keys);
      if (verdict.kind !== 'refused') return verdict;
      // An issuer may have changed its keys since.
      const fetched = await known.renew();
      if (!fetched.ok) return { kind: 'unknown' };
      known.keys = fetched.keys;
      return verifySignature(token, known.keys);
    },
  };
}

/** The verdict is `unknown` for an algorithm that is not known here, and for a text that is no JWT. */
async function verifySignature(token: string, keys: JSONWebKeySet): Promise<SignatureVerdict> {
  const { compactVerify, createLocalJWKSet, errors } = await import('jose');
  const { alg, kid } = jwtPart(token, 'header') ?? {};
  if (typeof alg !== 'string') return { kind: 'unknown' };
  const of = `${alg}${typeof kid === 'string' ? `, kid ${kid}` : ''}`;
  const noKey = { kind: 'refused', reason: `the issuer publishes no key for it (${of})` } as const;
  // Public keys verify neither a shared secret nor no signature at all.
  if (alg === 'none' || alg.startsWith('HS')) return noKey;
  try {
    await compactVerify(token, createLocalJWKSet(keys));
    return { kind: 'verified' };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return noKey;
    const reason = `no published key verifies it (${of})`;
    if (error instanceof errors.JWSSignatureVerificationFailed) return { kind: 'refused', reason };
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return { kind: 'unknown' };
    for await (const key of error) {
      const isGood = await compactVerify(token, key).then(
        () => true,
        () => false,
      );
      if (isGood) return { kind: 'verified' };
    }
    return { kind: 'refused', reason };
  }
}
