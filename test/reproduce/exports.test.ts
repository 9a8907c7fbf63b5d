import { describe, it } from 'vitest';
import { expectExports } from './expect-exports.ts';

/** Of one answer; others in the long tier. */
const sample = [
  ['cancel-without-token', 'auth.token-required.order.cancel.institution', 'refused: 4xx'],
] as const;

describe('what is exported of a failure', { timeout: 300_000 }, () => {
  it.each(sample)('shows %s, and holds once it is mended', expectExports);
});
