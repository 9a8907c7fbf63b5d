import type { Command, Landmark, Moment } from '../plan.ts';
import type { Draws } from './draws.ts';

const edgeLeadsMs = [0, 0, 1, -1, 2, 25, -25, 500, -500] as const;
const dayMs = 86_400_000;

/** When a step is taken: after a pause, or at the edge of something that it is about or that there is. */
export function drawMoment(draws: Draws, command?: Command): Moment {
  const { random, swarm } = draws;
  if (random.chance(swarm.edges)) {
    const found = landmark(draws, command);
    const leadMs = random.pick(edgeLeadsMs);
    // A long wait for one edge would be all that a world does.
    const waits = found && found.at - leadMs - draws.now;
    if (
      found &&
      waits !== undefined &&
      waits >= 0 &&
      waits <= (draws.longestWaitMs ?? longestWaitMs)
    ) {
      draws.now += waits;
      return { near: found.near, leadMs };
    }
  }
  const afterMs = random.pick(swarm.pausesMs);
  draws.now += afterMs;
  return { afterMs };
}

/** Past the life of a token, and not so long that a world is one wait. */
export const longestWaitMs = 3_700_000;

interface Found {
  readonly near: Landmark;
  readonly at: number;
}

function landmark(draws: Draws, command: Command | undefined): Found | undefined {
  const { random, population, now } = draws;
  const label = command && 'order' in command ? command.order : undefined;
  const order =
    population.orders.find((one) => one.label === label) ??
    population.aim((one) => one.stage !== 'ended');
  const quote =
    order?.quotes.find((one) => command?.do === 'accept' && one.label === command.quote) ??
    order?.quotes.at(-1);
  const stream = population.streams.find(({ isOpen }) => isOpen);
  const found: readonly (Found | undefined)[] = [
    order && { near: { of: 'expires_at', order: order.label }, at: order.expiresAt },
    quote && { near: { of: 'valid_until', quote: quote.label }, at: quote.validUntil },
    quote && { near: { of: 'valid_until', quote: quote.label }, at: quote.validUntil },
    order && {
      near: { of: 'settlement window', order: order.label },
      at: order.acceptedAt + 30_000,
    },
    order && { near: { of: 'next leg', order: order.label }, at: order.acceptedAt + 1_375 },
    stream && { near: { of: 'heartbeat', stream: stream.label }, at: now + 15_000 },
    { near: { of: 'end of day' }, at: Math.ceil((now + 1) / dayMs) * dayMs },
    ...(random.chance(0.05)
      ? [
          {
            near: { of: 'token expiry', party: random.pick(draws.parties).name } as const,
            at: now + 3_600_000,
          },
        ]
      : []),
  ];
  const possible = found.filter((one) => one !== undefined && one.at > now);
  return possible.length === 0 ? undefined : random.pick(possible);
}
