import { endpoints } from '../../spec/endpoints.ts';
import { isTerminal } from '../../spec/states.ts';
import type { Role } from '../../spec/vocabulary.ts';
import { type Encounter, encounters } from '../encounters.ts';
import type { Command, Label, Moment, PlannedStep } from '../plan.ts';
import { drawCreation } from './commands.ts';
import { longestWaitMs } from './draw-moment.ts';
import type { Draws, LikelyOrder } from './population.ts';

/** A party decides about an order that is still open to decisions. Most of what may go wrong with an order begins so. */
const isDecision = ({ operation, state, side }: Encounter): boolean =>
  endpoints[operation].method === 'POST' && !isTerminal(state) && deciding.includes(side);

const deciding: readonly Encounter['side'][] = [
  'the sender',
  "the sender's custodian",
  'a maker with a quote',
  'a maker without a quote',
];

/** Decisions come four times as often as other encounters. */
const drawn: readonly Encounter[] = [
  ...encounters,
  ...[1, 2, 3].flatMap(() => encounters.filter(isDecision)),
];

/** Coprime to the number of drawn encounters, so that neighbouring seeds have encounters of all kinds. */
const stride = 101;
const inEachWorld = 3;

/** The encounters that a world brings about on purpose: seeds in a row have all of them. */
export const encountersOf = (seed: bigint): readonly Encounter[] =>
  Array.from({ length: inEachWorld }, (_, n) => {
    const place = (seed * BigInt(inEachWorld) + BigInt(n)) * BigInt(stride);
    return drawn[Number(place % BigInt(drawn.length))] as Encounter;
  });

const usualValidity = { forMs: 30_000 } as const;
/** A moment after a usual settlement has ended. */
const settledMs = 4_500;

/** Steps that bring an order to a state, and one operation on it there; empty if no party has that part in it. */
export function drawEncounter(draws: Draws, encounter: Encounter): readonly PlannedStep[] {
  const steps = lifeUpTo(draws, encounter);
  // Other steps must not use the order of an encounter that was not drawn.
  if (steps.length === 0) draws.population.orders.pop();
  return steps;
}

function lifeUpTo(draws: Draws, encounter: Encounter): readonly PlannedStep[] {
  const { population, random } = draws;
  const creation = drawCreation(draws, 'ample');
  const order = population.orders.at(-1) as LikelyOrder;
  const { label, sender, custodian } = order;
  const by = partyFor(draws, order, encounter);
  const endsAt = order.expiresAt + 5_000;
  const isTooLong =
    encounter.state === 'EXPIRED' && endsAt - draws.now > (draws.longestWaitMs ?? longestWaitMs);
  if (by === undefined || isTooLong) return [];
  const steps: PlannedStep[] = [{ at: { afterMs: random.pick([0, 1, 40]) }, ...creation }];
  const then = (party: string, command: Command, at: Moment = { afterMs: 1 }): void => {
    steps.push({ at, by: party, ...command });
    if ('afterMs' in at) draws.now += at.afterMs;
  };
  const makers = draws.parties.filter(({ role }) => role === 'market-maker');
  const quoting = encounter.side === 'a maker with a quote' ? by : random.pick(makers).name;
  const isQuoted = encounter.side !== 'a maker without a quote' || quoting !== by;
  const quoteBy = (maker: string): Label => {
    const quote = population.nextQuote();
    order.quotes.push({ label: quote, maker, validUntil: draws.now + usualValidity.forMs });
    then(maker, { do: 'quote', order: label, label: quote, rate: '1', validity: usualValidity });
    return quote;
  };
  if (draws.proposalsFirst) then(custodian, { do: 'accept the proposal', order: label });
  const quotes = isQuoted ? [quoteBy(quoting)] : [];
  const isReverted =
    encounter.state === 'FAILED' &&
    draws.swarm.faults.some(([fault]) => fault === 'leg reverts') &&
    random.chance(0.5);
  const needsTrade = isReverted || ['QUOTED', 'EXECUTING', 'SETTLED'].includes(encounter.state);
  if (needsTrade && quotes[0] === undefined) return [];
  // A rival: something to accept on an order that has chosen, and something to reject.
  const rivals = makers.filter(({ name }) => name !== by);
  const hasRival = encounter.operation === 'quote.accept' || (needsTrade && random.chance(0.5));
  if (hasRival && rivals.length > 0) quotes.push(quoteBy(random.pick(rivals).name));
  if (needsTrade) {
    const by = random.pick([sender, custodian]);
    then(by, { do: 'accept', order: label, quote: quotes[0] as Label });
    order.stage = 'accepted';
    order.acceptedAt = draws.now;
  }
  if (isReverted) {
    const leg = random.pick([1, 2, 3, 4] as const);
    steps.push({ at: { afterMs: 0 }, fault: 'leg reverts', order: label, leg });
    draws.now += settledMs;
  } else if (encounter.state === 'FAILED') then(sender, { do: 'cancel', order: label });
  const quote = random.pick([...quotes, quotes.at(-1)]);
  const command = commandOf(draws, encounter.operation, label, quote);
  if (!command) return [];
  const moment = isReverted ? { afterMs: settledMs } : momentOf(draws, order, encounter);
  if (endpoints[encounter.operation].method === 'POST') {
    // If nobody listens, only these reads show the states of the order before and after.
    then(sender, { do: 'read', order: label }, moment);
    then(by, command);
    then(sender, { do: 'read', order: label });
  } else then(by, command, moment);
  if (encounter.state === 'EXPIRED') draws.now = Math.max(draws.now, endsAt);
  if (encounter.state === 'EXECUTING') draws.now += 2_000;
  return steps;
}

/** Milliseconds before the deadline of an order: its last moments are drawn as well as its first ones. */
const lastMomentsMs = [25, 500, 5_000] as const;

function momentOf(draws: Draws, { label, expiresAt }: LikelyOrder, { state }: Encounter): Moment {
  const { random } = draws;
  switch (state) {
    case 'PENDING': {
      const leadMs = random.pick(lastMomentsMs);
      const wait = expiresAt - leadMs - draws.now;
      const isLate = wait >= 0 && wait <= (draws.longestWaitMs ?? longestWaitMs);
      if (!isLate || random.chance(0.5)) return { afterMs: random.pick([0, 1, 40]) };
      draws.now = expiresAt - leadMs;
      return { near: { of: 'expires_at', order: label }, leadMs };
    }
    case 'QUOTED':
    case 'FAILED':
      return { afterMs: random.pick([0, 1, 40]) };
    case 'EXECUTING':
      // The first leg event is the start of the settlement.
      return { near: { of: 'next leg', order: label }, leadMs: random.pick([-1, -25, -800]) };
    case 'SETTLED':
      return { afterMs: settledMs };
    case 'EXPIRED':
      return { near: { of: 'expires_at', order: label }, leadMs: random.pick([-1, -25, -5_000]) };
  }
}

const commandsOn: Partial<
  Record<
    Encounter['operation'],
    'read' | 'list quotes' | 'read settlement' | 'cancel' | 'accept the proposal'
  >
> = {
  'order.read': 'read',
  'rfq.read': 'read',
  'order.quotes': 'list quotes',
  'rfq.quotes': 'list quotes',
  'settlement.read': 'read settlement',
  'order.cancel': 'cancel',
  'proposal.accept': 'accept the proposal',
};

function commandOf(
  { population }: Draws,
  operation: Encounter['operation'],
  order: Label,
  quote: Label | undefined,
): Command | undefined {
  const plain = commandsOn[operation];
  if (plain) return { do: plain, order };
  if (operation === 'quote.accept')
    return quote === undefined ? undefined : { do: 'accept', order, quote };
  const label = population.nextQuote();
  return { do: 'quote', order, label, rate: '1', validity: usualValidity };
}

/** Name of a party that has that part in the order. */
function partyFor(draws: Draws, order: LikelyOrder, { operation, side }: Encounter) {
  const roles: readonly Role[] = endpoints[operation].roles;
  const involved = [order.sender, order.custodian, order.receiver, order.receiverCustodian];
  const others = (role: Role): string | undefined => {
    const free = draws.parties.filter((one) => one.role === role && !involved.includes(one.name));
    return free.length === 0 || !roles.includes(role) ? undefined : draws.random.pick(free).name;
  };
  const isJoint = order.receiverCustodian === order.custodian;
  const parties = {
    'the sender': () => order.sender,
    'the receiver': () => order.receiver,
    "the sender's custodian": () => order.custodian,
    "the receiver's custodian": () => (isJoint ? '' : order.receiverCustodian),
    'another institution': () => others('institution'),
    'another custodian': () => others('custodian'),
    'a maker with a quote': () => others('market-maker'),
    'a maker without a quote': () => others('market-maker'),
  };
  return parties[side]() || undefined;
}
