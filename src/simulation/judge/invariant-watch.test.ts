import { describe, expect, it } from 'vitest';
import { formatSeed } from '../../random/seed.ts';
import { Decimal } from '../../reference/core/money.ts';
import type { State } from '../../reference/core/index.ts';
import type { Tamper } from '../../reference/http/index.ts';
import { drawPlan } from '../draw/draw-plan.ts';
import { viewOfRun } from '../judge-run.ts';
import { runPlan } from '../run-plan.ts';
import { playAndJudge } from '../run-world.ts';
import { watchInvariants } from './invariant-watch.ts';
import { createOrder, planOf } from './testing.ts';

/** One order without quotes, and a host that pauses over its expiry. */
const plan = planOf([
  createOrder,
  {
    at: { near: { of: 'expires_at', order: 'order 1' }, leadMs: 100 },
    fault: 'host pauses',
    ms: 1_200,
  },
  { at: { afterMs: 600 }, by: 'maker_a', do: 'read stats' },
  { at: { afterMs: 5_000 }, by: 'maker_a', do: 'read stats' },
]);

const rulesOf = async (tamper?: Tamper): Promise<readonly string[]> => {
  const inside = watchInvariants();
  const run = await runPlan(plan, { tamper, observe: inside.observe });
  return inside.findings(viewOfRun(run)).map(({ rule }) => rule);
};

function richer(state: State): State {
  const [owner = ''] = state.version.read().holdings.keys();
  const { version } = state.version.next((tables, apply) => {
    const before = tables.holdings.get(owner)?.get('USD');
    const after = new Decimal(before ?? 0).plus('0.01');
    apply({ table: 'holdings', owner, currency: 'USD', before, after });
  });
  return { ...state, version };
}

describe('the inside of a world', () => {
  it('keeps its invariants, even if the host stands still', async () => {
    expect(await rulesOf()).toEqual([]);
  });

  it('fails if value appears from nowhere', async () => {
    const outcome: Tamper['outcome'] = (made, command) =>
      command.type === 'due' ? { ...made, state: richer(made.state) } : made;
    expect(await rulesOf({ outcome })).toEqual(['inside.value-conserved']);
  });

  it('fails if a deadline is forgotten', async () => {
    expect(await rulesOf({ deadline: () => undefined })).toEqual(['inside.no-deadline-missed']);
  });

  it('is part of the judgement of a world, under one name in every world', async () => {
    const tools = { tamperOf: (): Tamper => ({ deadline: () => undefined }) };
    const options = { depth: 'process', mutation: 'forgets every deadline', faults: [] } as const;
    const causes = new Set<string>();
    for (const seed of [1n, 2n, 3n]) {
      const drawn = drawPlan(formatSeed(seed), { faults: [], steps: 12 });
      const { outcome } = await playAndJudge(drawn, options, tools);
      const inside = outcome.findings.filter(({ rule }) => rule === 'inside.no-deadline-missed');
      for (const { cause } of inside) causes.add(cause);
    }
    expect([...causes].join('\n')).not.toMatch(/\d/);
    expect(causes.size).toBeGreaterThan(0);
  });
});
