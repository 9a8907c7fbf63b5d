import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AttackResult,
  attackPerBehaviour,
  behavioursNamed,
  faultsOf,
  runAttacks,
  attacksBudgetMs,
} from './attack.ts';
import { clockBehaviours } from './behaviours/clock.ts';

/** A lie that a target's own answers cannot give away: the run follows such a clock. */
const followed = ['lags by half of each step'];

/** Tries what the address of a clock may do, all of it unless named, and holds the suite to its judgement. */
export function tryClock(names: readonly string[] = Object.keys(clockBehaviours)): void {
  const behaviours = behavioursNamed(clockBehaviours, names);
  let results: ReadonlyMap<string, AttackResult>;
  beforeAll(async () => {
    results = await runAttacks(
      attackPerBehaviour(behaviours, {
        clock: 'hand',
        // A second is not always enough on a busy host.
        clockMs: 4_000,
        limits: { headersMs: 4_000, bodyMs: 4_000 },
      }),
    );
  }, attacksBudgetMs);

  describe('a clock behind an address that', () => {
    it.each(Object.keys(behaviours))('%s: ends the run, which is no fault of ours', (name) => {
      const one = results.get(name) as AttackResult;
      expect(faultsOf(one)).toEqual([]);
      if (followed.includes(name)) return;
      expect(one.exit).toBe(3);
      expect(one.report?.outcome).toBe('incomplete');
      expect(one.written).toContain("the target's clock could not be driven any more");
    });
  });
}
