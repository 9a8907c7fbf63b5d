import { cancelOrder, tryQuote } from '../shared/order-life.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { accept, type PlacedQuote, quote } from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  disturbedOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
  createOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { findInList, lastOf } from '../../src/suite/actions/find-in-list.ts';
import { matchesOrder, fieldsOf, matchesQuote, textOf } from '../../src/protocol/answers.ts';
import { concurrently } from '../../src/suite/actions/context.ts';
import type { ControlName, CastName } from '../../src/spec/requirements/index.ts';
import { terminalOrderStates, unsettledStates } from '../../src/spec/states.ts';
import {
  settlementTimeoutMs,
  settlementWindowMs,
  waits,
  expiryLagMs,
  untilViewsAgree,
} from '../shared/waits.ts';
import type { OrderState } from '../../src/spec/vocabulary.ts';

type QuoteId = Pick<PlacedQuote, 'quoteId' | 'maker'>;

interface Fixture {
  readonly order: PlacedOrder;
  readonly quotes: readonly QuoteId[];
}

/** Creates the order of an end, with its control if the end needs one. */
type Place = (meanwhile?: (order: PlacedOrder) => Promise<unknown>) => Promise<PlacedOrder>;

interface End {
  readonly id: string;
  /** Words of the title "an order that ...". */
  readonly what: string;
  readonly states: readonly OrderState[];
  readonly control?: ControlName;
  readonly waitMs?: number;
  readonly withinMs?: number;
  readonly bringAbout: (t: CheckContext, place: Place) => Promise<Fixture>;
}

async function placeQuoted(t: CheckContext, place: Place): Promise<Fixture> {
  const order = await place();
  const placed = await quote(t, 'maker_a', order);
  return { order, quotes: [placed, await quote(t, 'maker_b', order)] };
}

async function placeAccepted(t: CheckContext, place: Place, by?: CastName): Promise<Fixture> {
  const fixture = await placeQuoted(t, place);
  const [placed] = fixture.quotes;
  if (placed) await accept(t, fixture.order, placed, by);
  return fixture;
}

/** Places an order and its quotes. An order that the target withdraws by itself may take only some of them. */
async function placeQuotedMeanwhile(t: CheckContext, place: Place): Promise<Fixture> {
  const quotes: QuoteId[] = [];
  const order = await place(async (placed) => {
    for (const maker of ['maker_a', 'maker_b'] as const) {
      const quoteId = textOf(fieldsOf(await tryQuote(t, maker, placed)), 'quote_id');
      if (quoteId !== undefined) quotes.push({ quoteId, maker });
    }
  });
  return { order, quotes };
}

async function untilPastDeadline(t: CheckContext, placed: Promise<Fixture>) {
  const fixture = await placed;
  await untilExpired(t, fixture.order, expiryLagMs);
  return fixture;
}

const ends: readonly End[] = [
  {
    id: 'cancelled-with-quotes',
    what: 'was cancelled with quotes on it',
    states: unsettledStates,
    async bringAbout(t, place) {
      const fixture = await placeQuoted(t, place);
      await cancelOrder(t, fixture.order);
      return fixture;
    },
  },
  {
    id: 'expired-with-quotes',
    what: 'expired with quotes on it',
    states: ['EXPIRED'],
    waitMs: waits.orderExpiry,
    bringAbout: (t, place) => untilPastDeadline(t, placeQuoted(t, place)),
  },
  {
    id: 'settled-beyond-its-deadline',
    what: 'settled, and whose deadline has passed since',
    states: ['SETTLED'],
    waitMs: waits.orderExpiry,
    bringAbout: (t, place) => untilPastDeadline(t, placeAccepted(t, place, 'sender_custodian')),
  },
  {
    id: 'reverted',
    what: 'failed because its settlement did',
    states: ['FAILED'],
    control: 'fail_settlement',
    bringAbout: (t, place) => placeAccepted(t, place),
  },
  {
    id: 'stalled',
    what: 'ended because its settlement took too long',
    states: unsettledStates,
    control: 'stall_settlement',
    waitMs: settlementWindowMs + waits.settlement,
    withinMs: settlementWindowMs,
    bringAbout: (t, place) => placeAccepted(t, place),
  },
  {
    id: 'invalid',
    what: 'failed its validation',
    states: ['FAILED'],
    control: 'fail_validation',
    bringAbout: async (_, place) => ({ order: await place(), quotes: [] }),
  },
  {
    id: 'withdrawn-with-quotes',
    what: 'the operator withdrew with quotes on it',
    states: unsettledStates,
    control: 'withdraw_order',
    bringAbout: placeQuotedMeanwhile,
  },
];

const orderSide = ['sender', 'sender_custodian', 'receiver_custodian'] as const;

/** All of its side read an order, find it on their lists, and find its quotes, once they can have learnt of its end. */
async function lookEverywhere(t: CheckContext, { order, quotes }: Fixture): Promise<void> {
  await untilViewsAgree(t);
  const params = paramsOf(order);
  const ofOwners = (['sender', 'sender_custodian'] as const).flatMap((by) => [
    () => findInList(t, t.party(by), 'order.list', matchesOrder(order)),
    ...(quotes.length > 0
      ? [
          () =>
            findInList(t, t.party(by), 'order.quotes', lastOf(quotes.map(matchesQuote)), {
              params,
            }),
        ]
      : []),
  ]);
  const ofMakers = quotes.flatMap((placed) => [
    () => findInList(t, t.party(placed.maker), 'quote.list', matchesQuote(placed)),
    // A maker's access to an ended request is open (gap `rfq.detail`). Rules judge the content of the answer.
    ...(['rfq.quotes', 'rfq.read', 'settlement.read'] as const).map(
      (endpoint) => () => t.party(placed.maker).call(endpoint, { params }),
    ),
  ]);
  await concurrently(t, [
    ...orderSide.map((by) => () => readOrder(t, order, by)),
    ...ofOwners,
    ...ofMakers,
  ]);
}

export const endedOrderChecks = ends.map<Check>((end) => ({
  id: `order.ends.${end.id}`,
  title: `An order that ${end.what} is read and listed on, with its quotes, by all of its side, and so are its makers' quotes.`,
  requirements: [
    'order.state.views-agree',
    'access.order.read.institution-allowed',
    'access.order.read.custodian-allowed',
    'order.read.by-receiver-custodian',
    'order.list.complete',
    'order.list.sender-custodian-included',
    ...(end.id === 'invalid'
      ? []
      : ([
          'order.quotes.complete',
          'order.quotes.custodian-sees-same',
          'quote.list.complete',
        ] as const)),
    ...(end.states.includes('SETTLED')
      ? (['settlement.read.returns-that-settlement'] as const)
      : []),
  ],
  needs: {
    parties: [...orderSide, 'maker_a', 'maker_b'],
    ...(end.control && { controls: [end.control] }),
    waitMs: end.waitMs ?? waits.settlement,
  },
  async run(t) {
    const { control, withinMs = settlementTimeoutMs } = end;
    const fixture = await end.bringAbout(t, (meanwhile) =>
      control ? disturbedOrder(t, control, {}, meanwhile) : createOrder(t),
    );
    const ended = await awaitStatus(t, fixture.order, terminalOrderStates, withinMs);
    if (!ended || !end.states.includes(ended.status)) {
      const wanted = `${end.states.join(' or ')} within ${withinMs / 1_000} s`;
      return t.notExercised(
        `the order did not become ${wanted}, but ${ended?.status ?? 'nothing'}`,
        ended ? [ended.exchange] : [],
      );
    }
    return lookEverywhere(t, fixture);
  },
}));
