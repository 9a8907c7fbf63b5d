import { it } from 'vitest';
import { expectExports } from './expect-exports.ts';

// Others, and their scripts, in the long tier.
it('an export fails on the broken reference and holds on the repaired one', async () => {
  await expectExports(
    'cancel-without-token',
    'auth.token-required.order.cancel.institution',
    'refused: 4xx',
  );
});
