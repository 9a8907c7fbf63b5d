import type { Credential } from '../../src/client/contract.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  type Fields,
  describeExchange,
  concurrently,
  succeeded,
} from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  type GuardedEndpoint,
  guardedEndpoints,
  type RequirementId,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import { sendForbidden, servedRequirement } from '../shared/forbidden-requests.ts';
import {
  isFor,
  partyOfRole,
  sendRequest,
  settlementWaitMs,
} from '../shared/endpoint-operations.ts';
import { firstStageOf, fixtureAt, partiesAt } from '../shared/order-stages.ts';
import { requestsWith, takeTurn } from './bad-tokens.ts';
import { type MintToken, tokenMinter } from './token-fixtures.ts';

interface Flaw {
  /** Its beginning tells the rules which requirement must refuse the token. */
  readonly label: string;
  /** Claims that replace the good ones; undefined removes one. */
  readonly claims: Fields;
}

const flaws: Readonly<Partial<Record<RequirementId, readonly Flaw[]>>> = {
  'auth.wrong-issuer-refused': [
    { label: 'wrong issuer (another)', claims: { iss: 'svc2' } },
    { label: 'wrong issuer (in capitals)', claims: { iss: 'SVC' } },
    { label: 'wrong issuer (none)', claims: { iss: undefined } },
  ],
  'auth.wrong-audience-refused': [
    { label: 'wrong audience (another)', claims: { aud: 'svc' } },
    { label: 'wrong audience (one that begins alike)', claims: { aud: 'svc-api2' } },
    { label: 'wrong audience (others in a list)', claims: { aud: ['a', 'b'] } },
    { label: 'wrong audience (none)', claims: { aud: undefined } },
  ],
  'auth.no-expiry-refused': [{ label: 'no expiry', claims: { exp: undefined } }],
};
const allFlaws = Object.values(flaws).flat();

/** Tokens that a backend may refuse or accept (gap `token.role_claim`): sent to learn its answer, not to be judged. */
const roleClaims: readonly Flaw[] = [
  { label: 'no role', claims: { role: undefined } },
  { label: 'unknown role', claims: { role: 'auditor' } },
];

const places: Readonly<Record<Role, readonly GuardedEndpoint[]>> = {
  institution: ['identity.read', 'order.list', 'order.create', 'order.events'],
  custodian: ['identity.read', 'order.list', 'stats.read', 'order.events'],
  'market-maker': ['identity.read', 'rfq.list', 'quote.list', 'maker.events'],
};

async function mintAll(mint: MintToken, some: readonly Flaw[]): Promise<readonly Credential[]> {
  const minted: Credential[] = [];
  for (const { label, claims } of some) minted.push(await mint(label, claims));
  return minted;
}

/** Every other endpoint of a role, which may look at tokens in its own way: one flaw of each kind, in turn. */
async function tryOtherEndpoints(t: CheckContext, role: Role, mint: MintToken): Promise<void> {
  const by = partyOfRole[role];
  const { parties, clock } = t.target;
  const others = guardedEndpoints.filter(
    (endpoint) =>
      isFor(endpoint, role) &&
      !places[role].includes(endpoint) &&
      endpoints[endpoint].result !== 'stream',
  );
  for (const [index, endpoint] of others.entries()) {
    const stage = firstStageOf(endpoint);
    const isReady = partiesAt(stage).every((name) => name in parties);
    if (!isReady || (stage === 'settled' && clock.maxWaitMs < settlementWaitMs)) continue;
    if (stage === 'settled') t.allowWait(settlementWaitMs, 'a settlement');
    const turn = Object.values(flaws).flatMap((alike) => takeTurn(alike, index));
    const forbidden = requestsWith(by, endpoint, await mintAll(mint, turn));
    await sendForbidden(t, await fixtureAt(t, stage, endpoint), forbidden, [{ by, endpoint }]);
  }
}

/** 5.3: a token of the target's own key is refused for a wrong issuer or audience, or a missing expiry. */
export const wrongClaimChecks = roles.map<Check>((role) => ({
  id: `auth.wrong-claims.${role}`,
  title: `A ${role}'s token of the right key is still refused for its issuer, audience or missing expiry.`,
  requirements: [
    ...(Object.keys(flaws) as RequirementId[]),
    'auth.stream.bad-token-refused',
    'error.refusal-changes-nothing',
    servedRequirement,
  ],
  needs: { parties: [partyOfRole[role]], signing: true },
  // Dozens of calls, one after the other, and a settlement if there is time for one.
  takesMs: settlementWaitMs,
  async run(t) {
    const by = partyOfRole[role];
    const mint = await tokenMinter(t, by);
    const good = { credential: await mint('minted as it should be', {}) };
    const bad = await mintAll(mint, allFlaws);
    const ofRole = await mintAll(mint, roleClaims);
    const use = (endpoint: GuardedEndpoint) => (credential: Credential) => () =>
      sendRequest(t, by, endpoint, {}, { credential });
    await concurrently(t, ofRole.map(use('identity.read')));
    for (const endpoint of places[role]) {
      if (endpoints[endpoint].result !== 'stream') {
        const yes = await sendRequest(t, by, endpoint, {}, good);
        if (!succeeded(yes))
          t.notExercised(`a good token of the offered key: ${describeExchange(yes)}`, [yes]);
      }
      await concurrently(t, bad.map(use(endpoint)));
    }
    await tryOtherEndpoints(t, role, mint);
  },
}));
