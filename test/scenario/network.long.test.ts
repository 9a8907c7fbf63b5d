import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/reference/http/index.ts';
import { played, served } from './served-reference.ts';
import { testDirectory } from '../support/test-directory.ts';

describe('over real HTTP, on a clock that is driven', () => {
  const folder = testDirectory();
  let server: Server | undefined;
  let file = '';
  beforeAll(async () => {
    ({ server, file } = await served('virtual', folder));
  });
  afterAll(async () => {
    await server?.close();
  });

  it('every file passes', async () => {
    const folders = ['happy', 'expiry', 'makers', 'failure'].map((name) => `scenarios/${name}`);
    const { code, text } = await played(...folders, '--target', file);
    expect(text).not.toMatch(/^(FAIL|ERROR|inconclusive)/m);
    expect(text).toMatch(/^pass +scenarios\/expiry\/to-the-millisecond:/m);
    expect(text).toMatch(
      /^out of scope +scenarios\/failure\/leg-1-reverts: .*\n +the target's ledger cannot be seen$/m,
    );
    expect(code).toBe(0);
  });

  it.each([
    'expiry/no-quote',
    'expiry/quoted-but-not-accepted',
    'expiry/quote-while-executing',
    'cancel/quoted',
    'streams/resumes-without-loss',
  ])('finds the answer that %s is written for, however long it takes to show', async (name) => {
    const { code, text } = await played(`scenarios/${name}.yaml`, '--target', file);
    expect(text).toMatch(new RegExp(`^pass +scenarios/${name}:`, 'm'));
    expect(code).toBe(0);
  });
});
