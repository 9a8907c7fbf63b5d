import { describe, expect, test } from 'vitest';
import { formatTimestamp } from '../spec/forms.ts';
import type { CastName } from '../spec/requirements/index.ts';
import { listening, outcomes } from './testing.ts';
import type { Order, Quote } from './testing/world-views.ts';
import type { World } from './testing/world.ts';

const quoting = 'access.quote.submit.market-maker-allowed';
const accepting = 'quote.state.usable-until-deadline';

/** Refuses a quote as often as a check insists on one, and shows what its order is then. */
function refuseQuote(world: World, order: Order, more: { rate?: string; validMs?: number } = {}) {
  const params = { intent_id: order.intent_id };
  for (let n = 0; n < 3; n += 1) {
    const body = {
      fx_rate: more.rate ?? '1',
      target_amount: order['target_amount'],
      valid_until: formatTimestamp(world.now + (more.validMs ?? 15_000)),
    };
    world.refuse('maker_a', 'quote.submit', { params, body });
    world.advance(1_000);
  }
  world.read('sender', order);
}

function refuseAcceptance(world: World, order: Order, quote: Quote, by: CastName = 'sender') {
  const params = { intent_id: order.intent_id, quote_id: quote.quote_id };
  for (let n = 0; n < 3; n += 1) {
    world.refuse(by, 'quote.accept', { params });
    world.advance(1_000);
  }
  world.read('sender', order);
}

const none = (gap: string) => (gap === 'proposal.effect' ? 'none' : undefined);
const found = (
  world: World,
  requirement: string,
  answers: (gap: string) => string | undefined = none,
) => outcomes(world, requirement, { answers }).includes('fail');

describe('a proper quote that is refused again and again', () => {
  test('is blamed where the maker had as many open before', () => {
    const world = listening('sender');
    world.quote('maker_a', world.create(), '1');
    world.advance(25_000);
    refuseQuote(world, world.create());
    expect(found(world, quoting)).toBe(true);
  });

  test.each<[string, (world: World) => void]>([
    ['nobody knows whether any is taken', (world) => refuseQuote(world, world.create())],
    [
      'the maker has one open',
      (world) => {
        world.quote('maker_a', world.create(), '1');
        refuseQuote(world, world.create());
      },
    ],
    [
      'it has quoted this order',
      (world) => {
        const order = world.create();
        world.quote('maker_a', order, '1', 5_000);
        world.advance(25_000);
        refuseQuote(world, order);
      },
    ],
    [
      'its rate says more than one thing',
      (world) => {
        world.quote('maker_a', world.create(), '1');
        world.advance(25_000);
        refuseQuote(world, world.create(), { rate: '0.9' });
      },
    ],
    [
      'it is to be valid for longer than any',
      (world) => {
        world.quote('maker_a', world.create(), '1', 5_000);
        world.advance(25_000);
        refuseQuote(world, world.create());
      },
    ],
    [
      'it costs more than its order allows',
      (world) => {
        world.quote('maker_a', world.create(), '1');
        world.advance(25_000);
        refuseQuote(world, world.create('sender', { source_amount_max: '99.00' }));
      },
    ],
    [
      'its order had expired',
      (world) => {
        world.quote('maker_a', world.create(), '1');
        const order = world.create();
        world.advance(61_000);
        refuseQuote(world, order);
      },
    ],
  ])('is not blamed where %s', (_, lay) => {
    const world = listening('sender');
    lay(world);
    expect(found(world, quoting)).toBe(false);
  });

  test('is not blamed where its order may wait for its proposal', () => {
    const world = listening('sender');
    world.quote('maker_a', world.create(), '1');
    world.advance(25_000);
    refuseQuote(world, world.create());
    expect(found(world, quoting, () => 'opens-quoting')).toBe(false);
  });
});

describe('an acceptance that is refused again and again', () => {
  test.each<CastName>(['sender', 'sender_custodian'])('is blamed: by %s', (by) => {
    const world = listening('sender');
    const order = world.create();
    refuseAcceptance(world, order, world.quote('maker_a', order, '1'), by);
    expect(found(world, accepting)).toBe(true);
  });

  test.each<[string, (world: World, order: Order) => void]>([
    [
      'of a stranger',
      (world, order) =>
        refuseAcceptance(world, order, world.quote('maker_a', order, '1'), 'outsider'),
    ],
    [
      'past its deadline',
      (world, order) => {
        const quote = world.quote('maker_a', order, '1', 1_500);
        world.advance(2_000);
        refuseAcceptance(world, order, quote);
      },
    ],
    [
      'once its maker has quoted anew',
      (world, order) => {
        const quote = world.quote('maker_a', order, '1');
        world.quote('maker_a', order, '1');
        refuseAcceptance(world, order, quote);
      },
    ],
    [
      'once another was accepted',
      (world, order) => {
        const quote = world.quote('maker_a', order, '1');
        world.accept(order, world.quote('maker_b', order, '1'));
        refuseAcceptance(world, order, quote);
      },
    ],
  ])('is not blamed %s', (_, lay) => {
    const world = listening('sender');
    lay(world, world.create());
    expect(found(world, accepting)).toBe(false);
  });
});

describe('an order that its side does not find', () => {
  const look = (by: CastName, afterMs: number) => {
    const world = listening('sender');
    const order = world.create();
    world.advance(afterMs);
    world.refuse(by, 'order.read', { params: { intent_id: order.intent_id }, status: 404 });
    return world;
  };

  test.each<[CastName, string, number, boolean]>([
    ['sender', 'institution', 3_000, true],
    ['sender', 'institution', 1_000, false],
    ['sender_custodian', 'custodian', 3_000, true],
    ['outsider', 'institution', 3_000, false],
  ])('by %s (%s) %d ms later: %s', (by, role, afterMs, blamed) => {
    expect(found(look(by, afterMs), `access.order.read.${role}-allowed`)).toBe(blamed);
  });
});
