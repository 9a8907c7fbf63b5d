import type { Fault, Landmark, Moment } from '../plan.ts';
import type { DrawnCommand } from './commands.ts';
import { aimAtSettlement, isAlive } from './faults.ts';
import { type Draws, type LikelyOrder, tokenLifetimeMs } from './population.ts';

const edgeLeadsMs = [0, 0, 1, -1, 2, 25, -25, 500, -500] as const;
/** The lifetime of a token is a whole number of seconds, and a token may still be accepted in the second after it. */
const tokenLeadsMs = [0, 1, -1, 1_000, -1_000, -1_001, -5_000, -5_000] as const;
/** Counted from the start of a settlement; they lie between any two of its legs. */
const legLeadsMs = [0, 1, -1, -25, -800, -1_600, -2_400] as const;
export const dayMs = 86_400_000;

type About = DrawnCommand | Fault;

/** Probability that the step is placed at an edge. Higher for steps that hardly mean anything at another moment. */
function edgesFor({ swarm, population }: Draws, about: About): number {
  const order = 'order' in about && population.orders.find(({ label }) => label === about.order);
  // A settlement is shorter than most pauses.
  if (order && order.stage === 'accepted') return Math.max(swarm.edges, 0.5);
  if ('fault' in about) return Math.max(swarm.edges, 'order' in about ? 0.5 : 0.25);
  return sendsFirstToken(about) ? 0.8 : swarm.edges;
}

const sendsFirstToken = (about: DrawnCommand): boolean =>
  about.do === 'ask with its first token' || (about.do === 'stray' && about.token === 'first');

function leadsFor(found: Found | undefined): readonly number[] {
  if (found?.near.of === 'token expiry') return tokenLeadsMs;
  return found?.near.of === 'next leg' ? legLeadsMs : edgeLeadsMs;
}

/** Draws the moment of a step: after a pause, or at the edge of something that exists or that the step is about. */
export function drawMoment(draws: Draws, about: About): Moment {
  const { random, swarm } = draws;
  if (random.chance(edgesFor(draws, about))) {
    const found = landmark(draws, about);
    const leadMs = random.pick(leadsFor(found));
    // Waiting long for one edge would take up the whole world.
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

/** Longer than the lifetime of a token, but short enough that one wait does not fill the world. */
export const longestWaitMs = 3_700_000;

interface Found {
  readonly near: Landmark;
  readonly at: number;
}

/** Time after the acceptance at which a usual settlement starts and at which each of its legs ends. */
const legEndsMs = [1_000, 1_750, 2_500, 3_250, 4_000] as const;

function legsOf(order: LikelyOrder | undefined, now: number): Found | undefined {
  const at = order && legEndsMs.map((ms) => order.acceptedAt + ms).find((end) => end > now);
  return at === undefined || order === undefined || order.acceptedAt === 0
    ? undefined
    : { near: { of: 'next leg', order: order.label }, at };
}

function landmark(draws: Draws, about: About): Found | undefined {
  const { random, population, now } = draws;
  if ('do' in about && sendsFirstToken(about)) {
    const at = draws.startMs + tokenLifetimeMs;
    return at > now ? { near: { of: 'token expiry', party: about.by }, at } : undefined;
  }
  const label = 'order' in about ? about.order : undefined;
  const order =
    population.orders.find((one) => one.label === label) ??
    ('fault' in about ? aimAtSettlement(draws) : population.aim('moment', isAlive));
  const legs = legsOf(order, now);
  // A fault or command on a running settlement is placed between two of its legs.
  if (legs && random.chance(0.5)) return legs;
  const quote =
    order?.quotes.find(
      (one) => 'do' in about && about.do === 'accept' && one.label === about.quote,
    ) ?? order?.quotes.at(-1);
  const stream = population.streams.find(({ isOpen }) => isOpen);
  const found: readonly (Found | undefined)[] = [
    order && { near: { of: 'expires_at', order: order.label }, at: order.expiresAt },
    quote && { near: { of: 'valid_until', quote: quote.label }, at: quote.validUntil },
    quote && { near: { of: 'valid_until', quote: quote.label }, at: quote.validUntil },
    order && {
      near: { of: 'settlement window', order: order.label },
      at: order.acceptedAt + 30_000,
    },
    legs,
    stream && { near: { of: 'heartbeat', stream: stream.label }, at: now + 15_000 },
    { near: { of: 'end of day' }, at: Math.ceil((now + 1) / dayMs) * dayMs },
    ...(random.chance(0.05)
      ? [
          {
            near: { of: 'token expiry', party: random.pick(draws.parties).name } as const,
            at: now + tokenLifetimeMs,
          },
        ]
      : []),
  ];
  const possible = found.filter((one) => one !== undefined && one.at > now);
  return possible.length === 0 ? undefined : random.pick(possible);
}
