import { describe, expect, it } from 'vitest';
import { discovered } from '../../test/support/tampered.ts';
import { ranWith, tokenMutations } from '../../test/support/token-mutations.ts';

describe('checks of tokens', () => {
  it('find nothing on the reference', async () => {
    expect((await ranWith({}, { prepare: discovered })).failed).toEqual([]);
  });

  it.each(tokenMutations)('%s finds %s broken', async (only, requirement, tamper) => {
    expect((await ranWith(tamper, { only: [only], prepare: discovered })).failed).toContain(
      requirement,
    );
  });
});
