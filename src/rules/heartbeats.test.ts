import { describe, expect, test } from 'vitest';
import { cast, type CastName } from '../spec/requirements/index.ts';
import { altered, blamed, listening, outcomes } from './testing.ts';
import type { Order } from './testing/world-views.ts';
import { World } from './testing/world.ts';

test('a heartbeat on connect, and then one on a tick common to all', () => {
  const world = listening();
  const stream = world.listen('sender');
  const beat = (after: number): void => {
    world.now += after;
    world.records.push({
      kind: 'frame',
      id: `${world.now}`,
      stream: stream.id,
      by: 'test',
      party: 'sender',
      role: 'institution',
      received: world.now,
      event: 'heartbeat',
      data: {},
    });
  };
  beat(1);
  beat(11_000);
  beat(30_000);
  beat(30_400);
  expect(blamed(world)).toEqual([]);
  beat(12_000);
  expect(outcomes(world, 'limit.heartbeat-interval.order-stream')).toContain('fail');
});

test.each([
  ['on its clock', {}, 'fail'],
  ['within a stride of the driven clock', { after: 60_000 }, 'pass'],
])('a stream that is quiet for 34 s before its end %s', (_, noticed, outcome) => {
  const world = listening();
  const stream = world.listen('sender');
  const opened = world.now;
  world.advance(31_000);
  world.now = opened + 64_000;
  world.hangUp(stream, 'target');
  const strode = altered(world, (record) =>
    record.kind === 'end' && 'after' in noticed
      ? { ...record, after: opened + noticed.after }
      : record,
  );
  const requirement = 'limit.heartbeat-interval.order-stream';
  expect(outcomes(strode, requirement).includes('fail')).toBe(outcome === 'fail');
});

test.each([['text'], [undefined]])('a heartbeat whose data is %s is warned of', (text) => {
  const world = listening('sender');
  world.advance(31_000);
  const bare = altered(world, (record) => {
    if (record.kind !== 'frame' || record.event !== 'heartbeat') return record;
    const { data: _, ...rest } = record;
    return { ...rest, ...(text !== undefined && { text }) };
  });
  expect(outcomes(world, 'event.payload-json')).not.toContain('warn');
  expect(outcomes(bare, 'event.payload-json')).toContain('warn');
});

test.each([
  ['that order', true],
  ['nothing', false],
])('a stream limited to %s that ends with it', (_, isLimited) => {
  const world = listening('sender');
  const order = world.create();
  const stream = world.listen('sender', isLimited ? order.intent_id : undefined);
  world.cancel(order);
  world.advance(100);
  world.hangUp(stream, 'target');
  world.advance(40_000);
  expect(outcomes(world, 'stream.stays-open').includes('fail')).toBe(!isLimited);
});

test.each<[string, boolean, (world: World, order: Order) => void]>([
  ['that its party read as open later', true, (world, order) => world.read('sender', order)],
  // Its backend may not have learned of the end by then.
  ['that another read as open', false, (world, order) => world.read('sender_custodian', order)],
  ['that ended at that time, as far as anybody saw', false, () => {}],
])('a stream limited to an order %s: blamed %s', (_, blames, look) => {
  const world = listening('sender');
  const order = world.create();
  const stream = world.listen('sender', order.intent_id);
  world.hangUp(stream, 'target');
  world.advance(500);
  look(world, order);
  world.cancel(order);
  world.advance(40_000);
  expect(outcomes(world, 'stream.stays-open').includes('fail')).toBe(blames);
});

test.each([
  ['expires meanwhile', 20_000, false],
  ['lasts', 3_600_000, true],
  ['of before had expired', -20_000, true],
])('a stream whose token %s, and that ends', (_, tokenMs, blames) => {
  const world = new World();
  const issued = world.token('sender');
  world.advance(10_000);
  const stream = world.listen('sender');
  world.advance(11_000);
  world.hangUp(stream, 'target');
  const exp = (issued.received + tokenMs) / 1_000;
  const dated = altered(world, (record) =>
    record.kind === 'exchange' && record.claims
      ? { ...record, claims: { ...record.claims, exp } }
      : record,
  );
  expect(outcomes(dated, 'stream.stays-open').includes('fail')).toBe(blames);
});

test('a stream limited to an order that settled later, by its own account', () => {
  const world = listening('sender');
  const order = world.create();
  world.accept(order, world.quote('maker_a', order, '1'));
  world.hangUp(world.listen('sender', order.intent_id), 'target');
  world.advance(40_000);
  expect(outcomes(world, 'stream.stays-open')).toContain('fail');
});

test.each([
  ['five times', 5, 1, true],
  ['four times', 4, 1, false],
  // Connections may be renewed from time to time, whatever for.
  ['five times, after more than that', 5, 2, false],
])('streams that break off at an event, %s', (_, times, events, blames) => {
  const world = new World();
  world.token('sender');
  for (let n = 0; n < times; n += 1) {
    const stream = world.listen('sender');
    world.advance(40_000);
    for (let told = 0; told < events; told += 1) world.cancel(world.create());
    world.advance(100);
    world.hangUp(stream, 'target');
  }
  const broken = altered(world, (record) =>
    record.kind === 'end' ? { ...record, cause: 'error' as const } : record,
  );
  expect(outcomes(broken, 'stream.stays-open').includes('fail')).toBe(blames);
});

test.each([
  ['never told', false, true],
  ['told once', true, false],
])('streams that break off when a quote is accepted, which is %s', (_, once, blames) => {
  const world = new World();
  world.token('maker_a');
  for (let n = 0; n < 5; n += 1) {
    const stream = world.listen('maker_a');
    const order = world.create();
    const quote = world.quote('maker_a', order, '1');
    if (n > 0 || !once) world.hangUp(stream, 'target');
    world.accept(order, quote);
    if (n === 0 && once) world.hangUp(stream, 'target');
    world.advance(40_000);
  }
  const broken = altered(world, (record) =>
    record.kind === 'end' ? { ...record, cause: 'error' as const } : record,
  );
  expect(outcomes(broken, 'event.quote-accepted.sent').includes('fail')).toBe(blames);
  expect(outcomes(broken, 'event.quote-request-new.sent')).not.toContain('fail');
});

describe('heartbeats beside traffic', () => {
  const streamOf = (world: World, party: CastName) => {
    const stream = world.listen(party);
    return (event: string, after: number): void => {
      world.now += after;
      world.records.push({
        kind: 'frame',
        id: `${party} ${world.now}`,
        stream: stream.id,
        by: 'test',
        party,
        role: cast[party],
        received: world.now,
        event,
        data: {},
      });
    };
  };
  const beats = ['event.heartbeat.maker-stream', 'limit.heartbeat-interval.maker-stream'] as const;
  const failed = (world: World) =>
    beats.filter((requirement) => outcomes(world, requirement).includes('fail'));

  test('may wait for a silence: what is said keeps a stream alive as well', () => {
    const world = new World();
    world.token('maker_a');
    const says = streamOf(world, 'maker_a');
    for (let n = 0; n < 5; n += 1) says('connected', 20_000);
    says('heartbeat', 30_000);
    says('connected', 10_000);
    says('heartbeat', 30_000);
    says('heartbeat', 30_000);
    expect(blamed(world)).toEqual([]);
  });

  test('may not where the target shows elsewhere that a clock sets them', () => {
    const world = new World();
    for (const party of ['sender', 'maker_a'] as const) world.token(party);
    const order = streamOf(world, 'sender');
    const maker = streamOf(world, 'maker_a');
    maker('connected', 20_000);
    order('heartbeat', 10_000);
    order('connected', 10_000);
    maker('connected', 5_000);
    expect(failed(world)).toEqual([]);
    order('heartbeat', 15_000);
    expect(failed(world)).toEqual(['event.heartbeat.maker-stream']);
  });

  test('show their interval where a clock sets them, and only there', () => {
    const interval = 'limit.heartbeat-interval.maker-stream';
    const world = new World();
    world.token('maker_a');
    const says = streamOf(world, 'maker_a');
    says('heartbeat', 30_000);
    says('connected', 29_000);
    says('heartbeat', 1_000);
    expect(outcomes(world, interval)).toEqual(['pass']);
    const early = new World();
    early.token('maker_a');
    const tells = streamOf(early, 'maker_a');
    tells('heartbeat', 30_000);
    tells('connected', 1_000);
    tells('heartbeat', 30_000);
    expect(outcomes(early, interval)).toEqual([]);
  });
});
