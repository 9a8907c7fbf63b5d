import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  mayBeUnopened,
  type PlacedOrder,
  quote,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import { type CastName, castNames } from '../../src/spec/requirements/index.ts';
import { stateTold } from '../3-states/told.ts';
import { cancelling, each, settlementPatienceMs, terminal, waits } from '../3-states/words.ts';
import { calmMs, isHeartbeat, isOf, mustLast, openAnother, travelMs } from './listening.ts';
import { placeOf } from './resumed.ts';

/** Part 6 gives each role a stream. Whether custodians have one is contradicted by 1.4 (gap `access.custodian_extras`). */
const opens = each(castNames, (by: CastName) =>
  defineCheck({
    id: `stream.opens.${by}`,
    title: `The stream of ${by} opens, and is open still after some seconds.`,
    requirements: ['stream.opens', 'stream.stays-open'],
    needs: { parties: [by], waitMs: 5_000 },
    async run(trial) {
      const { events } = trial.party(by);
      const { opened } = events;
      if (!succeeded(opened) && events.frames.length === 0) {
        if (trial.party(by).role === 'custodian' && opened.response) {
          return trial.outOfScope('custodians have no stream here (gap access.custodian_extras)');
        }
        trial.judge('stream.opens', false, {
          message: 'A party could not open its stream.',
          actual: opened.response?.status ?? opened.error?.code,
          seen: [opened],
        });
        return;
      }
      trial.judge('stream.opens', true, { message: '' });
      await trial.target.timeline.sleep(5_000);
      if (!events.isOpen || events.opened.id !== opened.id) return;
      trial.judge('stream.stays-open', true, { message: '' });
    },
  }),
);

/** Judges that each of several streams told the same of an order; what one tells is due on all. */
function judgeAlike(
  trial: Trial,
  streams: readonly EventStream[],
  tells: (stream: EventStream) => boolean,
  what: string,
): void {
  const silent = streams.filter((stream) => !tells(stream));
  if (silent.length === streams.length) return;
  trial.judge('event.every-open-stream', silent.length === 0, {
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
      waitMs: calmMs + waits.settlement + travelMs,
    },
    async run(trial) {
      await trial.target.timeline.sleep(calmMs);
      const order = await createOrder(trial);
      const own = await openAnother(trial, by);
      const limited = await openAnother(trial, by, { intentId: order.intentId });
      const shared = trial.party(by).events;
      const { opened } = shared;
      const streams = [shared, own, limited];
      await quote(trial, 'maker_b', order);
      const placed = await quote(trial, 'maker_a', order);
      await accept(trial, order, placed, by);
      await awaitStatus(trial, order, terminal, settlementPatienceMs);
      await trial.target.timeline.sleep(travelMs);
      for (const stream of [own, limited]) mustLast(trial, stream);
      mustLast(trial, shared, opened);
      for (const state of ['QUOTED', 'EXECUTING', 'SETTLED']) {
        const tells = (stream: EventStream) =>
          stream.frames.some((frame) => stateTold(frame, order) === state);
        judgeAlike(trial, streams, tells, state);
        trial.judge('stream.unfiltered-has-all', tells(own), {
          message: `An unlimited stream did not tell that an order became ${state}.`,
          seen: [own.opened],
        });
      }
      const hears = (stream: EventStream) =>
        stream.frames.filter(isOf(order, 'quote_received')).length >= 2;
      judgeAlike(trial, streams, hears, 'quote_received twice');
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
        waitMs: calmMs + 2 * waits.settlement,
      },
      async run(trial) {
        await trial.target.timeline.sleep(calmMs);
        const second = await openAnother(trial, by);
        const shared = trial.party(by).events;
        const { opened } = shared;
        const streams = [shared, second];
        const won = await createOrder(trial);
        const lost = await createOrder(trial);
        const placed = await quote(trial, by, won);
        await quote(trial, by, lost);
        const rival = await quote(trial, 'maker_b', lost);
        await accept(trial, won, placed, acceptedBy);
        await accept(trial, lost, rival, acceptedBy);
        await awaitStatus(trial, won, terminal, settlementPatienceMs);
        await trial.target.timeline.sleep(travelMs);
        mustLast(trial, second);
        mustLast(trial, shared, opened);
        const due: readonly (readonly [string, PlacedOrder])[] = [
          ['quote_request_new', won],
          ['quote_request_new', lost],
          ['quote_accepted', won],
          ['quote_rejected', lost],
          ['settlement_completed', won],
        ];
        for (const [event, order] of due) {
          const tells = (stream: EventStream) => stream.frames.some(isOf(order, event));
          judgeAlike(trial, streams, tells, event);
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
      waitMs: calmMs + 2 * waits.settlement + travelMs,
    },
    async run(trial) {
      await trial.target.timeline.sleep(calmMs);
      const order = await createOrder(trial);
      await accept(trial, order, await quote(trial, 'maker_a', order));
      const first = await openAnother(trial, by);
      const settled = await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs);
      await trial.target.timeline.sleep(travelMs);
      mustLast(trial, first);
      const isSettled = (one: PlacedOrder) => (stream: EventStream) =>
        stream.frames.some((frame) => stateTold(frame, one) === 'SETTLED');
      // It may have been opened too late: settlements are not said to take any time at all.
      if (settled?.frame && settled.frame.received > first.opened.received) {
        trial.judge('stream.unfiltered-has-all', isSettled(order)(first), {
          message: 'A stream that opened after the acceptance did not tell the settlement.',
          seen: [first.opened, settled.frame],
        });
      }
      await first.close();
      const next = await createOrder(trial);
      const again = await openAnother(trial, by, placeOf(first));
      await accept(trial, next, await quote(trial, 'maker_a', next));
      const ended = await awaitStatus(trial, next, ['SETTLED'], settlementPatienceMs);
      await trial.target.timeline.sleep(travelMs);
      mustLast(trial, again);
      if (!ended) return;
      trial.judge('stream.unfiltered-has-all', isSettled(next)(again), {
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
  needs: { parties: ['sender', 'maker_b'], waitMs: calmMs + 2 * travelMs + 4_000 },
  async run(trial) {
    await trial.target.timeline.sleep(calmMs);
    const mine = await openAnother(trial, 'sender');
    const theirs = await openAnother(trial, 'maker_b');
    for (const stream of [mine, theirs]) await stream.close();
    const order = await createOrder(trial);
    // A request may come to makers a while after its order, and one that was cancelled by then not at all.
    const latest = trial.target.timeline.now() + travelMs;
    await trial.party('maker_b').events.find(isOf(order, 'quote_request_new'), latest);
    await cancelling(trial, order);
    await trial.target.timeline.sleep(travelMs);
    for (const [by, requirement, event] of [
      ['sender', 'event.order-updated.on-cancel', 'order_updated'],
      ['maker_b', 'event.quote-request-new.sent', 'quote_request_new'],
    ] as const) {
      const { events } = trial.party(by);
      if (!events.isOpen || events.opened.received >= order.exchange.sent) continue;
      const isTold = events.frames.some(isOf(order, event));
      if (!isTold && by === 'maker_b' && mayBeUnopened(trial, order.intentId)) continue;
      trial.judge(requirement, isTold, {
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
