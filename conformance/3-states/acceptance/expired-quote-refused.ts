import type { Check } from '../../../src/suite/engine/check.ts';
import {
  assertAllowed,
  createOrder,
  isRefusal,
  quote,
  readOrder,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../../shared/order-life.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { tryAccept } from '../../shared/order-calls.ts';
import { needsOf, untilBefore, waits } from '../../shared/waits.ts';
import { rows } from '../../shared/check-table.ts';

/** 3.1: only a valid quote can be accepted. A lapsed quote is tried first, then a valid one on the same order. */
const lapsed = rows(
  { id: 'sender', by: 'sender', short: 'maker_a', long: 'maker_b', waitMs: 60 },
  { id: 'custodian', by: 'sender_custodian', short: 'maker_b', long: 'maker_a', waitMs: 60 },
  { id: 'well-past', by: 'sender', short: 'maker_b', long: 'maker_a', waitMs: 3_600 },
).map<Check>(({ id, by, short, long, waitMs }) => ({
  id: `order.accept.expired-quote.${id}`,
  title: `${by} cannot accept a quote whose deadline has passed, but another's on the same order.`,
  requirements: [
    'order.accept.expired-quote-refused',
    'error.refusal-changes-nothing',
    ...lifeRequirementsOf(by),
  ],
  needs: needsOf(waits.quoteExpiry + waits.settlement, 'sender', by, short, long),
  async run(t) {
    const order = await createOrder(t);
    const valid = await quote(t, long, order);
    const brief = await quote(t, short, order, { validForMs: 2_500 });
    await readOrder(t, order);
    const { timeline, clock } = t.target;
    await timeline.until(brief.validUntil - clock.offset.least + waitMs);
    const late = await tryAccept(t, order, brief, by);
    await readOrder(t, order);
    if (isRefusal(late)) await acceptAndSettle(t, { order, quote: valid, acceptedBy: by });
  },
}));

/** 2.3: a quote is usable until its valid_until: late in its life as well as early. */
const stillUsable = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `quote.accept.before-deadline.${by}`,
  title: `${by} can accept a quote in the last second of its validity.`,
  requirements: ['quote.state.usable-until-deadline', 'quote.state.pending-to-expired.not-early'],
  needs: needsOf(waits.quoteExpiry, 'sender', 'maker_a', by),
  async run(t) {
    const order = await createOrder(t);
    const brief = await quote(t, 'maker_a', order, { validForMs: 4_000 });
    const { timeline, clock } = t.target;
    await untilBefore(t, brief.validUntil, 1_200);
    await quotesOf(t, order, by);
    // On a timeline that is not the system clock an answer takes no time: a short lead is enough.
    const leadMs = timeline.kind === 'system' ? 900 : 60;
    await untilBefore(t, brief.validUntil, leadMs);
    const yes = await t.promptly(() => tryAccept(t, order, brief, by));
    // Only now it is known if the request was in time: the answer may have taken long.
    const inTime = yes.received + clock.offset.most < brief.validUntil;
    if (!inTime && !succeeded(yes)) t.notExercised('the acceptance came too late', [yes]);
    const what = 'the acceptance of a quote before its deadline';
    assertAllowed(t, 'quote.state.usable-until-deadline', yes, what);
  },
}));

export const acceptDeadlineChecks: readonly Check[] = [...lapsed, ...stillUsable];
