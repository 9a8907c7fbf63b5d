import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  createOrder,
  fieldsOf,
  quote,
  said,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { each, waits } from '../3-states/words.ts';
import { untilSettled } from '../deeds.ts';

/** Stats may be gathered now and then: nobody says how fresh they are. */
const gatheringMs = 60_000;

/** What stats show, whatever the fields are called, but for when they were gathered. */
const shown = (exchange: Exchange): string =>
  JSON.stringify(fieldsOf(exchange), (_, value: unknown) =>
    parseTimestamp(value) === undefined ? value : undefined,
  );

async function read(trial: Trial, by: CastName): Promise<Exchange> {
  const exchange = await trial.party(by).call('stats.read');
  if (!succeeded(exchange)) trial.giveUp(`no stats were had: ${said(exchange)}`, [exchange]);
  return exchange;
}

/** The names of the fields are open, and so is what they count; that nothing in them ever moves is no count. */
export const statsChecks: readonly Check[] = each(
  ['sender', 'sender_custodian', 'maker_a'] as const,
  (by) =>
    defineCheck({
      id: `stats.follow.${by}`,
      title: `The dashboard stats of ${by} are not what they were once one more order has settled.`,
      requirements: ['stats.read.follows-orders'],
      needs: {
        parties: [...new Set(['sender', 'sender_custodian', 'maker_a', by] as const)],
        waitMs: waits.settlement + gatheringMs,
      },
      async run(trial) {
        const { timeline } = trial.target;
        const before = await read(trial, by);
        const order = await createOrder(trial);
        await accept(trial, order, await quote(trial, 'maker_a', order));
        await untilSettled(trial, order);
        const end = timeline.now() + gatheringMs;
        let after = await read(trial, by);
        while (shown(after) === shown(before) && timeline.now() < end) {
          await timeline.sleep(10_000);
          after = await read(trial, by);
        }
        trial.advise('stats.read.follows-orders', shown(after) !== shown(before), {
          message: 'The dashboard stats did not change by an order that settled.',
          expected: 'other counts, or another volume',
          actual: fieldsOf(after),
          seen: [before, after],
        });
      },
    }),
);
