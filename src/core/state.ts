import type { WorldConfig } from './config.ts';
import { policyOf } from './policy/index.ts';
import type { Policy } from './policy/policy.ts';
import { Version } from './store/versions.ts';
import { emptyHeap, type World, worldOf } from './world.ts';

/** A world at one moment. Never changes; made by initialState, step and restore alone. */
export interface State {
  readonly world: World;
  readonly version: Version;
}

/** A world without orders. A policy given beside the configuration stands in for that of its assignment. */
export function initialState(
  config: WorldConfig,
  policy: Policy = policyOf(config.assignment),
): State {
  const world = worldOf(config, policy);
  return { world, version: new Version(emptyHeap(world)) };
}
