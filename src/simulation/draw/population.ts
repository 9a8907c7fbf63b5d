import type { Random } from '../../random/random.ts';
import type { Label } from '../plan.ts';

/** What probably lives in a world so far, as far as its plan alone can tell. */
export interface LikelyOrder {
  readonly label: Label;
  readonly sender: string;
  readonly custodian: string;
  readonly receiverCustodian: string;
  stage: 'open' | 'accepted' | 'ended';
  readonly expiresAt: number;
  acceptedAt: number;
  readonly quotes: LikelyQuote[];
}

export interface LikelyQuote {
  readonly label: Label;
  readonly maker: string;
  readonly validUntil: number;
}

export interface LikelyStream {
  readonly label: Label;
  readonly party: string;
  isOpen: boolean;
}

export class Population {
  readonly orders: LikelyOrder[] = [];
  readonly streams: LikelyStream[] = [];
  readonly #random: Random;
  #quotes = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** An order to aim at: most often one that lives and is wanted, now and then any. */
  aim(wanted: (order: LikelyOrder) => boolean = () => true): LikelyOrder | undefined {
    const fitting = this.orders.filter(wanted);
    // What comes too late is worth a try as well, yet not many.
    const from = this.#random.chance(0.07) ? this.orders : fitting;
    if (from.length === 0) return undefined;
    // The latest are the liveliest.
    return this.#random.pick(this.#random.chance(0.6) ? from.slice(-3) : from);
  }

  aimQuote(order: LikelyOrder, now: number): LikelyQuote | undefined {
    if (order.quotes.length === 0) return undefined;
    const valid = order.quotes.filter(({ validUntil }) => validUntil > now);
    return this.#random.pick(valid.length > 0 && this.#random.chance(0.9) ? valid : order.quotes);
  }

  hasUsableQuote(now: number): boolean {
    return this.orders.some(
      ({ stage, quotes }) => stage === 'open' && quotes.some(({ validUntil }) => validUntil > now),
    );
  }

  nextOrder(): Label {
    return `order ${this.orders.length + 1}`;
  }

  nextQuote(): Label {
    this.#quotes += 1;
    return `quote ${this.#quotes}`;
  }

  nextStream(): Label {
    return `stream ${this.streams.length + 1}`;
  }

  /** Time passes: what had a deadline has ended. */
  age(now: number): void {
    for (const order of this.orders) {
      if (order.stage === 'open' && order.expiresAt <= now) order.stage = 'ended';
      if (order.stage === 'accepted' && order.acceptedAt + 4_000 <= now) order.stage = 'ended';
    }
  }
}
