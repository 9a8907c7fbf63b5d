import type { OrderFacts, QuoteFacts, Row } from './row.ts';

/** An order as the messages so far show it. */
export interface BoardOrder {
  readonly facts: OrderFacts;
  /** One of the states of part 3.1; `PENDING` if only a request for quotes was seen. */
  readonly status: string;
  /** Observed states, with the time of the first message that showed each. */
  readonly seen: readonly { readonly status: string; readonly at: number }[];
  readonly changedAt: number;
}

export interface BoardQuote {
  readonly facts: QuoteFacts;
  readonly status: string;
}

/** Orders and quotes as the messages up to a certain one show them. */
export interface Board {
  readonly orders: ReadonlyMap<string, BoardOrder>;
  readonly quotes: ReadonlyMap<string, BoardQuote>;
}

/** Builds a board from messages, one after another; a pure function of those messages. */
export class BoardBuilder implements Board {
  readonly orders = new Map<string, BoardOrder>();
  readonly quotes = new Map<string, BoardQuote>();
  readonly #quotesOf = new Map<string, Set<string>>();

  take({ at, orders = [], quotes = [] }: Row): void {
    for (const facts of orders) this.#takeOrder(facts, at);
    for (const facts of quotes) this.#takeQuote(facts);
  }

  quotesOf(intentId: string): readonly BoardQuote[] {
    return [...(this.#quotesOf.get(intentId) ?? [])].flatMap((id) => this.quotes.get(id) ?? []);
  }

  #takeOrder(facts: OrderFacts, at: number): void {
    const known = this.orders.get(facts.intent_id);
    const status = facts.status ?? known?.status ?? 'PENDING';
    const isNew = known?.status !== status;
    this.orders.set(facts.intent_id, {
      facts: { ...known?.facts, ...facts },
      status,
      seen: isNew ? [...(known?.seen ?? []), { status, at }] : known.seen,
      changedAt: isNew ? at : known.changedAt,
    });
    const accepted = facts.quote_id;
    if (accepted === undefined) return;
    for (const id of this.#quotesOf.get(facts.intent_id) ?? []) {
      this.#setQuoteStatus(id, id === accepted ? 'ACCEPTED' : 'REJECTED');
    }
  }

  #takeQuote(facts: QuoteFacts): void {
    const known = this.quotes.get(facts.quote_id);
    const status = facts.status ?? known?.status ?? 'PENDING';
    this.quotes.set(facts.quote_id, { facts: { ...known?.facts, ...facts }, status });
    const all = this.#quotesOf.get(facts.intent_id) ?? new Set();
    this.#quotesOf.set(facts.intent_id, all.add(facts.quote_id));
  }

  #setQuoteStatus(id: string, status: string): void {
    const known = this.quotes.get(id);
    if (known?.status === 'PENDING') this.quotes.set(id, { ...known, status });
  }
}

const settlementMs = 4_000;

/** An event that will happen by itself. */
export interface Upcoming {
  /** Milliseconds since the epoch, on the target's clock. */
  readonly at: number;
  readonly what: string;
  readonly intentId: string;
}

/** Deadlines that the orders and quotes themselves show, after a moment; in order of time. */
export function upcomingOn(board: Board, now: number): Upcoming[] {
  const found: Upcoming[] = [];
  const add = (time: string | undefined, what: string, intentId: string, laterMs = 0): void => {
    const at = time === undefined ? Number.NaN : Date.parse(time) + laterMs;
    if (at > now) found.push({ at, what, intentId });
  };
  for (const { facts, status } of board.orders.values()) {
    if (status === 'PENDING') add(facts.expires_at, 'the order expires', facts.intent_id);
    if (status === 'QUOTED' || status === 'EXECUTING') {
      add(facts.quote_accepted_at, 'it settles, about now', facts.intent_id, settlementMs);
    }
  }
  for (const { facts, status } of board.quotes.values()) {
    if (status === 'PENDING') add(facts.valid_until, 'a quote ends', facts.intent_id);
  }
  return found.sort((one, other) => one.at - other.at);
}
