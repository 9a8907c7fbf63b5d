import type { Random } from '../../random/random.ts';
import type { Label } from '../plan.ts';

/** How far an order probably is: `accepted` until its settlement ends. */
export type Stage = 'open' | 'accepted' | 'settled' | 'withdrawn' | 'expired';

/** What probably lives in a world so far, as far as its plan alone can tell. */
export interface LikelyOrder {
  readonly label: Label;
  readonly sender: string;
  readonly custodian: string;
  readonly receiver: string;
  readonly receiverCustodian: string;
  stage: Stage;
  readonly expiresAt: number;
  acceptedAt: number;
  /** When all its views were last read. */
  lookedAt: number;
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
  readonly #strays: number;
  /** How often each command was aimed at each stage. */
  readonly #aimed = new Map<string, number>();
  #quotes = 0;

  /** `strays`: how often an order is aimed at for the stage that it is in, and not because it is wanted. */
  constructor(random: Random, strays: number) {
    this.#random = random;
    this.#strays = strays;
  }

  /**
   * An order to aim at with a command: one that is wanted, or one in the stage that the command was aimed at least so
   * far, few as there may be in it.
   */
  aim(what: string, wanted: (order: LikelyOrder) => boolean = () => true): LikelyOrder | undefined {
    const strays = this.#random.chance(this.#strays);
    const order = this.#oneOf(strays ? this.#inLeastTried(what) : this.orders.filter(wanted));
    if (order) this.#aimed.set(`${what} ${order.stage}`, this.#timesAimed(what, order.stage) + 1);
    return order;
  }

  #oneOf(from: readonly LikelyOrder[]): LikelyOrder | undefined {
    if (from.length === 0) return undefined;
    // The latest are the liveliest.
    return this.#random.pick(this.#random.chance(0.6) ? from.slice(-3) : from);
  }

  #timesAimed(what: string, stage: Stage): number {
    return this.#aimed.get(`${what} ${stage}`) ?? 0;
  }

  #inLeastTried(what: string): readonly LikelyOrder[] {
    const times = this.orders.map(({ stage }) => this.#timesAimed(what, stage));
    const least = Math.min(...times);
    return this.orders.filter((_, index) => times[index] === least);
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
      if (order.stage === 'open' && order.expiresAt <= now) order.stage = 'expired';
      if (order.stage === 'accepted' && order.acceptedAt + 4_000 <= now) order.stage = 'settled';
    }
  }
}
