import { type Check, defineCheck } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  type PlacedQuote,
  quote,
  readOrder,
  targetNow,
} from '../../../src/suite/actions/index.ts';
import { untilNear } from '../../shared/order-expiry.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { expiryLagMs, waits } from '../../shared/waits.ts';
import { assertRead, assertOnList, makers, findRequest } from './listed-requests.ts';

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
  async run(t) {
    const order = await createOrder(t);
    const quotes: PlacedQuote[] = [];
    for (const maker of ['maker_a', 'maker_b'] as const) {
      quotes.push(await quote(t, maker, order, { validForMs: 1_500 }));
    }
    const last = Math.max(...quotes.map(({ validUntil }) => validUntil));
    const { timeline, clock } = t.target;
    await timeline.until(last - clock.offset.least + expiryLagMs);
    const { data, exchange } = await readOrder(t, order);
    if (stateOf(data) !== 'PENDING')
      t.notExercised('the order did not outlast its quotes', [exchange]);
    const when = 'once every quote on it had lapsed';
    const item = await assertOnList(t, 'maker_c', order, [stillThere], when);
    await assertRead(t, 'maker_c', order, item);
  },
});

/** Near enough to a deadline that a list which closes early has closed, and far enough to be asked twice. */
const beforeEndMs = 4_000;

const last = defineCheck({
  id: 'rfq.list.until-the-end',
  title: 'Some seconds before its order expires a request is still listed, and can be read.',
  requirements: [there, readable, agrees],
  needs: { parties: ['sender', 'maker_a'], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    const expiresAt = await untilNear(t, order, beforeEndMs);
    const left = `${Math.round((expiresAt - targetNow(t).latest) / 1_000)} s before its deadline`;
    const item = await assertOnList(t, 'maker_a', order, [there], left);
    await assertRead(t, 'maker_a', order, item);
  },
});

const quoted = defineCheck({
  id: 'rfq.read.once-quoted',
  title: 'A request that is listed for a maker that has quoted it can be read by that maker.',
  requirements: [readable, agrees],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    // Whether it is active still for who has quoted it is open (gap `rfq.active`), and so whether it can be read.
    const { item } = await findRequest(t, 'maker_a', order, 'there');
    if (!item) return t.outOfScope('a maker is shown no request that it has quoted');
    await assertRead(t, 'maker_a', order, item);
  },
});

export const openRequestChecks: readonly Check[] = [lapsed, last, quoted];
