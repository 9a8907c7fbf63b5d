import { expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { keyElsewhere } from '../../src/client/token-signing.ts';
import { coverageOf } from '../../src/results/coverage.ts';
import type { Lack } from '../../src/results/coverage-report.ts';
import { cast, type CastName, requirements } from '../../src/spec/requirements/index.ts';
import { plan, type Scope } from '../../src/suite/engine/plan.ts';

const scopeOf = (names: readonly CastName[], maxWaitMs: number): Scope => ({
  parties: Object.fromEntries(names.map((name) => [name, { role: cast[name], baseUrl: '' }])),
  clock: { kind: 'system', maxWaitMs, offset: { least: 0, most: 0 } },
  controls: {},
});

/** The scope after everything that was lacking is declared, offered and allowed. */
const withNeeds = (scope: Scope, needs: readonly Lack[]): Scope =>
  needs.reduce<Scope>((grown, lack) => {
    if ('party' in lack) {
      const role = cast[lack.party as CastName];
      return { ...grown, parties: { ...grown.parties, [lack.party]: { role, baseUrl: '' } } };
    }
    if ('control' in lack) return { ...grown, controls: { ...grown.controls, [lack.control]: {} } };
    if ('wait_ms' in lack) {
      return { ...grown, clock: { ...grown.clock, maxWaitMs: lack.wait_ms } };
    }
    return { ...grown, signing: keyElsewhere('', 'nothing is signed') };
  }, scope);

const inScope = (scope: Scope): number =>
  plan(checks, scope, requirements).checks.filter(({ lacks }) => lacks.length === 0).length;

const planned = (scope: Scope) =>
  coverageOf(
    {
      checks: plan(checks, scope, requirements).checks.map(({ check, lacks }) => ({
        requirements: check.requirements,
        verdict: lacks.length > 0 ? 'out_of_scope' : 'pass',
        lacks,
      })),
      requirements: [],
    },
    { all: checks.length },
  );

it.each<readonly [readonly CastName[], number]>([
  [['sender', 'maker_a'], 90_000],
  [['sender', 'maker_a'], 5_000],
  [['sender', 'outsider', 'sender_custodian', 'maker_a', 'maker_b', 'maker_c'], 30_000],
  [['maker_a'], 90_000],
])(
  'with %j and %d ms each need brings in the number of checks that it reports',
  (names, maxWaitMs) => {
    const scope = scopeOf(names, maxWaitMs);
    const { left_out, checks: counts } = planned(scope);
    expect(counts.judged).toBe(inScope(scope));
    expect(left_out.reduce((sum, one) => sum + one.checks, 0)).toBe(counts.out_of_scope);
    for (const { needs, checks: brings, waits = [] } of left_out.filter(
      (one) => one.needs.length === 1,
    )) {
      expect([needs, inScope(withNeeds(scope, needs)) - counts.judged]).toEqual([needs, brings]);
      for (const step of waits) {
        const longer = withNeeds(scope, [{ wait_ms: step.max_wait_ms }]);
        expect(inScope(longer) - counts.judged).toBe(step.checks);
      }
    }
    // Of several together, what they bring beyond what each part of them brings.
    for (const { needs, checks: brings } of left_out.filter((one) => one.needs.length === 2)) {
      const alone = needs.map((lack) => inScope(withNeeds(scope, [lack])) - counts.judged);
      const both = inScope(withNeeds(scope, needs)) - counts.judged;
      expect([needs, both - alone.reduce((sum, n) => sum + n, 0)]).toEqual([needs, brings]);
    }
  },
);
