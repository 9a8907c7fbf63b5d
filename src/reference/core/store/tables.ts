import type { Decimal } from '../money.ts';
import { quoteStates } from '../../../spec/vocabulary.ts';
import type { Order, Quote, Row, Settlement, StandingFaults } from '../records.ts';
import { SortedKeys } from './sorted-keys.ts';
import { Rows } from './rows.ts';
import { Volumes } from './volumes.ts';

/** Amounts of one owner by currency. */
export type Holdings = ReadonlyMap<string, Decimal>;

/** One change of one value. Its inverse swaps `before` and `after`. */
export type Change =
  | Altered<'orders', Order>
  | Altered<'quotes', Quote>
  | Altered<'settlements', Settlement>
  | (Altered<'holdings', Decimal> & { readonly owner: string; readonly currency: string })
  | Altered<'faults', StandingFaults>;

interface Altered<Table extends string, Value> {
  readonly table: Table;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** Groups and labels under which a record is listed. Its groups never change; its labels follow its state. */
export interface ListingKeys<R extends Row> {
  readonly groups: (record: R) => readonly string[];
  readonly labels: (record: R) => readonly string[];
}

const empty = new SortedKeys();
const none: readonly string[] = [];

/** Ordered sets of records by group and label, kept in step with every change of a record. */
class Listing<R extends Row> {
  readonly #placing: ListingKeys<R>;
  readonly #lists = new Map<string, Map<string, SortedKeys>>();

  constructor(placing: ListingKeys<R>) {
    this.#placing = placing;
  }

  of(group: string, label: string): SortedKeys {
    return this.#lists.get(group)?.get(label) ?? empty;
  }

  change(before: R | undefined, after: R | undefined): void {
    const record = after ?? before;
    if (record === undefined) return;
    const old = before === undefined ? none : this.#placing.labels(before);
    const now = after === undefined ? none : this.#placing.labels(after);
    if (old === now) return;
    for (const group of this.#placing.groups(record)) {
      for (const label of old) if (!now.includes(label)) this.#remove(group, label, record.seq);
      for (const label of now) if (!old.includes(label)) this.#list(group, label).add(record.seq);
    }
  }

  #list(group: string, label: string): SortedKeys {
    let labels = this.#lists.get(group);
    if (labels === undefined) {
      labels = new Map();
      this.#lists.set(group, labels);
    }
    let list = labels.get(label);
    if (list === undefined) {
      list = new SortedKeys();
      labels.set(label, list);
    }
    return list;
  }

  #remove(group: string, label: string, seq: number): void {
    const labels = this.#lists.get(group);
    const list = labels?.get(label);
    list?.remove(seq);
    if (list?.size === 0) labels?.delete(label);
    if (labels?.size === 0) this.#lists.delete(group);
  }
}

/** Lists and keys of orders: the part of the heap's layout that a policy decides. */
export interface ListingLayout {
  /** Lists of orders, by party. */
  readonly partyOrders: ListingKeys<Order>;
  /** Requests for quote that are active, under one group. */
  readonly activeRfqs: ListingKeys<Order>;
  /** Parties whose settlement volume includes the order, beside its maker. */
  readonly volumeOf: (order: Order) => readonly string[];
  /** Key that two orders must not share; undefined if there is none. */
  readonly uniqueKey: (order: Order) => string | undefined;
}

/** The label of everything in a group. */
export const every = '';

/** Labels of a record by its state: that of everything, and the state. */
export const stateLabels = <S extends string>(states: readonly S[]) =>
  Object.fromEntries(states.map((state) => [state, [every, state]])) as unknown as Readonly<
    Record<S, readonly string[]>
  >;

const quoteLabels = stateLabels(quoteStates);
export const everyLabel: readonly string[] = [every];

/** The mutable data of the newest version: tables, and everything derived from them. */
export class Tables {
  readonly orders = new Rows<Order>();
  readonly quotes = new Rows<Quote>();
  readonly settlements = new Rows<Settlement>();
  /** By owner. An owner that holds nothing has no entry. */
  readonly #holdings = new Map<string, Map<string, Decimal>>();
  faults: StandingFaults = {};

  readonly partyOrders: Listing<Order>;
  readonly activeRfqs: Listing<Order>;
  /** By order; the labels are the makers. */
  readonly orderQuotes = new Listing<Quote>({
    groups: (quote) => [quote.intentId],
    labels: (quote) => [every, quote.makerPartyId],
  });
  readonly makerQuotes = new Listing<Quote>({
    groups: (quote) => [quote.makerPartyId],
    labels: (quote) => quoteLabels[quote.status],
  });
  readonly makerSettlements = new Listing<Settlement>({
    groups: (settlement) => [settlement.makerPartyId],
    labels: () => everyLabel,
  });
  readonly volumes: Volumes;
  readonly #uniqueKey: ListingLayout['uniqueKey'];
  readonly #uses = new Map<string, number>();

  constructor(layout: ListingLayout) {
    this.partyOrders = new Listing(layout.partyOrders);
    this.activeRfqs = new Listing(layout.activeRfqs);
    this.volumes = new Volumes(layout.volumeOf);
    this.#uniqueKey = layout.uniqueKey;
  }

  get holdings(): ReadonlyMap<string, Holdings> {
    return this.#holdings;
  }

  /** The quotes on an order, oldest first: all, or those of one maker. */
  quotesOf(intentId: string, maker = every): readonly Quote[] {
    const keys = this.orderQuotes.of(intentId, maker);
    return keys.ascending(0, keys.size).map((seq) => this.quotes.at(seq));
  }

  isUsed(uniqueKey: string): boolean {
    return this.#uses.has(uniqueKey);
  }

  apply(change: Change): void {
    switch (change.table) {
      case 'orders':
        this.orders.change(change.before, change.after);
        this.partyOrders.change(change.before, change.after);
        this.activeRfqs.change(change.before, change.after);
        this.volumes.change(change.before, change.after);
        this.#countUse(change.before, change.after);
        return;
      case 'quotes':
        this.quotes.change(change.before, change.after);
        if (change.before === undefined || change.after === undefined) {
          this.orderQuotes.change(change.before, change.after);
        }
        this.makerQuotes.change(change.before, change.after);
        return;
      case 'settlements':
        this.settlements.change(change.before, change.after);
        this.makerSettlements.change(change.before, change.after);
        return;
      case 'holdings':
        this.#hold(change.owner, change.currency, change.after);
        return;
      case 'faults':
        this.faults = change.after ?? {};
    }
  }

  #hold(owner: string, currency: string, amount: Decimal | undefined): void {
    const held = this.#holdings.get(owner);
    if (amount === undefined) {
      held?.delete(currency);
      if (held?.size === 0) this.#holdings.delete(owner);
    } else if (held === undefined) this.#holdings.set(owner, new Map([[currency, amount]]));
    else held.set(currency, amount);
  }

  #countUse(before: Order | undefined, after: Order | undefined): void {
    if (before !== undefined && after !== undefined) return;
    const record = after ?? before;
    const key = record && this.#uniqueKey(record);
    if (key === undefined) return;
    const uses = (this.#uses.get(key) ?? 0) + (after === undefined ? -1 : 1);
    if (uses === 0) this.#uses.delete(key);
    else this.#uses.set(key, uses);
  }
}

export function inverseOf(change: Change): Change {
  return { ...change, before: change.after, after: change.before } as Change;
}
