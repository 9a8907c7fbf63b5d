import { describe, expect, it } from 'vitest';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { alarms, noAlarms, runOnPeer } from './harness.ts';
import { tryAnswers, trySeeds } from './try-answers.ts';

describe('no false alarm', () => {
  tryAnswers('all');
  trySeeds(['21', '22']);

  it.each(Object.keys(dialects) as DialectName[])(
    'on %s, a backend of other habits',
    async (name) => {
      expect(alarms(await runOnPeer(name))).toEqual(noAlarms);
    },
  );
});
