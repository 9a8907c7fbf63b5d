import { beforeAll, describe, expect, it } from 'vitest';
import { type Attack, type AttackResult, attacksBudgetMs, faultsOf, runAttacks } from './attack.ts';
import { afterPreflight, hang } from './behaviours/building-blocks.ts';
import type { Behaviour } from './proxy.ts';

/**
 * Answers nothing after the preflight, and counts the calls. The driven clock is not part of the
 * interface and goes on.
 */
function silence(): { readonly behaviour: Behaviour; readonly calls: () => number } {
  let calls = 0;
  const silent: Behaviour = (visit) => {
    if (visit.path === '') return 'pass';
    calls += 1;
    return afterPreflight(hang)(visit);
  };
  return { behaviour: silent, calls: () => calls };
}

/** Long enough for a busy host. A call that hangs costs a whole timeout; later ones cost less. */
const limits = { connectMs: 5_000, headersMs: 1_500, bodyMs: 1_500 };
/** Some hundred checks of orders, which would make some thousand calls. */
const only = ['order.*', 'access.*'];

const [driven, own] = [silence(), silence()];
const callsOf: Record<string, () => number> = {
  'on a clock that is driven': driven.calls,
  'on its own clock': own.calls,
};
const attacks: Record<string, Attack> = {
  'on a clock that is driven': {
    behaviour: driven.behaviour,
    clock: 'hand',
    only,
    limits,
    clockMs: 10_000,
  },
  'on its own clock': { behaviour: own.behaviour, only, limits, maxWaitMs: 1_000 },
};

let results: ReadonlyMap<string, AttackResult>;
beforeAll(async () => {
  results = await runAttacks(attacks);
}, attacksBudgetMs);

describe('a target that answers nothing once it was reached,', () => {
  it.each(Object.keys(attacks))(
    '%s, is asked a few times and no more, and the report says so',
    (name) => {
      const one = results.get(name) as AttackResult;
      expect(faultsOf(one)).toEqual([]);
      expect(callsOf[name]?.()).toBeGreaterThan(20);
      expect(callsOf[name]?.()).toBeLessThan(600);
      expect(one.written).toMatch(/was asked no more|the target has been gone since/);
      // A missing answer is no evidence, so no unanswered call counts against the target.
      const left = one.report?.checks.filter(
        ({ verdict }) => verdict === 'not_exercised' || verdict === 'inconclusive',
      );
      expect(left?.length).toBeGreaterThan(50);
      expect(one.report?.totals.requirements.fail).toBe(0);
      expect(one.report?.outcome).toBe('incomplete');
    },
  );
});
