import { parentPort } from 'node:worker_threads';
import { formatSeed } from '../../random/seed.ts';
import type { CampaignSummary, SimulationOptions } from '../../simulation/outcome.ts';
import { rangeFold } from '../../simulation/campaign/fold.ts';
import type { Suite } from '../../simulation/campaign/options.ts';
import type { SeedRange } from '../../simulation/campaign/seed-range.ts';
import { runWorld } from './worlds.ts';

/** A thread that plays ranges of worlds, so that the one that started it can renew its leases meanwhile. */

export interface RangeOrder {
  readonly suite: Suite;
  readonly options: SimulationOptions;
  readonly range: SeedRange;
}

export type RangeMessage =
  /** After each world. */
  | { readonly kind: 'world'; readonly causes: number }
  | { readonly kind: 'played'; readonly summary: CampaignSummary }
  | { readonly kind: 'broke'; readonly problem: string };

const say = (message: RangeMessage): void => parentPort?.postMessage(message);

async function playRange({ suite, options, range }: RangeOrder): Promise<void> {
  const fold = rangeFold(suite, options, range.first);
  for (let played = 0; played < range.count; played += 1) {
    const seed = formatSeed(range.first + BigInt(played));
    try {
      const outcome = await runWorld(seed, options);
      fold.add(outcome);
      say({ kind: 'world', causes: new Set(outcome.findings.map(({ cause }) => cause)).size });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return say({ kind: 'broke', problem: `seed ${seed}: ${reason}` });
    }
  }
  say({ kind: 'played', summary: fold.summary() });
}

parentPort?.on('message', (order: RangeOrder) => void playRange(order));
