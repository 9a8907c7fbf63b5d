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
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  textOf,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import {
  accessRequirement,
  cast,
  type CastName,
  type ControlName,
  type RequirementId,
} from '../../src/spec/requirements/index.ts';
import type { OrderState } from '../../src/spec/words.ts';
import { quoteIn, quotesOf } from './quotes-seen.ts';
import { mustReach } from './verdicts.ts';
import {
  cancelling,
  each,
  lagMs,
  settlementPatienceMs,
  stateOf,
  sweepMs,
  terminal,
  unsettled,
  waits,
} from './words.ts';

/** However an order ends, it stays where it can be found, with its quotes, for everybody who could find it before. */

const observers = ['sender', 'sender_custodian', 'receiver_custodian'] as const;
const parties = [...observers, 'maker_a', 'maker_b'] as const;

type Told = Pick<PlacedQuote, 'quoteId' | 'maker'>;

interface Ground {
  readonly order: PlacedOrder;
  readonly quotes: readonly Told[];
}

interface End {
  readonly id: string;
  /** As in "an order that ...". */
  readonly what: string;
  readonly states: readonly OrderState[];
  readonly control?: ControlName;
  readonly waitMs: number;
  readonly withinMs: number;
  readonly lay: (trial: Trial) => Promise<Ground>;
}

async function quoted(trial: Trial, order: PlacedOrder): Promise<Ground> {
  const placed = await quote(trial, 'maker_a', order);
  return { order, quotes: [placed, await quote(trial, 'maker_b', order)] };
}

async function acceptedWith(trial: Trial, ground: Ground, by?: CastName): Promise<Ground> {
  const [placed] = ground.quotes;
  if (placed) await accept(trial, ground.order, placed, by);
  return ground;
}

const windowMs = 45_000;

const ends: readonly End[] = [
  {
    id: 'cancelled-with-quotes',
    what: 'was cancelled with quotes on it',
    states: unsettled,
    waitMs: 4_000,
    withinMs: 5_000,
    async lay(trial) {
      const ground = await quoted(trial, await createOrder(trial));
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
    async lay(trial) {
      const ground = await quoted(trial, await createOrder(trial));
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
    async lay(trial) {
      const order = await createOrder(trial);
      const ground = await acceptedWith(trial, await quoted(trial, order), 'sender_custodian');
      await untilExpired(trial, order, sweepMs);
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
    async lay(trial) {
      return acceptedWith(
        trial,
        await quoted(trial, await disturbedOrder(trial, 'fail_settlement')),
      );
    },
  },
  {
    id: 'stalled',
    what: 'ended because its settlement took too long',
    states: unsettled,
    control: 'stall_settlement',
    waitMs: windowMs + waits.settlement,
    withinMs: windowMs,
    async lay(trial) {
      return acceptedWith(
        trial,
        await quoted(trial, await disturbedOrder(trial, 'stall_settlement')),
      );
    },
  },
  {
    id: 'invalid',
    what: 'failed its validation',
    states: ['FAILED'],
    control: 'fail_validation',
    waitMs: waits.settlement,
    withinMs: settlementPatienceMs,
    lay: async (trial) => ({ order: await disturbedOrder(trial, 'fail_validation'), quotes: [] }),
  },
  {
    id: 'withdrawn-with-quotes',
    what: 'the operator withdrew with quotes on it',
    states: unsettled,
    control: 'withdraw_order',
    waitMs: waits.settlement,
    withinMs: settlementPatienceMs,
    async lay(trial) {
      const quotes: Told[] = [];
      const order = await disturbedOrder(trial, 'withdraw_order', {}, async (placed) => {
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

const readable = (by: CastName): RequirementId => accessRequirement('order.read', cast[by]);

const lists = [
  ['sender', 'order.list.complete'],
  ['sender_custodian', 'order.list.sender-custodian-included'],
] as const satisfies readonly (readonly [CastName, RequirementId])[];

/** Judges that an item is on a list of a party, once whoever looks can have caught up. */
async function judgeListed(
  trial: Trial,
  by: CastName,
  [endpoint, requirement]: readonly ['order.list' | 'quote.list', RequirementId],
  isIt: (item: Fields) => boolean,
  what: string,
): Promise<void> {
  const search = () => findInList(trial, trial.party(by), endpoint, isIt);
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

async function judgeShown(trial: Trial, { order, quotes }: Ground, what: string): Promise<void> {
  const isOrder = (item: Fields) =>
    textOf(item, 'intent_id')?.toLowerCase() === order.intentId.toLowerCase();
  for (const [by, requirement] of lists) {
    await judgeListed(trial, by, ['order.list', requirement], isOrder, `an order that ${what}`);
    const ofOrder = by === 'sender' ? 'order.quotes.complete' : 'order.quotes.custodian-sees-same';
    const { items, exchange } = await quotesOf(trial, order, by);
    if (!allowed(trial, ofOrder, exchange, `${by}, asking for the quotes of an order that ${what}`))
      continue;
    const missing = quotes.filter((one) => quoteIn(items, one) === undefined);
    trial.judge(ofOrder, missing.length === 0, {
      message: `${by} was not shown all quotes of an order that ${what}.`,
      expected: quotes.map(({ quoteId }) => quoteId),
      actual: items,
      seen: [exchange],
    });
  }
  for (const { maker, quoteId } of quotes) {
    const isQuote = (item: Fields) =>
      textOf(item, 'quote_id')?.toLowerCase() === quoteId.toLowerCase();
    const list = ['quote.list', 'quote.list.complete'] as const;
    await judgeListed(trial, maker, list, isQuote, `a quote on an order that ${what}`);
    // Whether a maker may still ask there is open (gap `rfq.detail`); where it may, the rules look at what it is shown.
    await trial.party(maker).call('rfq.quotes', { params: paramsOf(order) });
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
      readable('sender'),
      readable('sender_custodian'),
      ...lists.map(([, requirement]) => requirement),
      'order.quotes.complete',
      'order.quotes.custodian-sees-same',
      ...(end.id === 'invalid' ? [] : (['quote.list.complete'] as const)),
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
      const ground = await end.lay(trial);
      const { order } = ground;
      const ended = await awaitStatus(trial, order, terminal, end.withinMs);
      const status = ended?.status;
      if (!ended || !status || !end.states.includes(status)) {
        return trial.giveUp(`the order was ${stateOf(ended?.data ?? {}) ?? 'still under way'}`);
      }
      for (const by of observers) {
        if (by !== 'receiver_custodian') {
          const read = await trial.party(by).call('order.read', { params: paramsOf(order) });
          allowed(trial, readable(by), read, `${by}, reading an order that ${end.what}`);
        }
        const when = `as ${by} reads it`;
        await mustReach(trial, 'order.state.views-agree', order, [status], lagMs, when, by);
      }
      await judgeShown(trial, ground, end.what);
      if (status === 'SETTLED') await judgeTrade(trial, ground);
      return undefined;
    },
  }),
);
