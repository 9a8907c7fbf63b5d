// The suite as tests of your own: each check and each rule becomes a test of this file.
import { startReference } from 'assay/reference';
import { conformance } from 'assay/vitest';
import { afterAll } from 'vitest';
import { checks, rules } from './own-checks.ts';

// Put the start of your backend here. This one is the reference, on the clock of the host.
const backend = await startReference({ clock: 'system' });
afterAll(() => backend.close());

conformance({
  name: 'our backend',
  target: { baseUrls: backend.baseUrls },
  only: ['access.order.read.*', 'acme.*'],
  checks,
  rules,
  maxWaitMs: 5_000,
});
