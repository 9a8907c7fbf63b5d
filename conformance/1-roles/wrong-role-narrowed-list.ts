import type { Check } from '../../src/suite/engine/check.ts';
import { createOrder, quote } from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { accessRequirement, type GuardedEndpoint } from '../../src/spec/requirements/index.ts';
import { roles } from '../../src/spec/vocabulary.ts';
import { isFor, partiesOfRole, partyOfRole } from '../shared/endpoint-operations.ts';
import { narrowedQueries, topLevelLists } from '../shared/narrowed-lists.ts';

/** 1.4: a role that may not list something gets no filtered list of it and no further page either. */
const checkOf = (endpoint: GuardedEndpoint): Check => {
  const [first] = endpoints[endpoint].roles;
  const refusedRoles = roles.filter((role) => !isFor(endpoint, role));
  return {
    id: `access.narrowed.${endpoint}`,
    title: `${endpoint} refuses ${refusedRoles.join(' and ')}, filtered or on a further page.`,
    requirements: refusedRoles.map((role) => accessRequirement(endpoint, role)),
    needs: { parties: [partyOfRole[first]] },
    async run(t) {
      const wrong = refusedRoles.flatMap((role) => partiesOfRole(t, role));
      for (const query of await narrowedQueries(t, partyOfRole[first], endpoint)) {
        for (const by of [partyOfRole[first], ...wrong]) {
          await t.party(by).call(endpoint, { query });
        }
      }
    },
  };
};

/** 4.2: the stream of orders is not for makers, not even limited to an order that they have quoted. */
const limitedStream: Check = {
  id: 'access.narrowed.order.events',
  title: 'A market maker cannot open the order stream, limited to an order that it has quoted.',
  requirements: ['access.order.events.market-maker-refused'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const { intentId } = order;
    await quote(t, 'maker_a', order);
    for (const by of ['sender', ...partiesOfRole(t, 'market-maker')] as const) {
      const stream = await t.party(by).listen({ endpoint: 'order.events', intentId });
      if (stream.isOpen) await stream.close();
    }
  },
};

export const wrongRoleListChecks: readonly Check[] = [
  ...topLevelLists
    .filter((endpoint) => endpoints[endpoint].roles.length < roles.length)
    .map(checkOf),
  limitedStream,
];
