import { describe, expect, it } from 'vitest';
import { coverageOf } from './coverage.ts';
import {
  exitCodeOfReport,
  type OutcomeBasis,
  runOutcomeOf,
  unexercisedParts,
} from './run-outcome.ts';
import type { Verdict } from './verdicts.ts';

const requirement = (
  id: string,
  part: string,
  verdict: Verdict,
  level: 'must' | 'vague' = 'must',
) => ({ id, part, level, verdict, exercised: verdict === 'not_exercised' ? 0 : 1 }) as const;

const basis = (more: Partial<OutcomeBasis> = {}): OutcomeBasis => ({
  requirements: [requirement('a', '1', 'pass'), requirement('b', '2.1', 'pass')],
  checks: [{ requirements: ['a', 'b'], verdict: 'pass' }],
  rules: [],
  ...more,
});

describe('the outcome of a run', () => {
  it('is nonconformant where a must fails, unless that was waived', () => {
    const failed = requirement('a', '1', 'fail');
    expect(runOutcomeOf(basis({ requirements: [failed] }))).toBe('nonconformant');
    const waived = { ...failed, waived: 'known' };
    expect(runOutcomeOf(basis({ requirements: [waived] }))).toBe('conformant');
  });

  it('is conformant in spite of warnings', () => {
    expect(runOutcomeOf(basis({ requirements: [requirement('a', '1', 'warn')] }))).toBe(
      'conformant',
    );
  });

  it('is an error where anything of ours broke, whatever else failed', () => {
    const rules = [{ verdict: 'error' as const }];
    const requirements = [requirement('a', '1', 'fail')];
    expect(runOutcomeOf(basis({ rules, requirements }))).toBe('error');
  });

  it('is incomplete where nothing was exercised, or a party could not be reached', () => {
    const requirements = [requirement('a', '1', 'not_exercised')];
    expect(runOutcomeOf(basis({ requirements }))).toBe('incomplete');
    expect(runOutcomeOf(basis({ preflight: ['sender refuses connections'] }))).toBe('incomplete');
  });

  it('is incomplete where the run ended early, whatever had failed by then', () => {
    const ended_early = { reason: 'signal', at: '2026-01-01T00:00:00.000Z', detail: 'it' } as const;
    expect(runOutcomeOf(basis({ run: { ended_early } }))).toBe('incomplete');
    const requirements = [requirement('a', '1', 'fail')];
    expect(runOutcomeOf(basis({ run: { ended_early }, requirements }))).toBe('incomplete');
    const rules = [{ verdict: 'error' as const }];
    expect(runOutcomeOf(basis({ run: { ended_early }, rules }))).toBe('error');
  });

  it('is decided by what was judged if a budget was used up', () => {
    const ended_early = { reason: 'budget', at: '2026-01-01T00:00:00.000Z', detail: 'it' } as const;
    expect(runOutcomeOf(basis({ run: { ended_early } }))).toBe('conformant');
    const requirements = [requirement('a', '1', 'fail')];
    expect(runOutcomeOf(basis({ run: { ended_early }, requirements }))).toBe('nonconformant');
  });

  it('is incomplete where no check came to a verdict, whatever else was seen', () => {
    const checks = [{ requirements: ['a'], verdict: 'not_exercised' as const }];
    expect(runOutcomeOf(basis({ checks }))).toBe('incomplete');
  });

  it('is incomplete if nothing of a part was exercised although checks ran for it', () => {
    const requirements = [
      requirement('a', '1', 'pass'),
      requirement('b', '2.1', 'not_exercised'),
      requirement('c', '3', 'not_exercised'),
    ];
    const checks = [
      { requirements: ['a', 'b'], verdict: 'not_exercised' as const },
      { requirements: ['c'], verdict: 'out_of_scope' as const },
    ];
    expect(unexercisedParts({ requirements, checks })).toEqual(['2']);
    expect(runOutcomeOf(basis({ requirements, checks }))).toBe('incomplete');
  });
});

describe('the exit code', () => {
  const inside = 'settlement.four-legs';
  const open = (id: string) => [requirement(id, '1', 'out_of_scope')];

  it('is 3 for a strict run with unproven requirements, except unobservable ones', () => {
    expect(exitCodeOfReport({ outcome: 'conformant', requirements: open('a') }, 'strict')).toBe(3);
    expect(exitCodeOfReport({ outcome: 'conformant', requirements: open(inside) }, 'strict')).toBe(
      0,
    );
  });

  it('shows too little coverage, and a violation first', () => {
    const required = { kind: 'percent', percent: 50 } as const;
    const checks = [{ requirements: ['a'], verdict: 'pass' as const }];
    const coverageOfSuite = (all: number) => coverageOf({ checks, requirements: [] }, { all });
    const exitOf = (outcome: 'conformant' | 'nonconformant', all: number): number =>
      exitCodeOfReport(
        { outcome, requirements: [], coverage: coverageOfSuite(all) },
        'lenient',
        required,
      );
    expect(exitOf('conformant', 2)).toBe(0);
    expect(exitOf('conformant', 3)).toBe(3);
    expect(exitOf('nonconformant', 3)).toBe(1);
    const unknown = { outcome: 'conformant', requirements: [] } as const;
    expect(exitCodeOfReport(unknown, 'lenient', required)).toBe(3);
  });
});
