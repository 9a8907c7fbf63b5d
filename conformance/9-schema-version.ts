import type { Check } from '../src/suite/engine/check.ts';
import { assertAllowed } from '../src/suite/actions/index.ts';
import { cast, castNames, type GuardedEndpoint } from '../src/spec/requirements/index.ts';
import type { Role } from '../src/spec/vocabulary.ts';

/** Endpoints of each role that need no order, below the prefix that part 9 names. */
const places: Readonly<Record<Role, readonly GuardedEndpoint[]>> = {
  institution: ['identity.read', 'order.list'],
  custodian: ['identity.read', 'order.list'],
  'market-maker': ['identity.read', 'rfq.list', 'quote.list', 'settlement.list'],
};

/** 9: business endpoints are below /api/v1, and whoami pins the schema version at v2. */
export const schemaVersionChecks = castNames.map<Check>((by) => ({
  id: `version.${by}`,
  title: `The backend of ${by} pins its schema version at v2, and its business endpoints are below /api/v1.`,
  requirements: ['version.schema-pinned', 'version.prefix'],
  needs: { parties: [by] },
  async run(t) {
    for (const endpoint of places[cast[by]]) {
      const exchange = await t.party(by).call(endpoint);
      assertAllowed(t, 'version.prefix', exchange, `${endpoint} below the prefix`);
    }
  },
}));
