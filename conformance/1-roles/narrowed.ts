import { type Check, defineCheck } from '../../src/conformance/check.ts';
import { createOrder, quote, refusedBeside } from '../../src/conformance/moves/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  accessRequirement,
  type CastName,
  type GuardedEndpoint,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/words.ts';
import { player, players } from '../deeds.ts';
import { narrowings, plainLists } from '../narrowings.ts';

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
    needs: { parties: [player[first]] },
    async run(trial) {
      for (const query of await narrowings(trial, player[first], endpoint)) {
        const yes = await trial.party(player[first]).call(endpoint, { query });
        for (const role of refusedRoles) {
          for (const by of players(trial, role)) {
            const no = await trial.party(by).call(endpoint, { query });
            const requirement = accessRequirement(endpoint, role);
            refusedBeside(trial, requirement, no, yes, `${by}, a ${role}`);
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
  async run(trial) {
    const order = await createOrder(trial);
    const { intentId } = order;
    await quote(trial, 'maker_a', order);
    const limited = async (by: CastName) => {
      const stream = await trial.party(by).listen({ endpoint: 'order.events', intentId });
      if (stream.isOpen) await stream.close();
      return stream.opened;
    };
    const [yes, requirement] = [
      await limited('sender'),
      'access.order.events.market-maker-refused',
    ] as const;
    for (const by of players(trial, 'market-maker')) {
      refusedBeside(trial, requirement, await limited(by), yes, `${by}, a market maker`);
    }
  },
});

export const narrowedChecks: readonly Check[] = [
  ...plainLists.filter((endpoint) => othersThan(endpoints[endpoint].roles).length > 0).map(checkOf),
  limitedStream,
];
