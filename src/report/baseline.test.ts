import { describe, expect, it } from 'vitest';
import type { CauseReport, CheckReport, RunReport } from '../results/run-report.ts';
import type { Verdict } from '../results/verdicts.ts';
import { report } from '../../test/support/report/check-run.ts';
import { exitCodeOfReport } from '../results/run-outcome.ts';
import { applyBaseline } from './baseline.ts';
import { heldBy, pageOf } from '../../test/support/report/page-of.ts';
import { toMarkdown } from './formats/markdown.ts';
import { toText } from './formats/text.ts';
import { applyWaivers } from './waivers.ts';

const cause = (id: string, ...requirements: readonly string[]): CauseReport => ({
  id,
  title: `What ${id} is.`,
  outcome: 'fail',
  place: {},
  deviation: 'wrong value',
  requirements,
  failures: requirements.map((_, index) => ({ source: `rule of ${id}`, index })),
});

/** The rule that found the failures of a cause. */
const ruleOf = ({ id, requirements, failures: [first], outcome }: CauseReport): CheckReport => ({
  id: first?.source ?? '',
  title: id,
  requirements,
  verdict: outcome,
  failures: requirements.map((requirement) => ({
    requirement,
    outcome,
    message: `It breaks ${requirement}.`,
    exchanges: [],
  })),
});

/** A run with some verdicts and some causes; the rest passes. */
const run = (verdicts: Readonly<Record<string, Verdict>>, ...causes: CauseReport[]): RunReport => {
  const base = report();
  const broken = Object.values(verdicts).includes('fail');
  return {
    ...base,
    outcome: broken ? 'nonconformant' : 'conformant',
    requirements: base.requirements.map((each) => ({
      ...each,
      verdict: verdicts[each.id] ?? 'pass',
      exercised: 1,
    })),
    checks: [],
    rules: causes.map(ruleOf),
    causes,
  };
};

const since = (base: RunReport, now: RunReport) =>
  applyBaseline(now, { file: 'base.json', report: base });
const ids = (causes: readonly { readonly id: string }[] | undefined) => causes?.map(({ id }) => id);

const known = cause('amount.type', 'order.form');
const failing = run({ 'order.form': 'fail' }, known);

describe('a run beside a baseline', () => {
  it('is no failure while nothing is new, and still says that the target is wrong', () => {
    const compared = since(failing, failing);
    expect([compared.outcome, compared.baseline?.outcome]).toEqual(['nonconformant', 'conformant']);
    expect([exitCodeOfReport(failing), exitCodeOfReport(compared)]).toEqual([1, 0]);
    expect(compared.causes?.[0]?.known).toBe(true);
    expect(compared.requirements.find(({ id }) => id === 'order.form')?.known).toBe(true);
  });

  it('fails for a new cause, even of a requirement that failed before', () => {
    const both = run({ 'order.form': 'fail' }, known, cause('amount.sign', 'order.form'));
    const compared = since(failing, both);
    expect(ids(compared.baseline?.new)).toEqual(['amount.sign']);
    expect(ids(compared.baseline?.known)).toEqual(['amount.type']);
    expect(exitCodeOfReport(compared)).toBe(1);
  });

  it('fails for a failure that a new cause explains as well as a known one', () => {
    const fresh = cause('amount.sign', 'order.form');
    const both = run({ 'order.form': 'fail' }, known, { ...fresh, failures: known.failures });
    const compared = since(failing, both);
    expect(compared.causes?.map((one) => one.known)).toEqual([true, undefined]);
    expect(exitCodeOfReport(compared)).toBe(1);
  });

  it('fails where a known cause breaks what held, and lists that as regressed', () => {
    const wider = run(
      { 'order.form': 'fail', 'order.read': 'fail' },
      cause('amount.type', 'order.form', 'order.read'),
    );
    const compared = since(failing, wider);
    expect(exitCodeOfReport(compared)).toBe(1);
    expect(compared.causes?.[0]?.known).toBeUndefined();
    const { baseline } = compared;
    expect([ids(baseline?.new), ids(baseline?.wider), ids(baseline?.known)]).toEqual([
      [],
      ['amount.type'],
      [],
    ]);
    expect(baseline?.regressed).toEqual([{ id: 'order.read', before: 'pass', after: 'fail' }]);
  });

  it('does not call new what was waived', () => {
    const both = run({ 'order.form': 'fail' }, cause('amount.sign', 'order.form'));
    const { causes = [] } = both;
    const waived = { ...both, causes: causes.map((one) => ({ ...one, waived: 'ticket' })) };
    const compared = since(failing, waived);
    expect([compared.baseline?.new, exitCodeOfReport(compared)]).toEqual([[], 0]);
  });

  it('lists as fixed what was looked at and failed no more', () => {
    const { baseline } = since(failing, run({}));
    expect([ids(baseline?.fixed), baseline?.unjudged]).toEqual([['amount.type'], []]);
  });

  it('takes nothing for fixed that was not judged', () => {
    const { baseline } = since(failing, run({ 'order.form': 'out_of_scope' }));
    expect([ids(baseline?.fixed), baseline?.unjudged]).toEqual([[], ['order.form']]);
  });

  it('fails for what was a warning before', () => {
    const warned = run({ 'order.form': 'warn' }, { ...known, outcome: 'warn' });
    expect(exitCodeOfReport(since(warned, failing))).toBe(1);
  });

  it('fails for a fault of ours and for a broken waiver all the same', () => {
    const waived = applyWaivers(failing, [{ cause: 'no.such', reason: 'ticket' }]);
    expect(exitCodeOfReport(since(failing, waived))).toBe(2);
    const broken = { ...failing, outcome: 'error', rules: [] } as const;
    const faulty = {
      ...broken,
      checks: [{ id: 'x', title: '', requirements: [], verdict: 'error', failures: [] }],
    } as const;
    expect(exitCodeOfReport(since(failing, faulty))).toBe(3);
  });

  it('of another version of the suite is used, with a note', () => {
    const suite = { version: '0.0.9', digest: 'f'.repeat(64) };
    const renamed = { ...run({ 'order.form': 'fail' }, cause('old.name', 'order.form')), suite };
    const compared = since(renamed, failing);
    expect(compared.baseline?.notes?.[0]).toContain('another version of the suite');
    expect(exitCodeOfReport(compared)).toBe(0);
    const fresh = run({ 'order.read': 'fail' }, cause('new.name', 'order.read'));
    expect(exitCodeOfReport(since(renamed, fresh))).toBe(1);
  });

  it('of another target is used, with a note', () => {
    const other = { ...failing, target: { ...failing.target, name: 'acme-fx 2.2' } };
    expect(since(other, failing).baseline?.notes).toEqual(['it is of another target: acme-fx 2.2']);
  });

  it('written before reports named causes is compared by its requirements', () => {
    const { causes: _, ...old } = report();
    expect(exitCodeOfReport(since(old, report()))).toBe(3); // Incomplete, and no more than that.
    expect(since(old, report()).baseline?.new).toEqual([]);
  });
});

describe('the changes since the baseline', () => {
  const now = run({ 'order.read': 'fail' }, cause('new.one', 'order.read'));
  const compared = since(failing, now);

  it.each([
    ['a terminal', toText(compared, undefined, { colour: 'plain' })],
    ['a summary', toMarkdown(compared)],
    ['the page', heldBy(pageOf(compared))],
  ])('is reported in %s', (_, text) => {
    const words = ['base.json', '1 cause is new since the baseline', 'new.one', 'fixed'];
    for (const word of [...words, 'amount.type', 'regressed']) expect(text).toContain(word);
  });
});
