import type { WorldConfig } from './config.ts';
import { Decimal } from './money.ts';
import { policyOf } from './policy/index.ts';
import type { Policy } from './policy/policy.ts';
import type { Order, Quote, Settlement, StandingFaults } from './records.ts';
import type { State } from './state.ts';
import { Heap } from './store/heap.ts';
import { Version } from './store/versions.ts';
import { layoutOf, worldOf } from './world.ts';

/** A state as plain JSON data. A policy other than its assignment's is not in it. */
export interface Snapshot {
  readonly format: 'assay.core/1';
  readonly config: WorldConfig;
  readonly orders: readonly Order[];
  readonly quotes: readonly Quote[];
  readonly settlements: readonly Settlement[];
  /** Decimal strings, by owner and currency. */
  readonly holdings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly faults: StandingFaults;
}

export function snapshot(state: State): Snapshot {
  const heap = state.version.read();
  return {
    format: 'assay.core/1',
    config: state.world.config,
    orders: [...heap.orders.all()],
    quotes: [...heap.quotes.all()],
    settlements: [...heap.settlements.all()],
    holdings: Object.fromEntries(
      [...heap.holdings].map(([owner, held]) => [
        owner,
        Object.fromEntries(Object.entries(held).map(([name, sum]) => [name, sum.toFixed()])),
      ]),
    ),
    faults: heap.faults,
  };
}

/** The state of a snapshot. The shell finds what it has to wait for with deadlinesOf. */
export function restore(
  { config, orders, quotes, settlements, holdings, faults }: Snapshot,
  policy: Policy = policyOf(config.assignment),
): State {
  const world = worldOf(config, policy);
  const heap = new Heap(layoutOf(policy));
  const before = undefined;
  for (const after of orders) heap.apply({ table: 'orders', before, after });
  for (const after of quotes) heap.apply({ table: 'quotes', before, after });
  for (const after of settlements) heap.apply({ table: 'settlements', before, after });
  for (const [owner, held] of Object.entries(holdings)) {
    const after = Object.fromEntries(
      Object.entries(held).map(([name, sum]) => [name, new Decimal(sum)]),
    );
    heap.apply({ table: 'holdings', owner, before, after });
  }
  heap.apply({ table: 'faults', before, after: faults });
  return { world, version: new Version(heap) };
}
