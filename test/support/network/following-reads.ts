import { type State, step } from '../../../src/reference/core/index.ts';
import type { Tamper } from '../../../src/reference/http/index.ts';
import { endpoints } from '../../../src/spec/endpoints.ts';

interface Moment {
  readonly at: number;
  readonly state: State;
}

/**
 * One party reads from a view that lags behind the ledger by `lagMs` of host time.
 * @param place of the party in the cast
 */
export const followingReads = (lagMs: number, place: number): Tamper => ({
  outcome(outcome, command, { memory, now, state, parties }) {
    const past = (memory.get('past') ?? [{ at: 0, state }]) as Moment[];
    memory.set('past', past);
    const at = performance.now();
    if (outcome.state !== state) past.push({ at, state: outcome.state });
    if (command.type !== 'request') return outcome;
    const { method, result } = endpoints[command.endpoint];
    if (
      command.caller.partyId !== parties[place]?.partyId ||
      method !== 'GET' ||
      !['item', 'list'].includes(result)
    )
      return outcome;
    const seen = past.findLast((one) => one.at <= at - lagMs) ?? past[0];
    return seen ? { ...outcome, reply: step(seen.state, command, now).reply } : outcome;
  },
});
