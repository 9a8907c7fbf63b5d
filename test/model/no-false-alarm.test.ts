import { afterEach, describe, expect, it } from 'vitest';
import { randomSequenceChecks } from '../../conformance/random-sequences.ts';
import { type GapId, gaps } from '../../src/spec/gaps/index.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { readTargetFile } from '../../src/target/file/read-target-file.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { type Peer, startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { runModel, runReference, wrongIn } from './harness.ts';

const alarms = (result: Awaited<ReturnType<typeof runReference>>) => ({
  wrong: wrongIn(result).filter(({ outcome }) => outcome !== 'inconclusive'),
  checks: result.checks.filter(
    ({ verdict }) =>
      verdict !== 'pass' && verdict !== 'not_exercised' && verdict !== 'out_of_scope',
  ),
});
const host = { directory: '.', env: {}, readText: () => undefined };
const none = { wrong: [], checks: [] };

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
      expect(alarms(result)).toEqual(none);
    },
  );

  it.each(['21', '22'])('under seed %s', async (seed) => {
    const result = await runReference(seed);
    expect(alarms(result)).toEqual(none);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(
      randomSequenceChecks.map(() => 'pass'),
    );
  });

  let peer: Peer | undefined;
  afterEach(async () => {
    await peer?.close();
    peer = undefined;
  });

  it.each(Object.keys(dialects) as DialectName[])(
    'on %s, a backend of other habits',
    async (name) => {
      peer = await startPeer({ dialect: dialects[name], clock: 'hand' });
      const text = targetFile(peer, name, 'hand');
      const read = readTargetFile({ file: 'peer.yaml', text }, host);
      if (!read.ok) throw new Error('the file of the peer was not read');
      const opened = await openRemote(read.target);
      if (!opened.ok) throw new Error(opened.problems.join('\n'));
      try {
        expect(alarms(await runModel(opened.target, '1'))).toEqual(none);
      } finally {
        await opened.target.close();
      }
    },
  );
});
