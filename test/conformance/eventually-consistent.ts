import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { type State, step } from '../../src/reference/core/index.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { checks } from '../../conformance/index.ts';

interface Moment {
  readonly now: number;
  readonly state: State;
}

/** By the place of a party in the cast: institutions, custodians, market makers. */
export type Lags = (place: number) => number;

/** Backends whose reads, lists and events come from views that lag behind the ledger. */
const projected = (lags: Lags): Tamper => ({
  eventDelayMs: ({ to }, { parties }) => lags(parties.findIndex(({ partyId }) => partyId === to)),
  outcome(outcome, command, { memory, now, state, parties }) {
    const past = (memory.get('past') ?? []) as Moment[];
    memory.set('past', past);
    if (outcome.state !== state || past.length === 0) past.push({ now, state: outcome.state });
    if (command.type !== 'request') return outcome;
    const { method, result } = endpoints[command.endpoint];
    if (method !== 'GET' || !['item', 'list'].includes(result)) return outcome;
    const { partyId } = command.caller;
    const seenAt = now - lags(parties.findIndex((party) => party.partyId === partyId));
    const seen = past.findLast((one) => one.now <= seenAt) ?? past[0];
    return seen ? { ...outcome, reply: step(seen.state, command, now).reply } : outcome;
  },
});

/** Only the views of the first institution lag. */
export const oneBehind =
  (ms: number): Lags =>
  (place) =>
    place === 0 ? ms : 0;

/** Each party lags by another time. */
export const allBehind: Lags = (place) => 150 * ((place * 3) % 8);

/**
 * Runs the suite on a target with lagging views; returns every verdict against the target. A race
 * with too many possible orders is reported as such and blames nobody.
 * @param only the checks to run; all by default
 */
export async function blamedWhere(
  lags: Lags,
  only?: readonly string[],
): Promise<{ readonly outcome: string; readonly blamed: readonly unknown[] }> {
  const target = await openEmbedded({ seed: 1n, tamper: projected(lags) });
  try {
    const {
      outcome,
      checks: judged,
      requirements,
    } = await runTarget(target, {
      ...silentObserver,
      checks,
      seed: 1n,
      ...(only && { only }),
    });
    const bad = ['fail', 'warn', 'error', ...(only ? [] : ['not_exercised'])];
    const blamed = [...judged, ...requirements].filter(({ verdict }) => bad.includes(verdict));
    return { outcome, blamed };
  } finally {
    await target.close();
  }
}
