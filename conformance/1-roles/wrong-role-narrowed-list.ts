import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import { createOrder, quote, assertRefusedGivenControl } from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  accessRequirement,
  type CastName,
  type GuardedEndpoint,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import { partyOfRole, partiesOfRole } from '../shared/endpoint-operations.ts';
import { narrowedQueries, topLevelLists } from '../shared/narrowed-lists.ts';

const othersThan = (allowed: readonly Role[]): readonly Role[] =>
  roles.filter((role) => !allowed.includes(role));

/** What a role may not have it may not have in part either. */
const checkOf = (endpoint: GuardedEndpoint): Check => {
  const [first] = endpoints[endpoint].roles;
  const refusedRoles = othersThan(endpoints[endpoint].roles);
  return defineCheck({
    id: `access.narrowed.${endpoint}`,
    title: `${endpoint} never serves ${refusedRoles.join(' nor ')}, filtered or turned over.`,
    requirements: refusedRoles.map((role) => accessRequirement(endpoint, role)),
    needs: { parties: [partyOfRole[first]] },
    async run(t) {
      for (const query of await narrowedQueries(t, partyOfRole[first], endpoint)) {
        const yes = await t.party(partyOfRole[first]).call(endpoint, { query });
        for (const role of refusedRoles) {
          for (const by of partiesOfRole(t, role)) {
            const no = await t.party(by).call(endpoint, { query });
            const requirement = accessRequirement(endpoint, role);
            assertRefusedGivenControl(t, requirement, no, yes, `${by}, a ${role}`);
          }
        }
      }
    },
  });
};

/** The stream of orders stays shut to makers though they name the one order that they have quoted. */
const limitedStream = defineCheck({
  id: 'access.narrowed.order.events',
  title: 'A market maker cannot open the order stream, limited to an order that it has quoted.',
  requirements: ['access.order.events.market-maker-refused'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { intentId } = order;
    await quote(t, 'maker_a', order);
    const limited = async (by: CastName) => {
      const stream = await t.party(by).listen({ endpoint: 'order.events', intentId });
      if (stream.isOpen) await stream.close();
      return stream.opened;
    };
    const [yes, requirement] = [
      await limited('sender'),
      'access.order.events.market-maker-refused',
    ] as const;
    for (const by of partiesOfRole(t, 'market-maker')) {
      assertRefusedGivenControl(t, requirement, await limited(by), yes, `${by}, a market maker`);
    }
  },
});

export const wrongRoleListChecks: readonly Check[] = [
  ...topLevelLists
    .filter((endpoint) => othersThan(endpoints[endpoint].roles).length > 0)
    .map(checkOf),
  limitedStream,
];
