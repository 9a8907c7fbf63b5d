import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  firstAndLastPage,
  type Fields,
  findInList,
  matchesOrder,
  matchesQuote,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { assertForbidden } from '../shared/forbidden-requests.ts';
import { partiesOfRole, settlementWaitMs, untilSettled } from '../shared/endpoint-operations.ts';

interface Search {
  readonly by: CastName;
  readonly endpoint: EndpointName;
  readonly requirement: RequirementId;
  readonly match: (item: Fields) => boolean;
  readonly query?: Readonly<Record<string, string>>;
  readonly params?: { readonly intent_id: string };
}

/** Judges that something of another maker is nowhere where a new item would stand. */
async function assertAbsent(t: CheckContext, search: Search): Promise<void> {
  const { by, endpoint, requirement, match, ...list } = search;
  const { items, pages } = await firstAndLastPage(t, t.party(by), endpoint, list);
  const found = items.find(match);
  if (!found && !pages.every(succeeded)) return;
  t.assert(requirement, !found, {
    message: `A list of ${by} held what is another maker's.`,
    expected: 'nothing of others',
    actual: found,
    seen: pages,
  });
}

/** The positive beside it: one's own is found; else the other's absence shows nothing of who may see it. */
async function mustFind(t: CheckContext, search: Search): Promise<void> {
  const { by, endpoint, match, ...list } = search;
  const found = await findInList(t, t.party(by), endpoint, match, list);
  if (!found.item) t.notExercised(`${by} did not find its own in ${endpoint}`, found.pages);
}

/** Each maker's own quote is in its lists, and no other maker's is. */
async function assertOwnQuotes(
  t: CheckContext,
  order: PlacedOrder,
  quotes: readonly PlacedQuote[],
  stateOf: (quote: PlacedQuote) => string,
): Promise<void> {
  const params = { intent_id: order.intentId };
  for (const own of quotes) {
    const by = own.maker;
    const others = (item: Fields): boolean =>
      quotes.some((each) => each !== own && matchesQuote(each)(item));
    const under = {
      by,
      endpoint: 'rfq.quotes',
      requirement: 'rfq.quotes.own-only',
      params,
    } as const;
    await assertAbsent(t, { ...under, match: others });
    const all = { by, endpoint: 'quote.list', requirement: 'quote.list.own-only' } as const;
    await mustFind(t, { ...all, match: matchesQuote(own) });
    await assertAbsent(t, { ...all, match: others });
    const states = new Set(quotes.map(stateOf));
    for (const status of states) {
      await assertAbsent(t, { ...all, match: others, query: { status } });
    }
  }
}

const quoting = (['sender', 'sender_custodian'] as const).map((accepter) =>
  defineCheck({
    id: `access.makers.own-quotes.${accepter}`,
    title: `Rivals on one request find their own quote and nobody else's, before and after ${accepter} selects one.`,
    requirements: ['rfq.quotes.own-only', 'quote.list.own-only'],
    needs: { parties: [...new Set(['sender', 'maker_a', 'maker_b', accepter] as const)] },
    async run(t) {
      const order = await createOrder(t);
      const quotes: PlacedQuote[] = [];
      for (const maker of partiesOfRole(t, 'market-maker')) {
        quotes.push(await quote(t, maker, order));
      }
      await assertOwnQuotes(t, order, quotes, () => 'PENDING');
      const winner = quotes.at(accepter === 'sender' ? 0 : 1);
      if (!winner) return;
      await accept(t, order, winner, accepter);
      await assertOwnQuotes(t, order, quotes, (each) =>
        each === winner ? 'ACCEPTED' : 'REJECTED',
      );
    },
  }),
);

/** A maker that has not quoted, beside one that has. */
const bystander = defineCheck({
  id: 'access.makers.bystander',
  title:
    'A maker that quoted only another request finds no quote under the one that a rival quoted.',
  requirements: ['rfq.quotes.own-only', 'quote.list.own-only'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'] },
  async run(t) {
    const [one, other] = [await createOrder(t), await createOrder(t)];
    const first = await quote(t, 'maker_a', one);
    const second = await quote(t, 'maker_b', other);
    for (const [by, order, foreign] of [
      ['maker_b', one, first],
      ['maker_a', other, second],
    ] as const) {
      const match = matchesQuote(foreign);
      const params = { intent_id: order.intentId };
      await assertAbsent(t, {
        by,
        endpoint: 'rfq.quotes',
        requirement: 'rfq.quotes.own-only',
        match,
        params,
      });
      await assertAbsent(t, {
        by,
        endpoint: 'quote.list',
        requirement: 'quote.list.own-only',
        match,
      });
    }
  },
});

/** Two trades of two winners: each reads its own settlement, and neither the other's. */
const settling = (['sender', 'sender_custodian'] as const).map((accepter) =>
  defineCheck({
    id: `access.makers.settlements.${accepter}`,
    title: `Of two trades that ${accepter} made with two makers, each reads and lists the one it won.`,
    requirements: [
      'settlement.read.foreign-maker-refused',
      'settlement.list.won-only',
      'access.settlement.read.market-maker-allowed',
    ],
    needs: {
      parties: [...new Set(['sender', 'maker_a', 'maker_b', accepter] as const)],
      waitMs: settlementWaitMs,
    },
    async run(t) {
      const makers = partiesOfRole(t, 'market-maker');
      const trades: { readonly order: PlacedOrder; readonly winner: CastName }[] = [];
      for (const winner of ['maker_a', 'maker_b'] as const) {
        const order = await createOrder(t);
        const rival = winner === 'maker_a' ? 'maker_b' : 'maker_a';
        await quote(t, rival, order);
        const won = await quote(t, winner, order);
        await accept(t, order, won, accepter);
        trades.push({ order, winner });
      }
      for (const { order } of trades) await untilSettled(t, order);
      for (const { order, winner } of trades) {
        const losers = makers.filter((maker) => maker !== winner);
        await assertForbidden(
          t,
          { order },
          losers.map((by) => ({
            by,
            endpoint: 'settlement.read',
            requirement: 'settlement.read.foreign-maker-refused',
            what: `${by}, which did not win the trade`,
          })),
          [
            {
              by: winner,
              endpoint: 'settlement.read',
              requirements: ['access.settlement.read.market-maker-allowed'],
            },
          ],
        );
        const list = {
          endpoint: 'settlement.list',
          requirement: 'settlement.list.won-only',
        } as const;
        await mustFind(t, { ...list, by: winner, match: matchesOrder(order) });
        for (const by of losers) await assertAbsent(t, { ...list, by, match: matchesOrder(order) });
      }
    },
  }),
);

export const makerPrivacyChecks: readonly Check[] = [...quoting, bystander, ...settling];
