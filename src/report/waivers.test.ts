import { describe, expect, it } from 'vitest';
import type { RunReport } from '../results/run-report.ts';
import { exitCodeOfReport } from '../results/run-outcome.ts';
import { report } from '../../test/support/report/check-run.ts';
import { toMarkdown } from './formats/markdown.ts';
import { toText } from './formats/text.ts';
import { pageDataOf } from './html/page-data.ts';
import { outcomeSentence } from './summary.ts';
import { applyWaivers, type Waiver } from './waivers.ts';

const known = { id: 'order.flow', reason: 'ticket 12', message: 'rate was a number' };
const status = (waiver: Waiver): readonly unknown[] => {
  const { waivers = [], outcome } = applyWaivers(report(), [waiver]);
  return [waivers[0]?.status, waivers[0]?.problem, outcome];
};

describe('a waiver', () => {
  it('takes the failures with its deviation, however they are worded, and no others', () => {
    const [check, ...others] = report().checks;
    const found = check?.failures[0];
    if (!check || !found) throw new Error('the sample has no failure');
    const missing = { ...found, deviation: 'missing' as const };
    const of = { ...report(), checks: [{ ...check, failures: [missing] }, ...others] };
    const waived = (deviation: 'missing' | 'changed'): string | undefined =>
      applyWaivers(of, [{ id: check.id, reason: 'ticket 12', deviation }]).checks[0]?.waived;
    expect([waived('missing'), waived('changed')]).toEqual(['ticket 12', undefined]);
    const { waivers, unwaived } = applyWaivers(of, [
      { id: check.id, reason: 'ticket 12', deviation: 'changed' },
    ]);
    expect(waivers?.[0]).toMatchObject({ status: 'broken', deviation: 'changed' });
    expect(unwaived?.[0]?.reason).toBe(
      `the waiver of ${check.id} speaks of another deviation: changed`,
    );
  });

  it.each([
    ['of a failure that is gone', { id: 'order.read' }, 'it no longer fails: take the waiver away'],
    [
      'of another failure',
      { message: 'rate was missing' },
      'it fails otherwise: The rate was a number.',
    ],
    ['of nothing that exists', { id: 'order.flwo' }, 'nothing has this id'],
  ])('%s is a failure', (_, more, problem) => {
    expect(status({ ...known, ...more })).toEqual(['broken', problem, 'nonconformant']);
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

/** Two bugs that one check and one requirement show. */
function twoBugs(): RunReport {
  const base = report();
  const [check] = base.checks;
  if (!check) throw new Error('the sample has no check');
  const failure = { requirement: 'order.form', outcome: 'fail', exchanges: [] } as const;
  const failures = ['The rate was a number.', 'The amount was a number.', 'A sign was there.'];
  const cause = (id: string, ...places: readonly number[]) => ({
    id,
    title: `What ${id} is.`,
    outcome: 'fail' as const,
    place: {},
    deviation: 'wrong value',
    requirements: ['order.form'],
    failures: places.map((index) => ({ source: check.id, index })),
  });
  return {
    ...base,
    checks: [{ ...check, failures: failures.map((message) => ({ ...failure, message })) }],
    rules: [],
    causes: [cause('form.number', 0, 1), cause('form.sign', 2)],
  };
}

const ticket = 'ticket 14';

const causeOf = (outcome: 'fail' | 'warn'): string =>
  report().causes?.find((cause) => cause.outcome === outcome)?.id ?? 'none';

describe('a waiver of a cause', () => {
  const waived = applyWaivers(twoBugs(), [{ cause: 'form.number', reason: ticket }]);

  it('takes all failures of that cause, and no other', () => {
    expect(waived.causes?.map((cause) => cause.waived)).toEqual([ticket, undefined]);
    expect(waived.checks[0]?.waived).toBeUndefined();
    expect(waived.requirements[1]?.waived).toBeUndefined();
    expect(waived.outcome).toBe('nonconformant');
    expect(waived.waivers?.[0]).toMatchObject({ id: 'form.number', kind: 'cause', status: 'met' });
  });

  it('says what stays, and why', () => {
    expect(waived.unwaived).toEqual([
      {
        id: 'order.flow',
        requirement: 'order.form',
        causes: ['form.sign'],
        message: 'A sign was there.',
        reason: 'no waiver names it',
      },
    ]);
    for (const text of [toText(waived, undefined, { colour: 'plain' }), toMarkdown(waived)]) {
      expect(text).toContain('Not waived');
      expect(text).toContain('form.sign');
    }
    expect(pageDataOf(waived).unwaived).toEqual([
      ['form.sign', 'A sign was there. (order.flow); no waiver names it'],
    ]);
  });

  it('leaves nothing where every cause is waived', () => {
    const both = ['form.number', 'form.sign'].map((cause) => ({ cause, reason: ticket }));
    const all = applyWaivers(twoBugs(), both);
    expect([all.outcome, all.unwaived]).toEqual(['conformant', undefined]);
    expect(outcomeSentence(all)).toContain('1 requirement fails as waived');
    expect(all.requirements[1]?.waived).toBe(ticket);
  });

  it('of a cause that is gone is a failure', () => {
    const gone = applyWaivers(twoBugs(), [{ cause: 'form.gone', reason: ticket }]);
    expect(gone.waivers?.[0]).toMatchObject({
      status: 'broken',
      problem: 'no failure has this cause: it is mended, or its id is another',
    });
    // Nothing is violated: the waivers are to be corrected.
    const [passed] = twoBugs().requirements;
    const sound = { ...twoBugs(), causes: [], checks: [], requirements: passed ? [passed] : [] };
    const waived = applyWaivers(sound, [{ cause: 'form.number', reason: ticket }]);
    expect([waived.outcome, exitCodeOfReport(waived)]).toEqual(['conformant', 2]);
    expect(outcomeSentence(waived)).toContain('1 waiver did not come true');
    expect(exitCodeOfReport(gone)).toBe(1);
  });

  it('of a cause that only warns is a failure', () => {
    expect(status({ cause: causeOf('warn'), reason: ticket }).slice(0, 2)).toEqual([
      'broken',
      'it only warns, which needs no waiver: take it away',
    ]);
  });

  it('is untested where only a part of the suite was run', () => {
    const scope = { suiteIds: new Set<string>(), extent: 'part' } as const;
    const part = applyWaivers(report(), [{ cause: 'form.gone', reason: ticket }], scope);
    expect(part.waivers?.[0]?.status).toBe('untested');
  });
});

describe('a waiver of an id', () => {
  it.each([
    ['of a scenario, in a run of checks', 'flows/cancel', undefined],
    ['of a check that the run left out', 'order.other', 'part'],
  ] as const)('is untested %s', (_, id, extent) => {
    const scope = extent && { suiteIds: new Set([id]), extent };
    const waived = applyWaivers(report(), [{ ...known, id }], scope);
    expect(waived.waivers?.[0]).toMatchObject({ status: 'untested', problem: 'it was not run' });
  });
});

describe('a waiver until a day', () => {
  const day = report().run.finished_at.slice(0, 10);

  it('holds on that day, and not after it', () => {
    const onThatDay = applyWaivers(report(), [{ ...known, until: day }]);
    expect(onThatDay.waivers?.[0]?.status).toBe('met');
    const [over] = applyWaivers(report(), [{ ...known, until: '2000-01-01' }]).waivers ?? [];
    expect(over).toMatchObject({
      status: 'broken',
      problem: 'it was accepted until 2000-01-01: mend it, or name a later day',
    });
  });

  it('waives nothing after its last day', () => {
    const over = applyWaivers(report(), [{ ...known, until: '2000-01-01' }]);
    expect(over.checks.every(({ waived }) => waived === undefined)).toBe(true);
    expect(over.unwaived?.length).toBeGreaterThan(0);
  });
});
