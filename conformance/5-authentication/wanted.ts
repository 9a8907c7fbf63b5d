import { type Check, defineCheck } from '../../src/conformance/check.ts';
import { forgeries } from '../../src/conformance/moves/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { guardedEndpoints } from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/words.ts';
import { groundAt, partiesAt, stagesOf } from '../1-roles/roles.ts';
import { beside } from '../beside.ts';
import { actsOnOrder, isWithheld, player, settlementWaitMs } from '../deeds.ts';
import {
  badTokens,
  everyBadToken,
  forgeryRefusals,
  negativesOf,
  refusalsAt,
  type Row,
  turn,
} from './bad-tokens.ts';
import { ownToken } from './tokens.ts';

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
    kinds: isFirst ? forgeries : turn(forgeries, index),
  }));

const checkOf = (row: RowOfRole): Check => {
  const { endpoint, role, kinds } = row;
  const stage = stagesOf(endpoint)[0] ?? 'nothing';
  return defineCheck({
    id: `auth.wanted.${endpoint}.${role}`,
    title: `${endpoint} refuses a ${role} without a token or with a bad one, and serves it with a good one.`,
    requirements: [
      ...refusalsAt([endpoint], kinds),
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
      if (await isWithheld(trial, by, endpoint, ground)) {
        return trial.outOfScope('custodians have none of this here (gap access.custodian_extras)');
      }
      const tokens = badTokens(await ownToken(trial, by), row);
      const good = [{ by, endpoint, requirements: ['auth.fresh-token-accepted'] as const }];
      await beside(trial, ground, negativesOf(by, endpoint, tokens), good);
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
    requirements: [...forgeryRefusals([endpoint]), 'auth.fresh-token-accepted'],
    needs: { parties: [by] },
    async run(trial) {
      const token = await ownToken(trial, by);
      const tokens = everyBadToken(token, endpoint, trial.target.signing?.publicKey);
      const good = [{ by, endpoint, requirements: ['auth.fresh-token-accepted'] as const }];
      await beside(trial, {}, negativesOf(by, endpoint, tokens), good);
    },
  }),
);

export const wantedChecks: readonly Check[] = [...rows.map(checkOf), ...battery];
