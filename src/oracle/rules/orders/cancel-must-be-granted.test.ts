import { expect, test } from 'vitest';
import { fails, listening, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';
import type { Order } from '../../../../test/support/oracle/fake-views.ts';
import type { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';

const requirement = 'order.cancel.pending';

function refuseCancel(fake: FakeTarget, order: Order, by: 'sender' | 'outsider' = 'sender') {
  fake.refuse(by, 'order.cancel', { params: { intent_id: order.intent_id } });
  fake.advance(1_000);
}

/** One order is cancelled, another is refused. `before` and `after` act around the refusal. */
function outcomesWhen(
  before: (fake: FakeTarget, order: Order) => void = () => {},
  by: 'sender' | 'outsider' = 'sender',
  after: (fake: FakeTarget, order: Order) => void = (fake, order) =>
    void fake.read('sender', order),
): readonly string[] {
  const fake = listening('sender', 'maker_a');
  fake.cancel(fake.create());
  const order = fake.create();
  before(fake, order);
  refuseCancel(fake, order, by);
  after(fake, order);
  return outcomes(fake, requirement);
}

test('an order that is PENDING still was to be cancelled', () => {
  expect(outcomesWhen()).toContain('fail');
  expect(outcomesWhen((fake, order) => void fake.quote('maker_a', order, '1'))).toContain('fail');
});

test.each([
  ['was not the sender who asked', outcomesWhen(undefined, 'outsider')],
  ['was not seen PENDING afterwards', outcomesWhen(undefined, 'sender', () => {})],
  [
    'was accepted before',
    outcomesWhen((fake, order) => fake.accept(order, fake.quote('maker_a', order, '1'))),
  ],
  ['was cancelled at last', outcomesWhen(undefined, 'sender', (fake, order) => fake.cancel(order))],
])('nothing is said where it %s', (_, outcome) => {
  expect(outcome).not.toContain('fail');
});

test('nothing is said where no cancel was ever granted', () => {
  const fake = listening('sender');
  const order = fake.create();
  refuseCancel(fake, order);
  fake.read('sender', order);
  expect(outcomes(fake, requirement)).not.toContain('fail');
});

test.each([
  ['views that agree at once', 'at-once', true],
  ['views that lag', 'about 2 s', false],
  ['views of which nothing is known', undefined, false],
])('an order that is QUOTED still was to be cancelled, with %s', (_, lag, isFailing) => {
  const fake = listening('sender', 'maker_a');
  fake.cancel(fake.create());
  const order = fake.create();
  fake.accept(order, fake.quote('maker_a', order, '1'));
  refuseCancel(fake, order);
  order['status'] = 'QUOTED';
  fake.read('sender', order);
  const answers = (gap: string) => (gap === 'views.lag' ? lag : undefined);
  expect(fails(fake, 'order.cancel.quoted', { answers })).toBe(isFailing);
});
