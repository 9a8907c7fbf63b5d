import { tolerance } from '../../protocol/tolerances.ts';
import type { Random } from '../../random/random.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import type { CommandStep, Fault, FaultName, FaultStep, PlannedStep } from '../plan.ts';
import { type DrawnCommand, drawCommand } from './commands.ts';
import { dayMs, drawMoment } from './draw-moment.ts';
import { type DrawContext, type Draws, type LikelyOrder, Population } from './population.ts';
import { drawEncounter } from './encounter.ts';
import { drawFault } from './faults.ts';

const deciding = ['accept', 'cancel', 'accept the proposal'] as const;
type Deciding = (typeof deciding)[number];

/**
 * Draws another decision about the same order for exactly the same moment. The one that comes first decides the result
 * of both. Undefined if the command decides nothing, or if no party could decide otherwise.
 */
function drawRival(
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

/** After this time a deadline must show, however late a target may be with it. */
const showsAfterMs = tolerance.deadlineLateMs + 1;

/** The last deadline that must show by now: of the order itself, or of all its quotes. */
function passedBy(now: number, { expiresAt, quotes }: LikelyOrder): number {
  const lapsed = Math.max(...quotes.map(({ validUntil }) => validUntil));
  return Math.max(...[lapsed, expiresAt].filter((at) => at + showsAfterMs <= now));
}

/**
 * Both sides of an order read every view of it, and one list by state, once a deadline has passed since their last
 * look.
 */
function drawLooks({ population, random, now }: Draws): readonly CommandStep[] {
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

/** Streams that parties open at the start. In most worlds most parties listen, as in real use. */
function openingSteps(draws: Draws): PlannedStep[] {
  const { random, population } = draws;
  const share = random.pick([0, 0.5, 1, 1]);
  return draws.parties
    .filter(() => random.chance(share))
    .map(({ name }) => {
      const label = population.nextStream();
      population.streams.push({ label, party: name, isOpen: true });
      return { at: { afterMs: 0 }, by: name, do: 'listen', label };
    });
}

function shortlyBeforeMidnight(draws: Draws): PlannedStep {
  const { random, parties } = draws;
  const leadMs = random.pick([900, 4_000, 31_000, 62_000]);
  draws.now = (Math.floor(draws.now / dayMs) + 1) * dayMs - leadMs;
  const by = random.pick(parties).name;
  return { at: { near: { of: 'end of day' }, leadMs }, by, do: 'ask who it is' };
}

/** Weight of a fault for this command: faults of a settlement strike mostly when a settlement begins. */
const eagernessOf = (fault: FaultName, command: DrawnCommand): number =>
  command.do === 'accept' && (fault === 'leg reverts' || fault === 'settlement stalls') ? 5 : 1;

type RestartFault = Extract<Fault, { readonly fault: 'restart' }>;

/** Streams that are opened again after a restart. Most listeners do so, as real clients do. */
function drawResumptions(draws: Draws, downMs: number, before?: DrawnCommand): PlannedStep[] {
  const { random, population } = draws;
  // The stream that the command opens is not open before the command.
  const opened = before && 'label' in before ? before.label : undefined;
  const broken = population.streams.filter(({ isOpen, label }) => isOpen && label !== opened);
  for (const stream of broken) stream.isOpen = false;
  return broken
    .filter(() => random.chance(0.8))
    .map((stream, index) => {
      const label = population.nextStream();
      population.streams.push({ label, party: stream.party, isOpen: true });
      const afterMs = index === 0 ? downMs + random.pick([0, 1, 250]) : random.pick([0, 0, 40]);
      draws.now += afterMs;
      const { party: by, label: resumes } = stream;
      return { at: { afterMs }, by, do: 'listen', label, resumes };
    });
}

export function drawSteps(random: Random, context: DrawContext): readonly PlannedStep[] {
  const draws: Draws = {
    ...context,
    random: random.fork('what'),
    population: new Population(random.fork('aims'), context.swarm.strays),
    now: context.startMs,
  };
  const strikes = random.fork('strikes');
  const meetings = random.fork('rivals');
  const steps = [
    ...(context.crossesMidnight ? [shortlyBeforeMidnight(draws)] : []),
    ...openingSteps(draws),
  ];
  const length = steps.length + context.swarm.steps;
  const places = random.fork('encounters');
  const pending = context.encounters
    .map((encounter) => ({ encounter, from: steps.length + places.below(context.swarm.steps) }))
    .toSorted((one, other) => one.from - other.from);
  // A command that needs a missing object draws nothing. The number of tries is bounded, so that every plan ends.
  for (let tries = 0; steps.length < length && tries < 20 * length; tries += 1) {
    draws.population.age(draws.now);
    while (pending[0] && pending[0].from <= steps.length)
      steps.push(...drawEncounter(draws, (pending.shift() as (typeof pending)[0]).encounter));
    steps.push(...drawLooks(draws));
    const command = drawCommand(draws);
    if (!command) continue;
    const struck: FaultStep[] = [];
    const restarts: RestartFault[] = [];
    for (const [fault, probability] of context.swarm.faults) {
      if (!strikes.chance(probability * eagernessOf(fault, command))) continue;
      const drawn = drawFault(draws, fault, command.by);
      if (!drawn) continue;
      struck.push({ at: drawMoment(draws, drawn), ...drawn });
      if (drawn.fault === 'restart') restarts.push(drawn);
    }
    // A fault on an order may strike the order that was just created.
    const after = struck.filter((fault) => 'order' in fault);
    steps.push(...struck.filter((fault) => !('order' in fault)));
    // A restart that waits for a write strikes at the command at the earliest.
    const atOnce = restarts.filter(({ tornBytes }) => tornBytes === undefined);
    for (const { ms } of atOnce) steps.push(...drawResumptions(draws, ms, command));
    const rival = drawRival(meetings, draws, command);
    const decisions = rival ? meetings.shuffle([command, rival]) : [command];
    const at = drawMoment(draws, command);
    steps.push(...decisions.map((one, n) => ({ at: n === 0 ? at : { afterMs: 0 }, ...one })));
    steps.push(...after);
    if (restarts.length > atOnce.length)
      steps.push(...drawResumptions(draws, restarts[0]?.ms ?? 0));
  }
  return steps;
}
