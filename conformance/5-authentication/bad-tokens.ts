import type { Credential } from '../../src/client/contract.ts';
import {
  type DecodedToken,
  forged,
  forgeries,
  type ForgeryKind,
  malformed,
  noToken,
  publicKeyAsSecret,
} from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  type CastName,
  type GuardedEndpoint,
  type RequirementId,
  tokenRequirement,
} from '../../src/spec/requirements/index.ts';
import type { ForbiddenRequest } from '../shared/forbidden-requests.ts';

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
