import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  createOrder,
  isRefusal,
  paramsOf,
  quote,
  quoteBody,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { assertQuoteState } from '../shared/listed-quotes.ts';
import { tryAccept } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';
import { sentAsText } from './malformed-values.ts';

const requirement = 'error.refusal-changes-nothing';

/** A maker that is refused a second quote keeps the one that it has, whether or not it might have two (gap `quote.twice`). */
export const ownQuoteKeptChecks: readonly Check[] = each(
  [
    { maker: 'maker_a', by: 'sender' },
    { maker: 'maker_b', by: 'sender_custodian' },
  ] as const,
  ({ maker, by }) =>
    defineCheck({
      id: `quote.submit.refused-beside-own.${maker}`,
      title: `Broken quotes of ${maker} leave the one that it has as it was, and ${by} can accept that.`,
      requirements: [requirement, 'quote.state.usable-until-deadline'],
      needs: { parties: [...new Set<CastName>(['sender', maker, by])], waitMs: 3_000 },
      async run(t) {
        const order = await createOrder(t);
        const standing = await quote(t, maker, order);
        const valid = quoteBody(t, order);
        const broken = [
          { body: { ...valid, fx_rate: 'broken' } },
          { body: { ...valid, valid_until: 'soon' } },
          sentAsText('please quote'),
        ];
        const answers: Exchange[] = [];
        for (const options of broken) {
          const params = paramsOf(order);
          answers.push(await t.party(maker).call('quote.submit', { ...options, params }));
        }
        // That these are refused is judged elsewhere; one that was taken may have replaced the first.
        const taken = answers.filter((answer) => !isRefusal(answer));
        if (taken.length > 0) t.notExercised('a broken quote was not refused', taken);
        await t.target.timeline.sleep(2_000);
        const when = 'after broken quotes of its maker were refused';
        await assertQuoteState(t, requirement, order, standing, ['PENDING'], when);
        await assertQuoteState(t, requirement, order, standing, ['PENDING'], when, 'its maker');
        const yes = await tryAccept(t, order, standing, by);
        assertAllowed(t, 'quote.state.usable-until-deadline', yes, 'a quote beside refused ones');
      },
    }),
);
