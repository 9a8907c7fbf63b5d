import type { Credential } from '../../src/client/contract.ts';
import {
  publicKeyAsSecret,
  forged,
  forgeries,
  type ForgeryKind,
  malformed,
  noToken,
  type DecodedToken,
} from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  type CastName,
  type GuardedEndpoint,
  type RequirementId,
  tokenRequirement,
} from '../../src/spec/requirements/index.ts';
import type { ForbiddenRequest } from '../shared/forbidden-requests.ts';

type Kind = ForgeryKind | 'malformed';

const requirementOf: Readonly<Record<Kind, RequirementId>> = {
  malformed: 'auth.malformed-token-refused',
  forged: 'auth.forged-signature-refused',
  altered: 'auth.altered-claims-refused',
  unsigned: 'auth.unsigned-token-refused',
  'foreign key': 'auth.foreign-key-refused',
};

/** What whoever forgets to look takes everywhere. */
export const basicForgeries = ['forged', 'unsigned'] as const satisfies readonly ForgeryKind[];

/** How a stream takes a token is open, so that all it refuses is one requirement. */
const refusing = (endpoint: GuardedEndpoint, kind: Kind): RequirementId =>
  endpoints[endpoint].result === 'stream' ? 'auth.stream.bad-token-refused' : requirementOf[kind];

/** A token that is no good, or none at all, and what refuses it. */
export interface BadToken {
  readonly credential: Credential;
  readonly requirement: RequirementId;
}

const bad =
  (endpoint: GuardedEndpoint, kind: Kind) =>
  (credential: Credential): BadToken => ({ credential, requirement: refusing(endpoint, kind) });

/** The one of a few that is this row's turn, so that all rows together try them all. */
export const takeTurn = <T>(items: readonly T[], index: number): readonly T[] =>
  items.slice(index % items.length, (index % items.length) + 1);

/** That, and the plainest of them. */
const plainAnd = <T>(items: readonly T[], index: number): readonly T[] => [
  ...new Set([...items.slice(0, 1), ...takeTurn(items, index)]),
];

export interface Row {
  readonly endpoint: GuardedEndpoint;
  readonly kinds: readonly ForgeryKind[];
  readonly index: number;
}

/** None, one that is malformed, and a few of each kind. */
export const badTokens = (
  token: DecodedToken,
  { endpoint, kinds, index }: Row,
): readonly BadToken[] => [
  { credential: noToken, requirement: tokenRequirement(endpoint) },
  ...takeTurn(malformed(token), index).map(bad(endpoint, 'malformed')),
  ...kinds.flatMap((kind) => plainAnd(forged(kind, token), index).map(bad(endpoint, kind))),
];

/** Every one that there is; the public key is one more to forge with. */
export const everyBadToken = (
  token: DecodedToken,
  endpoint: GuardedEndpoint,
  publicKey: string | undefined,
): readonly BadToken[] => [
  ...malformed(token).map(bad(endpoint, 'malformed')),
  ...forgeries.flatMap((kind) => forged(kind, token).map(bad(endpoint, kind))),
  ...(publicKey === undefined ? [] : [publicKeyAsSecret(token, publicKey)]).map(
    bad(endpoint, 'foreign key'),
  ),
];

/** What `everyBadToken` of some endpoints is refused under, or those of some kinds. */
export const forgeryRequirements = (
  places: readonly GuardedEndpoint[],
  kinds: readonly ForgeryKind[] = forgeries,
): readonly RequirementId[] => [
  ...new Set(
    (['malformed', ...kinds] as const).flatMap((kind) =>
      places.map((endpoint) => refusing(endpoint, kind)),
    ),
  ),
];

/** What `badTokens` of some endpoints are refused under. */
export const refusalRequirements = (
  places: readonly GuardedEndpoint[],
  kinds: readonly ForgeryKind[],
): readonly RequirementId[] => [
  ...places.map(tokenRequirement),
  ...forgeryRequirements(places, kinds),
];

export const describeCredential = ({ label }: Credential): string =>
  label === noToken.label ? 'a request without a token' : `a bad token (${label})`;

export const badTokenRequests = (
  by: CastName,
  endpoint: GuardedEndpoint,
  tokens: readonly BadToken[],
): readonly ForbiddenRequest[] =>
  tokens.map(({ credential, requirement }) => ({
    by,
    endpoint,
    requirement,
    what: describeCredential(credential),
    overrides: { credential },
  }));
