import { describe, it } from 'vitest';
import { expectExports } from './expect-exports.ts';

/** Of one answer, of a token that the target's key signs, and of a stream; between answers in the long tier. */
const sample = [
  ['cancel-without-token', 'auth.token-required.order.cancel.institution', 'refused: 4xx'],
  [
    'audience-compared-by-its-beginning',
    'auth.wrong-claims.institution',
    'signed(sender.token, other_aud_svc_api2)',
  ],
  ['heartbeat-every-20-seconds', 'stream.heartbeats.quiet.sender', 'at_most: '],
] as const;

describe('what is exported of a failure', { timeout: 300_000 }, () => {
  it.each(sample)('shows %s, and holds once it is mended', expectExports);
});
