import { describe, expect, it } from 'vitest';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { alarms, noAlarms, runOnPeer } from './harness.ts';

describe('no false alarm', () => {
  it.each(Object.keys(dialects) as DialectName[])(
    'on %s, a backend of other habits',
    async (name) => {
      expect(alarms(await runOnPeer(name))).toEqual(noAlarms);
    },
  );
});
