import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  type Fields,
  fieldsOf,
  isFields,
  answerEvidence,
  describeExchange,
  succeeded,
  decodeToken,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import {
  accessRequirement,
  cast,
  type CastName,
  castNames,
  type RequirementId,
} from '../../src/spec/requirements/index.ts';
import { noToken } from '../../src/suite/actions/index.ts';
import { requestToken, issueToken } from './token-fixtures.ts';

const equal = (
  t: CheckContext,
  requirement: RequirementId,
  expected: unknown,
  actual: unknown,
  seen: readonly Exchange[],
): boolean =>
  t.assert(requirement, actual === expected, {
    message: `It did not say of ${requirement.split('.')[1] ?? ''} what it must.`,
    expected,
    actual,
    seen,
  });

/** What every backend says of itself: twice, since the second answer may be another. */
const selves = castNames.map((by) =>
  defineCheck({
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
      const first = await issued(t, by);
      const second = await issued(t, by);
      const identities: Fields[] = [];
      for (const { credential, claims } of [second, first]) {
        const me = await t.party(by).call('identity.read', { credential });
        const isNew = credential === second.credential;
        const requirement = isNew ? 'auth.fresh-token-accepted' : 'auth.token-lasts-until-expiry';
        assertAllowed(
          t,
          requirement,
          me,
          isNew ? 'a new token' : 'a token that a newer one followed',
        );
        if (isNew) assertAllowed(t, 'auth.new-token-before-expiry', me, 'a second token');
        if (!succeeded(me)) continue;
        assertAllowed(t, accessRequirement('identity.read', cast[by]), me);
        const data = fieldsOf(me);
        identities.push(data);
        t.assert('identity.read.returns-identity', 'party_id' in data, {
          message: 'whoami did not return the identity result.',
          actual: answerEvidence(me),
          seen: [me],
        });
        equal(t, 'identity.party-id.as-token', claims['sub'], data['party_id'], [me]);
        equal(t, 'identity.role.as-token', claims['role'], data['role'], [me]);
      }
      const [one, other] = identities.map((data) => data['participant_id']);
      if (identities.length === 2) equal(t, 'identity.participant-id.stable', one, other, []);
      await assertStats(t, by);
    },
  }),
);

async function issued(t: CheckContext, by: CastName) {
  const one = await issueToken(t, by);
  const { claims, result, exchange } = one;
  for (const requirement of [
    'token.create.no-token-needed',
    'token.create.no-body-needed',
    'token.create.returns-token-result',
    'token.token.is-jwt',
  ] as const) {
    assertAllowed(t, requirement, exchange);
  }
  equal(t, 'token.role.as-claim', claims['role'], result['role'], [exchange]);
  equal(t, 'token.canton-party-id.as-claim', claims['canton_party_id'], result['canton_party_id'], [
    exchange,
  ]);
  equal(t, 'claim.canton-party-id.same-as-sub', claims['sub'], claims['canton_party_id'], [
    exchange,
  ]);
  equal(t, 'claim.iss.fixed', 'svc', claims['iss'], [exchange]);
  const audience = [claims['aud']].flat();
  equal(t, 'claim.aud.fixed', true, audience.includes('svc-api'), [exchange]);
  return one;
}

async function assertStats(t: CheckContext, by: CastName): Promise<void> {
  const stats = await t.party(by).call('stats.read');
  assertAllowed(
    t,
    accessRequirement('stats.read', cast[by]),
    stats,
    `the dashboard stats of ${by}`,
  );
  if (!succeeded(stats)) return;
  const body = stats.response?.body;
  const data = isFields(body) ? body['data'] : undefined;
  t.assert('stats.read.returns-object', isFields(data), {
    message: 'The dashboard stats were no object in the envelope.',
    expected: 'an object under data',
    actual: data,
    seen: [stats],
  });
}

/** The identity comes from the backend: what a request asks to be changes nothing, if it is answered at all. */
const fixed = (['sender', 'sender_custodian', 'maker_a'] as const).map((by) =>
  defineCheck({
    id: `auth.identity-from-backend.${by}`,
    title: `No body, query or header makes ${by}'s backend hand out a token of another party or role.`,
    requirements: ['auth.identity-from-backend'],
    needs: { parties: [by] },
    async run(t) {
      const party = t.party(by);
      // One that this target knows is handed out where an unknown one would be refused or passed over.
      const known = castNames.find((name) => t.target.parties[name] && cast[name] !== cast[by]);
      const usual = cast[by] === 'market-maker' ? 'institution' : 'market-maker';
      const role = known ? cast[known] : usual;
      const other = known ? t.party(known).partyId : `Other::${t.random.hex(40)}`;
      const wish = { role, sub: other, party_id: other, canton_party_id: other };
      const plain = await requestToken(t, by);
      if (!succeeded(plain))
        t.notExercised(`no token was issued: ${describeExchange(plain)}`, [plain]);
      const asked = [
        await party.call('token.create', { credential: noToken, body: wish }),
        await party.call('token.create', { credential: noToken, query: wish }),
        await party.call('token.create', {
          credential: noToken,
          headers: { 'x-role': role, 'x-party-id': other },
        }),
        await party.call('token.create'),
      ];
      const mine = { party: fieldsOf(plain)['canton_party_id'], role: fieldsOf(plain)['role'] };
      for (const exchange of asked.filter(succeeded)) {
        const result = fieldsOf(exchange);
        const claims = decodeToken(String(result['token']))?.claims ?? {};
        const theirs = [
          { party: result['canton_party_id'], role: result['role'] },
          { party: claims['sub'], role: claims['role'] },
        ];
        const holds = theirs.every((each) => each.party === mine.party && each.role === mine.role);
        t.assert('auth.identity-from-backend', holds, {
          message: 'A request for a token changed the party or the role that the token is for.',
          expected: mine,
          actual: theirs,
          seen: [plain, exchange],
        });
      }
      if (!asked.some(succeeded)) t.assert('auth.identity-from-backend', true, { message: '' });
    },
  }),
);

/** Part 4.1: whether a backend lives is asked without a token, of every backend. */
const health = castNames.map((by) =>
  defineCheck({
    id: `health.${by}`,
    title: `/health of ${by} answers with success, without a token.`,
    requirements: ['health.read.no-token-needed', 'health.read.succeeds'],
    needs: { parties: [by] },
    async run(t) {
      const exchange = await t.party(by).call('health.read', { credential: noToken });
      assertAllowed(t, 'health.read.no-token-needed', exchange, 'a question without a token');
      assertAllowed(t, 'health.read.succeeds', exchange);
    },
  }),
);

export const identityChecks: readonly Check[] = [...selves, ...fixed, ...health];
