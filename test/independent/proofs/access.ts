import { isTaken, type Proof, settledOrder } from './world.ts';

export const accessProofs: Readonly<Record<string, Proof>> = {
  'settled-order-opens-to-strangers': async (world) => {
    const { id } = await settledOrder(world);
    await world.get('sender', `orders/${id}`);
    return isTaken(await world.get('outsider', `orders/${id}`));
  },
  'strange-custodian-lists-quotes-of-expired-order': async (world) => {
    const id = await world.order();
    await world.offer('maker_a', id);
    await world.advance(world.dialect.lifetimeMs + 1_000);
    return isTaken(await world.get('outsider_custodian', `orders/${id}/quotes`));
  },
  'custodian-cancels-once-quoted': async (world) => {
    const id = await world.order();
    await world.offer('maker_a', id);
    return isTaken(await world.post('sender_custodian', `orders/${id}/cancel`));
  },
  'institution-accepts-proposal-later': async (world) => {
    const id = await world.order();
    await world.post('sender', `orders/${id}/cancel`);
    return isTaken(await world.post('sender', `orders/${id}/accept`));
  },
  'loser-reads-settlement': async (world) => {
    const { id } = await settledOrder(world, {}, 1.25);
    return isTaken(await world.get('maker_b', `settlements/${id}`));
  },
  'rivals-shown-after-the-end': async (world) => {
    const { id } = await settledOrder(world, {}, 1.25);
    return (await world.list('maker_b', `quote-requests/${id}/quotes`)).rows.length > 1;
  },
};
