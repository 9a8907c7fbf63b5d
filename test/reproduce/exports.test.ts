import { it } from 'vitest';
import { expectExports } from './expect-exports.ts';

// Others, and their scripts, in the long tier.
it('what is exported of a failure shows it, and holds once it is mended', async () => {
  await expectExports(
    'cancel-without-token',
    'auth.token-required.order.cancel.institution',
    'refused: 4xx',
  );
});
