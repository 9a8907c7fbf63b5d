import { expect, it } from 'vitest';
import { hashHere } from './hash-here.ts';

// Worlds of another process: hashes.long.test.ts.
it('the hash of a world does not depend on earlier worlds, and is its own', async () => {
  const [one, two] = [await hashHere(1n), await hashHere(2n)];
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(one).not.toBe(two);
  expect(await hashHere(1n)).toBe(one);
});
