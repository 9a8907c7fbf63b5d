import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  proposalExcuseFor,
  type PlacedOrder,
  quote,
  succeeded,
} from '../../src/suite/actions/index.ts';
import { type CastName, castNames } from '../../src/spec/requirements/index.ts';
import { stateInUpdate } from '../shared/order-updates.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';
import { settlementTimeoutMs, waits } from '../shared/waits.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import {
  afterStartRushMs,
  isHeartbeat,
  isEventOf,
  requireStreamLasted,
  openSecondStream,
  eventLatencyMs,
} from '../shared/streams.ts';
import { resumePoint } from './resumed-stream.ts';

/** Part 6 gives each role a stream. Whether custodians have one is contradicted by 1.4 (gap `access.custodian_extras`). */
const opens = each(castNames, (by: CastName) =>
  defineCheck({
    id: `stream.opens.${by}`,
    title: `The stream of ${by} opens, and is open still after some seconds.`,
    requirements: ['stream.opens', 'stream.stays-open'],
    needs: { parties: [by], waitMs: 5_000 },
    async run(t) {
      const { events } = t.party(by);
      const { opened } = events;
      if (!succeeded(opened) && events.frames.length === 0) {
        if (t.party(by).role === 'custodian' && opened.response) {
          return t.outOfScope('custodians have no stream here (gap access.custodian_extras)');
        }
        t.assert('stream.opens', false, {
          message: 'A party could not open its stream.',
          actual: opened.response?.status ?? opened.error?.code,
          seen: [opened],
        });
        return;
      }
      t.assert('stream.opens', true, { message: '' });
      await t.target.timeline.sleep(5_000);
      if (!events.isOpen || events.opened.id !== opened.id) return;
      t.assert('stream.stays-open', true, { message: '' });
    },
  }),
);

/** Judges that each of several streams told the same of an order; what one tells is due on all. */
function assertAlike(
  t: CheckContext,
  streams: readonly EventStream[],
  tells: (stream: EventStream) => boolean,
  what: string,
): void {
  const silent = streams.filter((stream) => !tells(stream));
  if (silent.length === streams.length) return;
  t.assert('event.every-open-stream', silent.length === 0, {
    message: `Of ${streams.length} open streams of one party not all told ${what}.`,
    expected: `${what} on each`,
    actual: `missing on ${silent.length}`,
    seen: streams.map(({ opened }) => opened),
  });
}

const orderSide = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `stream.several.${by}`,
    title: `Three streams of ${by}, one of them limited to the order, each tell its quotes and every change of it.`,
    requirements: ['event.every-open-stream', 'stream.unfiltered-has-all'],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a', 'maker_b'])],
      waitMs: afterStartRushMs + waits.settlement + eventLatencyMs,
    },
    async run(t) {
      await t.target.timeline.sleep(afterStartRushMs);
      const order = await createOrder(t);
      const own = await openSecondStream(t, by);
      const limited = await openSecondStream(t, by, { intentId: order.intentId });
      const shared = t.party(by).events;
      const { opened } = shared;
      const streams = [shared, own, limited];
      await quote(t, 'maker_b', order);
      const placed = await quote(t, 'maker_a', order);
      await accept(t, order, placed, by);
      await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
      await t.target.timeline.sleep(eventLatencyMs);
      for (const stream of [own, limited]) requireStreamLasted(t, stream);
      requireStreamLasted(t, shared, opened);
      for (const state of ['QUOTED', 'EXECUTING', 'SETTLED']) {
        const tells = (stream: EventStream) =>
          stream.frames.some((frame) => stateInUpdate(frame, order) === state);
        assertAlike(t, streams, tells, state);
        t.assert('stream.unfiltered-has-all', tells(own), {
          message: `An unlimited stream did not tell that an order became ${state}.`,
          seen: [own.opened],
        });
      }
      const hears = (stream: EventStream) =>
        stream.frames.filter(isEventOf(order, 'quote_received')).length >= 2;
      assertAlike(t, streams, hears, 'quote_received twice');
    },
  }),
);

const makerSide = each(
  [
    { by: 'maker_a', acceptedBy: 'sender' },
    { by: 'maker_c', acceptedBy: 'sender_custodian' },
  ] as const,
  ({ by, acceptedBy }) =>
    defineCheck({
      id: `stream.several.${by}`,
      title: `Two streams of ${by} each tell a request, a selection that ${acceptedBy} made, and the settlement.`,
      requirements: ['event.every-open-stream'],
      needs: {
        parties: [...new Set<CastName>(['sender', acceptedBy, by, 'maker_b'])],
        waitMs: afterStartRushMs + 2 * waits.settlement,
      },
      async run(t) {
        await t.target.timeline.sleep(afterStartRushMs);
        const second = await openSecondStream(t, by);
        const shared = t.party(by).events;
        const { opened } = shared;
        const streams = [shared, second];
        const won = await createOrder(t);
        const lost = await createOrder(t);
        const placed = await quote(t, by, won);
        await quote(t, by, lost);
        const rival = await quote(t, 'maker_b', lost);
        await accept(t, won, placed, acceptedBy);
        await accept(t, lost, rival, acceptedBy);
        await awaitStatus(t, won, terminalOrderStates, settlementTimeoutMs);
        await t.target.timeline.sleep(eventLatencyMs);
        requireStreamLasted(t, second);
        requireStreamLasted(t, shared, opened);
        const due: readonly (readonly [string, PlacedOrder])[] = [
          ['quote_request_new', won],
          ['quote_request_new', lost],
          ['quote_accepted', won],
          ['quote_rejected', lost],
          ['settlement_completed', won],
        ];
        for (const [event, order] of due) {
          const tells = (stream: EventStream) => stream.frames.some(isEventOf(order, event));
          assertAlike(t, streams, tells, event);
        }
      },
    }),
);

/** A stream that opens in the middle of an order's life tells the rest of it. */
const late = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `stream.late.${by}`,
    title: `A stream that ${by} opens once a quote is accepted tells that the order settles; reopened, it goes on.`,
    requirements: ['stream.unfiltered-has-all'],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a'])],
      waitMs: afterStartRushMs + 2 * waits.settlement + eventLatencyMs,
    },
    async run(t) {
      await t.target.timeline.sleep(afterStartRushMs);
      const order = await createOrder(t);
      await accept(t, order, await quote(t, 'maker_a', order));
      const first = await openSecondStream(t, by);
      const settled = await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
      await t.target.timeline.sleep(eventLatencyMs);
      requireStreamLasted(t, first);
      const isSettled = (one: PlacedOrder) => (stream: EventStream) =>
        stream.frames.some((frame) => stateInUpdate(frame, one) === 'SETTLED');
      // It may have been opened too late: settlements are not said to take any time at all.
      if (settled?.frame && settled.frame.received > first.opened.received) {
        t.assert('stream.unfiltered-has-all', isSettled(order)(first), {
          message: 'A stream that opened after the acceptance did not tell the settlement.',
          seen: [first.opened, settled.frame],
        });
      }
      await first.close();
      const next = await createOrder(t);
      const again = await openSecondStream(t, by, resumePoint(first));
      await accept(t, next, await quote(t, 'maker_a', next));
      const ended = await awaitStatus(t, next, ['SETTLED'], settlementTimeoutMs);
      await t.target.timeline.sleep(eventLatencyMs);
      requireStreamLasted(t, again);
      if (!ended) return;
      t.assert('stream.unfiltered-has-all', isSettled(next)(again), {
        message: 'A stream that was opened again did not tell what came after.',
        actual: again.frames.filter((frame) => !isHeartbeat(frame)).map(({ event }) => event),
        seen: [again.opened, ended.exchange],
      });
    },
  }),
);

/** A stream that closes takes nothing from those that stay. */
const closing = defineCheck({
  id: 'stream.closing-one',
  title: 'When one of two streams of a party is closed, the other goes on telling.',
  requirements: ['event.order-updated.on-cancel', 'event.quote-request-new.sent'],
  needs: { parties: ['sender', 'maker_b'], waitMs: afterStartRushMs + 2 * eventLatencyMs + 4_000 },
  async run(t) {
    await t.target.timeline.sleep(afterStartRushMs);
    const mine = await openSecondStream(t, 'sender');
    const theirs = await openSecondStream(t, 'maker_b');
    for (const stream of [mine, theirs]) await stream.close();
    const order = await createOrder(t);
    // A request may come to makers a while after its order, and one that was cancelled by then not at all.
    const latest = t.target.timeline.now() + eventLatencyMs;
    await t.party('maker_b').events.find(isEventOf(order, 'quote_request_new'), latest);
    await cancelOrder(t, order);
    await t.target.timeline.sleep(eventLatencyMs);
    for (const [by, requirement, event] of [
      ['sender', 'event.order-updated.on-cancel', 'order_updated'],
      ['maker_b', 'event.quote-request-new.sent', 'quote_request_new'],
    ] as const) {
      const { events } = t.party(by);
      if (!events.isOpen || events.opened.received >= order.exchange.sent) continue;
      const isTold = events.frames.some(isEventOf(order, event));
      if (!isTold && by === 'maker_b' && proposalExcuseFor(t, order.intentId)) continue;
      t.assert(requirement, isTold, {
        message: `After another stream of ${by} was closed, no ${event} came on the one that stayed.`,
        expected: order.intentId,
        seen: [events.opened, order.exchange],
      });
    }
  },
});

export const streamChecks: readonly Check[] = [
  ...opens,
  ...orderSide,
  ...makerSide,
  ...late,
  closing,
];
