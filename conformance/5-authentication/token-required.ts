import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import { forgeries } from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { guardedEndpoints } from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/vocabulary.ts';
import { fixtureAt, partiesAt, stagesOf } from '../1-roles/wrong-role-refused.ts';
import { assertForbidden } from '../shared/forbidden-requests.ts';
import {
  changesOrder,
  isExtraWithheld,
  partyOfRole,
  settlementWaitMs,
} from '../shared/endpoint-operations.ts';
import {
  badTokens,
  everyBadToken,
  forgeryRequirements,
  badTokenRequests,
  refusalRequirements,
  type Row,
  takeTurn,
} from './bad-tokens.ts';
import { decodedOwnToken } from './token-fixtures.ts';

interface RowOfRole extends Row {
  readonly role: Role;
}

/** The first role of an endpoint tries one of every kind, the others one kind each. */
const rows: readonly RowOfRole[] = guardedEndpoints
  .flatMap((endpoint) =>
    endpoints[endpoint].roles.map((role, place) => ({ endpoint, role, isFirst: place === 0 })),
  )
  .map(({ endpoint, role, isFirst }, index) => ({
    endpoint,
    role,
    index,
    kinds: isFirst ? forgeries : takeTurn(forgeries, index),
  }));

const checkOf = (row: RowOfRole): Check => {
  const { endpoint, role, kinds } = row;
  const stage = stagesOf(endpoint)[0] ?? 'nothing';
  return defineCheck({
    id: `auth.wanted.${endpoint}.${role}`,
    title: `${endpoint} refuses a ${role} without a token or with a bad one, and serves it with a good one.`,
    requirements: [
      ...refusalRequirements([endpoint], kinds),
      'auth.fresh-token-accepted',
      ...(changesOrder(endpoint) ? (['error.refusal-changes-nothing'] as const) : []),
    ],
    needs: {
      parties: [...new Set([partyOfRole[role], ...partiesAt(stage)])],
      ...(stage === 'settled' && { waitMs: settlementWaitMs }),
    },
    async run(t) {
      const by = partyOfRole[role];
      const fixture = await fixtureAt(t, stage, endpoint);
      if (await isExtraWithheld(t, by, endpoint, fixture)) {
        return t.outOfScope('custodians have none of this here (gap access.custodian_extras)');
      }
      const tokens = badTokens(await decodedOwnToken(t, by), row);
      const good = [{ by, endpoint, requirements: ['auth.fresh-token-accepted'] as const }];
      await assertForbidden(t, fixture, badTokenRequests(by, endpoint, tokens), good);
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
    requirements: [...forgeryRequirements([endpoint]), 'auth.fresh-token-accepted'],
    needs: { parties: [by] },
    async run(t) {
      const token = await decodedOwnToken(t, by);
      const tokens = everyBadToken(token, endpoint, t.target.signing?.publicKey);
      const good = [{ by, endpoint, requirements: ['auth.fresh-token-accepted'] as const }];
      await assertForbidden(t, {}, badTokenRequests(by, endpoint, tokens), good);
    },
  }),
);

export const tokenRequiredChecks: readonly Check[] = [...rows.map(checkOf), ...battery];
