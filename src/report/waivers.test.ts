import { describe, expect, it } from 'vitest';
import { exitCodeOfReport } from './assemble.ts';
import { report } from '../../test/support/report/check-run.ts';
import { applyWaivers, type Waiver } from './waivers.ts';

const known: Waiver = { id: 'order.flow', reason: 'ticket 12', message: 'rate was a number' };
const status = (waiver: Waiver) => {
  const { waivers = [], outcome } = applyWaivers(report(), [waiver]);
  return [waivers[0]?.status, waivers[0]?.problem, outcome];
};

describe('a waiver', () => {
  it('of a check or of its requirement takes a failure out of the outcome, not out of sight', () => {
    for (const id of ['order.flow', 'order.form']) {
      const waived = applyWaivers(report(), [{ ...known, id }]);
      expect(waived.outcome).toBe('incomplete'); // Part 6 was set out for and left dark.
      expect(waived.checks[0]).toMatchObject({ verdict: 'fail', waived: 'ticket 12' });
      expect(waived.requirements[1]).toMatchObject({ verdict: 'fail', waived: 'ticket 12' });
      expect(waived.totals).toEqual(report().totals);
    }
  });

  it('of a failure that is gone is a failure', () => {
    expect(status({ ...known, id: 'order.read' })).toEqual([
      'broken',
      'it no longer fails: take the waiver away',
      'nonconformant',
    ]);
  });

  it('of another failure is a failure, and the failure stays one', () => {
    expect(status({ ...known, message: 'rate was missing' })).toEqual([
      'broken',
      'it fails otherwise: The rate was a number.',
      'nonconformant',
    ]);
  });

  it('of nothing that exists is a failure', () => {
    expect(status({ ...known, id: 'order.flwo' })).toEqual([
      'broken',
      'nothing has this id',
      'nonconformant',
    ]);
  });

  it('of what was not judged is neither met nor broken', () => {
    expect(status({ ...known, id: 'token.expiry' })[0]).toBe('untested');
    expect(status({ ...known, id: 'token.forgery' })[0]).toBe('untested');
  });

  it('takes no failure out that has no waiver of its own', () => {
    const [check] = report().checks;
    if (!check) throw new Error('the sample has no check');
    const other = {
      ...check.failures[0],
      outcome: 'fail',
      message: 'Another.',
      exchanges: [],
    } as const;
    const twice = { ...report(), checks: [{ ...check, failures: [...check.failures, other] }] };
    const waived = applyWaivers(twice, [known]);
    expect(waived.checks[0]?.waived).toBeUndefined();
    expect(waived.outcome).toBe('nonconformant');
  });
});

describe('the exit code of a report', () => {
  it('follows its outcome', () => {
    expect(exitCodeOfReport(report())).toBe(1);
    expect(exitCodeOfReport(applyWaivers(report(), [known]))).toBe(3);
    const conformant = { ...report(), outcome: 'conformant' } as const;
    expect(exitCodeOfReport(conformant)).toBe(0);
    expect(exitCodeOfReport(conformant, 'strict')).toBe(3);
  });
});
