import { isDenied, succeeded } from '../../protocol/answers.ts';
import { orderBody, paramsOf } from '../../suite/actions/index.ts';
import { requestFields } from '../observe/orders.ts';
import { callAs, placeOrder, type ProbeContext, tryOrder } from './probe-context.ts';

/** What the creation of an order insists on and puts up with. */
export async function probeCreation(t: ProbeContext): Promise<void> {
  const repeated = orderBody(t);
  await tryOrder(t, repeated);
  await tryOrder(t, repeated);
  await tryOrder(t, orderBody(t, { assay_probe: 'x' }));
  await tryOrder(t, orderBody(t, { target_currency: repeated['source_currency'] }));
  await tryOrder(t, orderBody(t, { target_amount: '0' }));
  await tryOrder(t, orderBody(t, { target_amount: 100 }));
  for (const field of requestFields) {
    const { [field]: _, ...rest } = orderBody(t);
    await tryOrder(t, rest);
  }
}

/** Who else may look at an order, what cancelling it does, and what a proposal is. */
export async function probeOrderLife(t: ProbeContext): Promise<void> {
  const params = paramsOf(await placeOrder(t));
  await callAs(t, 'outsider', 'order.read', { params });
  await callAs(t, 'outsider_custodian', 'order.read', { params });
  await callAs(t, 'receiver_custodian', 'order.list');
  await callAs(t, 'maker_a', 'rfq.read', { params });
  const sender = t.party('sender');
  const bare = await sender.call('order.cancel', { params });
  const cancelled = isDenied(bare) ? await sender.call('order.cancel', { params, body: {} }) : bare;
  if (!succeeded(cancelled)) return;
  await sender.call('order.read', { params });
  await sender.call('order.cancel', { params });
  await callAs(t, 'maker_a', 'rfq.read', { params });
}
