import { beforeAll, expect, it } from 'vitest';
import {
  type AttackResult,
  attackPerBehaviour,
  faultsOf,
  runAttacks,
  attacksBudgetMs,
} from './attack.ts';
import { clockBehaviours } from './behaviours/clock.ts';

let results: ReadonlyMap<string, AttackResult>;
beforeAll(async () => {
  results = await runAttacks(
    attackPerBehaviour(clockBehaviours, {
      clock: 'hand',
      // A second is not always enough on a busy host.
      clockMs: 4_000,
      limits: { headersMs: 4_000, bodyMs: 4_000 },
    }),
  );
}, attacksBudgetMs);

// Clocks that lie or use another format: test/network/lost-clock.test.ts.
it.each(Object.keys(clockBehaviours))('a clock that %s ends the run, no fault of ours', (name) => {
  const one = results.get(name) as AttackResult;
  expect(faultsOf(one)).toEqual([]);
  // A lie that a target's own answers cannot give away: the run follows such a clock.
  if (name === 'lags by half of each step') return;
  expect(one.exit).toBe(3);
  expect(one.report?.outcome).toBe('incomplete');
  expect(one.written).toContain("the target's clock could not be driven any more");
});
