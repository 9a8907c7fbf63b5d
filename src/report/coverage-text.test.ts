import { describe, expect, it } from 'vitest';
import { report } from '../../test/support/report/check-run.ts';
import { coverageOf } from '../results/coverage.ts';
import type { Lack } from '../results/coverage-report.ts';
import type { CheckReport, RunReport } from '../results/run-report.ts';
import { toMarkdown } from './formats/markdown.ts';
import { toText } from './formats/text.ts';
import { heldBy, pageOf } from '../../test/support/report/page-of.ts';
import { mergeReports } from './merge.ts';
import { outcomeSentence } from './summary.ts';

const check = (id: string, ...lacks: readonly Lack[]): CheckReport => ({
  id,
  title: id,
  requirements: ['order.read'],
  verdict: lacks.length > 0 ? 'out_of_scope' : 'pass',
  ...(lacks.length > 0 && { reason: 'something is lacking', lacks }),
  failures: [],
});

/** A conformant run of a suite of eleven, of which some were asked for. */
function runOf(
  checks: readonly CheckReport[],
  part?: NonNullable<RunReport['coverage']>['part'],
): RunReport {
  const whole = report();
  const requirements = whole.requirements.map((one) => ({ ...one, verdict: 'pass' as const }));
  const coverage = coverageOf({ checks, requirements }, { all: 11, ...(part && { part }) });
  const participants = {
    sender: { role: 'institution', base_url: 'http://a' },
    maker_a: { role: 'market-maker', base_url: 'http://b' },
  };
  return {
    ...whole,
    outcome: 'conformant',
    target: { ...whole.target, participants },
    requirements,
    checks,
    rules: [],
    coverage,
  };
}

const [b, c] = [{ party: 'maker_b' }, { party: 'maker_c' }];
const everything = Array.from({ length: 4 }, (_, place) => check(`easy.${place}`));
const lacking = [check('b1', b), check('b2', b), check('b3', b), check('c1', c), check('bc', b, c)];
const long = [check('long', { wait_ms: 70_000 }), check('longer', { wait_ms: 3_605_000 })];

describe('the outcome of a conformant run', () => {
  it('says how much was judged, of whom, and what would bring in most', () => {
    expect(outcomeSentence(runOf([...everything, ...lacking, ...long]))).toBe(
      'conformant as far as judged: 4 of 11 checks, 1 institution and 1 maker; declare `maker_b`: 3 more',
    );
  });

  it('says how small the judged part is', () => {
    expect(outcomeSentence(runOf(everything.slice(0, 1), { only: ['easy.0'] }))).toBe(
      'conformant as far as judged: 1 of 11 checks, 1 institution and 1 maker, only easy.0',
    );
    const profile = { profile: 'smoke', only: [] };
    expect(outcomeSentence(runOf(everything, profile))).toContain('4 of 11 checks');
    expect(outcomeSentence(runOf(everything, profile))).toContain('profile smoke');
  });

  it('recommends no longer wait for few checks', () => {
    const waits = Array.from({ length: 9 }, (_, n) => check(`w${n}`, { wait_ms: 70_000 }));
    const sentence = outcomeSentence(runOf([...waits, check('last', { wait_ms: 3_605_000 })]));
    expect(sentence).toContain('; raise `max_wait` to 1 min 30 s: 9 more');
  });
});

describe('the checks that were left out', () => {
  const run = runOf([...everything, ...lacking, ...long]);
  const text = toText(run, undefined, { colour: 'plain' });

  it('is listed by cause, not by check', () => {
    const section = text.split('\n\n').find((one) => one.startsWith('Left out')) ?? '';
    expect(section.split('\n')).toEqual([
      'Left out',
      '  declare `maker_b`: 3 checks',
      '  `max_wait` 1 min 30 s: 2 checks need longer (1 min 30 s: 1, 1 h 5 s: 2)',
      '  declare `maker_c`: 1 check',
      '  declare `maker_b` and `maker_c`, all together: 1 more',
    ]);
    expect(text).not.toContain('something is lacking');
  });

  it('stands in the summary and on the page as well', () => {
    expect(toMarkdown(run)).toContain('- declare `maker_b`: 3 checks');
    expect(heldBy(pageOf(run))).toContain('declare `maker_b`: 3 checks');
  });

  it('covers all shards of a run', () => {
    const shards = [runOf([...everything, ...long]), runOf(lacking)];
    const merged = mergeReports(shards);
    expect(merged.ok && merged.report.coverage).toEqual(run.coverage);
  });
});
