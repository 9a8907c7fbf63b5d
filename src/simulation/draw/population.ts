import type { Random } from '../../random/random.ts';
import type { Encounter } from '../encounters.ts';
import type { Label, PlannedParty } from '../plan.ts';
import type { Swarm } from './swarm.ts';

/** Probable stage of an order: `accepted` until its settlement ends. */
export type Stage = 'open' | 'accepted' | 'settled' | 'withdrawn' | 'expired';

/** An order that probably exists, as far as the plan alone can tell. */
export interface LikelyOrder {
  readonly label: Label;
  readonly sender: string;
  readonly custodian: string;
  readonly receiver: string;
  readonly receiverCustodian: string;
  stage: Stage;
  readonly expiresAt: number;
  acceptedAt: number;
  /** When all views of the order were last read. */
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
  /** Number of times each command was aimed at each stage; keys are `command stage`. */
  readonly #aimed = new Map<string, number>();
  #quotes = 0;

  /** @param strays probability that an order is chosen by its stage, and not because it fits the command */
  constructor(random: Random, strays: number) {
    this.#random = random;
    this.#strays = strays;
  }

  /**
   * Chooses an order for a command: one that fits it, or one in the stage at which the command was aimed least so far,
   * even if few orders are in that stage.
   */
  aim(what: string, wanted: (order: LikelyOrder) => boolean = () => true): LikelyOrder | undefined {
    const strays = this.#random.chance(this.#strays);
    const order = this.#oneOf(strays ? this.#inLeastTried(what) : this.orders.filter(wanted));
    if (order) this.#aimed.set(`${what} ${order.stage}`, this.#timesAimed(what, order.stage) + 1);
    return order;
  }

  #oneOf(from: readonly LikelyOrder[]): LikelyOrder | undefined {
    if (from.length === 0) return undefined;
    // The latest orders are the most active.
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

  /** Moves time on: orders whose deadline has passed end. */
  age(now: number): void {
    for (const order of this.orders) {
      if (order.stage === 'open' && order.expiresAt <= now) order.stage = 'expired';
      if (order.stage === 'accepted' && order.acceptedAt + 4_000 <= now) order.stage = 'settled';
    }
  }
}

/** Usual lifetime of a token. */
export const tokenLifetimeMs = 3_600_000;

/** Fixed inputs for drawing the steps of one world. */
export interface DrawContext {
  readonly swarm: Swarm;
  readonly parties: readonly PlannedParty[];
  readonly startMs: number;
  readonly lifetimeMs: number;
  /** The longest wait for an edge; a little over an hour unless set. */
  readonly longestWaitMs?: number;
  /** The world first waits for the end of a day. Only if waiting costs nothing. */
  readonly crossesMidnight?: boolean;
  /** Encounters that the world brings about on purpose. */
  readonly encounters: readonly Encounter[];
  /** Nothing is traded before the custodian has accepted the proposal. */
  readonly proposalsFirst: boolean;
}

/** State while steps are drawn: the parties, the orders that probably exist, and the approximate time. */
export interface Draws extends DrawContext {
  readonly random: Random;
  readonly population: Population;
  now: number;
}
