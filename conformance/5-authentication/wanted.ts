import type { Credential } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  confused,
  forged,
  type Forgery,
  forgeries,
  malformed,
  noToken,
  type TokenParts,
} from '../../src/conformance/moves/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
  type RequirementId,
  tokenRequirement,
} from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/words.ts';
import { groundAt, partiesAt, stagesOf } from '../1-roles/roles.ts';
import { beside, type Negative } from '../beside.ts';
import { actsOnOrder, isNotGiven, player, settlementWaitMs } from '../deeds.ts';
import { ownToken } from './tokens.ts';

const isStream = (endpoint: GuardedEndpoint): boolean => endpoints[endpoint].result === 'stream';

const requirementOf: Readonly<Record<Forgery | 'malformed', RequirementId>> = {
  malformed: 'auth.malformed-token-refused',
  forged: 'auth.forged-signature-refused',
  altered: 'auth.altered-claims-refused',
  unsigned: 'auth.unsigned-token-refused',
  'foreign key': 'auth.foreign-key-refused',
};

/** The one of a few that is this row's turn, so that all rows together try them all. */
const turn = <T>(items: readonly T[], index: number): readonly T[] =>
  items.slice(index % items.length, (index % items.length) + 1);

/** That, and the plainest of them, which whoever forgets to look takes everywhere. */
const plainAnd = <T>(items: readonly T[], index: number): readonly T[] => [
  ...new Set([...items.slice(0, 1), ...turn(items, index)]),
];

interface Row {
  readonly endpoint: GuardedEndpoint;
  readonly role: Role;
  /** The first role of an endpoint tries one of every kind, the others one kind each. */
  readonly kinds: readonly Forgery[];
  readonly index: number;
}

const rows: readonly Row[] = guardedEndpoints
  .flatMap((endpoint) =>
    endpoints[endpoint].roles.map((role, place) => ({ endpoint, role, isFirst: place === 0 })),
  )
  .map(({ endpoint, role, isFirst }, index) => ({
    endpoint,
    role,
    index,
    kinds: isFirst ? forgeries : turn(forgeries, index),
  }));

/** Tokens that are no good, each under the requirement that refuses it. */
export function badTokens(
  token: TokenParts,
  { endpoint, kinds, index }: Pick<Row, 'endpoint' | 'kinds' | 'index'>,
): readonly { readonly credential: Credential; readonly requirement: RequirementId }[] {
  const tagged = (kind: Forgery | 'malformed') => (credential: Credential) => ({
    credential,
    requirement: isStream(endpoint)
      ? ('auth.stream.bad-token-refused' as const)
      : requirementOf[kind],
  });
  return [
    { credential: noToken, requirement: tokenRequirement(endpoint) },
    ...turn(malformed(token), index).map(tagged('malformed')),
    ...kinds.flatMap((kind) => plainAnd(forged(kind, token), index).map(tagged(kind))),
  ];
}

const checkOf = (row: Row): Check => {
  const { endpoint, role } = row;
  const stage = stagesOf(endpoint)[0] ?? 'nothing';
  return defineCheck({
    id: `auth.wanted.${endpoint}.${role}`,
    title: `${endpoint} refuses a ${role} without a token or with a bad one, and serves it with a good one.`,
    requirements: [
      tokenRequirement(endpoint),
      ...(isStream(endpoint)
        ? (['auth.stream.bad-token-refused'] as const)
        : ([
            'auth.malformed-token-refused',
            ...row.kinds.map((kind) => requirementOf[kind]),
          ] as const)),
      'auth.fresh-token-accepted',
      ...(actsOnOrder(endpoint) ? (['error.refusal-changes-nothing'] as const) : []),
    ],
    needs: {
      parties: [...new Set([player[role], ...partiesAt(stage)])],
      ...(stage === 'settled' && { waitMs: settlementWaitMs }),
    },
    async run(trial) {
      const by = player[role];
      const ground = await groundAt(trial, stage, endpoint);
      if (await isNotGiven(trial, by, endpoint, ground)) {
        return trial.outOfScope('custodians have none of this here (gap access.custodian_extras)');
      }
      const negatives = badTokens(await ownToken(trial, by), row).map(
        ({ credential, requirement }): Negative => ({
          by,
          endpoint,
          requirement,
          what: `a token that is ${credential.label}`,
          manner: { credential },
        }),
      );
      const good = [{ by, endpoint, requirements: ['auth.fresh-token-accepted'] as const }];
      await beside(trial, ground, negatives, good);
      return undefined;
    },
  });
};

/** Every forgery there is, where asking costs least: one place of each role. */
const battery = (
  [
    ['sender', 'identity.read'],
    ['sender_custodian', 'order.list'],
    ['maker_a', 'rfq.list'],
    ['maker_b', 'identity.read'],
  ] as const
).map(([by, endpoint]) =>
  defineCheck({
    id: `auth.battery.${by}`,
    title: `${endpoint} of ${by} sees through every forged, altered, unsigned or malformed token.`,
    requirements: [...Object.values(requirementOf), 'auth.fresh-token-accepted'],
    needs: { parties: [by] },
    run: (trial) => tryAll(trial, by, endpoint),
  }),
);

async function tryAll(trial: Trial, by: CastName, endpoint: GuardedEndpoint): Promise<void> {
  const token = await ownToken(trial, by);
  const publicKey = trial.target.signing?.publicKey;
  const tagged = (kind: Forgery | 'malformed', credentials: readonly Credential[]): Negative[] =>
    credentials.map((credential) => ({
      by,
      endpoint,
      requirement: requirementOf[kind],
      what: `a token that is ${credential.label}`,
      manner: { credential },
    }));
  await beside(
    trial,
    {},
    [
      ...tagged('malformed', malformed(token)),
      ...forgeries.flatMap((kind) => tagged(kind, forged(kind, token))),
      ...(publicKey === undefined ? [] : tagged('foreign key', [confused(token, publicKey)])),
    ],
    [{ by, endpoint, requirements: ['auth.fresh-token-accepted'] }],
  );
}

export const wantedChecks: readonly Check[] = [...rows.map(checkOf), ...battery];
