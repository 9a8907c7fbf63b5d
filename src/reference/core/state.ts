import type { WorldConfig } from './config.ts';
import { policyOf } from './policy/index.ts';
import type { Policy } from './policy/policy.ts';
import { Version } from './store/versions.ts';
import { openingTables, type WorldSetup, worldSetup } from './world-setup.ts';

/** A world at one moment. Never changes; made by initialState, step and restore alone. */
export interface State {
  readonly world: WorldSetup;
  readonly version: Version;
}

/** Initial state, without orders. The policy, if given, replaces that of the configuration's assignment. */
export function initialState(
  config: WorldConfig,
  policy: Policy = policyOf(config.assignment),
): State {
  const world = worldSetup(config, policy);
  return { world, version: new Version(openingTables(world)) };
}
