import { describe, expect, test } from 'vitest';
import { report } from '../../../test/support/report/check-run.ts';
import type { RunReport } from '../../results/run-report.ts';
import { gapReports } from '../assemble.ts';
import { matrixHtml, matrixJson, matrixMarkdown, matrixOf } from './matrix.ts';

const gapsOf = (answer: string | undefined): RunReport['gaps'] =>
  gapReports(
    answer === undefined ? [] : [{ gap: 'list.page_param', observed: answer, consistent: true }],
  );

function run(name: string, answer: string | undefined, change: Partial<RunReport> = {}) {
  const one = report();
  const target = { ...one.target, name };
  return { file: `${name}.json`, report: { ...one, target, gaps: gapsOf(answer), ...change } };
}

const [first] = report().requirements;
const better = report().requirements.map((one, at) =>
  at === 0
    ? { ...one, verdict: one.verdict === 'pass' ? ('fail' as const) : ('pass' as const) }
    : one,
);
const three = [
  run('acme', 'page'),
  run('nova', 'p<script>|x', { requirements: better }),
  run('orbit', undefined),
];
const matrix = matrixOf(three);

describe('a matrix of three targets', () => {
  test('has a column for each, and the requirements that differ alone', () => {
    expect(matrix.targets.map(({ name }) => name)).toEqual(['acme', 'nova', 'orbit']);
    expect(matrix.requirements.map(({ id }) => id)).toEqual([first?.id]);
    const [row] = matrix.requirements;
    expect(row?.verdicts).toEqual([first?.verdict, better[0]?.verdict, first?.verdict]);
    for (const { counts } of matrix.parts) expect(counts).toHaveLength(3);
  });

  test('compares the gaps that some have answered', () => {
    expect(matrix.gaps).toMatchObject([
      { id: 'list.page_param', answers: ['page', 'p<script>|x', null], differs: true },
    ]);
    expect(matrixOf([run('a', 'page'), run('b', undefined)]).gaps).toMatchObject([
      { answers: ['page', null], differs: false },
    ]);
  });

  test('names targets of one name by their files, and says if the suites differ', () => {
    const [a, b] = [
      run('acme', 'page'),
      run('acme', 'page', { suite: { version: '1', digest: 'x' } }),
    ];
    const twice = matrixOf([a, { ...b, file: 'later.json' }]);
    expect(twice.targets.map(({ name }) => name)).toEqual([
      'acme (acme.json)',
      'acme (later.json)',
    ]);
    expect(matrixMarkdown(twice)).toContain('The suites differ');
    expect(matrixMarkdown(matrix)).not.toContain('The suites differ');
  });

  test('is written as JSON, Markdown and HTML, and what a target sent is text in each', () => {
    expect(JSON.parse(matrixJson(matrix))).toEqual(matrix);
    const [markdown, html] = [matrixMarkdown(matrix), matrixHtml(matrix)];
    for (const { name } of matrix.targets) {
      expect(markdown).toContain(`| ${name} |`);
      expect(html).toContain(`<th scope="col">${name}</th>`);
    }
    const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
    expect(markdown).toContain('not known');
    expect(html).toContain('p&lt;script&gt;|x');
    expect(html).not.toContain('<script');
    expect(html.match(/<tr>/g)?.length).toBe(3 + matrix.parts.length + 1 + 1);
  });
});
