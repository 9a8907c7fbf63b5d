import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  createOrder,
  isRefusal,
  type PlacedOrder,
  quote,
  readOrder,
} from '../../src/suite/actions/index.ts';
import { assertQuoteState } from '../shared/listed-quotes.ts';
import { assertUntouched } from '../shared/order-assertions.ts';
import { tryAccept } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';
import { stateOf } from '../shared/order-fields.ts';
import { eventLatencyMs } from '../shared/streams.ts';
import { recordFrames, assertNoEvents } from './refused-changes-nothing.ts';
import {
  acceptanceNotRefused,
  requireRefusedAcceptance,
  type DearAndCheap,
  dearAndCheapOf,
  lowMaximumTerms,
} from './unaffordable-quotes.ts';

const requirement = 'error.refusal-changes-nothing';

/** Judges that both quotes stand as before, for the order side and for their makers. */
async function assertStanding(
  t: CheckContext,
  order: PlacedOrder,
  rivals: DearAndCheap,
): Promise<void> {
  const when = 'after the acceptance of one above the maximum was refused';
  for (const one of [rivals.dear, rivals.fair]) {
    for (const by of ['sender', 'its maker'] as const) {
      await assertQuoteState(t, requirement, order, one, ['PENDING'], when, by);
    }
  }
}

/**
 * Where a quote above the maximum may stand and its acceptance is refused (gap `quote.above_max`), that refusal is one
 * like any other. Of the rates 2 and 0.5 one is dear and one is not, whichever way a rate is meant.
 */
export const aboveMaximumChecks: readonly Check[] = each(
  ['sender', 'sender_custodian'] as const,
  (by) =>
    defineCheck({
      id: `error.silence.above-maximum.${by}`,
      title: `When ${by} is refused a quote above the maximum, the order and a rival quote stand as before, and the rival can be accepted.`,
      requirements: [
        requirement,
        'error.refusal-sends-no-event',
        'quote.state.usable-until-deadline',
      ],
      needs: {
        parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
        waitMs: 2 * eventLatencyMs,
      },
      async run(t) {
        requireRefusedAcceptance(t);
        const order = await createOrder(t, lowMaximumTerms);
        const rivals = await dearAndCheapOf(t, order, [
          await quote(t, 'maker_a', order, { rate: '2' }),
          await quote(t, 'maker_b', order, { rate: '0.5' }),
        ]);
        if (!rivals) return t.outOfScope('no rate told a dear quote from a fair one');
        await t.target.timeline.sleep(eventLatencyMs);
        const toldOf = recordFrames(t);
        const no = await tryAccept(t, order, rivals.dear, by);
        const { data } = await readOrder(t, order);
        // It may also be what fails the order.
        if (!isRefusal(no) || stateOf(data) === 'FAILED') return t.outOfScope(acceptanceNotRefused);
        await t.target.timeline.sleep(eventLatencyMs);
        await assertUntouched(t, requirement, order, 'after a refused acceptance');
        await assertStanding(t, order, rivals);
        assertNoEvents(t, order, toldOf(order), [no]);
        const yes = await tryAccept(t, order, rivals.fair, by);
        assertAllowed(t, 'quote.state.usable-until-deadline', yes, 'a quote beside a refused one');
      },
    }),
);
