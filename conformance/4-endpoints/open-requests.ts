import { type Check, defineCheck } from '../../src/conformance/check.ts';
import {
  createOrder,
  type PlacedQuote,
  quote,
  readOrder,
  targetNow,
} from '../../src/conformance/moves/index.ts';
import { untilNear } from '../3-states/expiring.ts';
import { stateOf, sweepMs, waits } from '../3-states/words.ts';
import { judgeRead, judgeThere, makers, requestOn } from './requests-seen.ts';

/** A request is active for as long as its order is PENDING: whatever became of quotes on it, and up to its deadline. */

const there = 'rfq.list.holds-new-request';
const stillThere = 'rfq.list.still-listed-once-quoted';
const readable = 'rfq.read.returns-that-request';
const agrees = 'rfq.read.agrees-with-list';

const lapsed = defineCheck({
  id: 'rfq.list.all-quotes-lapsed',
  title:
    'A request whose quotes have all lapsed is listed for a maker that has not quoted, who can read it.',
  requirements: [stillThere, readable, agrees],
  needs: { parties: ['sender', ...makers], waitMs: waits.quoteExpiry },
  async run(trial) {
    const order = await createOrder(trial);
    const quotes: PlacedQuote[] = [];
    for (const maker of ['maker_a', 'maker_b'] as const) {
      quotes.push(await quote(trial, maker, order, { validForMs: 1_500 }));
    }
    const last = Math.max(...quotes.map(({ validUntil }) => validUntil));
    const { timeline, clock } = trial.target;
    await timeline.until(last - clock.offset.least + sweepMs);
    const { data, exchange } = await readOrder(trial, order);
    if (stateOf(data) !== 'PENDING')
      trial.giveUp('the order did not outlast its quotes', [exchange]);
    const when = 'once every quote on it had lapsed';
    const item = await judgeThere(trial, 'maker_c', order, [stillThere], when);
    await judgeRead(trial, 'maker_c', order, item);
  },
});

/** Near enough to a deadline that a list which closes early has closed, and far enough to be asked twice. */
const beforeEndMs = 4_000;

const last = defineCheck({
  id: 'rfq.list.until-the-end',
  title: 'Some seconds before its order expires a request is still listed, and can be read.',
  requirements: [there, readable, agrees],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.orderExpiry },
  async run(trial) {
    const order = await createOrder(trial);
    const expiresAt = await untilNear(trial, order, beforeEndMs);
    const left = `${Math.round((expiresAt - targetNow(trial).latest) / 1_000)} s before its deadline`;
    const item = await judgeThere(trial, 'maker_a', order, [there], left);
    await judgeRead(trial, 'maker_a', order, item);
  },
});

const quoted = defineCheck({
  id: 'rfq.read.once-quoted',
  title: 'A request that is listed for a maker that has quoted it can be read by that maker.',
  requirements: [readable, agrees],
  needs: { parties: ['sender', 'maker_a'] },
  async run(trial) {
    const order = await createOrder(trial);
    await quote(trial, 'maker_a', order);
    // Whether it is active still for who has quoted it is open (gap `rfq.active`), and so whether it can be read.
    const { item } = await requestOn(trial, 'maker_a', order, 'there');
    if (!item) return trial.outOfScope('a maker is shown no request that it has quoted');
    await judgeRead(trial, 'maker_a', order, item);
  },
});

export const openRequestChecks: readonly Check[] = [lapsed, last, quoted];
