import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from './command-here.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
const assay = (...args: readonly string[]) => runHere(args, work);

describe('assay audit', () => {
  it('judges the history of a run by the rules alone', async () => {
    await assay('check', '--only', 'order.cancel.pending', '--out', 'sound');
    const { code, out } = await assay('audit', 'sound/history.jsonl');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('no recording can show it: it takes checks (assay check)'),
    ]);
  });

  it('refuses what is no recording, and says what to give', async () => {
    writeFileSync(join(work, 'page.har'), '{"log":{"entries":[{}]}}');
    const { code, err } = await assay('audit', 'page.har', 'none.har');
    expect(code).toBe(2);
    expect(err).toMatch(/none\.har/);
    const shape = await assay('audit', 'page.har');
    expect([shape.code, shape.err]).toEqual([
      2,
      expect.stringContaining('log.entries[0] cannot be read, and was left out: request: expected'),
    ]);
  });
});
