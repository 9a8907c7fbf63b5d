import type { CallOptions, Credential } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  createOrder,
  forged,
  noToken,
  paginationOf,
  refused,
  said,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { asksForItems } from '../../src/spec/paging.ts';
import {
  accessRequirement,
  cast,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
  type RequirementId,
  tokenRequirement,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/words.ts';
import { mayOpenAnother } from '../6-events/listening.ts';
import { beside, type Negative } from '../beside.ts';
import { acts, type Ground, player, players } from '../deeds.ts';
import { judgeExpired, justExpired } from './expiry.ts';
import { ownToken } from './tokens.ts';

/** Where a guard is forgotten easily: requests that are narrowed, and parties beside the first of their role. */

type Query = NonNullable<CallOptions['query']>;

const listsOf = (role: Role): readonly GuardedEndpoint[] =>
  guardedEndpoints.filter(
    (endpoint) =>
      endpoints[endpoint].result === 'list' &&
      (endpoints[endpoint].roles as readonly Role[]).includes(role) &&
      !endpoints[endpoint].path.includes('{'),
  );

const filters: { readonly [E in GuardedEndpoint]?: readonly string[] } = {
  'order.list': ['PENDING', 'SETTLED'],
  'quote.list': ['PENDING', 'ACCEPTED'],
};

/** A list filtered, and its second page where the target's name for one is known and there is one. */
async function narrowings(
  trial: Trial,
  by: CastName,
  endpoint: GuardedEndpoint,
): Promise<readonly Query[]> {
  const { answers } = trial.target;
  const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
  const filtered = (filters[endpoint] ?? []).map((status): Query => ({ status }));
  if (page === undefined) return filtered;
  const sized: Query = size === undefined ? {} : { [size]: '1' };
  const first = paginationOf(await trial.party(by).call(endpoint, { query: sized }));
  if (!first || first.total_pages < 2) return filtered;
  const second = asksForItems(page) ? first.page_size : first.page + 1;
  return [...filtered, { ...sized, [page]: String(second) }];
}

/** Tokens that are no good, and what refuses each. */
interface Bad {
  readonly credential: Credential;
  readonly judge: (trial: Trial, endpoint: GuardedEndpoint, no: Exchange) => void;
}

const refusedUnder = (
  credential: Credential | undefined,
  requirementOf: (endpoint: GuardedEndpoint) => RequirementId,
): readonly Bad[] =>
  credential === undefined
    ? []
    : [
        {
          credential,
          judge: (trial, endpoint, no) =>
            void refused(trial, requirementOf(endpoint), no, `a token that is ${credential.label}`),
        },
      ];

async function badOnes(trial: Trial, by: CastName): Promise<readonly Bad[]> {
  const token = await ownToken(trial, by);
  const isStream = (endpoint: GuardedEndpoint) => endpoints[endpoint].result === 'stream';
  const under = (requirement: RequirementId) => (endpoint: GuardedEndpoint) =>
    isStream(endpoint) ? ('auth.stream.bad-token-refused' as const) : requirement;
  const expired = trial.target.signing && {
    label: 'expired, minted',
    token: await justExpired(trial, by),
  };
  return [
    ...refusedUnder(noToken, tokenRequirement),
    ...refusedUnder(forged('forged', token)[0], under('auth.forged-signature-refused')),
    ...refusedUnder(forged('unsigned', token)[0], under('auth.unsigned-token-refused')),
    ...(expired ? [{ credential: expired, judge: judgeExpired }] : []),
  ];
}

const narrowed = roles.map((role) => {
  const lists = listsOf(role);
  return defineCheck({
    id: `auth.narrowed.${role}`,
    title: `Lists of a ${role} that are filtered or turned over are refused without a good token.`,
    requirements: [
      ...lists.map(tokenRequirement),
      'auth.forged-signature-refused',
      'auth.unsigned-token-refused',
      'auth.expired-token-401',
    ],
    needs: { parties: [player[role]] },
    async run(trial) {
      const by = player[role];
      const bad = await badOnes(trial, by);
      for (const endpoint of lists) {
        for (const query of await narrowings(trial, by, endpoint)) {
          const yes = await trial.party(by).call(endpoint, { query });
          for (const { credential, judge } of bad) {
            const no = await trial.party(by).call(endpoint, { query, credential });
            if (succeeded(yes) || succeeded(no)) judge(trial, endpoint, no);
            else trial.undecided(tokenRequirement(endpoint), `${said(yes)} with a good token`);
          }
        }
      }
    },
  });
});

const limited = (['sender', 'sender_custodian'] as const).map((by) =>
  defineCheck({
    id: `auth.limited-stream.${by}`,
    title: `A stream of ${by} that is limited to one order is refused without a good token.`,
    requirements: [
      tokenRequirement('order.events'),
      'auth.stream.bad-token-refused',
      'auth.expired-token-401',
    ],
    needs: { parties: [...new Set<CastName>(['sender', by])] },
    async run(trial) {
      mayOpenAnother(trial);
      const { intentId } = await createOrder(trial);
      for (const { credential, judge } of await badOnes(trial, by)) {
        const stream = await trial.party(by).listen({ intentId, credential });
        if (stream.isOpen) await stream.close();
        judge(trial, 'order.events', stream.opened);
      }
    },
  }),
);

/** What a role may not have it may not have in part either. */
const narrowedRoles = guardedEndpoints
  .filter((endpoint) => listsOf('market-maker').includes(endpoint) || endpoint === 'order.list')
  .map((endpoint) => {
    const allowed: readonly Role[] = endpoints[endpoint].roles;
    const [first = 'institution'] = allowed;
    const refusedRoles = roles.filter((role) => !allowed.includes(role));
    return defineCheck({
      id: `access.narrowed.${endpoint}`,
      title: `${endpoint} never serves ${refusedRoles.join(' nor ')}, filtered or turned over.`,
      requirements: refusedRoles.map((role) => accessRequirement(endpoint, role)),
      needs: { parties: [player[first]] },
      async run(trial) {
        for (const query of await narrowings(trial, player[first], endpoint)) {
          const yes = await trial.party(player[first]).call(endpoint, { query });
          for (const role of refusedRoles) {
            for (const by of players(trial, role)) {
              const no = await trial.party(by).call(endpoint, { query });
              const requirement = accessRequirement(endpoint, role);
              if (succeeded(yes) || succeeded(no))
                refused(trial, requirement, no, `${by}, a ${role}`);
              else trial.undecided(requirement, `${said(yes)} to who may`);
            }
          }
        }
      },
    });
  })
  .filter(({ requirements }) => requirements.length > 0);

const others = [
  'outsider',
  'receiver_custodian',
  'outsider_custodian',
  'maker_b',
  'maker_c',
] as const;

/** What anybody of a role may do on a request that all makers see, and on nothing. */
const openTo = (role: Role): readonly GuardedEndpoint[] =>
  guardedEndpoints.filter((endpoint) => {
    const { path, result } = endpoints[endpoint];
    const isFree =
      !path.includes('{') || ['rfq.read', 'rfq.quotes', 'quote.submit'].includes(endpoint);
    return (
      isFree && result !== 'stream' && (endpoints[endpoint].roles as readonly Role[]).includes(role)
    );
  });

const ofOthers = others.map((by) => {
  const role = cast[by];
  const places = openTo(role);
  return defineCheck({
    id: `auth.wanted-of.${by}`,
    title: `Every endpoint of ${by} wants a token of its own, with a signature that holds.`,
    requirements: [
      ...places.map(tokenRequirement),
      'auth.forged-signature-refused',
      'auth.unsigned-token-refused',
      'auth.fresh-token-accepted',
      ...(places.some(acts) ? (['error.refusal-changes-nothing'] as const) : []),
    ],
    needs: { parties: [...new Set<CastName>(['sender', by])] },
    async run(trial) {
      const token = await ownToken(trial, by);
      const [broken] = forged('forged', token);
      const [unsigned] = forged('unsigned', token);
      const ground: Ground = role === 'market-maker' ? { order: await createOrder(trial) } : {};
      const negatives = places.flatMap((endpoint): Negative[] =>
        (
          [
            [noToken, tokenRequirement(endpoint)],
            [broken, 'auth.forged-signature-refused'],
            [unsigned, 'auth.unsigned-token-refused'],
          ] as const
        ).flatMap(([credential, requirement]) =>
          credential === undefined
            ? []
            : [
                {
                  by,
                  endpoint,
                  requirement,
                  what: `a token that is ${credential.label}`,
                  manner: { credential },
                },
              ],
        ),
      );
      await beside(trial, ground, negatives, [
        { by, endpoint: 'identity.read', requirements: ['auth.fresh-token-accepted'] },
      ]);
    },
  });
});

export const narrowedChecks: readonly Check[] = [
  ...narrowed,
  ...narrowedRoles,
  ...limited,
  ...ofOthers,
];
