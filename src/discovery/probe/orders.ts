import { callAs, createdOrder, type ProbeContext } from './probe-context.ts';
import { type Fields, refused, succeeded } from '../../protocol/exchange-queries.ts';
import { requestFields } from '../observe/orders.ts';

/** What the creation of an order insists on and puts up with. */
export async function probeCreation(context: ProbeContext): Promise<void> {
  const sender = context.party('sender');
  if (!sender) return;
  const tryBody = async (body: Fields): Promise<void> => {
    const order = createdOrder(await sender.call('order.create', { body }));
    if (order) context.leftOpen.push(order.id);
  };
  const repeatedBody = context.body();
  await tryBody(repeatedBody);
  await tryBody(repeatedBody);
  await tryBody(context.body({ assay_probe: 'x' }));
  const currency = context.body()['source_currency'];
  await tryBody(context.body({ target_currency: currency }));
  await tryBody(context.body({ target_amount: '0' }));
  await tryBody(context.body({ target_amount: 100 }));
  for (const field of requestFields) {
    const { [field]: _, ...rest } = context.body();
    await tryBody(rest);
  }
}

/** Who else may look at an order, what cancelling it does, and what a proposal is. */
export async function probeOrderLife(context: ProbeContext): Promise<void> {
  const order = await context.order();
  if (!order) return;
  const params = { intent_id: order.id };
  await callAs(context, 'outsider', 'order.read', { params });
  await callAs(context, 'outsider_custodian', 'order.read', { params });
  await callAs(context, 'receiver_custodian', 'order.list');
  await callAs(context, 'maker_a', 'rfq.read', { params });
  const bare = await callAs(context, 'sender', 'order.cancel', { params });
  const cancelled =
    bare && refused(bare)
      ? await callAs(context, 'sender', 'order.cancel', { params, body: {} })
      : bare;
  if (!cancelled || !succeeded(cancelled)) return;
  await callAs(context, 'sender', 'order.read', { params });
  await callAs(context, 'sender', 'order.cancel', { params });
  await callAs(context, 'maker_a', 'rfq.read', { params });
}
