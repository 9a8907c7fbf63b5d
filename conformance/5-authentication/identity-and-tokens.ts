import type { Check } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  noToken,
  fieldsOf,
  isRefusal,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import { accessRequirement, cast, castNames } from '../../src/spec/requirements/index.ts';
import { assertVerifies, issueToken } from './tokens.ts';
import { roles } from '../../src/spec/vocabulary.ts';
import { simultaneously } from '../shared/order-life.ts';
import { partyOfRole } from '../shared/endpoint-requests.ts';

/** 5.2, 5.4, 5.6: a backend issues tokens for its party; each is good, also once there is a newer one. */
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

/** 4.1: /health answers without a token, at every backend. */
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

/** 5.2: each token that a backend issues is valid, even if two are requested at once. */
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
    return undefined;
  },
}));

export const tokenLifetimeChecks: readonly Check[] = [...lifetimes, ...atOnce];
