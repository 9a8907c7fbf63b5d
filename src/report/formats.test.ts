import { createSecrets } from '../history/secrets/secrets.ts';
import { describe, expect, it } from 'vitest';
import { toCtrf } from './formats/ctrf.ts';
import { heldBy, pageOf } from '../../test/support/report/page-of.ts';
import { readReport, toJson } from './formats/json.ts';
import { toJunit } from './formats/junit.ts';
import { toMarkdown } from './formats/markdown.ts';
import { mergeReports } from './merge.ts';
import { context, history, report, result } from '../../test/support/report/check-run.ts';
import { exitCodeOfReport } from '../results/run-outcome.ts';
import { assembleReport } from './assemble.ts';
import { applyBaseline } from './baseline.ts';
import { toAnnotations } from './formats/annotations.ts';
import { toBadge } from './formats/badge.ts';
import { outcomeSentence } from './summary.ts';
import { toText } from './formats/text.ts';
import { applyWaivers } from './waivers.ts';

/** Golden files: read them when they change, then `vitest run src/report -u`. */
const golden = (name: string): string => `../../test/support/report/golden/${name}.golden`;

describe('each format of the sample run', () => {
  const waived = applyWaivers(report(), [
    { id: 'order.flow', reason: 'ticket 12', message: 'The rate was a number.' },
    { id: 'order.read', reason: 'ticket 13', message: 'was refused' },
  ]);

  it.each([
    ['text', () => toText(report(), createSecrets().maskHistory(history()), { colour: 'plain' })],
    ['text-without-history', () => toText(report(), undefined, { colour: 'plain' })],
    [
      'text-waived',
      () => toText(waived, createSecrets().maskHistory(history()), { colour: 'plain' }),
    ],
    ['json', () => toJson(report())],
    ['junit', () => toJunit(report())],
    ['junit-waived', () => toJunit(waived)],
    ['ctrf', () => toCtrf(report())],
    ['markdown', () => toMarkdown(report())],
    ['html', () => pageOf(report(), history())],
  ])('%s is as it was read and approved', async (name, format) => {
    await expect(format()).toMatchFileSnapshot(golden(name));
  });
});

describe('a note', () => {
  const note = 'streams open late';
  const noted = { ...report(), notes: [note] };

  it.each([
    ['text', toText(noted, createSecrets().maskHistory(history()), { colour: 'plain' })],
    ['markdown', toMarkdown(noted)],
    ['html', heldBy(pageOf(noted, history()))],
    ['json', toJson(noted)],
  ])('is in %s', (_, written) => {
    expect(written).toContain(note);
  });

  it('is told once, whichever shards of a run made it', () => {
    const merged = mergeReports([noted, noted]);
    expect(merged.ok && [merged.report.notes, merged.report.outcome]).toEqual([
      [note],
      report().outcome,
    ]);
  });
});

const coverage = {
  checks: {
    all: 0,
    judged: 0,
    undecided: 0,
    not_applicable: 0,
    out_of_scope: 0,
    not_selected: 0,
  },
  left_out: [],
};

describe('a run that ended early', () => {
  const at = '2026-01-01T00:00:40.000Z';
  const made = context();
  const ended = assembleReport(result(), {
    ...made,
    run: { ...made.run, ended_early: { reason: 'target_gone', at, detail: 'maker_a was gone' } },
  });
  const sentence = `the run ended early, at ${at}: maker_a was gone`;

  it('is incomplete and exits 3, though something failed before', () => {
    expect(ended.totals.requirements.fail).toBeGreaterThan(0);
    expect([ended.outcome, exitCodeOfReport(ended)]).toEqual(['incomplete', 3]);
    const waived = applyWaivers(ended, [{ id: 'order.flow', reason: 'x', message: 'y' }]);
    const compared = applyBaseline(ended, { file: 'before.json', report: report() });
    expect([exitCodeOfReport(waived), exitCodeOfReport(compared)]).toEqual([3, 3]);
    const merged = mergeReports([report(), ended]);
    expect(merged.ok && [merged.report.outcome, merged.report.run.ended_early]).toEqual([
      'incomplete',
      ended.run.ended_early,
    ]);
    expect(readReport(toJson(ended))).toEqual({ ok: true, value: ended });
  });

  it.each([
    ['text', toText(ended, createSecrets().maskHistory(history()), { colour: 'plain' })],
    ['markdown', toMarkdown(ended).replaceAll('\\', '')],
    ['html', heldBy(pageOf(ended, history()))],
    ['junit', toJunit(ended)],
    ['ctrf', toCtrf(ended)],
    ['annotations', toAnnotations(ended)],
  ])('%s says so before the failures', (_, written) => {
    const said = written.indexOf(sentence);
    expect(said).toBeGreaterThan(-1);
    const failed = written.search(/The rate was a number|rate/);
    expect(failed === -1 || said < failed || written.startsWith('{')).toBe(true);
  });

  it.each([
    ['2 of 4', { of: 4, parts: [2] }],
    ['1 to 3 of 4', { of: 4, parts: [1, 2, 3] }],
  ])('reads the parts of an older report: %s', (text, shard) => {
    const older = { ...report(), coverage: { ...coverage, part: { shard: text } } };
    const read = readReport(JSON.stringify(older));
    expect(read.ok && read.value.coverage?.part?.shard).toEqual(shard);
  });

  it('annotations are text: several lines of one message, and no quotes around it', () => {
    const [line = ''] = toAnnotations(report()).split('\n');
    expect(line).toMatch(/^::error title=[^"]+::[^"\\]+%0Arequirements: /);
  });

  it('says how much had failed', () => {
    expect(outcomeSentence(ended)).toBe(
      `incomplete: ${sentence}; 1 requirement failed before that`,
    );
    expect(toBadge(ended)).toContain('incomplete, ended early');
  });
});

it('masks what a target wrote where a state belongs', () => {
  const secrets = createSecrets();
  secrets.add(' kept-to-ourselves');
  const masked = assembleReport(result(' kept-to-ourselves'), { ...context(), secrets });
  const written = masked.requirements.map(({ reason, contrast }) => ({ reason, contrast }));
  expect(JSON.stringify(written)).not.toContain('kept-to-ourselves');
});

describe('a report that is read back', () => {
  it.each([
    ['{', 'not JSON'],
    ['[]', 'not a report: no object'],
    ['{"format":"other/1"}', 'not a report: "format" is not "assay.report/1"'],
    [
      '{"format":"assay.report/1","requirements":[]}',
      'not a report: outcome is not one of conformant, nonconformant, incomplete, error',
    ],
    ['<xml/>', 'not JSON'],
  ])('%s is refused: %s', (text, problem) => {
    expect(readReport(text)).toEqual({ ok: false, problem });
  });

  it.each([
    [{ requirements: [null] }, 'requirements[0] is not an object'],
    [{ checks: [{ id: 7 }] }, 'checks[0].id is not a text'],
    [
      { requirements: [{ ...report().requirements[0], verdict: 'green' }] },
      'requirements[0].verdict is not one of pass, out_of_scope, not_exercised, inconclusive, warn, fail, error',
    ],
    [
      { causes: [{ id: 'a', title: 'b', outcome: 'pass' }] },
      'causes[0].outcome is not one of fail, warn',
    ],
    [{ causes: 'none' }, 'causes is not a list'],
    [{ run: {} }, 'run.seed is not a text'],
    [
      { coverage: { ...coverage, part: { shard: 'the first' } } },
      'coverage.part.shard is not parts, as in { "of": 2, "parts": [1] }',
    ],
    [
      { coverage: { ...coverage, part: { shard: { of: 2, parts: [3] } } } },
      'coverage.part.shard is not parts, as in { "of": 2, "parts": [1] }',
    ],
  ])('is refused where an entry is no entry: %j', (piece, problem) => {
    const text = JSON.stringify({ ...report(), ...piece });
    expect(readReport(text)).toEqual({ ok: false, problem: `not a report: ${problem}` });
  });
});
