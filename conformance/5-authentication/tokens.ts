import type { Credential } from '../../src/client/contract.ts';
import { requestToken } from '../../src/client/token-request.ts';
import { lifetimeIn, tokenIn } from '../../src/protocol/token-answer.ts';
import type { CheckContext, Check } from '../../src/suite/engine/check.ts';
import {
  type Fields,
  fieldsOf,
  describeExchange,
  succeeded,
  isRefusal,
  textOf,
} from '../../src/protocol/answers.ts';
import {
  noToken,
  decodeToken,
  type DecodedToken,
  forged,
  forgeries,
  type ForgeryKind,
  malformed,
  publicKeyAsSecret,
} from '../../src/suite/actions/token-forgery.ts';
import { targetNow } from '../../src/suite/actions/context.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import type { Exchange } from '../../src/history/records.ts';
import {
  type CastName,
  type GuardedEndpoint,
  type RequirementId,
  tokenRequirement,
  accessRequirement,
  cast,
  castNames,
} from '../../src/spec/requirements/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { type ForbiddenRequest, partyOfRole } from '../shared/endpoint-requests.ts';
import { roles } from '../../src/spec/vocabulary.ts';
import { simultaneously } from '../shared/order-life.ts';

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

/** A token that lasts for so long serves until a check is over. */
const freshForMs = 120_000;

/** The party's own token, decoded, of any issuer; ends the check if it is no JWT. */
export async function decodedOwnToken(t: CheckContext, by: CastName): Promise<DecodedToken> {
  const party = t.party(by);
  const known = decodeToken(party.token);
  if (known && Number(known.claims['exp']) * 1_000 > targetNow(t).latest + freshForMs) return known;
  // A call renews a token that is about to expire.
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
export async function longExpired(t: CheckContext, by: CastName, agoMs: number, called: string) {
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
export const badTokens = (token: DecodedToken, kinds: readonly ForgeryKind[], index: number) => [
  noToken,
  ...takeTurn(malformed(token), index),
  ...kinds.flatMap((kind) => {
    const all = forged(kind, token);
    return [...new Set([...all.slice(0, 1), ...takeTurn(all, index)])];
  }),
];

/** Every bad token that there is; the public key is one more to forge with. */
export const everyBadToken = (token: DecodedToken, publicKey: string | undefined) => [
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

const identities = castNames.map<Check>((by) => ({
  id: `auth.self.${by}`,
  title: `${by} gets a token and a second one, both good, and whoami tells the party and the role that they claim.`,
  requirements: [
    'token.create.no-token-needed',
    'token.create.no-body-needed',
    'token.create.returns-token-result',
    'token.token.is-jwt',
    'token.role.as-claim',
    'token.canton-party-id.as-claim',
    'claim.canton-party-id.same-as-sub',
    'claim.iss.fixed',
    'claim.aud.fixed',
    'auth.fresh-token-accepted',
    'auth.new-token-before-expiry',
    'auth.token-lasts-until-expiry',
    'identity.read.returns-identity',
    'identity.party-id.as-token',
    'identity.role.as-token',
    'identity.participant-id.stable',
    'identity.operator-party-id.stable',
    accessRequirement('identity.read', cast[by]),
    accessRequirement('stats.read', cast[by]),
    'stats.read.returns-object',
  ],
  needs: { parties: [by] },
  async run(t) {
    const party = t.party(by);
    const older = await issueToken(t, by);
    const newer = await issueToken(t, by);
    const { credential } = newer;
    for (const one of [older, newer]) await assertVerifies(t, by, one);
    const withNewer = await party.call('identity.read', { credential });
    assertAllowed(t, 'auth.new-token-before-expiry', withNewer, 'a second token');
    const withOlder = await party.call('identity.read', { credential: older.credential });
    const what = 'a token that a newer one followed';
    assertAllowed(t, 'auth.token-lasts-until-expiry', withOlder, what);
    await party.call('identity.read');
    await party.call('stats.read');
  },
}));

/** 5.2: party and role of a token come from the backend; values in the request change nothing. */
const identityFromBackend = (['sender', 'sender_custodian', 'maker_a'] as const).map<Check>(
  (by) => ({
    id: `auth.identity-from-backend.${by}`,
    title: `No body, query or header makes ${by}'s backend hand out a token of another party or role.`,
    requirements: ['auth.identity-from-backend'],
    needs: { parties: [by] },
    async run(t) {
      const party = t.party(by);
      // A known party, since a backend may accept it although it refuses or ignores an unknown one.
      const known = castNames.find((name) => t.target.parties[name] && cast[name] !== cast[by]);
      const usual = cast[by] === 'market-maker' ? 'institution' : 'market-maker';
      const role = known ? cast[known] : usual;
      const other = known ? t.party(known).partyId : `Other::${t.random.hex(40)}`;
      const wish = { role, sub: other, party_id: other, canton_party_id: other };
      // Without anything to wish for first: the rules hold all other tokens against this one.
      await issueToken(t, by);
      const headers = { 'x-role': role, 'x-party-id': other };
      for (const asked of [{ body: wish }, { query: wish }, { headers }]) {
        await party.call('token.create', { credential: noToken, ...asked });
      }
      await party.call('token.create');
    },
  }),
);

const health = castNames.map<Check>((by) => ({
  id: `health.${by}`,
  title: `/health of ${by} answers with success, without a token.`,
  requirements: ['health.read.no-token-needed', 'health.read.succeeds'],
  needs: { parties: [by] },
  async run(t) {
    const exchange = await t.party(by).call('health.read', { credential: noToken });
    assertAllowed(t, 'health.read.succeeds', exchange);
  },
}));

export const identityChecks: readonly Check[] = [...identities, ...identityFromBackend, ...health];

/** 8: a token lasts an hour. The other limits of part 8 are with the events (heartbeat) and the states (settlement). */
const lifetimes = roles.map<Check>((role) => ({
  id: `limit.token-lifetime.${role}`,
  title: `A token of a ${role} lasts an hour, unless its backend was told otherwise.`,
  requirements: [
    'limit.token-lifetime',
    'token.exp-matches-expires-in',
    'token.expires-in.positive',
  ],
  needs: { parties: [partyOfRole[role]] },
  async run(t) {
    await issueToken(t, partyOfRole[role]);
  },
}));

const atOnce = (['sender', 'maker_a'] as const).map<Check>((by) => ({
  id: `token.at-once.${by}`,
  title: `Two tokens that ${by} asks for at once are both had, and both good.`,
  requirements: ['auth.fresh-token-accepted', 'token.create.no-token-needed'],
  needs: { parties: [by] },
  async run(t) {
    const ask = () => t.party(by).call('token.create', { credential: noToken });
    const asked = await simultaneously(t, [ask, ask]);
    const tokens = asked.filter(succeeded).map((one) => textOf(fieldsOf(one), 'token'));
    if (tokens.length === 0) return t.notExercised('no token was issued', asked);
    for (const [index, token] of tokens.entries()) {
      if (token === undefined) continue;
      const isLast = index === tokens.length - 1;
      const credential = { label: isLast ? 'issued' : 'issued (first of two)', token };
      const used = await t.party(by).call('identity.read', { credential });
      const isRefused = isRefusal(used);
      if (!isRefused && !succeeded(used)) continue;
      t.assert('auth.fresh-token-accepted', !isRefused, {
        message: 'one of two tokens that were issued at once was refused',
        deviation: 'refused',
        must: { answered: '2xx' },
        actual: used.response?.status,
        seen: [...asked, used],
      });
    }
  },
}));

export const tokenLifetimeChecks: readonly Check[] = [...lifetimes, ...atOnce];
