import { type Check, defineCheck, type CheckContext } from '../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  isFields,
  paginationOf,
  paramsOf,
  type PlacedOrder,
  quote,
  succeeded,
  textOf,
} from '../src/suite/actions/index.ts';
import type { Exchange } from '../src/history/records.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { CastName } from '../src/spec/requirements/index.ts';
import { each } from './shared/check-table.ts';
import { settlementTimeoutMs, waits } from './shared/waits.ts';
import { terminalOrderStates } from '../src/spec/states.ts';

const ofOrders = ['order.list', 'order.read', 'order.quotes'] as const;
const ofRequests = ['rfq.list', 'rfq.read', 'rfq.quotes', 'quote.list'] as const;
const ofSettlements = ['settlement.list', 'settlement.read', 'rfq.quotes', 'quote.list'] as const;
const ofAll = ['identity.read', 'stats.read'] as const;

const metaOf = (exchange: Exchange): unknown => {
  const body = exchange.response?.body;
  return isFields(body) ? body['meta'] : undefined;
};

/** Asks for the same again and again: each answer is one of its own, told by its id and its moment. */
async function assertFreshAnswers(
  t: CheckContext,
  by: CastName,
  endpoints: readonly EndpointName[],
  order: PlacedOrder,
): Promise<void> {
  const party = t.party(by);
  const ids = new Map<string, Exchange>();
  for (let round = 0; round < 2; round += 1) {
    for (const endpoint of endpoints) {
      const exchange = await party.call(endpoint, { params: paramsOf(order) });
      if (!succeeded(exchange)) continue;
      const id = textOf(metaOf(exchange), 'request_id');
      const before = id === undefined ? undefined : ids.get(id);
      t.assert('meta.request-id.distinct', before === undefined, {
        message: 'Two answers had the same meta.request_id.',
        actual: id,
        seen: [...(before ? [before] : []), exchange],
      });
      if (id !== undefined) ids.set(id, exchange);
      assertPaginationForm(t, endpoint, exchange);
    }
    await t.target.timeline.sleep(2_500);
  }
}

const lists: readonly string[] = [
  'order.list',
  'order.quotes',
  'rfq.list',
  'rfq.quotes',
  'quote.list',
  'settlement.list',
];

function assertPaginationForm(t: CheckContext, endpoint: EndpointName, exchange: Exchange): void {
  const body = exchange.response?.body;
  const pagination = isFields(body) ? body['pagination'] : undefined;
  if (lists.includes(endpoint)) {
    t.assert('envelope.pagination-on-lists', paginationOf(exchange) !== undefined, {
      message: `${endpoint} answered without the four integers of its pagination.`,
      actual: pagination ?? null,
      seen: [exchange],
    });
    return;
  }
  const none = pagination === undefined || pagination === null;
  t.assert('envelope.pagination-on-lists-only', none, {
    message: `${endpoint} answered no list, and yet pagination.`,
    actual: pagination,
    seen: [exchange],
  });
}

const requirements = [
  'meta.request-id.distinct',
  'envelope.pagination-on-lists',
  'envelope.pagination-on-lists-only',
] as const;

/** An order that is left open, asked after by everybody some seconds later: no answer may be one of before. */
const open = each(
  [
    { by: 'sender', endpoints: [...ofOrders, ...ofAll] },
    { by: 'sender_custodian', endpoints: [...ofOrders, ...ofAll] },
    { by: 'receiver_custodian', endpoints: [...ofOrders, ...ofAll] },
    { by: 'maker_a', endpoints: [...ofRequests, ...ofAll] },
    { by: 'maker_c', endpoints: [...ofRequests, ...ofAll] },
  ] as const,
  ({ by, endpoints }) =>
    defineCheck({
      id: `envelope.open.${by}`,
      title: `Each answer to ${by} about an open order, asked for again later, is wrapped anew.`,
      requirements,
      needs: { parties: [...new Set<CastName>(['sender', 'maker_a', by])], waitMs: 12_000 },
      async run(t) {
        const order = await createOrder(t);
        await quote(t, 'maker_a', order);
        await t.target.timeline.sleep(3_000);
        await assertFreshAnswers(t, by, endpoints, order);
      },
    }),
);

const settled = each(
  [
    { by: 'sender', endpoints: [...ofOrders, ...ofAll] },
    { by: 'sender_custodian', endpoints: [...ofOrders, ...ofAll] },
    { by: 'maker_b', endpoints: [...ofSettlements, ...ofAll] },
  ] as const,
  ({ by, endpoints }) =>
    defineCheck({
      id: `envelope.settled.${by}`,
      title: `Each answer to ${by} about a settled order, asked for again later, is wrapped anew.`,
      requirements,
      needs: {
        parties: [...new Set<CastName>(['sender', 'maker_b', by])],
        waitMs: waits.settlement + 8_000,
      },
      async run(t) {
        const order = await createOrder(t);
        await accept(t, order, await quote(t, 'maker_b', order));
        await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
        await t.target.timeline.sleep(2_000);
        await assertFreshAnswers(t, by, endpoints, order);
      },
    }),
);

export const envelopeChecks: readonly Check[] = [...open, ...settled];
