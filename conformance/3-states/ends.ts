import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  allowed,
  awaitStatus,
  createOrder,
  disturbedOrder,
  type Fields,
  fieldsOf,
  findInList,
  insist,
  isOrder,
  isQuote,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  textOf,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { CastName, ControlName, RequirementId } from '../../src/spec/requirements/index.ts';
import type { OrderState } from '../../src/spec/words.ts';
import { quotesOf } from './quotes-seen.ts';
import { mustReach } from './verdicts.ts';
import {
  cancelling,
  each,
  lagMs,
  settlementPatienceMs,
  settlementWindowMs,
  sweepMs,
  terminal,
  unsettled,
  waits,
} from './words.ts';

/** However an order ends, it stays where it can be found, with its quotes, for everybody who could find it before. */

const ofQuotes = [
  'order.quotes.complete',
  'order.quotes.custodian-sees-same',
  'quote.list.complete',
] as const satisfies readonly RequirementId[];

const parties = ['sender', 'sender_custodian', 'receiver_custodian', 'maker_a', 'maker_b'] as const;

type Told = Pick<PlacedQuote, 'quoteId' | 'maker'>;

interface Ground {
  readonly order: PlacedOrder;
  readonly quotes: readonly Told[];
}

/** Creates the order of an end, with the control that the end takes, where it takes one. */
type Place = (meanwhile?: (order: PlacedOrder) => Promise<unknown>) => Promise<PlacedOrder>;

const placing =
  (trial: Trial, control?: ControlName): Place =>
  (meanwhile) =>
    control ? disturbedOrder(trial, control, {}, meanwhile) : createOrder(trial);

interface End {
  readonly id: string;
  /** As in "an order that ...". */
  readonly what: string;
  readonly states: readonly OrderState[];
  readonly control?: ControlName;
  readonly waitMs: number;
  readonly withinMs: number;
  readonly lay: (trial: Trial, place: Place) => Promise<Ground>;
}

async function layQuoted(trial: Trial, place: Place): Promise<Ground> {
  const order = await place();
  const placed = await quote(trial, 'maker_a', order);
  return { order, quotes: [placed, await quote(trial, 'maker_b', order)] };
}

async function layAccepted(trial: Trial, place: Place, by?: CastName): Promise<Ground> {
  const ground = await layQuoted(trial, place);
  const [placed] = ground.quotes;
  if (placed) await accept(trial, ground.order, placed, by);
  return ground;
}

const ends: readonly End[] = [
  {
    id: 'cancelled-with-quotes',
    what: 'was cancelled with quotes on it',
    states: unsettled,
    waitMs: 4_000,
    withinMs: 5_000,
    async lay(trial, place) {
      const ground = await layQuoted(trial, place);
      await cancelling(trial, ground.order);
      return ground;
    },
  },
  {
    id: 'expired-with-quotes',
    what: 'expired with quotes on it',
    states: ['EXPIRED'],
    waitMs: waits.orderExpiry,
    withinMs: 5_000,
    async lay(trial, place) {
      const ground = await layQuoted(trial, place);
      await untilExpired(trial, ground.order, sweepMs);
      return ground;
    },
  },
  {
    id: 'settled-beyond-its-deadline',
    what: 'settled, and whose deadline has passed since',
    states: ['SETTLED'],
    waitMs: waits.orderExpiry,
    withinMs: settlementPatienceMs,
    async lay(trial, place) {
      const ground = await layAccepted(trial, place, 'sender_custodian');
      await untilExpired(trial, ground.order, sweepMs);
      return ground;
    },
  },
  {
    id: 'reverted',
    what: 'failed because its settlement did',
    states: ['FAILED'],
    control: 'fail_settlement',
    waitMs: waits.settlement,
    withinMs: settlementPatienceMs,
    lay: (trial, place) => layAccepted(trial, place),
  },
  {
    id: 'stalled',
    what: 'ended because its settlement took too long',
    states: unsettled,
    control: 'stall_settlement',
    waitMs: settlementWindowMs + waits.settlement,
    withinMs: settlementWindowMs,
    lay: (trial, place) => layAccepted(trial, place),
  },
  {
    id: 'invalid',
    what: 'failed its validation',
    states: ['FAILED'],
    control: 'fail_validation',
    waitMs: waits.settlement,
    withinMs: settlementPatienceMs,
    lay: async (_, place) => ({ order: await place(), quotes: [] }),
  },
  {
    id: 'withdrawn-with-quotes',
    what: 'the operator withdrew with quotes on it',
    states: unsettled,
    control: 'withdraw_order',
    waitMs: waits.settlement,
    withinMs: settlementPatienceMs,
    async lay(trial, place) {
      const quotes: Told[] = [];
      const order = await place(async (placed) => {
        // Where it is withdrawn soon by itself, it may be too late for some.
        for (const maker of ['maker_a', 'maker_b'] as const) {
          const options = { params: paramsOf(placed), body: quoteBody(trial, placed) };
          const taken = await trial.party(maker).call('quote.submit', options);
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
async function judgeListed(
  trial: Trial,
  by: CastName,
  [endpoint, requirement]: readonly ['order.list' | 'order.quotes' | 'quote.list', RequirementId],
  isIt: (item: Fields) => boolean,
  what: string,
  under?: PlacedOrder,
): Promise<void> {
  const list = under ? { params: paramsOf(under) } : {};
  const search = () => findInList(trial, trial.party(by), endpoint, isIt, list);
  let found = await search();
  if (found.ended === 'whole' && !found.item) {
    await trial.target.timeline.sleep(lagMs);
    found = await search();
  }
  if (!found.item && found.ended !== 'whole') return;
  trial.judge(requirement, found.item !== undefined, {
    message: `${endpoint} of ${by} left out ${what}.`,
    seen: found.pages.slice(-3),
  });
}

/** Judges that the quotes of an order are shown to one of its side, once whoever looks can have caught up. */
async function judgeQuotesShown(
  trial: Trial,
  by: CastName,
  { order, quotes }: Ground,
  what: string,
): Promise<void> {
  const requirement =
    by === 'sender' ? 'order.quotes.complete' : 'order.quotes.custodian-sees-same';
  const plain = await quotesOf(trial, order, by);
  const asking = `${by}, asking for the quotes of an order that ${what}`;
  // Whether it may ask at all, the rules look at.
  if (quotes.length === 0) return;
  if (!allowed(trial, requirement, plain.exchange, asking)) return;
  for (const placed of quotes) {
    const list = ['order.quotes', requirement] as const;
    await judgeListed(trial, by, list, isQuote(placed), `a quote of an order that ${what}`, order);
  }
}

async function judgeShown(trial: Trial, ground: Ground, what: string): Promise<void> {
  const { order, quotes } = ground;
  for (const [by, requirement] of lists) {
    const list = ['order.list', requirement] as const;
    await judgeListed(trial, by, list, isOrder(order), `an order that ${what}`);
    await judgeQuotesShown(trial, by, ground, what);
  }
  for (const placed of quotes) {
    const { maker } = placed;
    const list = ['quote.list', 'quote.list.complete'] as const;
    await judgeListed(trial, maker, list, isQuote(placed), `a quote on an order that ${what}`);
    // Whether a maker may still ask there is open (gap `rfq.detail`); the rules look at what it is told.
    for (const endpoint of ['rfq.quotes', 'rfq.read'] as const) {
      await trial.party(maker).call(endpoint, { params: paramsOf(order) });
    }
  }
}

/** The trade that was won stays to be read. */
async function judgeTrade(trial: Trial, { order, quotes: [won] }: Ground): Promise<void> {
  if (!won) return;
  const read = await trial.party(won.maker).call('settlement.read', { params: paramsOf(order) });
  allowed(trial, 'settlement.read.returns-that-settlement', read, 'a settlement of some time ago');
}

export const endChecks: readonly Check[] = each(ends, (end) =>
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
    async run(trial) {
      const ground = await end.lay(trial, placing(trial, end.control));
      const { order } = ground;
      const ended = await awaitStatus(trial, order, terminal, end.withinMs);
      if (!ended || !end.states.includes(ended.status)) {
        const wanted = `${end.states.join(' or ')} within ${end.withinMs / 1_000} s`;
        return trial.giveUp(
          `the order did not become ${wanted}, but ${ended?.status ?? 'nothing'}`,
          ended ? [ended.exchange] : [],
        );
      }
      await judgeShown(trial, ground, end.what);
      if (ended.status === 'SETTLED') await judgeTrade(trial, ground);
      for (const [by, requirement] of readers) {
        const party = trial.party(by);
        // An order that ends soon may not have come to everybody by then (gap `views.lag`).
        const read = await insist(trial, () =>
          party.call('order.read', { params: paramsOf(order) }),
        );
        if (!allowed(trial, requirement, read, `${by}, reading an order that ${end.what}`))
          continue;
        const [when, agree] = [`as ${by} reads it`, 'order.state.views-agree'] as const;
        await mustReach(trial, agree, order, [ended.status], lagMs, when, by);
      }
      return undefined;
    },
  }),
);
