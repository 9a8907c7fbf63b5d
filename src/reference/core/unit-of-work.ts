import type { Command, Deadline, OutgoingEvent } from './contract.ts';
import type { Decimal } from './money.ts';
import type { Policy } from './policy/index.ts';
import type { Order, Quote, Settlement, StandingFaults } from './records.ts';
import type { Change, Tables } from './store/tables.ts';
import type { WorldSetup } from './world-setup.ts';

export type Request = Extract<Command, { readonly type: 'request' }>;

/** One step in progress: the data so far, and the results that the step will return. */
export class UnitOfWork {
  readonly world: WorldSetup;
  readonly policy: Policy;
  readonly command: Command;
  readonly now: number;
  readonly tables: Tables;
  readonly events: OutgoingEvent[] = [];
  readonly deadlines: Deadline[] = [];
  readonly #apply: (change: Change) => void;

  constructor(
    world: WorldSetup,
    command: Command,
    now: number,
    tables: Tables,
    apply: (change: Change) => void,
  ) {
    this.world = world;
    this.policy = world.policy;
    this.command = command;
    this.now = now;
    this.tables = tables;
    this.#apply = apply;
  }

  order(id: string | undefined): Order | undefined {
    return id === undefined ? undefined : this.tables.orders.get(id);
  }

  quotesOf(order: Order): readonly Quote[] {
    return this.tables.quotesOf(order.id);
  }

  saveOrder(after: Order): Order {
    const before =
      after.seq === this.tables.orders.size ? undefined : this.tables.orders.at(after.seq);
    const stored = this.policy.stored.order(after, before, this);
    this.#apply({ table: 'orders', before, after: stored });
    return stored;
  }

  saveQuote(after: Quote): Quote {
    const before =
      after.seq === this.tables.quotes.size ? undefined : this.tables.quotes.at(after.seq);
    const stored = this.policy.stored.quote(after, before, this);
    this.#apply({ table: 'quotes', before, after: stored });
    return stored;
  }

  saveSettlement(after: Settlement): void {
    this.#apply({ table: 'settlements', before: undefined, after });
  }

  saveHolding(owner: string, currency: string, after: Decimal | undefined): void {
    const before = this.tables.holdings.get(owner)?.get(currency);
    this.#apply({ table: 'holdings', owner, currency, before, after });
  }

  saveFaults(after: StandingFaults): void {
    this.#apply({ table: 'faults', before: this.tables.faults, after });
  }

  schedule(deadline: Deadline): void {
    this.deadlines.push(deadline);
  }
}
