import type { Command, Deadline, OutgoingEvent } from './contract.ts';
import type { Policy } from './policy/policy.ts';
import type { Order, Quote, Settlement, StandingFaults } from './records.ts';
import { type Change, every, type Heap, type Holdings } from './store/heap.ts';
import type { World } from './world.ts';

export type Request = Extract<Command, { readonly type: 'request' }>;

/** One step in progress: the data as they stand, and all that the step will hand back. */
export class Work {
  readonly world: World;
  readonly policy: Policy;
  readonly command: Command;
  readonly now: number;
  readonly heap: Heap;
  readonly events: OutgoingEvent[] = [];
  readonly deadlines: Deadline[] = [];
  readonly #apply: (change: Change) => void;

  constructor(
    world: World,
    command: Command,
    now: number,
    heap: Heap,
    apply: (change: Change) => void,
  ) {
    this.world = world;
    this.policy = world.policy;
    this.command = command;
    this.now = now;
    this.heap = heap;
    this.#apply = apply;
  }

  order(id: string | undefined): Order | undefined {
    return id === undefined ? undefined : this.heap.orders.get(id);
  }

  quotesOf(order: Order): readonly Quote[] {
    const list = this.heap.orderQuotes.of(order.id, every);
    return list.ascending(0, list.size).map((seq) => this.heap.quotes.at(seq));
  }

  saveOrder(after: Order): Order {
    const before = after.seq === this.heap.orders.size ? undefined : this.heap.orders.at(after.seq);
    const stored = this.policy.stored.order(after, before, this);
    this.#apply({ table: 'orders', before, after: stored });
    return stored;
  }

  saveQuote(after: Quote): Quote {
    const before = after.seq === this.heap.quotes.size ? undefined : this.heap.quotes.at(after.seq);
    const stored = this.policy.stored.quote(after, before, this);
    this.#apply({ table: 'quotes', before, after: stored });
    return stored;
  }

  saveSettlement(after: Settlement): void {
    this.#apply({ table: 'settlements', before: undefined, after });
  }

  saveHoldings(owner: string, after: Holdings | undefined): void {
    this.#apply({ table: 'holdings', owner, before: this.heap.holdings.get(owner), after });
  }

  saveFaults(after: StandingFaults): void {
    this.#apply({ table: 'faults', before: this.heap.faults, after });
  }

  wake(deadline: Deadline): void {
    this.deadlines.push(deadline);
  }
}
