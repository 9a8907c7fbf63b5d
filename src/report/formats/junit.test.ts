import { describe, expect, it } from 'vitest';
import type { CheckReport, RunReport } from '../../results/run-report.ts';
import { report } from '../../../test/support/report/check-run.ts';
import { playedReport } from '../../../test/support/report/scenario-run.ts';
import { applyBaseline } from '../baseline.ts';
import { applyWaivers } from '../waivers.ts';
import { toJunit } from './junit.ts';

const casesOf = (xml: string) =>
  [...xml.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, head = '', body = '']) => ({
      classname: /classname="([^"]*)"/.exec(head)?.[1],
      name: /\bname="([^"]*)"/.exec(` ${head}`)?.[1] ?? '',
      time: /time="([^"]*)"/.exec(head)?.[1],
      failure: /<failure message="([^"]*)"/.exec(body)?.[1],
      error: /<error message="([^"]*)"/.exec(body)?.[1],
      skipped: /<skipped message="([^"]*)"/.exec(body)?.[1],
    }),
  );

const failuresOf = (given: RunReport) =>
  casesOf(toJunit(given)).flatMap((each) => (each.failure === undefined ? [] : [each.name]));

/** One bug that two requirements, two checks and a rule show. */
function oneBug(): RunReport {
  const base = report();
  const finding = { outcome: 'fail', message: 'It was a number.', exchanges: [] } as const;
  const failing = (id: string, requirement: string): CheckReport => ({
    id,
    title: '',
    requirements: [requirement],
    verdict: 'fail',
    failures: [{ ...finding, requirement }],
  });
  return {
    ...base,
    requirements: base.requirements.map((each) =>
      ['order.read', 'order.form'].includes(each.id) ? { ...each, verdict: 'fail' } : each,
    ),
    checks: [failing('one', 'order.read'), failing('two', 'order.form')],
    rules: [failing('rule', 'order.form')],
    causes: [
      {
        id: 'order.amount.type',
        title: 'Amounts of orders are numbers.',
        outcome: 'fail',
        place: { endpoint: 'order.read', field: 'data.target_amount' },
        deviation: 'wrong type',
        requirements: ['order.read', 'order.form'],
        failures: ['one', 'two', 'rule'].map((source) => ({ source, index: 0 })),
      },
    ],
  };
}

describe('JUnit', () => {
  it('fails once for a bug, however many requirements, checks and rules show it', () => {
    const xml = toJunit(oneBug());
    expect(failuresOf(oneBug())).toEqual(['order.amount.type: Amounts of orders are numbers.']);
    expect(xml).toMatch(/<testsuites [^>]* failures="1" errors="0"/);
    const names = casesOf(xml).filter(({ skipped }) => skipped?.includes('order.amount.type'));
    expect(names.map(({ classname, name }) => `${classname} ${name.split(':')[0]}`)).toEqual([
      'part.2 order.form',
      'part.4 order.read',
      'checks one',
      'checks two',
      'rules rule',
    ]);
  });

  it('skips a cause that was waived or is known, with the reason', () => {
    const waived = applyWaivers(oneBug(), [{ cause: 'order.amount.type', reason: 'ticket 12' }]);
    const known = applyBaseline(oneBug(), { file: 'base.json', report: oneBug() });
    expect([failuresOf(waived), failuresOf(known)]).toEqual([[], []]);
    expect(casesOf(toJunit(waived))[0]?.skipped).toBe('waived: ticket 12');
    expect(casesOf(toJunit(known))[0]?.skipped).toContain('baseline');
  });

  it('fails without a cause: a scenario that verifies nothing', () => {
    expect(failuresOf({ ...playedReport(), causes: [] })).toEqual(['flows/broken: It breaks']);
  });

  it('has of scenarios no more than they came to', () => {
    const played = { ...report(), scenarios: playedReport().scenarios ?? [] };
    const shown = casesOf(toJunit(played)).filter(({ classname }) =>
      classname?.startsWith('part.'),
    );
    expect(shown.map(({ name }) => name.split(':')[0])).toEqual([
      'settle.about',
      'order.form',
      'order.read',
      'token.forged',
    ]);
    const scenarios = casesOf(toJunit({ ...playedReport(), causes: [] })).filter(
      ({ classname }) => classname === 'scenarios',
    );
    expect(scenarios.map(({ time }) => time)).toEqual(['4.000', '6.000']);
  });

  it('shows a fault of ours once, as the check that broke', () => {
    const base = report();
    const broken: CheckReport = {
      id: 'broken',
      title: '',
      requirements: ['order.read'],
      verdict: 'error',
      reason: 'the check itself broke',
      failures: [],
    };
    const given: RunReport = {
      ...base,
      checks: [broken],
      requirements: base.requirements.map((each) =>
        each.id === 'order.read' ? { ...each, verdict: 'error', judged_by: ['broken'] } : each,
      ),
    };
    const errors = casesOf(toJunit(given)).filter(({ error }) => error !== undefined);
    expect(errors.map(({ name }) => name)).toEqual(['broken: ']);
  });
});
