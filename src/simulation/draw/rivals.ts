import type { Random } from '../../random/random.ts';
import type { DrawnCommand } from './commands.ts';
import type { Draws } from './draws.ts';
import type { LikelyOrder } from './population.ts';

/** Commands that decide about an order. */
const deciding = ['accept', 'cancel', 'accept the proposal'] as const;
type Deciding = (typeof deciding)[number];

/**
 * Draws another decision about the same order for exactly the same moment. The one that comes first decides the result
 * of both. Undefined if the command decides nothing, or if no party could decide otherwise.
 */
export function drawRival(
  random: Random,
  { swarm, population }: Draws,
  command: DrawnCommand,
): DrawnCommand | undefined {
  if (!('order' in command) || !deciding.some((name) => name === command.do)) return undefined;
  if (!random.chance(swarm.rivals)) return undefined;
  const order = population.orders.find(({ label }) => label === command.order);
  if (!order) return undefined;
  const present = deciding.filter((one) => swarm.commands.some(([name]) => name === one));
  return rivalNamed(random, random.pick(present), order, command);
}

function rivalNamed(
  random: Random,
  name: Deciding,
  order: LikelyOrder,
  command: DrawnCommand,
): DrawnCommand | undefined {
  switch (name) {
    case 'cancel':
      return { by: order.sender, do: name, order: order.label };
    case 'accept the proposal':
      return { by: order.custodian, do: name, order: order.label };
    case 'accept': {
      if (order.quotes.length === 0) return undefined;
      const quote = random.pick(order.quotes.slice(-3)).label;
      // A second acceptance of this quote is a rival only if another party sends it.
      const isSame = command.do === 'accept' && command.quote === quote;
      const sides = [order.sender, order.custodian].filter((by) => !isSame || by !== command.by);
      return { by: random.pick(sides), do: name, order: order.label, quote };
    }
  }
}
