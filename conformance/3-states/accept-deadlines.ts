import { type Check, defineCheck } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  isRefusal,
  quote,
  refused,
  succeeded,
  textOf,
} from '../../src/conformance/moves/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from './flow.ts';
import { quoteIn, quotesOf } from './quotes-seen.ts';
import { judgeStillOpen } from './verdicts.ts';
import { acceptCall, type Accepter, each, untilCalm, waits } from './words.ts';

/** A quote that lapsed is tried beside one that did not, on the same order. */
const lapsed = each(
  [
    { id: 'sender', by: 'sender', short: 'maker_a', long: 'maker_b', waitMs: 60 },
    { id: 'custodian', by: 'sender_custodian', short: 'maker_b', long: 'maker_a', waitMs: 60 },
    { id: 'well-past', by: 'sender', short: 'maker_b', long: 'maker_a', waitMs: 3_600 },
  ] as const,
  ({ id, by, short, long, waitMs }) =>
    defineCheck({
      id: `order.accept.expired-quote.${id}`,
      title: `${by} cannot accept a quote whose deadline has passed, but another's on the same order.`,
      requirements: [
        'order.accept.expired-quote-refused',
        'error.refusal-changes-nothing',
        ...lifeRequirementsOf(by),
      ],
      needs: {
        parties: [...new Set(['sender', by, short, long] as const)],
        waitMs: waits.quoteExpiry + waits.settlement,
      },
      async run(trial) {
        const order = await createOrder(trial);
        const valid = await quote(trial, long, order);
        const brief = await quote(trial, short, order, { validForMs: 2_500 });
        const { timeline, clock } = trial.target;
        await timeline.until(brief.validUntil - clock.offset.least + waitMs);
        const no = await acceptCall(trial, order, brief, by);
        refused(
          trial,
          'order.accept.expired-quote-refused',
          no,
          'a quote whose valid_until has passed',
        );
        if (!isRefusal(no)) return;
        await judgeStillOpen(trial, [order], 'error.refusal-changes-nothing');
        await acceptAndSettle(trial, { order, quote: valid, acceptedBy: by });
      },
    }),
);

/** A quote serves until its deadline: late in its life as well as early. */
const stillUsable = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `quote.accept.before-deadline.${by}`,
    title: `${by} can accept a quote in the last second of its validity.`,
    requirements: ['quote.state.usable-until-deadline', 'quote.state.pending-to-expired.not-early'],
    needs: { parties: [...new Set(['sender', 'maker_a', by] as const)], waitMs: waits.quoteExpiry },
    async run(trial) {
      await untilCalm(trial);
      const order = await createOrder(trial);
      const brief = await quote(trial, 'maker_a', order, { validForMs: 4_000 });
      const { timeline, clock } = trial.target;
      await timeline.until(brief.validUntil - clock.offset.most - 1_200);
      const listed = await quotesOf(trial, order, by);
      const status = textOf(quoteIn(listed.items, brief), 'status');
      if (status && listed.exchange.received + clock.offset.most < brief.validUntil - 100) {
        trial.judge('quote.state.pending-to-expired.not-early', status !== 'EXPIRED', {
          message: 'A quote was EXPIRED before its valid_until.',
          expected: 'PENDING',
          actual: status,
          seen: [listed.exchange],
        });
      }
      // Where an answer takes no time, so little is enough.
      const leadMs = timeline.kind === 'system' ? 900 : 60;
      await timeline.until(brief.validUntil - clock.offset.most - leadMs);
      const yes = await acceptCall(trial, order, brief, by);
      // Whether it was in time shows only now: the answer may have been long on its way.
      const inTime = yes.received + clock.offset.most < brief.validUntil;
      if (!inTime && !succeeded(yes)) trial.giveUp('the acceptance came too late', [yes]);
      const what = 'the acceptance of a quote before its deadline';
      allowed(trial, 'quote.state.usable-until-deadline', yes, what);
    },
  }),
);

export const acceptDeadlineChecks: readonly Check[] = [...lapsed, ...stillUsable];
