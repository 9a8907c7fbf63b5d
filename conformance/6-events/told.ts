import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  type Fields,
  orderBody,
  type PlacedOrder,
  placedOrder,
  paramsOf,
  type PlacedQuote,
  quote,
  quoteBody,
  said,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import type { Frame } from '../../src/history/records.ts';
import { sameValue } from '../../src/rules/same.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { stateTold } from '../3-states/told.ts';
import {
  acceptCall,
  cancelCall,
  cancelling,
  each,
  settlementPatienceMs,
  terminal,
  waits,
} from '../3-states/words.ts';
import { isOf, told, travelMs } from './listening.ts';

/** Whether a party's stream was open all the while, so that what it did not tell was not sent. */
const heardSince = (trial: Trial, by: CastName, moment: number): boolean => {
  const { events } = trial.party(by);
  return events.isOpen && events.opened.received <= moment;
};

interface Due {
  readonly by: CastName;
  readonly requirement: RequirementId;
  readonly event: string;
  readonly match?: (frame: Frame) => boolean;
}

/** Judges that a party was told of an order, once what was sent has had its time to arrive. */
function judgeTold(trial: Trial, order: PlacedOrder, { by, requirement, event, match }: Due): void {
  if (!heardSince(trial, by, order.exchange.sent)) return;
  const { events } = trial.party(by);
  const frame = events.frames.find((one) => isOf(order, event)(one) && (match?.(one) ?? true));
  trial.judge(requirement, frame !== undefined, {
    message: `${by} was not told ${event}.`,
    expected: { event, intent_id: order.intentId },
    seen: [order.exchange, events.opened],
  });
}

/** Judges that a party was not told of an order. */
function judgeSpared(
  trial: Trial,
  order: PlacedOrder,
  { by, requirement, event, match }: Due,
): void {
  if (!heardSince(trial, by, order.exchange.sent)) return;
  const frame = trial
    .party(by)
    .events.frames.find((one) => isOf(order, event)(one) && (match?.(one) ?? true));
  trial.judge(requirement, frame === undefined, {
    message: `${by} was told ${event} of an order, and must not be.`,
    expected: 'no such event',
    actual: frame?.data,
    seen: frame ? [order.exchange, frame] : [order.exchange],
  });
}

/** A payload may have the named fields only: then no event of a quote names its order (gap `event.payload`). */
const namesOrders = (trial: Trial, by: CastName, event: string): boolean =>
  trial
    .party(by)
    .events.frames.some((frame) => frame.event === event && told(frame, 'intent_id') !== undefined);

const tellsState =
  (order: PlacedOrder, ...states: readonly string[]) =>
  (frame: Frame): boolean =>
    states.includes(stateTold(frame, order) ?? '');

/** Creates an order whose custodians are others than usual; gives up where a target does not take them. */
async function custodied(trial: Trial, by: CastName, changes: Fields): Promise<PlacedOrder> {
  const body = orderBody(trial, changes);
  const exchange = await trial.party(by).call('order.create', { body });
  const order = placedOrder(by, body, exchange);
  if (!order)
    trial.giveUp(`no order was taken with these custodians: ${said(exchange)}`, [exchange]);
  return order;
}

/** Who custodies an order is told of it, not who usually does. */
const custodians = each(
  [
    { id: 'by-sender', by: 'sender', acceptedBy: 'sender' },
    { id: 'by-custodian', by: 'sender', acceptedBy: 'outsider_custodian' },
    { id: 'of-outsider', by: 'outsider', acceptedBy: 'outsider_custodian' },
  ] as const,
  ({ id, by, acceptedBy }) =>
    defineCheck({
      id: `event.custodians.${id}`,
      title: `An order (${id}) with other custodians is told to those: quotes to the sender's one, neither to strangers.`,
      requirements: [
        'event.order-updated.to-sender-custodian',
        'event.quote-received.to-sender-custodian',
        'event.quote-received.not-to-receiver-custodian',
        'event.order-updated.not-to-strangers',
        'event.quote-received.not-to-strangers',
      ],
      needs: {
        parties: [
          'sender',
          'outsider',
          'sender_custodian',
          'receiver_custodian',
          'outsider_custodian',
          'maker_a',
        ],
        waitMs: waits.settlement + travelMs,
      },
      async run(trial) {
        const order = await custodied(trial, by, {
          sender_custodian_party_id: trial.party('outsider_custodian').partyId,
          receiver_custodian_party_id: trial.party('sender_custodian').partyId,
        });
        await accept(trial, order, await quote(trial, 'maker_a', order), acceptedBy);
        await awaitStatus(trial, order, terminal, settlementPatienceMs, by);
        await trial.target.timeline.sleep(travelMs);
        for (const state of ['QUOTED', 'EXECUTING', 'SETTLED']) {
          judgeTold(trial, order, {
            by: 'outsider_custodian',
            requirement: 'event.order-updated.to-sender-custodian',
            event: 'order_updated',
            match: tellsState(order, state),
          });
        }
        if (namesOrders(trial, by, 'quote_received')) {
          judgeTold(trial, order, {
            by: 'outsider_custodian',
            requirement: 'event.quote-received.to-sender-custodian',
            event: 'quote_received',
          });
        }
        judgeSpared(trial, order, {
          by: 'sender_custodian',
          requirement: 'event.quote-received.not-to-receiver-custodian',
          event: 'quote_received',
        });
        for (const stranger of [
          'receiver_custodian',
          by === 'sender' ? 'outsider' : 'sender',
        ] as const) {
          judgeSpared(trial, order, {
            by: stranger,
            requirement: 'event.order-updated.not-to-strangers',
            event: 'order_updated',
          });
          judgeSpared(trial, order, {
            by: stranger,
            requirement: 'event.quote-received.not-to-strangers',
            event: 'quote_received',
          });
        }
      },
    }),
);

/** Frames of one event of one order on the shared stream of a party. */
const framesOf = (
  trial: Trial,
  by: CastName,
  order: PlacedOrder,
  event: string,
): readonly Frame[] => trial.party(by).events.frames.filter(isOf(order, event));

/** Every quote of every maker is told, each with its own rate, with two orders open and some quoted twice. */
const quotesTold = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `event.quote-received.each.${by}`,
    title: `Quotes of three makers on two open orders, some a second time, are each told to ${by} once, with their rate.`,
    requirements: [
      by === 'sender'
        ? 'event.quote-received.every-quote'
        : 'event.quote-received.to-sender-custodian',
      'event.quote-received.once',
      'event.quote-received.agrees-with-list',
    ],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a', 'maker_b', 'maker_c'])],
      waitMs: travelMs + 4_000,
    },
    async run(trial) {
      const orders = [await createOrder(trial), await createOrder(trial)];
      const taken: { readonly order: PlacedOrder; readonly placed: PlacedQuote }[] = [];
      for (const [index, maker] of (['maker_a', 'maker_b', 'maker_c'] as const).entries()) {
        for (const order of orders) {
          const rate = ['1', '1.0203040506', '0.98'][index] ?? '1';
          taken.push({ order, placed: await quote(trial, maker, order, { rate }) });
        }
      }
      for (const order of orders) {
        const body = quoteBody(trial, order);
        await trial.party('maker_b').call('quote.submit', { params: paramsOf(order), body });
      }
      await trial.target.timeline.sleep(travelMs);
      if (!namesOrders(trial, by, 'quote_received')) return;
      const since = orders[0]?.exchange.sent ?? 0;
      if (!heardSince(trial, by, since)) trial.giveUp('the stream was not open all the while');
      const missed =
        by === 'sender'
          ? 'event.quote-received.every-quote'
          : 'event.quote-received.to-sender-custodian';
      for (const { order, placed } of taken) {
        const all = framesOf(trial, by, order, 'quote_received');
        if (all.some((frame) => told(frame, 'quote_id') === undefined)) return;
        const id = placed.quoteId.toLowerCase();
        const mine = all.filter((frame) => told(frame, 'quote_id')?.toLowerCase() === id);
        const seen = [placed.exchange, ...all];
        trial.judge(missed, mine.length > 0, {
          message: `${by} was not told of a quote by ${placed.maker}.`,
          expected: placed.quoteId,
          actual: all.map((frame) => told(frame, 'quote_id')),
          seen,
        });
        // A maker's second quote may take the place, and the id, of its first (gap `quote.twice`).
        const mayReplace = placed.maker === 'maker_b';
        if (mayReplace || mine.length === 0) continue;
        trial.judge('event.quote-received.once', mine.length === 1, {
          message: `${by} was told of one quote ${mine.length} times.`,
          expected: 1,
          actual: mine.length,
          seen,
        });
        const rate = mine[0] && told(mine[0], 'fx_rate');
        if (rate === undefined) continue;
        trial.judge(
          'event.quote-received.agrees-with-list',
          sameValue('fx_rate', rate, placed.sent['fx_rate']),
          {
            message: 'quote_received told another rate than was quoted.',
            expected: placed.sent['fx_rate'],
            actual: rate,
            seen,
          },
        );
      }
    },
  }),
);

/** What changes no status tells none: quotes, reads and refused requests on an open order. */
const onlyOnChange = defineCheck({
  id: 'event.order-updated.only-on-change',
  title:
    'Quotes, reads and refused requests leave an order PENDING, and no order_updated tells anything of it.',
  requirements: ['event.order-updated.only-on-change'],
  needs: {
    parties: ['sender', 'outsider', 'sender_custodian', 'receiver_custodian', 'maker_a', 'maker_b'],
    waitMs: 2 * travelMs,
  },
  async run(trial) {
    const order = await createOrder(trial);
    // Whether creation itself is told, and a proposal that was accepted, is open.
    await trial.target.timeline.sleep(travelMs);
    const since = trial.target.timeline.now();
    const listeners = ['sender', 'sender_custodian'] as const;
    const before = listeners.map((by) => framesOf(trial, by, order, 'order_updated').length);
    const placed = await quote(trial, 'maker_a', order);
    await quote(trial, 'maker_b', order);
    for (const by of listeners)
      await trial.party(by).call('order.read', { params: paramsOf(order) });
    await acceptCall(trial, order, placed, 'outsider');
    await acceptCall(trial, order, { quoteId: trial.random.uuid() });
    await cancelCall(trial, order, 'receiver_custodian');
    await trial.target.timeline.sleep(travelMs);
    const end = await trial.party('sender').call('order.read', { params: paramsOf(order) });
    if (!succeeded(end) || end.received + trial.target.clock.offset.most >= (order.expiresAt ?? 0))
      return;
    for (const [index, by] of listeners.entries()) {
      if (!heardSince(trial, by, since)) continue;
      const frames = framesOf(trial, by, order, 'order_updated').slice(before[index] ?? 0);
      trial.judge('event.order-updated.only-on-change', frames.length === 0, {
        message: 'order_updated came though no status had changed.',
        expected: 'no event',
        actual: frames.map(({ data }) => data),
        seen: frames,
      });
    }
  },
});

/** The order that comes after others is told like the first. */
const inARow = defineCheck({
  id: 'event.in-a-row',
  title:
    'Of orders that are cancelled, accepted and cancelled one after the other, each is told to all it concerns.',
  requirements: [
    'event.quote-request-new.to-every-maker',
    'event.order-updated.on-cancel',
    'event.order-updated.on-quoted',
    'event.order-updated.to-sender-custodian',
    'event.quote-received.sent',
  ],
  needs: {
    parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b', 'maker_c'],
    waitMs: travelMs + 4_000,
  },
  async run(trial) {
    const orders: { readonly order: PlacedOrder; readonly accepted: boolean }[] = [];
    for (const accepted of [false, true, false, true, false]) {
      const order = await createOrder(trial);
      const placed = await quote(trial, accepted ? 'maker_b' : 'maker_c', order);
      if (accepted) await accept(trial, order, placed);
      else await cancelling(trial, order);
      orders.push({ order, accepted });
    }
    await trial.target.timeline.sleep(travelMs);
    for (const { order, accepted } of orders) {
      for (const by of ['maker_a', 'maker_b', 'maker_c'] as const) {
        const requirement = 'event.quote-request-new.to-every-maker';
        if (namesOrders(trial, by, 'quote_request_new'))
          judgeTold(trial, order, { by, requirement, event: 'quote_request_new' });
      }
      const match = accepted ? tellsState(order, 'QUOTED') : tellsState(order, 'FAILED', 'EXPIRED');
      const toSender = accepted ? 'event.order-updated.on-quoted' : 'event.order-updated.on-cancel';
      judgeTold(trial, order, {
        by: 'sender',
        requirement: toSender,
        event: 'order_updated',
        match,
      });
      judgeTold(trial, order, {
        by: 'sender_custodian',
        requirement: 'event.order-updated.to-sender-custodian',
        event: 'order_updated',
        match,
      });
      if (namesOrders(trial, 'sender', 'quote_received')) {
        const requirement = 'event.quote-received.sent';
        judgeTold(trial, order, { by: 'sender', requirement, event: 'quote_received' });
      }
    }
  },
});

export const toldChecks: readonly Check[] = [...custodians, ...quotesTold, onlyOnChange, inARow];
