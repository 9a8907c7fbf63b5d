import type { Check } from '../../src/suite/engine/check.ts';
import { accept, createOrder, quote, succeeded } from '../../src/suite/actions/index.ts';
import { type CastName, castNames } from '../../src/spec/requirements/index.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { needsOf, waits } from '../shared/waits.ts';
import {
  afterStartRushMs,
  awaitEndAndEvents,
  awaitEvents,
  eventLatencyMs,
  isEventOf,
  openSecondStream,
  requireStreamLasted,
} from '../shared/streams.ts';
import { rows } from '../shared/check-table.ts';

/** 6: each role has a stream. Whether custodians have one is contradicted by 1.4 (gap `access.custodian_extras`). */
const opens = castNames.map<Check>((by: CastName) => ({
  id: `stream.opens.${by}`,
  title: `The stream of ${by} opens, and is open still after some seconds.`,
  requirements: ['stream.opens', 'stream.stays-open'],
  needs: { parties: [by], waitMs: 5_000 },
  async run(t) {
    const { events, role } = t.party(by);
    const { opened } = events;
    const isOpened = succeeded(opened) || events.frames.length > 0;
    if (!isOpened && role === 'custodian' && opened.response) {
      return t.outOfScope('custodians have no stream here (gap access.custodian_extras)');
    }
    t.assert('stream.opens', isOpened, {
      message: 'A party could not open its stream.',
      actual: opened.response?.status ?? opened.error?.code,
      seen: [opened],
    });
    if (isOpened) await t.target.timeline.sleep(5_000);
  },
}));

/** 6: every stream of the sender's side that is open carries all of an order. */
const orderSide = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `stream.several.${by}`,
  title: `Three streams of ${by}, one of them limited to the order, each carry its quotes and every change of it.`,
  requirements: ['event.every-open-stream', 'stream.unfiltered-has-all'],
  needs: needsOf(
    afterStartRushMs + waits.settlement + eventLatencyMs,
    'sender',
    by,
    'maker_a',
    'maker_b',
  ),
  async run(t) {
    await t.target.timeline.sleep(afterStartRushMs);
    const order = await createOrder(t);
    const own = await openSecondStream(t, by);
    const limited = await openSecondStream(t, by, { intentId: order.intentId });
    await quote(t, 'maker_b', order);
    await accept(t, order, await quote(t, 'maker_a', order), by);
    await awaitEndAndEvents(t, order);
    for (const stream of [own, limited]) requireStreamLasted(t, stream);
  },
}));

/** 6: every stream of a maker that is open carries requests, selections and settlements. */
const makerSide = rows(
  { by: 'maker_a', acceptedBy: 'sender' },
  { by: 'maker_c', acceptedBy: 'sender_custodian' },
).map<Check>(({ by, acceptedBy }) => ({
  id: `stream.several.${by}`,
  title: `Two streams of ${by} each carry a request, a selection that ${acceptedBy} made, and the settlement.`,
  requirements: ['event.every-open-stream'],
  needs: needsOf(afterStartRushMs + 2 * waits.settlement, 'sender', acceptedBy, by, 'maker_b'),
  async run(t) {
    await t.target.timeline.sleep(afterStartRushMs);
    const second = await openSecondStream(t, by);
    const won = await createOrder(t);
    const lost = await createOrder(t);
    const placed = await quote(t, by, won);
    await quote(t, by, lost);
    const rival = await quote(t, 'maker_b', lost);
    await accept(t, won, placed, acceptedBy);
    await accept(t, lost, rival, acceptedBy);
    await awaitEndAndEvents(t, won);
    requireStreamLasted(t, second);
  },
}));

/** 6: a stream that closes takes nothing from those that stay. */
const closing: Check = {
  id: 'stream.closing-one',
  title: 'When one of two streams of a party is closed, the other goes on.',
  requirements: ['event.order-updated.on-cancel', 'event.quote-request-new.sent'],
  needs: { parties: ['sender', 'maker_b'], waitMs: afterStartRushMs + 2 * eventLatencyMs + 4_000 },
  async run(t) {
    await t.target.timeline.sleep(afterStartRushMs);
    const [mine, theirs] = [
      await openSecondStream(t, 'sender'),
      await openSecondStream(t, 'maker_b'),
    ];
    for (const stream of [mine, theirs]) await stream.close();
    const order = await createOrder(t);
    // A request may reach makers a while after its order. If the order was cancelled by then, it may never reach them.
    const latest = t.target.timeline.now() + eventLatencyMs;
    await t.party('maker_b').events.find(isEventOf(order, 'quote_request_new'), latest);
    await t.party('maker_b').call('rfq.read', { params: { intent_id: order.intentId } });
    await cancelOrder(t, order);
    await awaitEvents(t, order);
  },
};

export const parallelStreamChecks: readonly Check[] = [
  ...opens,
  ...orderSide,
  ...makerSide,
  closing,
];
