import { isTaken, partyOf, type Proof, settledOrder } from './world.ts';

export const listProofs: Readonly<Record<string, Proof>> = {
  'one-page-too-many': async (world) => {
    await world.order();
    await world.order();
    return (await world.list('sender', 'orders', { size: 2 })).pagination.total_pages !== 1;
  },
  'count-stops-at-hundred': async (world) => {
    for (let count = 0; count < 101; count += 1) await world.order();
    return (await world.list('sender', 'orders', { size: 2 })).pagination.total_items !== 101;
  },
  'filter-forgotten-after-first-page': async (world) => {
    for (const isCancelled of [false, true, true, false]) {
      const id = await world.order();
      if (isCancelled) await world.post('sender', `orders/${id}/cancel`);
    }
    const { rows } = await world.list('sender', 'orders', { page: 1, size: 1, status: 'PENDING' });
    return rows.some((row) => row.status !== 'PENDING');
  },
  'lapsed-quotes-filed-as-pending': async (world) => {
    await world.offer('maker_a', await world.order(), { validMs: 5_000 });
    await world.advance(6_000);
    const { rows } = await world.list('maker_a', 'quotes', { status: 'PENDING' });
    return rows.some((row) => row.status !== 'PENDING');
  },
  'twin-lost-at-page-boundary': async (world) => {
    const ids = [await world.order(), await world.order()];
    const pages = [0, 1].map((page) => world.list('sender', 'orders', { page, size: 1 }));
    const seen = (await Promise.all(pages)).flatMap(({ rows }) => rows.map((row) => row.intent_id));
    return ids.some((id) => !seen.includes(id));
  },
  'custodian-of-both-sides-lists-twice': async (world) => {
    const id = await world.order({ receiver_custodian_party_id: partyOf('sender_custodian') });
    const { rows } = await world.list('sender_custodian', 'orders');
    return rows.filter((row) => row.intent_id === id).length > 1;
  },
  'cancelled-request-still-listed': async (world) => {
    const id = await world.order();
    await world.offer('maker_a', id);
    await world.post('sender', `orders/${id}/cancel`);
    const { rows } = await world.list('maker_a', 'quote-requests');
    return rows.some((row) => row.intent_id === id);
  },
  'settlement-gone-after-an-hour': async (world) => {
    const { id } = await settledOrder(world);
    await world.advance(3_600_000);
    return !isTaken(await world.get('maker_a', `settlements/${id}`));
  },
};
