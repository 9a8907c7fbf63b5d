import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  type Fields,
  assertRefused,
  describeExchange,
  succeeded,
} from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  type GuardedEndpoint,
  guardedEndpoints,
  type RequirementId,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import { fixtureAt, stagesOf } from '../1-roles/wrong-role-refused.ts';
import { assertForbidden, type ForbiddenRequest } from '../shared/forbidden-requests.ts';
import { sendRequest, partyOfRole, settlementWaitMs } from '../shared/endpoint-operations.ts';
import { takeTurn } from './bad-tokens.ts';
import { type MintToken, tokenMinter } from './token-fixtures.ts';

interface Flaw {
  readonly label: string;
  readonly requirement: RequirementId;
  /** What takes the place of the good claims; undefined takes one away. */
  readonly claims: Fields;
}

const flaws: readonly Flaw[] = [
  { label: 'of another issuer', requirement: 'auth.wrong-issuer-refused', claims: { iss: 'svc2' } },
  {
    label: 'of the issuer in capitals',
    requirement: 'auth.wrong-issuer-refused',
    claims: { iss: 'SVC' },
  },
  { label: 'of no issuer', requirement: 'auth.wrong-issuer-refused', claims: { iss: undefined } },
  {
    label: 'for another audience',
    requirement: 'auth.wrong-audience-refused',
    claims: { aud: 'svc' },
  },
  {
    label: 'for an audience that begins alike',
    requirement: 'auth.wrong-audience-refused',
    claims: { aud: 'svc-api2' },
  },
  {
    label: 'for other audiences',
    requirement: 'auth.wrong-audience-refused',
    claims: { aud: ['a', 'b'] },
  },
  {
    label: 'for no audience',
    requirement: 'auth.wrong-audience-refused',
    claims: { aud: undefined },
  },
  { label: 'without a role', requirement: 'auth.no-role-refused', claims: { role: undefined } },
  {
    label: 'with an unknown role',
    requirement: 'auth.unknown-role-refused',
    claims: { role: 'auditor' },
  },
  { label: 'without an expiry', requirement: 'auth.no-expiry-refused', claims: { exp: undefined } },
];

const places: Readonly<Record<Role, readonly GuardedEndpoint[]>> = {
  institution: ['identity.read', 'order.list', 'order.create', 'order.events'],
  custodian: ['identity.read', 'order.list', 'stats.read', 'order.events'],
  'market-maker': ['identity.read', 'rfq.list', 'quote.list', 'maker.events'],
};

const flawed = async (mint: MintToken, { label, claims }: Flaw) => ({
  credential: await mint(`minted ${label}`, claims),
});

/** One flaw under each requirement, others in turn, so that all endpoints together see them all. */
const someOf = (index: number): readonly Flaw[] =>
  [...new Set(flaws.map(({ requirement }) => requirement))].flatMap((requirement) => {
    const alike = flaws.filter((flaw) => flaw.requirement === requirement);
    return takeTurn(alike, index);
  });

/** Every other endpoint of a role as well: each may look at tokens in its own way, and what acts must not have acted. */
async function everywhere(t: CheckContext, role: Role, mint: MintToken): Promise<void> {
  const by = partyOfRole[role];
  const { parties, clock } = t.target;
  const others = guardedEndpoints.filter(
    (endpoint) =>
      (endpoints[endpoint].roles as readonly Role[]).includes(role) &&
      !places[role].includes(endpoint) &&
      endpoints[endpoint].result !== 'stream',
  );
  for (const [index, endpoint] of others.entries()) {
    const stage = stagesOf(endpoint)[0] ?? 'nothing';
    const wants = stage === 'quoted' || stage === 'settled' ? ['sender', 'maker_a'] : ['sender'];
    const isReady = stage === 'nothing' || wants.every((name) => name in parties);
    if (!isReady || (stage === 'settled' && clock.maxWaitMs < settlementWaitMs)) continue;
    const negatives: ForbiddenRequest[] = [];
    for (const flaw of someOf(index)) {
      const { label, requirement } = flaw;
      const overrides = await flawed(mint, flaw);
      negatives.push({ by, endpoint, requirement, what: `a token ${label}`, overrides });
    }
    if (stage === 'settled') t.allowWait(settlementWaitMs, 'a settlement');
    const fixture = await fixtureAt(t, stage, endpoint);
    await assertForbidden(t, fixture, negatives, [{ by, endpoint, requirements: [] }]);
  }
}

/** Tokens that the target's own key signed, each with one thing wrong; the twin has nothing wrong. */
export const wrongClaimChecks: readonly Check[] = roles.map((role) =>
  defineCheck({
    id: `auth.minted.${role}`,
    title: `A ${role}'s token of the right key is still refused for its issuer, audience, role or missing expiry.`,
    requirements: [
      ...new Set(flaws.map(({ requirement }) => requirement)),
      'auth.stream.bad-token-refused',
      'error.refusal-changes-nothing',
    ],
    needs: { parties: [partyOfRole[role]], signing: true },
    async run(t) {
      const by = partyOfRole[role];
      const mint = await tokenMinter(t, by);
      const good = { credential: await mint('minted as it should be', {}) };
      for (const endpoint of places[role]) {
        const isStream = endpoint.endsWith('.events');
        const yes = isStream ? undefined : await sendRequest(t, by, endpoint, {}, good);
        if (yes && !succeeded(yes))
          t.notExercised(`a good token of the offered key: ${describeExchange(yes)}`, [yes]);
        for (const flaw of flaws) {
          const { label, requirement } = flaw;
          const no = await sendRequest(t, by, endpoint, {}, await flawed(mint, flaw));
          assertRefused(t, requirement, no, `a token ${label}`);
          const isVague = requirement === 'auth.no-expiry-refused';
          if (isStream && !isVague)
            assertRefused(t, 'auth.stream.bad-token-refused', no, `a token ${label}`);
        }
      }
      await everywhere(t, role, mint);
    },
  }),
);
