import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { readHistory } from '../../src/history/jsonl.ts';
import type { RunReport } from '../../src/report/index.ts';
import { heldBy } from '../support/report/page-of.ts';
import { read } from './shipped-command.ts';

/** Looks again and again; gives up in the end. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 6_000 && !holds(); tries += 1) await pause(10);
  if (!holds()) throw new Error('it never came about');
}

/** Expects the files that a stopped run leaves if it had reached its target. */
export function expectPartial(
  path: string,
  folder: string,
  detail = 'stopped by SIGINT',
): RunReport {
  const report = JSON.parse(read(path, folder, 'report.json')) as RunReport;
  expect(report.run.ended_early).toMatchObject({ reason: 'signal', detail });
  expect(report.outcome).toBe('incomplete');
  expect(report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(report.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  const history = readHistory(read(path, folder, 'history.jsonl'));
  expect(history.ok && history.records.length).toBeGreaterThan(0);
  expect(heldBy(read(path, folder, 'report.html'))).toContain(detail);
  for (const file of ['junit.xml', 'summary.md'])
    expect(read(path, folder, file)).toContain('the run ended early');
  return report;
}
