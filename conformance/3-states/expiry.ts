import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  createOrder,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  readOrder,
  refused,
  targetNow,
} from '../../src/conformance/moves/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { expiryRequirements, judgeExpiry, untilNear } from './expiring.ts';
import { judgeAcceptance, lifeRequirementsOf, live } from './flow.ts';
import { acceptProposal } from './proposal.ts';
import { judgeReason, judgeState, judgeStillPending } from './verdicts.ts';
import { acceptCall, cancelCall, each, stateOf, waits } from './words.ts';

const expiries = each(
  [
    { id: 'unquoted', quotes: [] },
    { id: 'one-quote', quotes: ['maker_a'] },
    { id: 'three-quotes', quotes: ['maker_c', 'maker_a', 'maker_b'] },
  ] as const satisfies readonly { id: string; quotes: readonly CastName[] }[],
  ({ id, quotes }) =>
    defineCheck({
      id: `order.expiry.${id}`,
      title: `An order with ${quotes.length} quotes, none of them accepted, expires at its deadline and takes nothing after it.`,
      requirements: [
        ...expiryRequirements,
        'order.state.pending-to-expired.though-quoted',
        'order.failure-reason.no-quote',
        'order.cancel.expired-stays',
        'order.accept.expired-order-refused',
        ...(quotes.length > 0 ? (['quote.submit.expired-request-refused'] as const) : []),
      ],
      needs: { parties: ['sender', ...quotes], waitMs: waits.orderExpiry },
      async run(trial) {
        const order = await createOrder(trial);
        const placed: PlacedQuote[] = [];
        for (const maker of quotes) placed.push(await quote(trial, maker, order));
        const quoted = 'order.state.pending-to-expired.though-quoted';
        await judgeExpiry(trial, order, placed.length > 0 ? [quoted] : []);
        const ended = await readOrder(trial, order);
        if (stateOf(ended.data) !== 'EXPIRED') return;
        if (placed.length === 0) {
          judgeReason(trial, 'order.failure-reason.no-quote', ended, ['NO_QUOTE']);
        }
        for (const one of placed) {
          const no = await acceptCall(trial, order, one);
          const what = 'an acceptance on an EXPIRED order';
          refused(trial, 'order.accept.expired-order-refused', no, what);
          await judgeQuotedAnew(trial, order, one.maker);
        }
        await cancelCall(trial, order);
        const after = await readOrder(trial, order);
        const stays = 'order.cancel.expired-stays';
        judgeState(trial, stays, after, ['EXPIRED'], 'after a cancel that came too late');
      },
    }),
);

/** Who has quoted may know an expired order still; it can be quoted no more. */
async function judgeQuotedAnew(trial: Trial, order: PlacedOrder, maker: CastName): Promise<void> {
  const { answers } = trial.target;
  // That a maker quotes twice is open.
  if (answers.get('quote.twice') === 'refuse') return;
  // Valid for as long as a quote may be here: any moment to come lies beyond the order's deadline.
  const body = quoteBody(trial, { ...order, expiresAt: undefined });
  const params = paramsOf(order);
  const late = await trial.party(maker).call('quote.submit', { params, body });
  // Where no quote may be valid for longer than its order, a refusal may be for that.
  if (isRefusal(late) && answers.get('quote.beyond_expiry') !== 'allow') return;
  const what = 'another quote of a maker on an EXPIRED order';
  refused(trial, 'quote.submit.expired-request-refused', late, what);
}

const others: readonly Check[] = [
  defineCheck({
    id: 'order.expiry.only-above-the-maximum',
    title:
      'An order whose only quote is above its maximum expires, with no reason that speaks of another end.',
    requirements: ['order.failure-reason.slippage', ...expiryRequirements],
    needs: { parties: ['sender', 'maker_c'], waitMs: waits.orderExpiry },
    async run(trial) {
      const terms = { target_amount: '1000.00', source_amount_max: '250.00' };
      const order = await createOrder(trial, terms);
      const params = paramsOf(order);
      const body = quoteBody(trial, order);
      await trial.party('maker_c').call('quote.submit', { params, body });
      await judgeExpiry(trial, order);
      const ended = await readOrder(trial, order);
      if (stateOf(ended.data) !== 'EXPIRED') return;
      const plausible = ['SLIPPAGE', 'NO_QUOTE', 'TIMEOUT'];
      judgeReason(trial, 'order.failure-reason.slippage', ended, plausible);
    },
  }),
  defineCheck({
    id: 'order.expiry.next-order',
    title:
      'An order that is created while another expires, is not ended with it; the next settles.',
    requirements: [
      ...expiryRequirements,
      'order.state.other-orders-untouched',
      ...lifeRequirementsOf(),
    ],
    needs: { parties: ['sender', 'maker_a'], waitMs: waits.orderExpiry + waits.settlement },
    async run(trial) {
      const order = await createOrder(trial);
      await untilNear(trial, order, 8_000);
      const younger = await createOrder(trial);
      const placed = await quote(trial, 'maker_a', younger);
      await judgeExpiry(trial, order);
      const now = await readOrder(trial, younger);
      if (
        younger.expiresAt !== undefined &&
        order.expiresAt !== undefined &&
        younger.expiresAt > order.expiresAt + 6_000
      ) {
        const requirement = 'order.state.other-orders-untouched';
        judgeStillPending(trial, requirement, younger, now, 'after an older order had expired');
      }
      const deal = { order: younger, quote: placed, acceptedBy: 'sender' } as const;
      if (placed.validUntil < targetNow(trial).latest + 1_000) return;
      if (!(await judgeAcceptance(trial, deal))) return;
      await live(trial);
    },
  }),
];

/** Longer than a deadline may take to have its effect, so that one which was moved by as much is seen to be late. */
const laterMs = 8_000;

/** What happens to an order in the course of its life does not make that longer. */
const touched = each(
  [
    { id: 'late-quote', title: 'quoted', by: 'maker_b' },
    { id: 'late-proposal', title: 'whose proposal is accepted', by: 'sender_custodian' },
  ] as const,
  ({ id, title, by }) =>
    defineCheck({
      id: `order.expiry.${id}`,
      title: `An order ${title} ${laterMs / 1000} s after its creation expires when it said at first.`,
      requirements: [
        ...expiryRequirements,
        ...(by === 'maker_b' ? (['order.state.pending-to-expired.though-quoted'] as const) : []),
      ],
      needs: { parties: ['sender', by], waitMs: waits.orderExpiry },
      async run(trial) {
        const order = await createOrder(trial);
        await trial.target.timeline.sleep(laterMs);
        if (by === 'maker_b') await quote(trial, by, order);
        // Whatever else it does, and whether it is taken: both are open.
        else await acceptProposal(trial, order);
        const quoted = 'order.state.pending-to-expired.though-quoted';
        await judgeExpiry(trial, order, by === 'maker_b' ? [quoted] : []);
      },
    }),
);

export const expiryChecks: readonly Check[] = [...expiries, ...others, ...touched];
