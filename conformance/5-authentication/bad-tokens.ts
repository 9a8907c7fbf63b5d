import type { Credential } from '../../src/client/contract.ts';
import {
  confused,
  forged,
  forgeries,
  type Forgery,
  malformed,
  noToken,
  type TokenParts,
} from '../../src/conformance/moves/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  type CastName,
  type GuardedEndpoint,
  type RequirementId,
  tokenRequirement,
} from '../../src/spec/requirements/index.ts';
import type { Negative } from '../beside.ts';

type Kind = Forgery | 'malformed';

const requirementOf: Readonly<Record<Kind, RequirementId>> = {
  malformed: 'auth.malformed-token-refused',
  forged: 'auth.forged-signature-refused',
  altered: 'auth.altered-claims-refused',
  unsigned: 'auth.unsigned-token-refused',
  'foreign key': 'auth.foreign-key-refused',
};

/** What whoever forgets to look takes everywhere. */
export const plainest = ['forged', 'unsigned'] as const satisfies readonly Forgery[];

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
export const turn = <T>(items: readonly T[], index: number): readonly T[] =>
  items.slice(index % items.length, (index % items.length) + 1);

/** That, and the plainest of them. */
const plainAnd = <T>(items: readonly T[], index: number): readonly T[] => [
  ...new Set([...items.slice(0, 1), ...turn(items, index)]),
];

export interface Row {
  readonly endpoint: GuardedEndpoint;
  readonly kinds: readonly Forgery[];
  readonly index: number;
}

/** None, one that is malformed, and a few of each kind. */
export const badTokens = (
  token: TokenParts,
  { endpoint, kinds, index }: Row,
): readonly BadToken[] => [
  { credential: noToken, requirement: tokenRequirement(endpoint) },
  ...turn(malformed(token), index).map(bad(endpoint, 'malformed')),
  ...kinds.flatMap((kind) => plainAnd(forged(kind, token), index).map(bad(endpoint, kind))),
];

/** Every one that there is; the public key is one more to forge with. */
export const everyBadToken = (
  token: TokenParts,
  endpoint: GuardedEndpoint,
  publicKey: string | undefined,
): readonly BadToken[] => [
  ...malformed(token).map(bad(endpoint, 'malformed')),
  ...forgeries.flatMap((kind) => forged(kind, token).map(bad(endpoint, kind))),
  ...(publicKey === undefined ? [] : [confused(token, publicKey)]).map(
    bad(endpoint, 'foreign key'),
  ),
];

/** What `everyBadToken` of some endpoints is refused under, or those of some kinds. */
export const forgeryRefusals = (
  places: readonly GuardedEndpoint[],
  kinds: readonly Forgery[] = forgeries,
): readonly RequirementId[] => [
  ...new Set(
    (['malformed', ...kinds] as const).flatMap((kind) =>
      places.map((endpoint) => refusing(endpoint, kind)),
    ),
  ),
];

/** What `badTokens` of some endpoints are refused under. */
export const refusalsAt = (
  places: readonly GuardedEndpoint[],
  kinds: readonly Forgery[],
): readonly RequirementId[] => [...places.map(tokenRequirement), ...forgeryRefusals(places, kinds)];

export const whatOf = ({ label }: Credential): string =>
  label === noToken.label ? 'a request without a token' : `a bad token (${label})`;

export const negativesOf = (
  by: CastName,
  endpoint: GuardedEndpoint,
  tokens: readonly BadToken[],
): readonly Negative[] =>
  tokens.map(({ credential, requirement }) => ({
    by,
    endpoint,
    requirement,
    what: whatOf(credential),
    manner: { credential },
  }));
