import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { readDataBlock } from '../../src/report/html/data-block.ts';
import type { RunReport } from '../../src/report/index.ts';
import { recordingTerminal } from './recording-terminal.ts';
import { testDirectory } from '../support/test-directory.ts';

/** The expectation is wrong. The reference that plays it is sound. */
const wrong = `scenario: A new order is settled at once
verifies: [order.create.returns-pending]
steps:
  - sender: create order
    expect: { status: SETTLED }
`;
const right = wrong.replace('settled at once', 'pending').replace('SETTLED', 'PENDING');

describe('a scenario with a wrong expectation, played on a sound target', () => {
  const folder = testDirectory();
  const written = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
  const report = (): RunReport => JSON.parse(written('report.json')) as RunReport;
  let code: number;

  beforeAll(async () => {
    writeFileSync(join(folder, 'wrong.yaml'), wrong);
    writeFileSync(join(folder, 'right.yaml'), right);
    const args = ['play', 'wrong.yaml', 'right.yaml', '--out', 'out'];
    code = await runProgram(args, recordingTerminal(folder));
  });

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

  it('says in JUnit which field is wrong, and which steps came before', () => {
    const junit = written('junit.xml').replaceAll('&quot;', "'");
    expect(junit).toContain(
      `message="the answer is not what is expected; status: expected 'SETTLED', actual 'PENDING' (wrong.yaml:5)"`,
    );
    expect(junit).toContain('+0 ms sender: create order 201 PENDING');
  });

  it('is named at the end with the others, without those that a waiver takes', async () => {
    const another = wrong.replace('SETTLED', 'QUOTED');
    const polls = `    save: order
  - sender: read order
    of: $order
    eventually: { within: 30s, every: 1s }
`;
    writeFileSync(join(folder, 'polls.yaml'), another.replace('    expect', `${polls}    expect`));
    writeFileSync(join(folder, 'other.yaml'), another);
    writeFileSync(
      join(folder, 'waivers.yaml'),
      'waivers: [{ id: other, deviation: wrong value, reason: ticket 1 }]\n',
    );
    const files = ['wrong.yaml', 'other.yaml', 'polls.yaml'];
    const end = async (...more: readonly string[]) => {
      const terminal = recordingTerminal(folder);
      expect(await runProgram(['play', ...files, ...more], terminal)).toBe(1);
      return terminal.text();
    };
    expect(await end()).toContain('\nfailed: wrong, other, polls');
    const withWaivers = await end('--waivers', 'waivers.yaml', '--out', 'waived');
    expect(withWaivers).toContain('3 fail, 1 of the failures waived\n');
    expect(withWaivers).toContain('\nfailed: wrong, polls');
    const junit = readFileSync(join(folder, 'waived/junit.xml'), 'utf8');
    expect(junit.match(/sender: read order/g)).toHaveLength(1);
  });

  it('leaves a waiver untested whose scenario is in a file that is not played', async () => {
    mkdirSync(join(folder, 'more'));
    writeFileSync(join(folder, 'more/known.yaml'), wrong);
    const file = join(folder, 'waivers-of-others.yaml');
    const waiver = (id: string) =>
      `waivers: [{ id: ${id}, deviation: wrong value, reason: ticket 2 }]\n`;
    const play = ['play', 'right.yaml', '--waivers', 'waivers-of-others.yaml'];
    writeFileSync(file, waiver('more/known'));
    expect(await runProgram(play, recordingTerminal(folder))).toBe(0);
    writeFileSync(file, waiver('more/known@2'));
    expect(await runProgram(play, recordingTerminal(folder))).toBe(0);
    writeFileSync(file, waiver('more/gone'));
    expect(await runProgram(play, recordingTerminal(folder))).toBe(2);
  });

  it('needs a tag that some scenario has', async () => {
    const tagged = `${right}tags: [nightly]\n`;
    writeFileSync(join(folder, 'tagged.yaml'), tagged);
    const terminal = recordingTerminal(folder);
    expect(await runProgram(['play', 'tagged.yaml', '--tag', 'nightyl'], terminal)).toBe(2);
    expect(terminal.text()).toContain('next: the tags are nightly');
  });

  it('is the same again where the report is turned into other formats', async () => {
    const again = ['report', 'out/report.json', '--format', 'markdown,junit', '--out', 'again'];
    expect(await runProgram(again, recordingTerminal(folder))).toBeLessThanOrEqual(1);
    const reread = (name: string): string => readFileSync(join(folder, 'again', name), 'utf8');
    expect(reread('summary.md')).toBe(written('summary.md'));
    expect(reread('junit.xml')).toBe(written('junit.xml'));
  });
});

describe('a scenario with values', () => {
  const folder = testDirectory();
  const file = `scenario: An amount is echoed
values: { amount: "10.00" }
steps:
  - sender: create order
    with: { target_amount: $amount }
    expect: { target_amount: "12.50" }
`;
  beforeAll(() => writeFileSync(join(folder, 'flow.yaml'), file));

  const play = async (...more: readonly string[]) => {
    const terminal = recordingTerminal(folder);
    const code = await runProgram(['play', 'flow.yaml', ...more], terminal);
    return { code, text: terminal.text() };
  };

  it('is played with its defaults, or with what the command line gives', async () => {
    expect((await play()).code).toBe(1);
    expect((await play('--set', 'amount=12.50')).code).toBe(0);
  });

  it('says with which values it failed', async () => {
    const { code, text } = await play('--set', 'amount=12.75', '--out', 'out');
    expect(code).toBe(1);
    expect(text).toContain('--set amount=12.75');
    const report = JSON.parse(readFileSync(join(folder, 'out/report.json'), 'utf8')) as RunReport;
    expect(report.run.started_with).toEqual(expect.arrayContaining(['--set', 'amount=12.75']));
  });

  it.each([
    ['amont=1', 'did you mean "amount"?'],
    ['amount=much', 'expected: a decimal, as the default is'],
    ['amount', 'Expected NAME=VALUE'],
  ])('refuses --set %s', async (given, expected) => {
    const { code, text } = await play('--set', given);
    expect(code).toBe(2);
    expect(text).toContain(expected);
  });
});
