import { type EventStream, type Proof, settledOrder } from './world.ts';

const named = async (stream: EventStream, name: string) =>
  (await stream.events()).filter((event) => event.name === name);

export const eventProofs: Readonly<Record<string, Proof>> = {
  'heartbeats-end-after-ten-minutes': async (world) => {
    const stream = await world.listen('sender');
    await world.advance(11 * 60_000);
    const before = (await named(stream, 'heartbeat')).length;
    await world.advance(60_000);
    return (await named(stream, 'heartbeat')).length === before;
  },
  'first-close-silences-second': async (world) => {
    const first = await world.listen('maker_a');
    const second = await world.listen('maker_a');
    await first.close();
    const before = (await named(second, 'heartbeat')).length;
    await world.advance(60_000);
    return (await named(second, 'heartbeat')).length === before;
  },
  'quotes-pass-the-filter': async (world) => {
    const stream = await world.listen('sender', `?intent_id=${await world.order()}`);
    await world.offer('maker_a', await world.order());
    return (await named(stream, 'quote_received')).length > 0;
  },
  'filter-opens-orders-of-strangers': async (world) => {
    const id = await world.order();
    const stream = await world.listen('outsider', `?intent_id=${id}`);
    await world.post('sender', `orders/${id}/cancel`);
    return (await named(stream, 'order_updated')).length > 0;
  },
  'custodian-hears-first-quote-again': async (world) => {
    const stream = await world.listen('sender_custodian');
    const id = await world.order();
    await world.offer('maker_a', id);
    await world.offer('maker_b', id, { price: 1.25 });
    const [first, second] = await named(stream, 'quote_received');
    return second !== undefined && first?.data.fx_rate === second.data.fx_rate;
  },
  'custodian-hears-the-state-late': async (world) => {
    const stream = await world.listen('sender_custodian');
    await settledOrder(world);
    await world.advance(10_000);
    const statuses = (await named(stream, 'order_updated')).map(({ data }) => data.status);
    return !statuses.includes('QUOTED') && statuses.includes('SETTLED');
  },
  'settlement-told-to-losers': async (world) => {
    const stream = await world.listen('maker_b');
    await settledOrder(world, {}, 1.25);
    return (await named(stream, 'settlement_completed')).length > 0;
  },
  'quoted-request-expires-in-silence': async (world) => {
    const stream = await world.listen('maker_a');
    await world.offer('maker_a', await world.order());
    await world.advance(world.dialect.lifetimeMs + 1_000);
    return (await named(stream, 'quote_request_expired')).length === 0;
  },
  'maker-stream-mute-after-hundred': async (world) => {
    const stream = await world.listen('maker_a');
    for (let count = 0; count < 101; count += 1) await world.order();
    return (await named(stream, 'quote_request_new')).length < 101;
  },
  'expired-request-names-sender': async (world) => {
    const stream = await world.listen('maker_a');
    await world.order();
    await world.advance(world.dialect.lifetimeMs + 1_000);
    const [event] = await named(stream, 'quote_request_expired');
    return 'sender_party_id' in (event?.data ?? {});
  },
  'winner-hears-rate-turned-over': async (world) => {
    const stream = await world.listen('maker_a');
    const id = await world.order({ source_currency: 'USD', target_currency: 'EUR' });
    const offered = await world.offer('maker_a', id, { price: 1.25 });
    await world.accept('sender', id, offered);
    const [event] = await named(stream, 'quote_accepted');
    return Number(event?.data.fx_rate) !== Number(offered.data.fx_rate);
  },
};
