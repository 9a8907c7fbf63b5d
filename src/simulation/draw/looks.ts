import { tolerance } from '../../protocol/tolerances.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { CommandStep } from '../plan.ts';
import type { Draws } from './draws.ts';
import type { LikelyOrder } from './population.ts';

/** From then on a deadline must show, however late a target may be with it. */
const showsAfterMs = tolerance.deadlineLateMs + 1;

/** The last deadline that must show by now: of the order itself, or of all the quotes on it. */
function passedBy(now: number, { expiresAt, quotes }: LikelyOrder): number {
  const lapsed = Math.max(...quotes.map(({ validUntil }) => validUntil));
  return Math.max(...[lapsed, expiresAt].filter((at) => at + showsAfterMs <= now));
}

/** Both sides of an order read every view of it, and one list by state, once a deadline has passed since their last look. */
export function drawLooks({ population, random, now }: Draws): readonly CommandStep[] {
  return population.orders.flatMap((order) => {
    if (passedBy(now, order) <= order.lookedAt) return [];
    order.lookedAt = now;
    const makers = order.quotes.map(({ maker }) => maker);
    const sides = [
      random.pick([order.sender, order.custodian]),
      ...(makers.length === 0 ? [] : [random.pick(makers)]),
    ];
    return sides.flatMap((by): readonly CommandStep[] => {
      const at = { afterMs: 0 };
      const [what, states] = makers.includes(by)
        ? (['quotes', quoteStates] as const)
        : (['orders', orderStates] as const);
      const list: CommandStep = { at, by, do: 'list', what, status: random.pick(states) };
      const look: CommandStep = { at, by, do: 'look', order: order.label };
      return random.chance(0.5) ? [look, list] : [look];
    });
  });
}
