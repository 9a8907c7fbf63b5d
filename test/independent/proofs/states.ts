import { isTaken, type Proof, settledOrder, type World } from './world.ts';

const day = 86_400_000;

const statusOf = async (world: World, id: string): Promise<unknown> =>
  (await world.get('sender', `orders/${id}`)).data.status;

const quoteStatuses = async (world: World, id: string): Promise<unknown[]> =>
  (await world.list('sender', `orders/${id}/quotes`)).rows.map((row) => row.status);

export const stateProofs: Readonly<Record<string, Proof>> = {
  'lapsed-quote-accepted-within-a-second': async (world) => {
    const id = await world.order();
    const offered = await world.offer('maker_a', id, { validMs: 5_000 });
    await world.advance(5_500);
    return isTaken(await world.accept('sender', id, offered));
  },
  'long-validity-overflows': async (world) => {
    const id = await world.order();
    await world.offer('maker_a', id, { validMs: 30 * day });
    await world.advance(1_000);
    return (await quoteStatuses(world, id)).includes('EXPIRED');
  },
  'executing-order-expires': async (world) => {
    const id = await world.order();
    const offered = await world.offer('maker_a', id, { validMs: 200_000 });
    await world.advance(world.dialect.lifetimeMs - 2_000);
    await world.accept('sender', id, offered);
    await world.advance(2_500);
    return (await statusOf(world, id)) === 'EXPIRED';
  },
  'accepted-quote-lapses': async (world) => {
    const { id } = await settledOrder(world);
    await world.advance(60_000);
    return (await quoteStatuses(world, id)).includes('EXPIRED');
  },
  'second-settlement-silences-first': async (world) => {
    const first = await world.order();
    const second = await world.order();
    for (const id of [first, second])
      await world.accept('sender', id, await world.offer('maker_a', id));
    await world.advance(60_000);
    return (await statusOf(world, first)) === 'EXECUTING';
  },
  'reverted-order-settles-later': async (world) => {
    const { id } = await settledOrder(world, { memo: '!revert' });
    await world.advance(6 * 60_000);
    return (await statusOf(world, id)) === 'SETTLED';
  },
  'two-acceptances-at-once': async (world) => {
    // On a busy host two requests may miss each other.
    for (let tries = 0; tries < 10; tries += 1) {
      const id = await world.order();
      const offers = [await world.offer('maker_a', id), await world.offer('maker_b', id)];
      const answers = await Promise.all(offers.map((offer) => world.accept('sender', id, offer)));
      if (answers.every(isTaken)) return true;
    }
    return false;
  },
  'equal-rival-stays-pending': async (world) => {
    const { id } = await settledOrder(world, {}, 1);
    return (await quoteStatuses(world, id)).includes('PENDING');
  },
  'settlements-queue-up': async (world) => {
    const ids = [await world.order(), await world.order(), await world.order()];
    for (const id of ids) await world.accept('sender', id, await world.offer('maker_a', id));
    await world.advance(8_000);
    const statuses = await Promise.all(ids.map((id) => statusOf(world, id)));
    return statuses.includes('EXECUTING');
  },
};
