import { describe, expect, it } from 'vitest';
import { playedReport } from '../../../test/support/report/scenario-run.ts';
import type { CheckReport, RunReport } from '../../results/run-report.ts';
import type { RunOutcome } from '../../results/verdicts.ts';
import { outcomeSentence, playReportOf } from '../summary.ts';
import { toJunit } from '../formats/junit.ts';
import { toMarkdown } from '../formats/markdown.ts';

const rule = (verdict: 'pass' | 'fail'): CheckReport => ({
  id: `rule.${verdict}`,
  title: 'Amounts are <decimal> strings.',
  requirements: ['order.form'],
  verdict,
  failures:
    verdict === 'pass'
      ? []
      : [
          {
            requirement: 'order.form',
            outcome: 'fail',
            message: 'The rate was a number.',
            exchanges: ['a#1'],
          },
        ],
});

function played(ofInterface: RunOutcome, ...rules: readonly CheckReport[]): RunReport {
  const report = playedReport();
  return { ...report, rules, play: playReportOf(report.scenarios ?? [], ofInterface) };
}

describe('a play', () => {
  it('has a case of JUnit for each scenario, and one for each rule that failed', () => {
    const junit = toJunit(played('nonconformant', rule('pass'), rule('fail')));
    expect(junit.match(/<testcase classname="\w+" name="[^":]+/g)).toEqual([
      '<testcase classname="scenarios" name="flows/settled',
      '<testcase classname="scenarios" name="flows/broken',
      '<testcase classname="rules" name="rule.fail',
    ]);
    expect(junit).toContain('tests="3" failures="2" errors="0"');
    expect(junit).toContain('Amounts are &lt;decimal&gt; strings.');
  });

  it('lists failures of rules in its summary', () => {
    const summary = toMarkdown(played('nonconformant', rule('pass'), rule('fail')));
    expect(summary).toContain('### `rule.fail`: fail');
    expect(summary).toContain('- `order.form`: The rate was a number.; `a#1`');
    expect(summary).not.toContain('rule.pass');
  });

  it('that fails as a waiver says counts as expected', () => {
    const checks = played('conformant').checks.map((one) =>
      one.verdict === 'fail' ? { ...one, waived: 'ticket 340' } : one,
    );
    const report = {
      ...played('conformant'),
      checks,
      play: playReportOf(checks, 'conformant'),
    };
    expect(outcomeSentence(report)).toBe(
      'as expected: 1 of 2 scenarios passed, 1 failed as waived; the rules found nothing violated',
    );
    expect(toJunit(report)).toContain('failures="0" errors="0" skipped="1"');
    expect(toJunit(report)).toContain('<skipped message="fail: waived: ticket 340"/>');
    expect(toMarkdown(report)).toContain('| waived: ticket 340 |');
  });
});
