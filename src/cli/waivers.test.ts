import { describe, expect, it } from 'vitest';
import { report } from '../../test/support/report/check-run.ts';
import { applyWaivers, type RunReport, toWaivers, type Waiver } from '../report/index.ts';
import { readWaivers } from './waivers.ts';

describe('the waivers file of a run', () => {
  const read = (of: RunReport): readonly Waiver[] => {
    const result = readWaivers({ file: 'waivers.yaml', text: toWaivers(of) });
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    return result.value;
  };

  it('waives all failures of that run, and each by a reason of its own', () => {
    const waivers = read(report());
    const waived = applyWaivers(report(), waivers);
    expect(waivers.length).toBeGreaterThan(0);
    expect(waived.waivers?.map(({ status: of }) => of)).toEqual(waivers.map(() => 'met'));
    expect(waived.unwaived).toBeUndefined();
    expect(waived.outcome).not.toBe('nonconformant');
  });

  it('leaves out what the run waived already, and holds none if nothing fails', () => {
    const given = read(report()).slice(1);
    expect(read(applyWaivers(report(), given))).toEqual(read(report()).slice(0, 1));
    expect(toWaivers(applyWaivers(report(), read(report())))).toBe('waivers: []\n');
  });
});
