import { describe, expect, it } from 'vitest';
import { random } from '../../runtime/random.ts';
import { gapIds, gaps, type GapId } from '../../spec/gaps/index.ts';
import { assign } from '../assignment.ts';
import { openEmbedded } from '../embedded.ts';
import { discover } from './discover.ts';
import type { Finding } from './sights.ts';

async function findingsUnder(
  changes: { readonly [id in GapId]?: string } = {},
): Promise<ReadonlyMap<GapId, Finding>> {
  const target = await openEmbedded({ seed: 1n, assignment: assign(changes) });
  try {
    const draws = random(1n).fork('discovery');
    const findings = await discover(target, target.answers, draws, target.sights);
    return new Map(findings.map((finding) => [finding.gap, finding]));
  } finally {
    await target.close();
  }
}

/** Gaps that no request without a wait can show, or that leave no trace that a client may rely on. */
const unseen: readonly GapId[] = [
  'list.other_filters',
  'slippage.meaning',
  'expiry.reason',
  'validation.when',
  'withdrawn.state',
  'settlement.timeout_state',
  'settlement.window',
  'settlement.steps',
  'quote.max_validity',
  'time.boundary',
  'settlement.beyond_validity',
  'heartbeat.payload',
  'heartbeat.phase',
  'stream.line_end',
  'stream.resume',
  'event.rfq_closed',
  'event.rfq_closed_to',
  'event.rejected_per',
  'error.statuses',
  'limits.rate',
  'order.currencies',
  'text.length',
  'order.expiry_meaning',
  'order.quoted_expiry',
  'order.expiry_lag',
  'views.lag',
  'event.latency',
  'stream.per_party',
  'stream.closing',
  'rfq.active',
  'quote.window',
  'token.keys',
  'result.extra_fields',
  'meta.request_id',
  'list.unpaged',
  'error.codes',
  'version.policy',
];

const seen = gapIds.filter((id) => !unseen.includes(id));
const cases = seen
  .flatMap((id) => gaps[id].values.map((value) => [id, value] as const))
  // No token is ever put into an address.
  .filter(([, value]) => value !== 'header-or-query');

describe('discovery', () => {
  it.each(cases)('%s: sees %s', async (id, value) => {
    const findings = await findingsUnder({ [id]: value });
    expect(findings.get(id)?.observed).toBe(value);
    const doubtful = [...findings.values()].filter(({ consistent }) => !consistent);
    expect(doubtful).toEqual([]);
  });
});
