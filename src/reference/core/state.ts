import type { WorldConfig } from './contract.ts';
import { Decimal } from './money.ts';
import { type Policy, policyOf } from './policy/index.ts';
import type { Order, Quote, Settlement, StandingFaults } from './records.ts';
import { Tables } from './store/tables.ts';
import { Version } from './store/versions.ts';
import { listingLayout, openingTables, type WorldSetup, worldSetup } from './world-setup.ts';

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

/** State as plain JSON data. It does not hold a policy that differs from its assignment's. */
export interface SavedState {
  readonly format: 'assay.core/1';
  readonly config: WorldConfig;
  readonly orders: readonly Order[];
  readonly quotes: readonly Quote[];
  readonly settlements: readonly Settlement[];
  /** Decimal strings, by owner and currency. */
  readonly holdings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly faults: StandingFaults;
}

export function saveState(state: State): SavedState {
  const tables = state.version.read();
  return {
    format: 'assay.core/1',
    config: state.world.config,
    orders: [...tables.orders.all()],
    quotes: [...tables.quotes.all()],
    settlements: [...tables.settlements.all()],
    holdings: Object.fromEntries(
      [...tables.holdings].map(([owner, held]) => [
        owner,
        Object.fromEntries([...held].map(([name, sum]) => [name, sum.toFixed()])),
      ]),
    ),
    faults: tables.faults,
  };
}

/** Restores the state of a snapshot. The shell gets the pending deadlines from deadlinesOf. */
export function restoreState(
  { config, orders, quotes, settlements, holdings, faults }: SavedState,
  policy: Policy = policyOf(config.assignment),
): State {
  const world = worldSetup(config, policy);
  const tables = new Tables(listingLayout(policy));
  const before = undefined;
  for (const after of orders) tables.apply({ table: 'orders', before, after });
  for (const after of quotes) tables.apply({ table: 'quotes', before, after });
  for (const after of settlements) tables.apply({ table: 'settlements', before, after });
  for (const [owner, held] of Object.entries(holdings)) {
    for (const [currency, sum] of Object.entries(held)) {
      tables.apply({ table: 'holdings', owner, currency, before, after: new Decimal(sum) });
    }
  }
  tables.apply({ table: 'faults', before, after: faults });
  return { world, version: new Version(tables) };
}
