import { describe, expect, it } from 'vitest';
import { randomSequenceChecks } from '../../conformance/random-sequences.ts';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { alarms, noAlarms, runOnPeer } from './harness.ts';
import { tryAnswers, trySeeds } from './try-answers.ts';

describe('no false alarm', () => {
  tryAnswers('some');
  trySeeds(['21']);

  // Each with one kind of sequence; with all of them in no-false-alarm.long.test.ts.
  it.each((Object.keys(dialects) as DialectName[]).map((name, index) => [name, index] as const))(
    'on %s, a backend of other habits',
    async (name, index) => {
      const check = randomSequenceChecks[index % randomSequenceChecks.length];
      expect(alarms(await runOnPeer(name, check ? [check.id] : []))).toEqual(noAlarms);
    },
  );
});
