import { expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { readDataBlock } from '../../src/report/html/data-block.ts';
import type { RunReport } from '../../src/report/index.ts';
import { read, run, served, start, stop } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
/** Serves a reference during `use`, and expects the server to end without an error. */
async function whileServed(
  clock: 'system' | 'virtual',
  target: string,
  use: () => Promise<void>,
): Promise<void> {
  const args = ['serve', '--port', '0', '--clock', clock, '--write-target', target];
  const server = start(args, work);
  await served(server);
  try {
    await use();
  } finally {
    stop(server.child);
  }
  expect((await server.ended).code).toBe(0);
}

it('judges all of a reference whose clock is driven', () =>
  whileServed('virtual', 'driven.yaml', async () => {
    const { code } = await run(['check', '--target', 'driven.yaml', '--out', 'driven'], work);
    const report = JSON.parse(read(work, 'driven', 'report.json')) as RunReport;
    const verdicts = new Set(report.checks.map(({ verdict }) => verdict));
    expect(verdicts).toContain('pass');
    expect(verdicts).not.toContain('error');
    expect(report.outcome).toBe('conformant');
    expect(code).toBe(0);
  }));

const idsOf = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { readonly id?: string }).id ?? []);

// .ci/run tests that a second thread changes no output; it may keep a processor to itself.
it('judges the reference in two worlds: every check once, every record under one id', async () => {
  const mutation = 'sender-shown-to-those-who-quoted';
  const { code } = await run(['check', '--mutation', mutation, '--out', 'two'], work);
  const report = JSON.parse(read(work, 'two', 'report.json')) as RunReport;
  const ids = idsOf(read(work, 'two', 'history.jsonl'));
  expect(code).toBe(1);
  expect(report.checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const failures = [...report.checks, ...report.rules].flatMap((judge) => judge.failures);
  const named = [...new Set(failures.flatMap(({ exchanges }) => exchanges))];
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  // The page holds the exchanges of both worlds, each under the id that failures name.
  const held = readDataBlock(read(work, 'two', 'report.html'), 'history') ?? '';
  expect(idsOf(held)).toHaveLength(ids.length);
  expect(held).toMatch(/"id":"world 2 /);
});
