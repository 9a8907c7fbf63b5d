import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  findInList,
  matchesOrder,
  type PlacedOrder,
  quote,
  readOrder,
  remainingMs,
  concurrently,
  targetNow,
} from '../../../src/suite/actions/index.ts';
import { acceptAndSettle, acceptQuote, followToSettlement } from '../../shared/order-life.ts';
import { followToExpiry } from '../../shared/order-expiry.ts';
import { quotesOnceListed } from '../../shared/listed-quotes.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { untilBefore, untilViewsAgree, waits } from '../../shared/waits.ts';

const dayMs = 24 * 3_600_000;
const eveningMs = 20_000;
/** An order that lives no longer has ended before the day has. */
const nightMs = eveningMs + 8_000;

/** The end of the day on the target's clock, in UTC. */
const midnightOf = (t: CheckContext): number =>
  Math.ceil((targetNow(t).latest + eveningMs + 1) / dayMs) * dayMs;

async function untilEvening(t: CheckContext): Promise<number> {
  const midnight = midnightOf(t);
  t.allowWait(midnight - targetNow(t).latest + waits.orderExpiry, 'the rest of the day');
  await untilBefore(t, midnight, eveningMs);
  return midnight;
}

/** True if an order certainly lives on into the next day. */
const livesOn = (t: CheckContext, order: PlacedOrder): boolean =>
  (remainingMs(t, order) ?? 0) > nightMs;

/** 2, 3.1: deadlines work across midnight. */
const overMidnight: Check = {
  id: 'order.expiry.over-midnight',
  title:
    'Orders that are open, quoted or being settled when a day ends (UTC) are there on the next one, and go on.',
  requirements: [
    'order.expires-at.after-creation',
    'order.list.complete',
    'rfq.list.holds-new-request',
    'order.state.executing-to-settled',
    'order.settled-at.at-settlement',
    'quote.state.usable-until-deadline',
    'quote.state.pending-to-expired.not-early',
    'service.sender-accepts',
    'order.state.pending-to-expired',
  ],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: waits.orderExpiry },
  async run(t) {
    const midnight = await untilEvening(t);
    const create = (): Promise<PlacedOrder> => createOrder(t);
    const [open, quoted, left, traded] = await concurrently(t, [create, create, create, create]);
    if (!livesOn(t, left)) return t.outOfScope("this target's orders do not live for so long");
    const [offer, bid] = await concurrently(t, [
      () => quote(t, 'maker_b', quoted),
      () => quote(t, 'maker_a', traded),
    ]);
    const trade = { order: traded, quote: bid, acceptedBy: 'sender' } as const;
    await untilBefore(t, midnight, 1_500);
    await acceptQuote(t, trade);
    await untilBefore(t, midnight, 0);
    await untilViewsAgree(t);
    const listed = (order: PlacedOrder) => () =>
      findInList(t, t.party('sender'), 'order.list', matchesOrder(order));
    await concurrently(t, [
      ...[open, traded].map(listed),
      () => findInList(t, t.party('maker_a'), 'rfq.list', matchesOrder(open)),
      () => quotesOnceListed(t, quoted, [offer]),
    ]);
    await concurrently(t, [
      () => followToSettlement(t, trade),
      () => acceptAndSettle(t, { order: quoted, quote: offer, acceptedBy: 'sender' }),
      async () => {
        await cancelOrder(t, open);
        await readOrder(t, open);
      },
      () => followToExpiry(t, left),
    ]);
  },
};

export const turnOfDayChecks: readonly Check[] = [overMidnight];
