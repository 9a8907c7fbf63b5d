import type { Credential } from '../../src/client/contract.ts';
import { requestToken } from '../../src/client/token-request.ts';
import { lifetimeIn, tokenIn } from '../../src/protocol/token-answer.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  type Fields,
  fieldsOf,
  noToken,
  describeExchange,
  succeeded,
  targetNow,
  decodeToken,
  type DecodedToken,
  forged,
  forgeries,
  type ForgeryKind,
  malformed,
  publicKeyAsSecret,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import {
  type CastName,
  type GuardedEndpoint,
  type RequirementId,
  tokenRequirement,
} from '../../src/spec/requirements/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import type { ForbiddenRequest } from '../shared/endpoint-requests.ts';

/** A token that a backend issued for this check only, so that no other code renews it. */
export interface IssuedToken extends DecodedToken {
  readonly credential: Credential;
  readonly exchange: Exchange;
  readonly result: Fields;
  /** In seconds. */
  readonly lifetime: number;
  /** On the target's clock: by its `exp`, else as far ahead as `expires_in` says. */
  readonly expiresAt: number;
}

/**
 * Requests a token without a token, and without a body (4.1) if the backend admits that. Ends the check if no token is
 * issued (gap `token.endpoint`).
 */
export async function issueToken(t: CheckContext, by: CastName): Promise<IssuedToken> {
  const party = t.party(by);
  const exchange = await requestToken(party.role, (body) =>
    party.call('token.create', { credential: noToken, ...(body && { body }) }),
  );
  const result = fieldsOf(exchange);
  const token = tokenIn(exchange);
  const parts = token === undefined ? undefined : decodeToken(token);
  if (!succeeded(exchange) || token === undefined || !parts) {
    return t.notExercised(`no token was issued: ${describeExchange(exchange)}`, [exchange]);
  }
  const given = lifetimeIn(exchange);
  const lifetime = typeof given === 'number' && Number.isFinite(given) ? given : 0;
  const { exp } = parts.claims;
  const ends = exchange.received + t.target.clock.offset.most + lifetime * 1_000;
  return {
    ...parts,
    credential: { label: 'issued', token },
    exchange,
    result,
    lifetime,
    expiresAt: typeof exp === 'number' && Number.isFinite(exp) ? exp * 1_000 : ends,
  };
}

/** Asserts that an issued token verifies with the issuer's published keys, if the target file names them. */
export async function assertVerifies(
  t: CheckContext,
  by: CastName,
  { exchange, credential: { token = '' } }: IssuedToken,
): Promise<void> {
  const verdict = await t.target.verify?.(by, token);
  if (!verdict || verdict.kind === 'unknown') return;
  t.assert('token.token.is-jwt', verdict.kind === 'verified', {
    message: `the signature of a token that ${by} was issued does not verify`,
    must: { words: "a signature by one of the issuer's published keys" },
    actual: verdict.kind === 'refused' ? verdict.reason : undefined,
    seen: [exchange],
  });
}

/** The party's own token, decoded, of any issuer; ends the check if it is no JWT. */
export async function decodedOwnToken(t: CheckContext, by: CastName): Promise<DecodedToken> {
  const party = t.party(by);
  // A call first, so that the token is a fresh one.
  const exchange = await party.call('identity.read');
  const parts = decodeToken(party.token);
  if (!parts) return t.notExercised(`the token of ${by} is no JWT`, [exchange]);
  return parts;
}

/** Makes a token with a label and with claims that replace the good ones; undefined removes a claim. */
export type MintToken = (label: string, changes: Fields) => Promise<Credential>;

/** Makes tokens of the target's own key, as its party has them but for some claims. */
export async function tokenMinter(t: CheckContext, by: CastName): Promise<MintToken> {
  const { claims, header } = await decodedOwnToken(t, by);
  const { signing } = t.target;
  if (!signing) return t.outOfScope('no signing key is offered');
  return async (label, changes) => ({
    label,
    token: await signing.mint({ ...claims, ...changes }, { kid: header['kid'] }),
  });
}

/** `exp` is a whole second, and a target may well round the present to one; no more is to be forgiven. */
export const pastExpiryMs = 2_000;

/** The rules know an expired token by how its label begins. */
export const labelExpired = (credential: Credential, how?: string): Credential => ({
  ...credential,
  label: how === undefined ? 'expired' : `expired, ${how}`,
});

/** A token of the target's own key, as its party has them but for its expiry. */
export async function justExpired(t: CheckContext, by: CastName): Promise<Credential> {
  const mint = await tokenMinter(t, by);
  const exp = Math.floor((targetNow(t).earliest - pastExpiryMs) / 1_000);
  return mint('expired, minted', { exp });
}

/** A token of the target's own key that expired this long ago. All its other times are moved back equally. */
export async function longExpired(
  t: CheckContext,
  by: CastName,
  agoMs: number,
  called: string,
): Promise<Credential> {
  const [mint, { claims }] = [await tokenMinter(t, by), await decodedOwnToken(t, by)];
  const exp = Math.floor((targetNow(t).earliest - agoMs) / 1_000);
  const older = Number(claims['exp']) - exp;
  const moved = ['iat', 'nbf', 'auth_time'].flatMap((name) => {
    const at = claims[name];
    return typeof at === 'number' ? [[name, at - older] as const] : [];
  });
  return mint(`expired, ${called}`, { exp, ...Object.fromEntries(moved) });
}

const requirementOf: Readonly<Record<ForgeryKind | 'malformed', RequirementId>> = {
  malformed: 'auth.malformed-token-refused',
  forged: 'auth.forged-signature-refused',
  altered: 'auth.altered-claims-refused',
  unsigned: 'auth.unsigned-token-refused',
  'foreign key': 'auth.foreign-key-refused',
};

/** Forgeries that a backend accepts everywhere if it does not verify its tokens. */
export const basicForgeries = ['forged', 'unsigned'] as const satisfies readonly ForgeryKind[];

/** One item of a few, by the number of a row, so that all rows together try them all. */
export const takeTurn = <T>(items: readonly T[], index: number): readonly T[] =>
  items.slice(index % items.length, (index % items.length) + 1);

/** No token, one that is malformed, and of each kind of forgery the plainest and one other. */
export const badTokens = (
  token: DecodedToken,
  kinds: readonly ForgeryKind[],
  index: number,
): readonly Credential[] => [
  noToken,
  ...takeTurn(malformed(token), index),
  ...kinds.flatMap((kind) => {
    const all = forged(kind, token);
    return [...new Set([...all.slice(0, 1), ...takeTurn(all, index)])];
  }),
];

/** Every bad token that there is; the public key is one more to forge with. */
export const everyBadToken = (
  token: DecodedToken,
  publicKey: string | undefined,
): readonly Credential[] => [
  ...malformed(token),
  ...forgeries.flatMap((kind) => forged(kind, token)),
  ...(publicKey === undefined ? [] : [publicKeyAsSecret(token, publicKey)]),
];

/**
 * Requirements that forged and malformed tokens exercise. The form of a stream's token is open: all bad tokens of a
 * stream are one requirement.
 */
export const forgeryRequirements = (
  places: readonly GuardedEndpoint[],
  kinds: readonly ForgeryKind[] = forgeries,
): readonly RequirementId[] => [
  ...new Set(
    places.flatMap((endpoint): readonly RequirementId[] =>
      endpoints[endpoint].result === 'stream'
        ? ['auth.stream.bad-token-refused']
        : (['malformed', ...kinds] as const).map((kind) => requirementOf[kind]),
    ),
  ),
];

/** Requirements that `badTokens` exercise. */
export const badTokenRequirements = (
  places: readonly GuardedEndpoint[],
  kinds: readonly ForgeryKind[],
): readonly RequirementId[] => [
  ...places.map(tokenRequirement),
  ...forgeryRequirements(places, kinds),
];

export const requestsWith = (
  by: CastName,
  endpoint: GuardedEndpoint,
  credentials: readonly Credential[],
): readonly ForbiddenRequest[] =>
  credentials.map((credential) => ({ by, endpoint, overrides: { credential } }));
