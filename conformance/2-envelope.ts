import type { Check } from '../src/suite/engine/check.ts';
import { createOrder, paramsOf, quote, settledOrder } from '../src/suite/actions/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { CastName } from '../src/spec/requirements/index.ts';
import { needsOf, waits } from './shared/waits.ts';

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

/** 2.1: every answer comes in an envelope with an id and a time of its own, and lists with their pagination. */
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
