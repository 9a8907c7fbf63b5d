import { describe, expect, it } from 'vitest';
import { failures, tokenMutations } from '../../test/support/token-mutations.ts';

describe('checks of tokens', () => {
  it('find nothing on the reference', async () => {
    expect(await failures({})).toEqual([]);
  });

  it.each(tokenMutations)('%s finds %s broken', async (only, requirement, tamper) => {
    expect(await failures(tamper, only)).toContain(`fail ${requirement}`);
  });
});
