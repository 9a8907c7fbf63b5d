import { formatSeed } from '../../random/seed.ts';
import type { CampaignSummary, SimulationOptions, WorldFinding, WorldOutcome } from '../outcome.ts';
import { rangeFold } from './fold.ts';
import type { Suite } from './options.ts';

export const suite: Suite = { version: '1.2.3', digest: 'ab'.repeat(32) };
export const options: SimulationOptions = { depth: 'process' };

export const finding = (cause: string): WorldFinding => ({
  cause,
  rule: 'value.conserved',
  requirements: ['order.settle'],
  message: `${cause} is broken`,
  exchanges: ['sender-1'],
  blame: 'defect',
});

/** A world outcome for tests. Only the members in `of` matter; all others are fixed. */
export const outcome = (seed: bigint, of: Partial<WorldOutcome> = {}): WorldOutcome => ({
  seed: formatSeed(seed),
  hash: 'h',
  steps: 10,
  effective: 5,
  exchanges: 20,
  frames: 4,
  target_ms: 1_000,
  host_ms: 2,
  findings: [],
  reached: {},
  met: ['ending=settled'],
  ...of,
});

/** Summary of the outcomes of consecutive seeds. */
export function summaryOf(
  first: bigint,
  outcomes: readonly WorldOutcome[],
  how = options,
  who = suite,
): CampaignSummary {
  const fold = rangeFold(who, how, first);
  for (const one of outcomes) fold.add(one);
  return fold.summary();
}
