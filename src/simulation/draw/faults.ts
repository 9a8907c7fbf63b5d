import type { Fault, FaultName } from '../plan.ts';
import type { Draws, LikelyOrder } from './population.ts';

/**
 * Short compared with the lag that the document allows a target and its network. A longer lag could not be told from
 * the target's own lateness by anybody who only reads the history.
 */
const lagsMs = [40, 400, 1_200] as const;
const lossesMs = [1_000, 5_000, 12_000] as const;

/**
 * Bytes lost from the write. 0: the record is complete, but nobody was told. Few: one record is cut. Many: nothing of
 * the write is left.
 */
const tornBytes = [0, 1, 30, 100_000] as const;

/**
 * Draws one fault, aimed at existing objects and at the party that acts next; undefined if there is nothing that it
 * could strike.
 */
export function drawFault(draws: Draws, fault: FaultName, next: string): Fault | undefined {
  const { random, population } = draws;
  const party = random.chance(0.7) ? next : random.pick(draws.parties).name;
  switch (fault) {
    case 'leg reverts':
    case 'settlement stalls': {
      const order = aimAtSettlement(draws)?.label;
      if (order === undefined) return undefined;
      const leg = random.pick([1, 2, 3, 4] as const);
      return fault === 'leg reverts' ? { fault, order, leg } : { fault, order };
    }
    case 'operator withdraws':
    case 'validation fails': {
      const target = population.aim(fault, ({ stage }) => stage === 'open');
      if (!target) return undefined;
      if (target.stage === 'open') target.stage = 'withdrawn';
      return { fault, order: target.label };
    }
    case 'streams drop':
    case 'streams break': {
      const hit = listener(draws);
      for (const stream of population.streams) if (stream.party === hit) stream.isOpen = false;
      return hit === undefined ? undefined : { fault, party: hit };
    }
    case 'streams stall': {
      const hit = listener(draws);
      return hit === undefined ? undefined : { fault, party: hit, ms: random.pick(lagsMs) };
    }
    case 'request lost':
    case 'answer lost':
    case 'answer lost and sent again':
      return { fault, party, ms: random.pick(lossesMs) };
    case 'request delayed':
    case 'answer delayed':
      return { fault, party, ms: random.pick([...lagsMs, 5_000]) };
    case 'partition':
      for (const stream of population.streams) if (stream.party === party) stream.isOpen = false;
      return { fault, party, ms: random.pick([900, 6_000, 20_000]) };
    case 'host pauses':
    case 'disk full':
      return { fault, ms: random.pick(lagsMs) };
    case 'restart': {
      const ms = random.pick([0, 0, ...lagsMs]);
      return { fault, ms, ...(random.chance(0.5) && { tornBytes: random.pick(tornBytes) }) };
    }
  }
}

export const isAlive = ({ stage }: LikelyOrder): boolean =>
  stage === 'open' || stage === 'accepted';

/** Target of a settlement fault: a running settlement as often as one that is still to come. */
export const aimAtSettlement = ({ random, population }: Draws): LikelyOrder | undefined =>
  (random.chance(0.5)
    ? population.aim('settlement', ({ stage }) => stage === 'accepted')
    : undefined) ?? population.aim('settlement', isAlive);

function listener({ random, population }: Draws): string | undefined {
  const open = population.streams.filter(({ isOpen }) => isOpen);
  return open.length === 0 ? undefined : random.pick(open).party;
}
