import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  isRefusal,
  type PlacedOrder,
  quote,
  readOrder,
} from '../../src/conformance/moves/index.ts';
import { judgeQuote } from '../3-states/quotes-seen.ts';
import { judgeUntouched } from '../3-states/verdicts.ts';
import { acceptCall, each, stateOf } from '../3-states/words.ts';
import { travelMs } from '../6-events/listening.ts';
import { eavesdrop, judgeQuiet } from './silence.ts';
import {
  notSimplyRefused,
  onlyWhereAcceptanceRefuses,
  type Rivals,
  rivalsOf,
  tightTerms,
} from './tight-terms.ts';

const requirement = 'error.refusal-changes-nothing';

/** Judges that both quotes stand as before, for the order side and for their makers. */
async function judgeStanding(trial: Trial, order: PlacedOrder, rivals: Rivals): Promise<void> {
  const when = 'after the acceptance of one above the maximum was refused';
  for (const one of [rivals.dear, rivals.fair]) {
    for (const by of ['sender', 'its maker'] as const) {
      await judgeQuote(trial, requirement, order, one, ['PENDING'], when, by);
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
        waitMs: 2 * travelMs,
      },
      async run(trial) {
        onlyWhereAcceptanceRefuses(trial);
        const order = await createOrder(trial, tightTerms);
        const rivals = await rivalsOf(trial, order, [
          await quote(trial, 'maker_a', order, { rate: '2' }),
          await quote(trial, 'maker_b', order, { rate: '0.5' }),
        ]);
        if (!rivals) return trial.outOfScope('no rate told a dear quote from a fair one');
        await trial.target.timeline.sleep(travelMs);
        const toldOf = eavesdrop(trial);
        const no = await acceptCall(trial, order, rivals.dear, by);
        const { data } = await readOrder(trial, order);
        // It may also be what fails the order.
        if (!isRefusal(no) || stateOf(data) === 'FAILED') return trial.outOfScope(notSimplyRefused);
        await trial.target.timeline.sleep(travelMs);
        await judgeUntouched(trial, requirement, order, 'after a refused acceptance');
        await judgeStanding(trial, order, rivals);
        judgeQuiet(trial, order, toldOf(order), [no]);
        const yes = await acceptCall(trial, order, rivals.fair, by);
        allowed(trial, 'quote.state.usable-until-deadline', yes, 'a quote beside a refused one');
      },
    }),
);
