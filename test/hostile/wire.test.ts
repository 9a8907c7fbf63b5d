import { beforeAll, describe, expect, it } from 'vitest';
import {
  attacksInParallel,
  runAttack,
  attackBudgetMs,
  type AttackResult,
  attackPerBehaviour,
  faultsOf,
  runAttacks,
  attacksBudgetMs,
  failuresUnrelatedTo,
  verdictsNotInvolving,
} from './attack.ts';
import { afterPreflight } from './behaviours/building-blocks.ts';
import { wireBehaviours } from './behaviours/wire.ts';

/** Long enough for good parties in a busy process; each silence costs as much. */
const limits = { headersMs: 3_000, bodyMs: 3_000 };
const names = Object.keys(wireBehaviours);

describe('a backend that, from the first request on,', () => {
  let results: ReadonlyMap<string, AttackResult>;
  beforeAll(async () => {
    const alone = (text: string): string => text.replace(/^ {2}(?!sender:)\w+: \{ role.*\n/gm, '');
    results = await runAttacks(attackPerBehaviour(wireBehaviours, { file: alone }), 12);
  }, attacksBudgetMs);

  it.each(names)('%s: is not judged, and what it did is said', (name) => {
    const { exit, report, written, wallMs } = results.get(name) as AttackResult;
    expect(report).toBeUndefined();
    expect(written).toMatch(/^hostile\.yaml:3:\d+: .*POST \/auth\/token/);
    // An answer that is none of the interface's says that the address or the source of tokens is wrong.
    const answered = /gave no token: .* answered (?!5|429|999)/.test(written);
    expect(exit).toBe(answered ? 2 : 3);
    expect(wallMs).toBeLessThan(attackBudgetMs);
  });
});

describe('among good parties that keep their verdicts', () => {
  const bad = ['maker_b', 'maker_c', 'outsider', 'outsider_custodian'] as const;
  const attacks = attacksInParallel(wireBehaviours, bad, { as: afterPreflight, limits });
  let results: ReadonlyMap<string, AttackResult>;
  let good: AttackResult;
  beforeAll(async () => {
    good = await runAttack({ behaviour: () => 'pass', at: bad, limits });
    results = await runAttacks(attacks);
  }, attacksBudgetMs);

  it('nobody fails who does nothing bad', () => {
    expect(good.exit).toBe(0);
    const { checks } = good.report?.totals ?? {};
    expect(checks).toMatchObject({ fail: 0, warn: 0, error: 0, inconclusive: 0 });
    expect(verdictsNotInvolving(bad, good, good).length).toBeGreaterThan(8);
  });

  it.each(Object.keys(attacks))('%s: these alone are found wanting', (name) => {
    const one = results.get(name) as AttackResult;
    expect(faultsOf(one)).toEqual([]);
    expect(failuresUnrelatedTo(bad, one)).toEqual([]);
    expect(verdictsNotInvolving(bad, one, good)).toEqual(verdictsNotInvolving(bad, good, good));
    // What is refused for its pace alone is nobody's departure.
    expect(name.replaceAll(/\w+ answers 429[^,]*(, |$)/g, '') === '' ? [0, 3] : [1]).toContain(
      one.exit,
    );
    expect(one.wallMs).toBeLessThan(attackBudgetMs);
  });
});
