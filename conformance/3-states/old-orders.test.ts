import { expect, it } from 'vitest';
import { orderOf } from '../../src/reference/core/index.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { ranOn } from '../../test/support/tampered.ts';
import { oldOrderChecks } from './distances.ts';

const minuteMs = 60_000;

async function verdictsOf(livesForMinutes: number, tamper: Tamper = {}, maxWaitMs?: number) {
  const policy: NonNullable<Tamper['policy']> = (own) => ({
    ...own,
    orders: { ...own.orders, lifetimeMs: livesForMinutes * minuteMs },
  });
  const { checks, failed } = await ranOn(oldOrderChecks, {
    tamper: { policy, ...tamper },
    maxWaitMs,
  });
  return {
    checks: checks.map(({ verdict, took_ms = 0 }) => [verdict, Math.floor(took_ms / minuteMs)]),
    failed,
  };
}

it.each([
  [1, undefined, 0],
  [60, undefined, 11],
  [300, undefined, 61],
  [300, 90_000, 0],
])(
  'uses orders that live for %i minutes, waiting at most %s ms, %i minutes after their creation',
  async (life, most, minutes) => {
    const { checks, failed } = await verdictsOf(life, {}, most);
    expect([checks, failed]).toEqual([
      [
        ['pass', minutes],
        ['pass', minutes],
      ],
      [],
    ]);
  },
);

it('fails where an order cannot be accepted any more ten minutes after its creation', async () => {
  const { failed } = await verdictsOf(60, {
    command: (command, { now, state }) => {
      if (command.type !== 'request' || command.endpoint !== 'quote.accept') return command;
      const order = orderOf(state, command.params.intent_id ?? '');
      return order && now - order.createdAt > 10 * minuteMs ? undefined : command;
    },
  });
  expect(failed).toContain('service.sender-accepts');
});

it('fails where nobody is told of orders that are older than ten minutes', async () => {
  const { failed } = await verdictsOf(60, {
    event: (event, { now, state }) => {
      const order = orderOf(state, event.intentId);
      const isOld = order && now - order.createdAt > 10 * minuteMs;
      return isOld && event.event === 'order_updated' ? [] : [event];
    },
  });
  expect(failed).toContain('event.order-updated.sent');
});
