import type { Proof } from './world.ts';

export const amountProofs: Readonly<Record<string, Proof>> = {
  'smaller-amount-held-against-maximum': async (world) => {
    const id = await world.order({ source_amount_max: '11.00' });
    await world.accept('sender', id, await world.offer('maker_a', id, { price: 1.25 }));
    await world.advance(6_000);
    return Number((await world.get('sender', `orders/${id}`)).data.source_amount_actual) > 11;
  },
  'yen-rounded-up-past-maximum': async (world) => {
    const id = await world.order({
      source_currency: 'JPY',
      target_amount: '10.20',
      source_amount_max: '10.50',
    });
    const offered = await world.offer('maker_a', id, { target: '10.20' });
    const { data } = await world.accept('sender', id, offered);
    return Number(data.source_amount_actual) > 10.5;
  },
  'maximum-itself-refused': async (world) => {
    const id = await world.order({ source_amount_max: '10.00' });
    const accepted = await world.accept('sender', id, await world.offer('maker_a', id));
    return accepted.status >= 400;
  },
  'no-quote-though-quotes-lapsed': async (world) => {
    const id = await world.order();
    await world.offer('maker_a', id, { validMs: 5_000 });
    await world.advance(world.dialect.lifetimeMs + 1_000);
    return (await world.get('sender', `orders/${id}`)).text.includes('"NO_QUOTE"');
  },
};
