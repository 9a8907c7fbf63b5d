import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  openForQuotes,
  orderBody,
  type PlacedOrder,
  placedOrder,
  quote,
  readOrder,
} from '../../../src/suite/actions/index.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { needsOf, settlementTimeoutMs, viewLagMs, waits } from '../../shared/waits.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import { rows } from '../../shared/check-table.ts';

/** An order whose memo two sides may show differently; a plain order if such a memo is refused (gap `text.length`). */
async function createWithUnusualMemo(t: CheckContext): Promise<PlacedOrder> {
  const memo = 'Grüße — 送金 #4';
  const body = orderBody(t, { memo });
  const order = placedOrder('sender', body, await t.party('sender').call('order.create', { body }));
  if (!order) return createOrder(t);
  await openForQuotes(t, order);
  return order;
}

/** 4.3: the custodian reads the order that the sender reads, and the same quotes on it. */
export const custodianViewChecks: readonly Check[] = rows(
  { id: 'by-sender', by: 'sender' },
  { id: 'by-custodian', by: 'sender_custodian' },
).map<Check>(({ id, by }) => ({
  id: `order.read.custodian-view.${id}`,
  title: `From creation to settlement, accepted ${id}, the custodian reads the order that the sender reads.`,
  requirements: ['order.read.custodian-sees-same', 'order.quotes.custodian-sees-same'],
  needs: needsOf(
    waits.settlement + 2 * viewLagMs,
    'sender',
    'sender_custodian',
    'maker_a',
    'maker_b',
  ),
  async run(t) {
    const order = await createWithUnusualMemo(t);
    const look = async (): Promise<void> => {
      for (const reader of ['sender', 'sender_custodian'] as const) {
        await readOrder(t, order, reader);
        await quotesOf(t, order, reader);
      }
    };
    await look();
    await quote(t, 'maker_a', order);
    const second = await quote(t, 'maker_b', order);
    await t.target.timeline.sleep(viewLagMs + 100);
    await look();
    await accept(t, order, second, by);
    await look();
    await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    await t.target.timeline.sleep(viewLagMs);
    await look();
  },
}));
