import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReport } from '../../src/report/index.ts';
import { root } from '../architecture/source.ts';
import { type RunningBackend, startSmallBackend } from '../support/network/small-backend.ts';
import { runHere } from './command-here.ts';
import { workDirectory } from './shipped-command.ts';

let work: ReturnType<typeof workDirectory>;
let backend: RunningBackend;
beforeAll(async () => {
  work = workDirectory();
  backend = await startSmallBackend();
});
afterAll(async () => {
  await backend?.stop();
  work.remove();
});

describe('--json', () => {
  it.each([
    ['check', ['check', '--only', 'order.cancel.again']],
    ['play', ['play', join(root, 'scenarios/happy/institution.yaml')]],
  ] as const)('of %s prints a report and nothing else', async (_, args) => {
    const { code, out, err } = await runHere([...args, '--json'], work.path);
    expect(code).toBe(0);
    expect(readReport(out)).toMatchObject({ ok: true, report: { outcome: 'conformant' } });
    expect(err).toContain('seed');
  });

  it('of probe prints what was found', async () => {
    const party = ['--base-url', `${backend.origin}/bank-a`];
    const { code, out } = await runHere(['probe', ...party, '--json'], work.path);
    expect(code).toBe(0);
    const found = JSON.parse(out) as { readonly gaps: readonly object[] };
    expect(found).toMatchObject({ parties: { sender: { role: 'institution' } } });
    expect(found.gaps).toContainEqual(
      expect.objectContaining({ gap: 'http.create_status', observed: '201' }),
    );
  });

  it('and events want standard output each', async () => {
    const { code, err } = await runHere(['check', '--json', '--events', '-'], work.path);
    expect([code, err]).toEqual([2, expect.stringContaining('give events a file')]);
  });
});
