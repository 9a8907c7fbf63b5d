import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import { type Fields, refused, said, succeeded } from '../../src/conformance/moves/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  type GuardedEndpoint,
  guardedEndpoints,
  type RequirementId,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/words.ts';
import { groundAt, stagesOf } from '../1-roles/roles.ts';
import { beside, type Negative } from '../beside.ts';
import { ask, player, settlementWaitMs } from '../deeds.ts';
import { turn } from './bad-tokens.ts';
import { type Mint, minter } from './tokens.ts';

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

const flawed = async (mint: Mint, { label, claims }: Flaw) => ({
  credential: await mint(`minted ${label}`, claims),
});

/** One flaw under each requirement, others in turn, so that all endpoints together see them all. */
const someOf = (index: number): readonly Flaw[] =>
  [...new Set(flaws.map(({ requirement }) => requirement))].flatMap((requirement) => {
    const alike = flaws.filter((flaw) => flaw.requirement === requirement);
    return turn(alike, index);
  });

/** Every other endpoint of a role as well: each may look at tokens in its own way, and what acts must not have acted. */
async function everywhere(trial: Trial, role: Role, mint: Mint): Promise<void> {
  const by = player[role];
  const { parties, clock } = trial.target;
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
    const negatives: Negative[] = [];
    for (const flaw of someOf(index)) {
      const { label, requirement } = flaw;
      const manner = await flawed(mint, flaw);
      negatives.push({ by, endpoint, requirement, what: `a token ${label}`, manner });
    }
    if (stage === 'settled') trial.mayWait(settlementWaitMs, 'a settlement');
    const ground = await groundAt(trial, stage, endpoint);
    await beside(trial, ground, negatives, [{ by, endpoint, requirements: [] }]);
  }
}

/** Tokens that the target's own key signed, each with one thing wrong; the twin has nothing wrong. */
export const mintedChecks: readonly Check[] = roles.map((role) =>
  defineCheck({
    id: `auth.minted.${role}`,
    title: `A ${role}'s token of the right key is still refused for its issuer, audience, role or missing expiry.`,
    requirements: [
      ...new Set(flaws.map(({ requirement }) => requirement)),
      'auth.stream.bad-token-refused',
      'error.refusal-changes-nothing',
    ],
    needs: { parties: [player[role]], signing: true },
    async run(trial) {
      const by = player[role];
      const mint = await minter(trial, by);
      const good = { credential: await mint('minted as it should be', {}) };
      for (const endpoint of places[role]) {
        const isStream = endpoint.endsWith('.events');
        const yes = isStream ? undefined : await ask(trial, by, endpoint, {}, good);
        if (yes && !succeeded(yes))
          trial.giveUp(`a good token of the offered key: ${said(yes)}`, [yes]);
        for (const flaw of flaws) {
          const { label, requirement } = flaw;
          const no = await ask(trial, by, endpoint, {}, await flawed(mint, flaw));
          refused(trial, requirement, no, `a token ${label}`);
          const isVague = requirement === 'auth.no-expiry-refused';
          if (isStream && !isVague)
            refused(trial, 'auth.stream.bad-token-refused', no, `a token ${label}`);
        }
      }
      await everywhere(trial, role, mint);
    },
  }),
);
