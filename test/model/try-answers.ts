import { expect, it } from 'vitest';
import { randomSequenceChecks } from '../../conformance/random-sequences.ts';
import { type GapId, gaps } from '../../src/spec/gaps/index.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { alarms, noAlarms, runReference } from './harness.ts';

/** Gaps about the lives of orders and quotes; the run of the judge itself covers all gaps. */
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

/**
 * Random sequences must raise no alarm on the reference with one unusual answer to a gap.
 * @param which every answer, or every eighth
 */
export function tryAnswers(which: 'some' | 'all'): void {
  const numbered = singles.map(
    ([id, value], index) => [`${id}=${value}`, id, value, index] as const,
  );
  it.each(which === 'all' ? numbered : numbered.filter(([, , , index]) => index % 8 === 0))(
    'where the reference answers %s',
    async (_, id, value, index) => {
      const check = randomSequenceChecks[index % randomSequenceChecks.length];
      const only = check ? [check.id] : [];
      const assignment = assign({ [id]: value });
      const result = await runReference(`${index + 1}`, {
        assignment,
        only,
        // No order can be traded before it is known if a trade waits for a proposal.
        ...(id === 'proposal.effect' && { known: assignment }),
      });
      expect(alarms(result)).toEqual(noAlarms);
    },
  );
}

/** All kinds of sequences on the reference as it stands. */
export function trySeeds(seeds: readonly string[]): void {
  it.each(seeds)('under seed %s', async (seed) => {
    const result = await runReference(seed);
    expect(alarms(result)).toEqual(noAlarms);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(
      randomSequenceChecks.map(() => 'pass'),
    );
  });
}
