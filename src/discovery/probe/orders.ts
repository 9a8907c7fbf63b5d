import { isDenied, succeeded } from '../../protocol/answers.ts';
import { orderBody, paramsOf, concurrently } from '../../suite/actions/index.ts';
import { requestFields } from '../observe/orders.ts';
import { callAs, placeOrder, type ProbeContext, tryOrder } from './probe-context.ts';

/** Tests which fields a creation requires, and which unusual values it accepts. */
export async function probeCreation(t: ProbeContext): Promise<void> {
  const repeated = orderBody(t);
  const odd = [
    orderBody(t, { assay_probe: 'x' }),
    orderBody(t, { target_currency: repeated['source_currency'] }),
    orderBody(t, { target_amount: '0' }),
    orderBody(t, { target_amount: 100 }),
    ...requestFields.map((field) => {
      const { [field]: _, ...rest } = orderBody(t);
      return rest;
    }),
  ];
  await concurrently(t, [
    async () => {
      await tryOrder(t, repeated);
      await tryOrder(t, repeated);
    },
    ...odd.map((body) => () => tryOrder(t, body)),
  ]);
}

/** Tests which other parties may read an order, the effect of a cancel, and the request before and after it. */
export async function probeOrderLife(t: ProbeContext): Promise<void> {
  const params = paramsOf(await placeOrder(t));
  await concurrently(t, [
    () => callAs(t, 'outsider', 'order.read', { params }),
    () => callAs(t, 'outsider_custodian', 'order.read', { params }),
    () => callAs(t, 'receiver_custodian', 'order.list'),
    () => callAs(t, 'maker_a', 'rfq.read', { params }),
  ]);
  const sender = t.party('sender');
  const bare = await sender.call('order.cancel', { params });
  const cancelled = isDenied(bare) ? await sender.call('order.cancel', { params, body: {} }) : bare;
  if (!succeeded(cancelled)) return;
  await sender.call('order.read', { params });
  await sender.call('order.cancel', { params });
  await callAs(t, 'maker_a', 'rfq.read', { params });
}
