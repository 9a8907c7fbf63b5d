import { type EventStream, isTaken, type Proof, settledOrder, type World } from './world.ts';

const count = async (stream: EventStream, name: string): Promise<number> =>
  (await stream.events()).filter((event) => event.name === name).length;

const statusOf = async (world: World, id: string): Promise<unknown> =>
  (await world.get('sender', `orders/${id}`)).data.status;

/** A quote of maker_a that has lapsed, and one of maker_b that is valid still. */
async function lapsedAndValid(world: World) {
  const id = await world.order();
  const lapsed = await world.offer('maker_a', id, { validMs: 5_000 });
  const valid = await world.offer('maker_b', id);
  await world.advance(6_000);
  return { id, lapsed, valid };
}

export const secondHandCourseProofs: Readonly<Record<string, Proof>> = {
  'excess-below-a-cent-passes': async (world) => {
    const id = await world.order({ source_amount_max: '10.00' });
    const offered = await world.post('maker_a', `quote-requests/${id}/quotes`, {
      fx_rate: world.dialect.sourcePerTarget ? '1.0004' : '0.9996',
      target_amount: '10.00',
      valid_until: new Date(world.now() + 60_000).toISOString(),
    });
    const { data } = await world.accept('sender', id, offered);
    return Number(data.source_amount_actual) > 10;
  },
  'old-stream-forgets-its-filter': async (world) => {
    const stream = await world.listen('sender', `?intent_id=${await world.order()}`);
    await world.advance(5 * 60_000 + 1_000);
    await world.offer('maker_a', await world.order());
    return (await count(stream, 'quote_received')) > 0;
  },
  'failed-order-turns-expired': async (world) => {
    const { id } = await settledOrder(world, { memo: '!revert' });
    await world.advance(6 * 60_000);
    return (await statusOf(world, id)) === 'EXPIRED';
  },
  'later-filter-moves-earlier-stream': async (world) => {
    const [one, other] = [await world.order(), await world.order()];
    const stream = await world.listen('sender', `?intent_id=${one}`);
    await world.listen('sender', `?intent_id=${other}`);
    await world.offer('maker_a', one);
    return (await count(stream, 'quote_received')) === 0;
  },
  'newest-stream-alone-hears-settlement': async (world) => {
    const first = await world.listen('maker_a');
    await world.listen('maker_a');
    await settledOrder(world);
    return (await count(first, 'settlement_completed')) === 0;
  },
  'dead-stream-swallows-an-event': async (world) => {
    const dead = await world.listen('maker_b');
    const stream = await world.listen('maker_a');
    await dead.close();
    await world.order();
    return (await count(stream, 'quote_request_new')) === 0;
  },
  'newcomer-delays-heartbeat': async (world) => {
    const first = await world.listen('sender');
    const before = await count(first, 'heartbeat');
    await world.advance(20_000);
    await world.listen('sender');
    await world.advance(20_000);
    return (await count(first, 'heartbeat')) === before;
  },
  'busy-maker-hears-of-no-request': async (world) => {
    const id = await world.order();
    await world.accept('sender', id, await world.offer('maker_a', id));
    await world.advance(world.dialect.startMs + 10);
    const stream = await world.listen('maker_a');
    await world.order();
    return (await count(stream, 'quote_request_new')) === 0;
  },
  'reading-prolongs-order': async (world) => {
    const id = await world.order();
    await world.advance(world.dialect.lifetimeMs - 5_000);
    await statusOf(world, id);
    await world.advance(10_000);
    return (await statusOf(world, id)) === 'PENDING';
  },
  'refused-acceptance-rejects-rivals': async (world) => {
    const { id, lapsed } = await lapsedAndValid(world);
    await world.accept('sender', id, lapsed);
    const { rows } = await world.list('sender', `orders/${id}/quotes`);
    return rows.some((row) => row.status === 'REJECTED');
  },
  'holding-index-ignored': async (world) => {
    const one = await world.order({ source_contract_id: 'abc123#0' });
    return (await world.order({ source_contract_id: 'abc123#1' })) === one;
  },
  'lapsed-first-quote-blocks-others': async (world) => {
    const { id, valid } = await lapsedAndValid(world);
    return !isTaken(await world.accept('sender', id, valid));
  },
};
