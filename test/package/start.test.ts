import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { runHere } from '../cli/command-here.ts';
import { read } from '../cli/shipped-command.ts';
import { startSmallBackend } from '../support/network/small-backend.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();

async function judged(check: string, ...flags: readonly string[]): Promise<RunReport> {
  const backend = await startSmallBackend(...flags);
  try {
    const urls = ['bank-a', 'custodian-a', 'mm-1'].flatMap((path) => [
      '--base-url',
      `${backend.origin}/${path}`,
    ]);
    await runHere(['check', ...urls, '--only', check], work);
    return JSON.parse(read(work, 'reports', 'report.json')) as RunReport;
  } finally {
    await backend.stop();
  }
}

describe('examples/small-backend', () => {
  it('is nonconformant with its bug, by that one cause', async () => {
    const { outcome, causes = [] } = await judged('order.life.plain', '--bug', 'rate-as-number');
    expect(outcome).toBe('nonconformant');
    expect(causes.filter((cause) => cause.outcome === 'fail').map(({ title }) => title)).toEqual([
      expect.stringContaining('fx_rate'),
    ]);
  });
});
