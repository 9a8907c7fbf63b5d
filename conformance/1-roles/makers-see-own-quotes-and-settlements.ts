import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  firstAndLastPage,
  type PlacedOrder,
  type PlacedQuote,
  quote,
} from '../../src/suite/actions/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { sendForbidden, servedRequirement } from '../shared/forbidden-requests.ts';
import { partiesOfRole, settlementWaitMs, untilSettled } from '../shared/endpoint-operations.ts';
import { needsOf } from '../shared/waits.ts';

type Options = Parameters<typeof firstAndLastPage>[3];

/** Reads the part of a maker's list where a new item would appear. The rules judge its content. */
const look = (t: CheckContext, by: CastName, endpoint: EndpointName, options: Options = {}) =>
  firstAndLastPage(t, t.party(by), endpoint, options);

/** Every maker reads its quotes: under the request, over all requests, and filtered by state. */
async function readOwnQuotes(
  t: CheckContext,
  { intentId }: PlacedOrder,
  states: readonly string[],
): Promise<void> {
  for (const by of partiesOfRole(t, 'market-maker')) {
    await look(t, by, 'rfq.quotes', { params: { intent_id: intentId } });
    await look(t, by, 'quote.list');
    for (const status of states) await look(t, by, 'quote.list', { query: { status } });
  }
}

const accepters = ['sender', 'sender_custodian'] as const;

/** 4.4: a maker lists its own quotes, and no other maker's. */
const ownQuotes = accepters.map<Check>((accepter) => ({
  id: `access.makers.own-quotes.${accepter}`,
  title: `Makers that quoted the same request find their own quotes only, before and after ${accepter} accepts one.`,
  requirements: ['rfq.quotes.own-only', 'quote.list.own-only'],
  needs: { parties: ['sender', 'maker_a', 'maker_b', accepter] },
  async run(t) {
    const order = await createOrder(t);
    const quotes: PlacedQuote[] = [];
    for (const maker of partiesOfRole(t, 'market-maker')) {
      quotes.push(await quote(t, maker, order));
    }
    await readOwnQuotes(t, order, ['PENDING']);
    const winner = quotes.at(accepter === 'sender' ? 0 : 1);
    if (!winner) return;
    await accept(t, order, winner, accepter);
    await readOwnQuotes(t, order, ['ACCEPTED', 'REJECTED']);
  },
}));

/** 4.4: a maker that has not quoted a request finds no quotes under it. */
const bystander: Check = {
  id: 'access.makers.bystander',
  title: 'A maker that quoted another request finds no quotes under one that it did not quote.',
  requirements: ['rfq.quotes.own-only', 'quote.list.own-only'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'] },
  async run(t) {
    const [one, other] = [await createOrder(t), await createOrder(t)];
    await quote(t, 'maker_a', one);
    await quote(t, 'maker_b', other);
    for (const order of [one, other]) await readOwnQuotes(t, order, []);
  },
};

/** 4.4: a maker reads and lists the settlements of the trades that it won, and no others. */
const ownSettlements = accepters.map<Check>((accepter) => ({
  id: `access.makers.settlements.${accepter}`,
  title: `Of two trades that ${accepter} made with two makers, each reads and lists the one it won.`,
  requirements: [
    'settlement.read.foreign-maker-refused',
    'settlement.list.won-only',
    'access.settlement.read.market-maker-allowed',
    servedRequirement,
  ],
  needs: needsOf(settlementWaitMs, 'sender', 'maker_a', 'maker_b', accepter),
  async run(t) {
    const makers = partiesOfRole(t, 'market-maker');
    const trades: { readonly order: PlacedOrder; readonly winner: CastName }[] = [];
    for (const winner of ['maker_a', 'maker_b'] as const) {
      const order = await createOrder(t);
      await quote(t, winner === 'maker_a' ? 'maker_b' : 'maker_a', order);
      await accept(t, order, await quote(t, winner, order), accepter);
      trades.push({ order, winner });
    }
    for (const { order } of trades) await untilSettled(t, order);
    for (const { order, winner } of trades) {
      const losers = makers.filter((maker) => maker !== winner);
      const endpoint = 'settlement.read';
      await sendForbidden(
        t,
        { order },
        losers.map((by) => ({ by, endpoint })),
        [{ by: winner, endpoint }],
      );
    }
    for (const maker of makers) await look(t, maker, 'settlement.list');
  },
}));

export const makerPrivacyChecks: readonly Check[] = [...ownQuotes, bystander, ...ownSettlements];
