import { type EventStream, isTaken, partyOf, type Proof, settledOrder } from './world.ts';

const named = async (stream: EventStream, name: string) =>
  (await stream.events()).filter((event) => event.name === name);

export const thirdHandProofs: Readonly<Record<string, Proof>> = {
  'custodian-acceptance-unheard-by-sender': async (world) => {
    const stream = await world.listen('sender');
    const id = await world.order();
    await world.accept('sender_custodian', id, await world.offer('maker_a', id));
    await world.advance(10_000);
    const statuses = (await named(stream, 'order_updated')).map(({ data }) => data.status);
    return !statuses.includes('QUOTED') && statuses.includes('SETTLED');
  },
  'loser-loses-its-other-quotes': async (world) => {
    const other = await world.order();
    await world.offer('maker_b', other);
    const id = await world.order();
    await world.offer('maker_b', id, { price: 1.25 });
    await world.accept('sender', id, await world.offer('maker_a', id));
    const { rows } = await world.list('sender', `orders/${other}/quotes`);
    return rows.some(({ status }) => status === 'REJECTED');
  },
  'settlement-event-one-behind': async (world) => {
    const stream = await world.listen('maker_a');
    await settledOrder(world);
    await settledOrder(world);
    const [one, other] = await named(stream, 'settlement_completed');
    return other !== undefined && one?.data.transaction_hash === other.data.transaction_hash;
  },
  'followed-order-ends-heartbeats': async (world) => {
    const id = await world.order();
    const stream = await world.listen('sender', `?intent_id=${id}`);
    await world.post('sender', `orders/${id}/cancel`);
    const before = (await named(stream, 'heartbeat')).length;
    await world.advance(70_000);
    return (await named(stream, 'heartbeat')).length === before;
  },
  'cancelled-trade-told-as-settled': async (world) => {
    const stream = await world.listen('maker_a');
    const id = await world.order();
    await world.accept('sender', id, await world.offer('maker_a', id));
    await world.post('sender', `orders/${id}/cancel`);
    await world.advance(10_000);
    return (await named(stream, 'settlement_completed')).length > 0;
  },
  'settlement-purges-losing-quotes': async (world) => {
    const { id } = await settledOrder(world, {}, 1.25);
    const { rows } = await world.list('maker_b', 'quotes');
    return !rows.some((row) => row.intent_id === id);
  },
  'receiver-custodian-trusted-from-elsewhere': async (world) => {
    await world.order({ sender_custodian_party_id: partyOf('receiver_custodian') });
    const id = await world.order();
    return isTaken(await world.accept('receiver_custodian', id, await world.offer('maker_a', id)));
  },
  'best-quote-first-on-first-page': async (world) => {
    const id = await world.order();
    await world.offer('maker_a', id, { price: 1.25 });
    await world.offer('maker_b', id);
    const pages = [0, 1].map((page) =>
      world.list('sender', `orders/${id}/quotes`, { page, size: 1 }),
    );
    const [one, other] = (await Promise.all(pages)).flatMap(({ rows }) => rows);
    return one !== undefined && one.quote_id === other?.quote_id;
  },
  'one-deadline-per-millisecond': async (world) => {
    const first = await world.order();
    await world.order();
    await world.advance(world.dialect.lifetimeMs + 1_000);
    return (await world.get('sender', `orders/${first}`)).data.status === 'PENDING';
  },
  'receiver-custodian-reads-an-old-copy': async (world) => {
    const id = await world.order();
    await world.get('receiver_custodian', `orders/${id}`);
    await world.post('sender', `orders/${id}/cancel`);
    return (await world.get('receiver_custodian', `orders/${id}`)).data.status === 'PENDING';
  },
  'full-hour-changes-the-key': async (world) => {
    const hour = 3_600_000;
    await world.advance(hour - (world.now() % hour) - 10_000);
    const token = await world.newToken('sender');
    await world.advance(20_000);
    return !isTaken(await world.send('GET', 'sender', 'api/v1/whoami', { token }));
  },
  'validity-ends-with-the-second': async (world) => {
    const id = await world.order();
    const offered = await world.offer('maker_a', id, { validMs: 5_700 });
    await world.advance(5_200);
    return !isTaken(await world.accept('sender', id, offered));
  },
  'same-terms-answered-with-other-order': async (world) => {
    const one = await world.order();
    const other = await world.order();
    await world.offer('maker_a', one);
    return (await world.offer('maker_a', other)).data.intent_id === one;
  },
  'maximum-compared-as-text': async (world) => {
    const id = await world.order({ target_amount: '100.00', source_amount_max: '20.00' });
    const offered = await world.offer('maker_a', id, { target: '100.00' });
    return isTaken(await world.accept('sender', id, offered));
  },
};
