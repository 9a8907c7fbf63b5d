import { callAs, created, type Ground } from './ground.ts';
import { type Fields, refused, succeeded } from './look.ts';
import { requestFields } from './observe-orders.ts';

/** What the creation of an order insists on and puts up with. */
export async function probeCreation(ground: Ground): Promise<void> {
  const sender = ground.party('sender');
  if (!sender) return;
  const tryBody = async (body: Fields): Promise<void> => {
    const order = created(await sender.call('order.create', { body }));
    if (order) ground.left.push(order.id);
  };
  const twice = ground.body();
  await tryBody(twice);
  await tryBody(twice);
  await tryBody(ground.body({ assay_probe: 'x' }));
  const currency = ground.body()['source_currency'];
  await tryBody(ground.body({ target_currency: currency }));
  await tryBody(ground.body({ target_amount: '0' }));
  await tryBody(ground.body({ target_amount: 100 }));
  for (const field of requestFields) {
    const { [field]: _, ...rest } = ground.body();
    await tryBody(rest);
  }
}

/** Who else may look at an order, what cancelling it does, and what a proposal is. */
export async function probeLife(ground: Ground): Promise<void> {
  const order = await ground.order();
  if (!order) return;
  const params = { intent_id: order.id };
  await callAs(ground, 'outsider', 'order.read', { params });
  await callAs(ground, 'outsider_custodian', 'order.read', { params });
  await callAs(ground, 'receiver_custodian', 'order.list');
  await callAs(ground, 'maker_a', 'rfq.read', { params });
  const bare = await callAs(ground, 'sender', 'order.cancel', { params });
  const cancelled =
    bare && refused(bare)
      ? await callAs(ground, 'sender', 'order.cancel', { params, body: {} })
      : bare;
  if (!cancelled || !succeeded(cancelled)) return;
  await callAs(ground, 'sender', 'order.read', { params });
  await callAs(ground, 'sender', 'order.cancel', { params });
  await callAs(ground, 'maker_a', 'rfq.read', { params });
}
