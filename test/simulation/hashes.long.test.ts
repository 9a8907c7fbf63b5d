import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { formatSeed } from '../../src/random/seed.ts';
import { root } from '../architecture/source.ts';
import { hashHere } from './hash-here.ts';

const hashesThere = (...flags: readonly string[]): readonly string[] =>
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/world-hashes.ts', ...flags], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n');

it('the hashes of worlds are the same in every process, and other worlds have others', async () => {
  const [one, two] = [await hashHere(1n), await hashHere(2n)];
  expect(one).not.toBe(two);
  const [first, second, digest, twice] = hashesThere('--seeds', '2', '--twice', '--each');
  expect([first, second]).toEqual([`${formatSeed(1n)} ${one}`, `${formatSeed(2n)} ${two}`]);
  expect(digest).toContain(createHash('sha256').update(one).update(two).digest('hex'));
  expect(twice).toBe('played twice 2: 0 differ');
});
