import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  isFields,
  isByUndeclaredMaker,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
} from '../../src/suite/actions/index.ts';
import type { Exchange, Frame } from '../../src/history/records.ts';
import { type CastName, castNames } from '../../src/spec/requirements/index.ts';
import { assertQuoteState } from '../shared/listed-quotes.ts';
import { assertUntouched } from '../shared/order-assertions.ts';
import { tryAccept, tryCancel } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';
import { eventLatencyMs } from '../shared/streams.ts';

const tellsOf = ({ intentId }: PlacedOrder, frame: Frame): boolean =>
  frame.event !== 'heartbeat' &&
  isFields(frame.data) &&
  JSON.stringify(frame.data).toLowerCase().includes(intentId.toLowerCase());

/** From now on, every frame that names an order, on the streams of everybody whom the target declares. */
export function recordFrames(t: CheckContext): (order: PlacedOrder) => readonly Frame[] {
  const streams = castNames
    .filter((name) => t.target.parties[name])
    .map((name) => t.party(name).events)
    .map((events) => ({ events, opened: events.opened.id, from: events.frames.length }));
  return (order) =>
    streams
      // One that was opened again meanwhile may tell what came before (gap `stream.resume`).
      .filter(({ events, opened }) => events.opened.id === opened)
      .flatMap(({ events, from }) =>
        events.frames
          .slice(from)
          .filter((frame) => tellsOf(order, frame) && !isByUndeclaredMaker(t, frame.data)),
      );
}

/** Requests that must be refused on an open order with a quote, each by what makes it wrong. */
const wrongs: readonly {
  readonly id: string;
  readonly title: string;
  readonly parties: readonly CastName[];
  readonly attempt: (
    t: CheckContext,
    order: PlacedOrder,
    placed: PlacedQuote,
  ) => Promise<readonly Exchange[]>;
}[] = [
  {
    id: 'acceptances',
    title: 'acceptances by strangers, by the receiver side and of unknown quotes',
    parties: ['outsider', 'receiver_custodian', 'outsider_custodian'],
    attempt: async (t, order, placed) => [
      await tryAccept(t, order, placed, 'outsider'),
      await tryAccept(t, order, placed, 'receiver_custodian'),
      await tryAccept(t, order, placed, 'outsider_custodian'),
      await tryAccept(t, order, { quoteId: t.random.uuid() }),
      await tryAccept(t, { intentId: t.random.uuid() }, placed),
    ],
  },
  {
    id: 'cancels',
    title: 'cancels by strangers and by custodians',
    parties: ['outsider', 'sender_custodian', 'receiver_custodian'],
    attempt: async (t, order) => [
      await tryCancel(t, order, 'outsider'),
      await tryCancel(t, order, 'sender_custodian'),
      await tryCancel(t, order, 'receiver_custodian'),
    ],
  },
  {
    id: 'other-quotes',
    title: 'quotes by parties that are no makers, and broken ones',
    parties: ['sender_custodian', 'maker_b'],
    attempt: async (t, order, { sent }) => {
      const params = paramsOf(order);
      const body = { ...sent, fx_rate: 'broken' };
      return [
        await t.party('sender').call('quote.submit', { params, body: sent }),
        await t.party('sender_custodian').call('quote.submit', { params, body: sent }),
        await t.party('maker_b').call('quote.submit', { params, body }),
      ];
    },
  },
];

const open = each(wrongs, ({ id, title, parties, attempt }) =>
  defineCheck({
    id: `error.silence.${id}`,
    title: `On an open order ${title} are refused, tell nobody anything and change nothing.`,
    requirements: ['error.refusal-sends-no-event', 'error.refusal-changes-nothing'],
    needs: {
      parties: [...new Set<CastName>(['sender', 'maker_a', ...parties])],
      waitMs: 2 * eventLatencyMs,
    },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_a', order);
      await t.target.timeline.sleep(eventLatencyMs);
      const toldOf = recordFrames(t);
      const answers = await attempt(t, order, placed);
      const served = answers.filter((answer) => !isRefusal(answer));
      // That these are refused is judged elsewhere; here it is the ground.
      if (served.length > 0) t.notExercised('what must be refused was served', served);
      const when = 'after refused requests';
      const requirement = 'error.refusal-changes-nothing';
      await assertUntouched(t, requirement, order, when);
      await assertQuoteState(t, requirement, order, placed, ['PENDING'], when);
      await t.target.timeline.sleep(eventLatencyMs);
      assertNoEvents(t, order, toldOf(order), answers);
      // Its twin: what is served does tell.
      await accept(t, order, placed);
    },
  }),
);

export function assertNoEvents(
  t: CheckContext,
  order: PlacedOrder,
  told: readonly Frame[],
  answers: readonly Exchange[],
): void {
  const now = t.target.timeline.now() + t.target.clock.offset.most;
  if (order.expiresAt === undefined || now >= order.expiresAt) {
    // It may have expired meanwhile, and told so.
    return;
  }
  t.assert('error.refusal-sends-no-event', told.length === 0, {
    message: 'An event came of requests that were all refused.',
    expected: 'no event of the order',
    actual: told.map(({ event, party, data }) => ({ event, party, data })),
    seen: [...answers, ...told],
  });
}

const settledQuietly = defineCheck({
  id: 'error.silence.ended',
  title: 'On an order that was cancelled further acceptances are refused and tell nobody anything.',
  requirements: ['error.refusal-sends-no-event', 'error.refusal-changes-nothing'],
  needs: {
    parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b'],
    waitMs: 2 * eventLatencyMs,
  },
  async run(t) {
    const order = await createOrder(t);
    const quotes = [await quote(t, 'maker_a', order), await quote(t, 'maker_b', order)];
    const cancelled = await tryCancel(t, order);
    if (isRefusal(cancelled)) t.notExercised('the order could not be cancelled', [cancelled]);
    await t.target.timeline.sleep(eventLatencyMs);
    const toldOf = recordFrames(t);
    const was = await readOrder(t, order);
    const answers: Exchange[] = [];
    for (const placed of quotes) {
      answers.push(await tryAccept(t, order, placed));
      answers.push(await tryAccept(t, order, placed, 'sender_custodian'));
    }
    const served = answers.filter((answer) => !isRefusal(answer));
    if (served.length > 0) t.notExercised('a cancelled order was accepted', served);
    const is = await readOrder(t, order);
    t.assert('error.refusal-changes-nothing', was.data['status'] === is.data['status'], {
      message: 'A cancelled order changed by acceptances that were refused.',
      expected: was.data['status'],
      actual: is.data['status'],
      seen: [was.exchange, ...answers, is.exchange],
    });
    await t.target.timeline.sleep(eventLatencyMs);
    assertNoEvents(t, order, toldOf(order), answers);
  },
});

export const changesNothingChecks: readonly Check[] = [...open, settledQuietly];
