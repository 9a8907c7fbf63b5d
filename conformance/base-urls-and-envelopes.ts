import type { Check } from '../src/suite/engine/check.ts';
import { assertAllowed } from '../src/suite/actions/refusal-assertions.ts';
import { fieldsOf } from '../src/protocol/answers.ts';
import { equalValues } from '../src/protocol/equality.ts';
import { createOrder, paramsOf } from '../src/suite/actions/orders.ts';
import { quote, settledOrder } from '../src/suite/actions/quotes.ts';
import {
  castNames,
  type CastName,
  cast,
  type GuardedEndpoint,
} from '../src/spec/requirements/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import { needsOf, waits } from './shared/waits.ts';
import type { Role } from '../src/spec/vocabulary.ts';

/** Preface: each party is reached at a base URL of its own, with paths relative to it and bodies of JSON. */
export const baseUrlChecks = castNames.map<Check>((by) => ({
  id: `base-url.${by}`,
  title: `Below the base URL of ${by} are the paths of the document, and what answers there is ${by}.`,
  requirements: ['base-url.paths-relative', 'body.json'],
  needs: { parties: [by] },
  async run(t) {
    const party = t.party(by);
    const who = await party.call('identity.read');
    const what = 'the first path of the document';
    if (!assertAllowed(t, 'base-url.paths-relative', who, what)) return;
    const named = fieldsOf(who)['party_id'];
    const isSame = named === undefined || equalValues('party_id', named, party.partyId);
    t.assert('base-url.paths-relative', isSame, {
      message: "Below one party's base URL another answered.",
      fields: ['party_id'],
      expected: party.partyId,
      actual: named,
      seen: [who],
    });
    await party.call('stats.read');
    await party.call(party.role === 'market-maker' ? 'quote.list' : 'order.list');
  },
}));

const ofOrders = ['order.list', 'order.read', 'order.quotes'] as const;
const ofQuotes = ['rfq.quotes', 'quote.list'] as const;
const ofAll = ['identity.read', 'stats.read'] as const;

interface Row {
  readonly id: 'open' | 'settled';
  readonly by: CastName;
  readonly maker: CastName;
  readonly endpoints: readonly EndpointName[];
}

const rows: readonly Row[] = [
  ...(['sender', 'sender_custodian', 'receiver_custodian'] as const).map(
    (by): Row => ({ id: 'open', by, maker: 'maker_a', endpoints: ofOrders }),
  ),
  ...(['maker_a', 'maker_c'] as const).map(
    (by): Row => ({
      id: 'open',
      by,
      maker: 'maker_a',
      endpoints: ['rfq.list', 'rfq.read', ...ofQuotes],
    }),
  ),
  ...(['sender', 'sender_custodian'] as const).map(
    (by): Row => ({ id: 'settled', by, maker: 'maker_b', endpoints: ofOrders }),
  ),
  {
    id: 'settled',
    by: 'maker_b',
    maker: 'maker_b',
    endpoints: ['settlement.list', 'settlement.read', ...ofQuotes],
  },
];

export const envelopeChecks = rows.map<Check>(({ id, by, maker, endpoints }) => ({
  id: `envelope.${id}.${by}`,
  title: `Each answer to ${by} about ${id === 'open' ? 'an open' : 'a settled'} order, asked for again later, is wrapped anew.`,
  requirements: [
    'meta.request-id.distinct',
    'envelope.pagination-on-lists',
    'envelope.pagination-on-lists-only',
  ],
  needs: needsOf(id === 'open' ? 12_000 : waits.settlement + 8_000, 'sender', maker, by),
  async run(t) {
    const order = id === 'open' ? await createOrder(t) : (await settledOrder(t, { maker })).order;
    if (id === 'open') await quote(t, maker, order);
    for (const pauseMs of [2_500, 2_500]) {
      await t.target.timeline.sleep(pauseMs);
      for (const endpoint of [...endpoints, ...ofAll]) {
        await t.party(by).call(endpoint, { params: paramsOf(order) });
      }
    }
  },
}));

/** Endpoints of each role that need no order, below the prefix that part 9 names. */
const places: Readonly<Record<Role, readonly GuardedEndpoint[]>> = {
  institution: ['identity.read', 'order.list'],
  custodian: ['identity.read', 'order.list'],
  'market-maker': ['identity.read', 'rfq.list', 'quote.list', 'settlement.list'],
};

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
