import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  createOrder,
  isFields,
  isOfStranger,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  readOrder,
} from '../../src/conformance/moves/index.ts';
import type { Exchange, Frame } from '../../src/history/records.ts';
import { type CastName, castNames } from '../../src/spec/requirements/index.ts';
import { judgeQuote } from '../3-states/quotes-seen.ts';
import { judgeUntouched } from '../3-states/verdicts.ts';
import { acceptCall, cancelCall, each } from '../3-states/words.ts';
import { travelMs } from '../6-events/listening.ts';

const tellsOf = ({ intentId }: PlacedOrder, frame: Frame): boolean =>
  frame.event !== 'heartbeat' &&
  isFields(frame.data) &&
  JSON.stringify(frame.data).toLowerCase().includes(intentId.toLowerCase());

/** From now on, every frame that names an order, on the streams of everybody whom the target declares. */
export function eavesdrop(trial: Trial): (order: PlacedOrder) => readonly Frame[] {
  const streams = castNames
    .filter((name) => trial.target.parties[name])
    .map((name) => trial.party(name).events)
    .map((events) => ({ events, opened: events.opened.id, from: events.frames.length }));
  return (order) =>
    streams
      // One that was opened again meanwhile may tell what came before (gap `stream.resume`).
      .filter(({ events, opened }) => events.opened.id === opened)
      .flatMap(({ events, from }) =>
        events.frames
          .slice(from)
          .filter((frame) => tellsOf(order, frame) && !isOfStranger(trial, frame.data)),
      );
}

/** Requests that must be refused on an open order with a quote, each by what makes it wrong. */
const wrongs: readonly {
  readonly id: string;
  readonly title: string;
  readonly parties: readonly CastName[];
  readonly attempt: (
    trial: Trial,
    order: PlacedOrder,
    placed: PlacedQuote,
  ) => Promise<readonly Exchange[]>;
}[] = [
  {
    id: 'acceptances',
    title: 'acceptances by strangers, by the receiver side and of unknown quotes',
    parties: ['outsider', 'receiver_custodian', 'outsider_custodian'],
    attempt: async (trial, order, placed) => [
      await acceptCall(trial, order, placed, 'outsider'),
      await acceptCall(trial, order, placed, 'receiver_custodian'),
      await acceptCall(trial, order, placed, 'outsider_custodian'),
      await acceptCall(trial, order, { quoteId: trial.random.uuid() }),
      await acceptCall(trial, { intentId: trial.random.uuid() }, placed),
    ],
  },
  {
    id: 'cancels',
    title: 'cancels by strangers and by custodians',
    parties: ['outsider', 'sender_custodian', 'receiver_custodian'],
    attempt: async (trial, order) => [
      await cancelCall(trial, order, 'outsider'),
      await cancelCall(trial, order, 'sender_custodian'),
      await cancelCall(trial, order, 'receiver_custodian'),
    ],
  },
  {
    id: 'other-quotes',
    title: 'quotes by parties that are no makers, and broken ones',
    parties: ['sender_custodian', 'maker_b'],
    attempt: async (trial, order, { sent }) => {
      const params = paramsOf(order);
      const body = { ...sent, fx_rate: 'broken' };
      return [
        await trial.party('sender').call('quote.submit', { params, body: sent }),
        await trial.party('sender_custodian').call('quote.submit', { params, body: sent }),
        await trial.party('maker_b').call('quote.submit', { params, body }),
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
      waitMs: 2 * travelMs,
    },
    async run(trial) {
      const order = await createOrder(trial);
      const placed = await quote(trial, 'maker_a', order);
      await trial.target.timeline.sleep(travelMs);
      const toldOf = eavesdrop(trial);
      const answers = await attempt(trial, order, placed);
      const served = answers.filter((answer) => !isRefusal(answer));
      // That these are refused is judged elsewhere; here it is the ground.
      if (served.length > 0) trial.giveUp('what must be refused was served', served);
      const when = 'after refused requests';
      const requirement = 'error.refusal-changes-nothing';
      await judgeUntouched(trial, requirement, order, when);
      await judgeQuote(trial, requirement, order, placed, ['PENDING'], when);
      await trial.target.timeline.sleep(travelMs);
      judgeQuiet(trial, order, toldOf(order), answers);
      // Its twin: what is served does tell.
      await accept(trial, order, placed);
    },
  }),
);

export function judgeQuiet(
  trial: Trial,
  order: PlacedOrder,
  told: readonly Frame[],
  answers: readonly Exchange[],
): void {
  const now = trial.target.timeline.now() + trial.target.clock.offset.most;
  if (order.expiresAt === undefined || now >= order.expiresAt) {
    // It may have expired meanwhile, and told so.
    return;
  }
  trial.judge('error.refusal-sends-no-event', told.length === 0, {
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
  needs: { parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b'], waitMs: 2 * travelMs },
  async run(trial) {
    const order = await createOrder(trial);
    const quotes = [await quote(trial, 'maker_a', order), await quote(trial, 'maker_b', order)];
    const cancelled = await cancelCall(trial, order);
    if (isRefusal(cancelled)) trial.giveUp('the order could not be cancelled', [cancelled]);
    await trial.target.timeline.sleep(travelMs);
    const toldOf = eavesdrop(trial);
    const was = await readOrder(trial, order);
    const answers: Exchange[] = [];
    for (const placed of quotes) {
      answers.push(await acceptCall(trial, order, placed));
      answers.push(await acceptCall(trial, order, placed, 'sender_custodian'));
    }
    const served = answers.filter((answer) => !isRefusal(answer));
    if (served.length > 0) trial.giveUp('a cancelled order was accepted', served);
    const is = await readOrder(trial, order);
    trial.judge('error.refusal-changes-nothing', was.data['status'] === is.data['status'], {
      message: 'A cancelled order changed by acceptances that were refused.',
      expected: was.data['status'],
      actual: is.data['status'],
      seen: [was.exchange, ...answers, is.exchange],
    });
    await trial.target.timeline.sleep(travelMs);
    judgeQuiet(trial, order, toldOf(order), answers);
  },
});

export const silenceChecks: readonly Check[] = [...open, settledQuietly];
