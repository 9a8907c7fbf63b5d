import { describe, expect, it } from 'vitest';
import { diffText } from './changes.ts';
import { mergeReports, mergeRuleReports } from './merge.ts';
import type { CauseReport, RunReport } from '../results/run-report.ts';
import { applyWaivers } from './waivers.ts';
import { report } from '../../test/support/report/check-run.ts';

function merged(reports: readonly RunReport[]): RunReport {
  const result = mergeReports(reports);
  if (!result.ok) throw new Error(result.problem);
  return result.report;
}

/** The sample run with the verdict of one requirement and its check replaced. */
const withVerdict = (
  base: RunReport,
  id: string,
  verdict: RunReport['checks'][number]['verdict'],
): RunReport => ({
  ...base,
  requirements: base.requirements.map((each) => {
    const { reason: _, ...rest } = each;
    return each.id === id ? { ...rest, verdict, exercised: 1, judged_by: ['other'] } : each;
  }),
});

const failing = report().causes?.find(({ outcome }) => outcome === 'fail') as CauseReport;

it('counts the failures of a rule that it leaves out when histories are merged', () => {
  const failure = { outcome: 'fail', message: 'The rate was a number.', exchanges: [] } as const;
  const rule = { id: 'r', title: 't', requirements: [], verdict: 'fail', judged: [] } as const;
  const runs = Array.from({ length: 3 }, (_, run) => [
    {
      ...rule,
      failures: Array.from({ length: 9 }, (__, n) => ({ ...failure, exchanges: [`${run}#${n}`] })),
      omitted: 2,
    },
  ]);
  const [merged] = mergeRuleReports(runs);
  expect([merged?.failures.length, merged?.omitted]).toEqual([20, 13]);
});

describe('merging', () => {
  it('names the seed of each failure if the runs have different seeds', () => {
    const other = { ...report(), run: { ...report().run, seed: '0x0000000000000009' } };
    const whole = merged([report(), other]);
    const seeds = whole.checks.flatMap(({ failures }) => failures.map(({ seed }) => seed));
    expect(new Set(seeds)).toEqual(new Set(['0x0000000000000007', '0x0000000000000009']));
    const alone = mergeReports([report(), report()]);
    expect(JSON.stringify(alone)).not.toContain('"seed":"0x0000000000000007","requirement"');
  });

  it('prefers the verdict of a shard that judged a requirement', () => {
    const other = withVerdict(report(), 'maker.third', 'pass');
    const whole = merged([report(), other]);
    const third = whole.requirements.find(({ id }) => id === 'maker.third');
    expect(third).toMatchObject({ verdict: 'pass', judged_by: ['other'] });
    expect(third?.reason).toBeUndefined();
  });

  it('counts a waiver as met if one shard met it', () => {
    const waiver = { cause: failing.id, reason: 'ticket 12' };
    const scope = { suiteIds: new Set<string>(), extent: 'part' } as const;
    const sound = withVerdict(report(), 'order.form', 'pass');
    const shards = [
      applyWaivers({ ...sound, causes: [], checks: [], rules: [] }, [waiver], scope),
      applyWaivers(report(), [waiver], scope),
    ];
    const whole = merged(shards);
    expect(whole.waivers?.map(({ status }) => status)).toEqual(['met']);
    expect(whole.causes?.[0]).toMatchObject({ id: failing.id, waived: 'ticket 12' });
    const form = whole.requirements.find(({ id }) => id === 'order.form');
    expect(form?.waived).toBe('ticket 12');
  });

  it('keeps the command line if all runs had the same', () => {
    const other = { ...report(), run: { ...report().run, started_with: ['--target', 'b.yaml'] } };
    const started = (some: readonly RunReport[]) => merged(some).run.started_with;
    expect(started([report(), report()])).toEqual(['--target', 'acme.yaml']);
    expect(started([report(), other])).toBeUndefined();
  });

  it('refuses reports that do not belong together', () => {
    const suite = { version: '0.2.0', digest: 'f'.repeat(64) };
    expect(mergeReports([report(), { ...report(), suite }])).toEqual({
      ok: false,
      problem: 'reports of different suites (0.1.0 and 0.2.0) cannot be merged',
    });
    expect(mergeReports([report(), report('!')])).toMatchObject({ ok: false });
    expect(mergeReports([])).toEqual({ ok: false, problem: 'no report to merge' });
  });
});

describe('a diff', () => {
  it('is empty for two equal reports', () => {
    expect(diffText(report(), report())).toBe('no verdict differs\n');
  });

  it('lists new and gone causes', () => {
    const cause = {
      ...(report().causes?.[0] as CauseReport),
      id: 'order.other',
      title: 'Another.',
    };
    const text = diffText(report(), { ...report(), causes: [cause] });
    expect(text).toContain('causes, added: 1\n  order.other: Another.\n');
    expect(text).toContain(`causes, removed: 1\n  ${failing.id}: ${failing.title}\n`);
  });

  it('lists requirements that became worse, better, new and gone', () => {
    const before = report();
    const worse = withVerdict(before, 'order.read', 'fail');
    const better = withVerdict(worse, 'order.form', 'pass');
    const after: RunReport = {
      ...better,
      outcome: 'incomplete',
      checks: [
        ...better.checks.slice(1),
        { id: 'new.check', title: '', requirements: [], verdict: 'pass', failures: [] },
      ],
      gaps: better.gaps.map((gap) =>
        gap.id === 'stream.resume' ? { ...gap, observed: 'none' } : gap,
      ),
    };
    expect(diffText(before, after)).toBe(
      [
        'outcome: nonconformant -> incomplete',
        'requirements, worse: 1',
        '  order.read: pass -> fail',
        'requirements, better: 1',
        '  order.form: fail -> pass',
        'checks, added: 1',
        '  new.check: absent -> pass',
        'checks, removed: 1',
        '  order.flow: fail -> absent',
        '1 gap answer changed',
        '  stream.resume: not known -> none',
        '',
      ].join('\n'),
    );
  });
});
