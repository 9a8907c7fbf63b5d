import { expect, test } from 'vitest';
import { listening, outcomes } from './testing.ts';
import type { Order } from './testing/world-views.ts';
import type { World } from './testing/world.ts';

const requirement = 'order.cancel.pending';

function refuseCancel(world: World, order: Order, by: 'sender' | 'outsider' = 'sender') {
  world.refuse(by, 'order.cancel', { params: { intent_id: order.intent_id } });
  world.advance(1_000);
}

/** Another order is cancelled, then one is not: `around` may do something before and after it is asked for. */
function told(
  before: (world: World, order: Order) => void = () => {},
  by: 'sender' | 'outsider' = 'sender',
  after: (world: World, order: Order) => void = (world, order) => void world.read('sender', order),
): readonly string[] {
  const world = listening('sender', 'maker_a');
  world.cancel(world.create());
  const order = world.create();
  before(world, order);
  refuseCancel(world, order, by);
  after(world, order);
  return outcomes(world, requirement);
}

test('an order that is PENDING still was to be cancelled', () => {
  expect(told()).toContain('fail');
  expect(told((world, order) => void world.quote('maker_a', order, '1'))).toContain('fail');
});

test.each([
  ['was not the sender who asked', told(undefined, 'outsider')],
  ['was not seen PENDING afterwards', told(undefined, 'sender', () => {})],
  [
    'was accepted before',
    told((world, order) => world.accept(order, world.quote('maker_a', order, '1'))),
  ],
  ['was cancelled at last', told(undefined, 'sender', (world, order) => world.cancel(order))],
])('nothing is said where it %s', (_, outcome) => {
  expect(outcome).not.toContain('fail');
});

test('nothing is said where no cancel was ever granted', () => {
  const world = listening('sender');
  const order = world.create();
  refuseCancel(world, order);
  world.read('sender', order);
  expect(outcomes(world, requirement)).not.toContain('fail');
});
