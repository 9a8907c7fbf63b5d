import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { readDataBlock } from '../../src/report/html/data-block.ts';
import type { RunReport } from '../../src/report/index.ts';
import { recordingTerminal } from './recording-terminal.ts';

/** What is wrong here is the expectation: the reference, on which it is played, is sound. */
const wrong = `scenario: A new order is settled at once
verifies: [order.create.returns-pending]
steps:
  - sender: create order
    expect: { status: SETTLED }
`;
const right = wrong.replace('settled at once', 'pending').replace('SETTLED', 'PENDING');

describe('a scenario with a wrong expectation, played on a sound target', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-outcome-'));
  const written = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
  const report = (): RunReport => JSON.parse(written('report.json')) as RunReport;
  let code: number;

  beforeAll(async () => {
    writeFileSync(join(folder, 'wrong.yaml'), wrong);
    writeFileSync(join(folder, 'right.yaml'), right);
    const args = ['play', 'wrong.yaml', 'right.yaml', '--out', 'out'];
    code = await runProgram(args, recordingTerminal(folder));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has failed, and says nothing of the interface but what the rules found', () => {
    expect(code).toBe(1);
    for (const name of ['summary.md', 'report.html', 'junit.xml']) {
      const text = written(name);
      expect(readDataBlock(text, 'report') ?? text).not.toContain('the interface is violated');
    }
    expect(written('summary.md')).toContain(
      '**not as expected: 1 of 2 scenarios failed; the rules found nothing violated**',
    );
    expect(written('report.html')).toContain(': not as expected - Assay</title>');
    expect(report().play).toMatchObject({
      interface: 'conformant',
      scenarios: { fail: 1, pass: 1 },
    });
  });

  it('proves no requirement to be violated', () => {
    expect(report().totals.requirements.fail).toBe(0);
    const verified = report().requirements.find(({ id }) => id === 'order.create.returns-pending');
    expect(verified?.verdict).toBe('inconclusive');
    expect(verified?.reason).toContain('wrong.yaml:5');
  });

  it('is named in the summary, with the place and what came instead', () => {
    const summary = written('summary.md');
    expect(summary).toContain('`wrong`');
    expect(summary).toContain('`right`');
    expect(summary).toContain('`wrong.yaml:5:23`');
    expect(summary).toMatch(/expected `"?SETTLED"?`.*actual `"?PENDING"?`/);
  });

  it('is one case of JUnit', () => {
    const junit = written('junit.xml');
    const cases = junit.match(/<testcase [^>]*/g) ?? [];
    expect(cases.map((one) => / name="([^"]*)"/.exec(one)?.[1])).toEqual([
      'wrong: A new order is settled at once',
      'right: A new order is pending',
    ]);
    expect(junit).toContain(
      '<testsuites name="assay: the reference, embedded" tests="2" failures="1"',
    );
  });

  it('is the same again where the report is turned into other formats', async () => {
    const again = ['report', 'out/report.json', '--format', 'markdown,junit', '--out', 'again'];
    expect(await runProgram(again, recordingTerminal(folder))).toBeLessThanOrEqual(1);
    const reread = (name: string): string => readFileSync(join(folder, 'again', name), 'utf8');
    expect(reread('summary.md')).toBe(written('summary.md'));
    expect(reread('junit.xml')).toBe(written('junit.xml'));
  });
});
