import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report } from '../support/report/check-run.ts';
import { runHere } from '../cli/command-here.ts';
import { auditsAlike } from './run-as-har.ts';

test('a broken target is as broken in its HAR', () =>
  auditsAlike(['--only', 'order.source-amount-actual.*', '--mutation', 'maximum-not-held'], false));

test('a report without its history is no HAR', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-har-'));
  writeFileSync(join(directory, 'report.json'), JSON.stringify(report()));
  const { code, err } = await runHere(['report', 'report.json', '--har', 'run.har'], directory);
  expect(code).toBe(2);
  expect(err).toContain('--har run.har: there is no history.jsonl beside report.json');
});
