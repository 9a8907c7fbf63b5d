import { type Check, defineCheck } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  createOrder,
  isRefusal,
  quote,
  assertRefused,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../../shared/order-life.ts';
import { findQuote, quotesOf } from '../../shared/listed-quotes.ts';
import { assertStillOpen } from '../../shared/order-assertions.ts';
import { tryAccept, type Accepter, each, waitWhileBusy, waits } from '../../shared/order-calls.ts';

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
      async run(t) {
        const order = await createOrder(t);
        const valid = await quote(t, long, order);
        const brief = await quote(t, short, order, { validForMs: 2_500 });
        const { timeline, clock } = t.target;
        await timeline.until(brief.validUntil - clock.offset.least + waitMs);
        const no = await tryAccept(t, order, brief, by);
        assertRefused(
          t,
          'order.accept.expired-quote-refused',
          no,
          'a quote whose valid_until has passed',
        );
        if (!isRefusal(no)) return;
        await assertStillOpen(t, [order], 'error.refusal-changes-nothing');
        await acceptAndSettle(t, { order, quote: valid, acceptedBy: by });
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
    async run(t) {
      await waitWhileBusy(t);
      const order = await createOrder(t);
      const brief = await quote(t, 'maker_a', order, { validForMs: 4_000 });
      const { timeline, clock } = t.target;
      await timeline.until(brief.validUntil - clock.offset.most - 1_200);
      const listed = await quotesOf(t, order, by);
      const status = textOf(findQuote(listed.items, brief), 'status');
      if (status && listed.exchange.received + clock.offset.most < brief.validUntil - 100) {
        t.assert('quote.state.pending-to-expired.not-early', status !== 'EXPIRED', {
          message: 'A quote was EXPIRED before its valid_until.',
          expected: 'PENDING',
          actual: status,
          seen: [listed.exchange],
        });
      }
      // Where an answer takes no time, so little is enough.
      const leadMs = timeline.kind === 'system' ? 900 : 60;
      await timeline.until(brief.validUntil - clock.offset.most - leadMs);
      const yes = await tryAccept(t, order, brief, by);
      // Whether it was in time shows only now: the answer may have been long on its way.
      const inTime = yes.received + clock.offset.most < brief.validUntil;
      if (!inTime && !succeeded(yes)) t.notExercised('the acceptance came too late', [yes]);
      const what = 'the acceptance of a quote before its deadline';
      assertAllowed(t, 'quote.state.usable-until-deadline', yes, what);
    },
  }),
);

export const acceptDeadlineChecks: readonly Check[] = [...lapsed, ...stillUsable];
