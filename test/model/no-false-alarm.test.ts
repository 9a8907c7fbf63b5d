import { describe, expect, it } from 'vitest';
import { randomSequenceChecks } from '../../conformance/random-sequences.ts';
import { type GapId, gaps } from '../../src/spec/gaps/index.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { alarms, noAlarms, runOnPeer, runReference } from './harness.ts';

/** Gaps about what becomes of an order and of its quotes; the judge's own run goes through all of them. */
const about: readonly GapId[] = [
  'accept.again',
  'access.foreign',
  'access.receiver_quotes',
  'cancel.accepted_quote',
  'cancel.again',
  'cancel.response',
  'cancel.state',
  'order.failure_reason_field',
  'order.lifetime',
  'order.unset_fields',
  'proposal.effect',
  'quote.above_max',
  'quote.beyond_expiry',
  'quote.late',
  'quote.orphans',
  'quote.rate_orientation',
  'quote.target_amount',
  'quote.twice',
  'quote.winner_others',
  'rfq.closed',
  'settlement.beyond_validity',
  'settlement.steps',
  'time.boundary',
];

const singles = about.flatMap((id) =>
  gaps[id].values.slice(1).map((value): [GapId, string] => [id, value]),
);

describe('no false alarm', () => {
  it.each(singles.map(([id, value], index) => [`${id}=${value}`, id, value, index] as const))(
    'where the reference answers %s',
    async (_, id, value, index) => {
      const check = randomSequenceChecks[index % randomSequenceChecks.length];
      const only = check ? [check.id] : [];
      const assignment = assign({ [id]: value });
      const result = await runReference(`${index + 1}`, {
        assignment,
        only,
        // Whether a trade waits for a proposal has to be known before any order can be traded.
        ...(id === 'proposal.effect' && { known: assignment }),
      });
      expect(alarms(result)).toEqual(noAlarms);
    },
  );

  it.each(['21', '22'])('under seed %s', async (seed) => {
    const result = await runReference(seed);
    expect(alarms(result)).toEqual(noAlarms);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(
      randomSequenceChecks.map(() => 'pass'),
    );
  });

  // Each with one kind of sequence; with all of them in no-false-alarm.long.test.ts.
  it.each((Object.keys(dialects) as DialectName[]).map((name, index) => [name, index] as const))(
    'on %s, a backend of other habits',
    async (name, index) => {
      const check = randomSequenceChecks[index % randomSequenceChecks.length];
      expect(alarms(await runOnPeer(name, check ? [check.id] : []))).toEqual(noAlarms);
    },
  );
});
