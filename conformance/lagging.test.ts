import { expect, test } from 'vitest';
import { runTarget, unwatched } from '../src/cli/run-target.ts';
import { type State, step } from '../src/core/index.ts';
import type { Tamper } from '../src/server/index.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import { openEmbedded } from '../src/target/embedded.ts';
import { checks } from './index.ts';

interface Moment {
  readonly now: number;
  readonly state: State;
}

/** A backend that answers reads and lists from a projection, and tells events by it, some time behind its ledger. */
const projected = (lagMs: number): Tamper => ({
  eventDelayMs: () => lagMs,
  outcome(outcome, command, { memory, now, state }) {
    const past = (memory.get('past') ?? []) as Moment[];
    memory.set('past', past);
    if (outcome.state !== state || past.length === 0) past.push({ now, state: outcome.state });
    const isRead =
      command.type === 'request' &&
      endpoints[command.endpoint].method === 'GET' &&
      ['item', 'list'].includes(endpoints[command.endpoint].result);
    const seen = isRead ? (past.findLast((one) => one.now <= now - lagMs) ?? past[0]) : undefined;
    return seen ? { ...outcome, reply: step(seen.state, command, now).reply } : outcome;
  },
});

test.each([400])('reads, lists and events %d ms behind the ledger violate nothing', async (ms) => {
  const target = await openEmbedded({ seed: 1n, tamper: projected(ms) });
  try {
    const { outcome, requirements } = await runTarget(target, { ...unwatched, checks, seed: 1n });
    const blamed = requirements.filter(({ verdict }) =>
      ['fail', 'warn', 'error', 'not_exercised'].includes(verdict),
    );
    expect(blamed).toEqual([]);
    expect(outcome).toBe('conformant');
  } finally {
    await target.close();
  }
});
