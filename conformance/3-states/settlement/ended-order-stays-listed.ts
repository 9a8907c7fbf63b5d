import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  assertAllowed,
  awaitStatus,
  createOrder,
  disturbedOrder,
  type Fields,
  fieldsOf,
  findInList,
  retryWhileRefused,
  matchesOrder,
  matchesQuote,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  textOf,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { CastName, ControlName, RequirementId } from '../../../src/spec/requirements/index.ts';
import type { OrderState } from '../../../src/spec/vocabulary.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { assertReaches } from '../../shared/order-assertions.ts';
import {
  cancelOrder,
  each,
  viewLagMs,
  settlementTimeoutMs,
  settlementWindowMs,
  expiryLagMs,
  terminalStates,
  unsettledStates,
  waits,
} from '../../shared/order-calls.ts';

/** However an order ends, it stays where it can be found, with its quotes, for everybody who could find it before. */

const ofQuotes = [
  'order.quotes.complete',
  'order.quotes.custodian-sees-same',
  'quote.list.complete',
] as const satisfies readonly RequirementId[];

const parties = ['sender', 'sender_custodian', 'receiver_custodian', 'maker_a', 'maker_b'] as const;

type Told = Pick<PlacedQuote, 'quoteId' | 'maker'>;

interface Fixture {
  readonly order: PlacedOrder;
  readonly quotes: readonly Told[];
}

/** Creates the order of an end, with the control that the end takes, where it takes one. */
type Place = (meanwhile?: (order: PlacedOrder) => Promise<unknown>) => Promise<PlacedOrder>;

const placing =
  (t: CheckContext, control?: ControlName): Place =>
  (meanwhile) =>
    control ? disturbedOrder(t, control, {}, meanwhile) : createOrder(t);

interface End {
  readonly id: string;
  /** As in "an order that ...". */
  readonly what: string;
  readonly states: readonly OrderState[];
  readonly control?: ControlName;
  readonly waitMs: number;
  readonly withinMs: number;
  readonly lay: (t: CheckContext, place: Place) => Promise<Fixture>;
}

async function layQuoted(t: CheckContext, place: Place): Promise<Fixture> {
  const order = await place();
  const placed = await quote(t, 'maker_a', order);
  return { order, quotes: [placed, await quote(t, 'maker_b', order)] };
}

async function layAccepted(t: CheckContext, place: Place, by?: CastName): Promise<Fixture> {
  const fixture = await layQuoted(t, place);
  const [placed] = fixture.quotes;
  if (placed) await accept(t, fixture.order, placed, by);
  return fixture;
}

const ends: readonly End[] = [
  {
    id: 'cancelled-with-quotes',
    what: 'was cancelled with quotes on it',
    states: unsettledStates,
    waitMs: 4_000,
    withinMs: 5_000,
    async lay(t, place) {
      const fixture = await layQuoted(t, place);
      await cancelOrder(t, fixture.order);
      return fixture;
    },
  },
  {
    id: 'expired-with-quotes',
    what: 'expired with quotes on it',
    states: ['EXPIRED'],
    waitMs: waits.orderExpiry,
    withinMs: 5_000,
    async lay(t, place) {
      const fixture = await layQuoted(t, place);
      await untilExpired(t, fixture.order, expiryLagMs);
      return fixture;
    },
  },
  {
    id: 'settled-beyond-its-deadline',
    what: 'settled, and whose deadline has passed since',
    states: ['SETTLED'],
    waitMs: waits.orderExpiry,
    withinMs: settlementTimeoutMs,
    async lay(t, place) {
      const fixture = await layAccepted(t, place, 'sender_custodian');
      await untilExpired(t, fixture.order, expiryLagMs);
      return fixture;
    },
  },
  {
    id: 'reverted',
    what: 'failed because its settlement did',
    states: ['FAILED'],
    control: 'fail_settlement',
    waitMs: waits.settlement,
    withinMs: settlementTimeoutMs,
    lay: (t, place) => layAccepted(t, place),
  },
  {
    id: 'stalled',
    what: 'ended because its settlement took too long',
    states: unsettledStates,
    control: 'stall_settlement',
    waitMs: settlementWindowMs + waits.settlement,
    withinMs: settlementWindowMs,
    lay: (t, place) => layAccepted(t, place),
  },
  {
    id: 'invalid',
    what: 'failed its validation',
    states: ['FAILED'],
    control: 'fail_validation',
    waitMs: waits.settlement,
    withinMs: settlementTimeoutMs,
    lay: async (_, place) => ({ order: await place(), quotes: [] }),
  },
  {
    id: 'withdrawn-with-quotes',
    what: 'the operator withdrew with quotes on it',
    states: unsettledStates,
    control: 'withdraw_order',
    waitMs: waits.settlement,
    withinMs: settlementTimeoutMs,
    async lay(t, place) {
      const quotes: Told[] = [];
      const order = await place(async (placed) => {
        // Where it is withdrawn soon by itself, it may be too late for some.
        for (const maker of ['maker_a', 'maker_b'] as const) {
          const options = { params: paramsOf(placed), body: quoteBody(t, placed) };
          const taken = await t.party(maker).call('quote.submit', options);
          const quoteId = textOf(fieldsOf(taken), 'quote_id');
          if (quoteId !== undefined) quotes.push({ quoteId, maker });
        }
      });
      return { order, quotes };
    },
  },
];

const readers = [
  ['sender', 'access.order.read.institution-allowed'],
  ['sender_custodian', 'access.order.read.custodian-allowed'],
  ['receiver_custodian', 'order.read.by-receiver-custodian'],
] as const satisfies readonly (readonly [CastName, RequirementId])[];

const lists = [
  ['sender', 'order.list.complete'],
  ['sender_custodian', 'order.list.sender-custodian-included'],
] as const satisfies readonly (readonly [CastName, RequirementId])[];

/** Judges that an item is on a list of a party, once whoever looks can have caught up. */
async function assertListed(
  t: CheckContext,
  by: CastName,
  [endpoint, requirement]: readonly ['order.list' | 'order.quotes' | 'quote.list', RequirementId],
  isIt: (item: Fields) => boolean,
  what: string,
  under?: PlacedOrder,
): Promise<void> {
  const list = under ? { params: paramsOf(under) } : {};
  const search = () => findInList(t, t.party(by), endpoint, isIt, list);
  let found = await search();
  if (found.ended === 'whole' && !found.item) {
    await t.target.timeline.sleep(viewLagMs);
    found = await search();
  }
  if (!found.item && found.ended !== 'whole') return;
  t.assert(requirement, found.item !== undefined, {
    message: `${endpoint} of ${by} left out ${what}.`,
    seen: found.pages.slice(-3),
  });
}

/** Judges that the quotes of an order are shown to one of its side, once whoever looks can have caught up. */
async function assertQuotesShown(
  t: CheckContext,
  by: CastName,
  { order, quotes }: Fixture,
  what: string,
): Promise<void> {
  const requirement =
    by === 'sender' ? 'order.quotes.complete' : 'order.quotes.custodian-sees-same';
  const plain = await quotesOf(t, order, by);
  const asking = `${by}, asking for the quotes of an order that ${what}`;
  // Whether it may ask at all, the rules look at.
  if (quotes.length === 0) return;
  if (!assertAllowed(t, requirement, plain.exchange, asking)) return;
  for (const placed of quotes) {
    const list = ['order.quotes', requirement] as const;
    await assertListed(
      t,
      by,
      list,
      matchesQuote(placed),
      `a quote of an order that ${what}`,
      order,
    );
  }
}

async function assertShown(t: CheckContext, fixture: Fixture, what: string): Promise<void> {
  const { order, quotes } = fixture;
  for (const [by, requirement] of lists) {
    const list = ['order.list', requirement] as const;
    await assertListed(t, by, list, matchesOrder(order), `an order that ${what}`);
    await assertQuotesShown(t, by, fixture, what);
  }
  for (const placed of quotes) {
    const { maker } = placed;
    const list = ['quote.list', 'quote.list.complete'] as const;
    await assertListed(t, maker, list, matchesQuote(placed), `a quote on an order that ${what}`);
    // Whether a maker may still ask there is open (gap `rfq.detail`); the rules look at what it is told.
    for (const endpoint of ['rfq.quotes', 'rfq.read'] as const) {
      await t.party(maker).call(endpoint, { params: paramsOf(order) });
    }
  }
}

/** The trade that was won stays to be read. */
async function assertTrade(t: CheckContext, { order, quotes: [won] }: Fixture): Promise<void> {
  if (!won) return;
  const read = await t.party(won.maker).call('settlement.read', { params: paramsOf(order) });
  assertAllowed(
    t,
    'settlement.read.returns-that-settlement',
    read,
    'a settlement of some time ago',
  );
}

export const endedOrderChecks: readonly Check[] = each(ends, (end) =>
  defineCheck({
    id: `order.ends.${end.id}`,
    title: `An order that ${end.what} is read and listed on, with its quotes, by all of its side, and so are its makers' quotes.`,
    requirements: [
      'order.state.views-agree',
      ...readers.map(([, requirement]) => requirement),
      ...lists.map(([, requirement]) => requirement),
      ...(end.id === 'invalid' ? [] : ofQuotes),
      ...(end.states.includes('SETTLED')
        ? (['settlement.read.returns-that-settlement'] as const)
        : []),
    ],
    needs: {
      parties,
      ...(end.control && { controls: [end.control] }),
      waitMs: end.waitMs,
    },
    async run(t) {
      const fixture = await end.lay(t, placing(t, end.control));
      const { order } = fixture;
      const ended = await awaitStatus(t, order, terminalStates, end.withinMs);
      if (!ended || !end.states.includes(ended.status)) {
        const wanted = `${end.states.join(' or ')} within ${end.withinMs / 1_000} s`;
        return t.notExercised(
          `the order did not become ${wanted}, but ${ended?.status ?? 'nothing'}`,
          ended ? [ended.exchange] : [],
        );
      }
      await assertShown(t, fixture, end.what);
      if (ended.status === 'SETTLED') await assertTrade(t, fixture);
      for (const [by, requirement] of readers) {
        const party = t.party(by);
        // An order that ends soon may not have come to everybody by then (gap `views.lag`).
        const read = await retryWhileRefused(t, () =>
          party.call('order.read', { params: paramsOf(order) }),
        );
        if (!assertAllowed(t, requirement, read, `${by}, reading an order that ${end.what}`))
          continue;
        const [when, agree] = [`as ${by} reads it`, 'order.state.views-agree'] as const;
        await assertReaches(t, agree, order, [ended.status], viewLagMs, when, by);
      }
      return undefined;
    },
  }),
);
