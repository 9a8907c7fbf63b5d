import { type Check, defineCheck } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  isRefusal,
  paramsOf,
  quote,
  quoteBody,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { judgeQuote } from '../3-states/quotes-seen.ts';
import { acceptCall, each } from '../3-states/words.ts';
import { raw } from './malformed.ts';

const requirement = 'error.refusal-changes-nothing';

/** A maker that is refused a second quote keeps the one that it has, whether or not it might have two (gap `quote.twice`). */
export const ownQuoteChecks: readonly Check[] = each(
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
      async run(trial) {
        const order = await createOrder(trial);
        const standing = await quote(trial, maker, order);
        const valid = quoteBody(trial, order);
        const broken = [
          { body: { ...valid, fx_rate: 'broken' } },
          { body: { ...valid, valid_until: 'soon' } },
          raw('please quote'),
        ];
        const answers: Exchange[] = [];
        for (const options of broken) {
          const params = paramsOf(order);
          answers.push(await trial.party(maker).call('quote.submit', { ...options, params }));
        }
        // That these are refused is judged elsewhere; one that was taken may have replaced the first.
        const taken = answers.filter((answer) => !isRefusal(answer));
        if (taken.length > 0) trial.giveUp('a broken quote was not refused', taken);
        await trial.target.timeline.sleep(2_000);
        const when = 'after broken quotes of its maker were refused';
        await judgeQuote(trial, requirement, order, standing, ['PENDING'], when);
        await judgeQuote(trial, requirement, order, standing, ['PENDING'], when, 'its maker');
        const yes = await acceptCall(trial, order, standing, by);
        allowed(trial, 'quote.state.usable-until-deadline', yes, 'a quote beside refused ones');
      },
    }),
);
