import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { played, served } from './served-reference.ts';

it('every file passes over real HTTP on a clock that is driven', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-play-'));
  const { server, file } = await served('virtual', folder);
  const folders = ['happy', 'expiry', 'makers', 'failure'].map((name) => `scenarios/${name}`);
  const { code, text } = await played(...folders, '--target', file);
  await server.close();
  rmSync(folder, { recursive: true });
  expect(text).not.toMatch(/^(FAIL|ERROR|inconclusive)/m);
  expect(text).toMatch(/^pass +scenarios\/expiry\/to-the-millisecond:/m);
  expect(text).toMatch(
    /^out of scope +scenarios\/failure\/leg-1-reverts: .*\n +the target's ledger cannot be seen$/m,
  );
  expect(code).toBe(0);
});
