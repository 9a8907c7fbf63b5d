import type { CallOptions } from '../../src/client/contract.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  dataOf,
  fieldsOf,
  itemsOf,
  paginationOf,
  paramsOf,
  type PlacedOrder,
  quote,
  sameId,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/history/records.ts';
import { ownQuotesOf } from '../shared/listed-quotes.ts';
import { untilViewsAgree } from '../shared/waits.ts';

const requirement = 'rfq.list.answers-nothing-of-senders';

/** Likely names of a filter by sender or its custodian: those of the order's own fields. */
const filters: readonly {
  readonly endpoint: EndpointName;
  readonly name: 'sender_party_id' | 'sender_custodian_party_id';
}[] = [
  { endpoint: 'rfq.list', name: 'sender_party_id' },
  { endpoint: 'rfq.list', name: 'sender_custodian_party_id' },
  { endpoint: 'quote.list', name: 'sender_party_id' },
  { endpoint: 'stats.read', name: 'sender_party_id' },
];

/** Part of an answer that a filter could change: the item count, which of the orders are listed, or the stats. */
function tellingPart(exchange: Exchange, orders: readonly PlacedOrder[]): string {
  if (!succeeded(exchange)) return 'refused';
  if (!Array.isArray(dataOf(exchange))) return JSON.stringify(fieldsOf(exchange));
  const items = itemsOf(exchange);
  const held = orders.map(({ intentId }) =>
    items.some((one) => sameId(one, 'intent_id', intentId)),
  );
  return `${paginationOf(exchange)?.total_items ?? items.length} items, ${held.map(Number).join('')}`;
}

/** Asks twice for each of the two ids: a value that changes by itself differs between the two times. */
async function assertSilent(
  t: CheckContext,
  { endpoint, name }: (typeof filters)[number],
  ids: readonly [string, string],
  orders: readonly PlacedOrder[],
): Promise<void> {
  const seen: Exchange[] = [];
  const ask = async (id: string): Promise<string> => {
    const options: CallOptions = { query: { [name]: id } };
    const exchange = await t.party('maker_a').call(endpoint, options);
    seen.push(exchange);
    return tellingPart(exchange, orders);
  };
  await t.exclusively(async () => {
    const [one, other] = [await ask(ids[0]), await ask(ids[1])];
    const isTold = one !== other && (await ask(ids[0])) === one && (await ask(ids[1])) === other;
    t.assert(requirement, !isTold, {
      message: `${endpoint} answered a market maker otherwise for one ${name} than for another`,
      must: { words: 'the same answer whoever is named' },
      actual: { one, other },
      seen,
    });
  });
}

/** 2.4: a request is anonymous: no field of it stands for its sender, and no query reveals the sender. */
const sendersAlike: Check = {
  id: 'access.makers.senders-indistinguishable',
  title:
    'Two institutions ask for the same in turns; a maker that reads, quotes and filters learns nothing of which request is whose.',
  requirements: ['rfq.senders-not-told-apart', requirement],
  needs: { parties: ['sender', 'outsider', 'maker_a'], waitMs: 4_000 },
  async run(t) {
    const keeper = t.target.parties.outsider_custodian && t.party('outsider_custodian').partyId;
    const kept = keeper === undefined ? {} : { sender_custodian_party_id: keeper };
    const orders: PlacedOrder[] = [];
    for (const by of ['sender', 'outsider', 'sender', 'outsider', 'sender'] as const) {
      const order = await createOrder(t, by === 'outsider' ? kept : {}, {
        by,
        terms: 'round',
      });
      orders.push(order);
      await quote(t, 'maker_a', order, { rate: '1' });
      if (orders.length < 4) continue;
      await ownQuotesOf(t, order, 'maker_a');
      await t.party('maker_a').call('rfq.read', { params: paramsOf(order) });
    }
    await untilViewsAgree(t);
    const idOf = (name: 'sender' | 'outsider'): string => t.party(name).partyId ?? name;
    const custodianOf = (one: PlacedOrder | undefined): string =>
      String(one?.sent['sender_custodian_party_id']);
    for (const filter of filters) {
      const ids: [string, string] =
        filter.name === 'sender_party_id'
          ? [idOf('sender'), idOf('outsider')]
          : [custodianOf(orders[0]), custodianOf(orders[1])];
      if (ids[0] !== ids[1]) await assertSilent(t, filter, ids, orders);
    }
  },
};

export const senderAlikeChecks: readonly Check[] = [sendersAlike];
