import { describe, expect, it } from 'vitest';
import { expectExports, shownOf } from './expect-exports.ts';

/** Of one answer, and of a stream; between answers in the long tier. */
const sample = [
  ['cancel-without-token', 'auth.token-required.order.cancel.institution', 'refused: 4xx'],
  ['heartbeat-every-20-seconds', 'stream.heartbeats.quiet.sender', 'at_most: '],
] as const;

describe('what is exported of a failure', { timeout: 300_000 }, () => {
  it.each(sample)('shows %s, and holds once it is mended', expectExports);

  it('says why a failure cannot be written down', async () => {
    const shown = shownOf('audience-compared-by-its-beginning', 'auth.wrong-claims.institution');
    await expect(shown).rejects.toThrow('only a signing key makes: wrong audience');
  });
});
