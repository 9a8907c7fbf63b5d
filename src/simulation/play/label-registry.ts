import type { EventStream } from '../../client/contract.ts';
import { createSignal } from '../../timeline/signal.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { CreateCommand, Label } from '../plan.ts';

export interface KnownOrder {
  readonly intentId: string;
  readonly expiresAt: number;
  readonly sender: string;
  readonly create: CreateCommand;
  acceptedAt?: number;
}

export interface KnownQuote {
  readonly maker: string;
  readonly order: KnownOrder;
  readonly quoteId: string;
  readonly validUntil: number;
}

/** The parts of a stream that steps look at. */
export type OpenedStream = Pick<EventStream, 'opened' | 'isOpen' | 'frames' | 'close'>;

export interface KnownStream {
  readonly stream: OpenedStream;
  readonly party: string;
  readonly order: Label | undefined;
}

/** Label of an acceptance on the order: the plan gives it none. */
export const acceptanceOf = (order: Label): Label => `acceptance on ${order}`;

/** Orders, quotes and streams of a plan by label. A step that needs one that is under way waits for it. */
export class LabelRegistry {
  readonly orders = new Map<Label, KnownOrder>();
  readonly quotes = new Map<Label, KnownQuote>();
  readonly streams = new Map<Label, KnownStream>();
  readonly #underWay = new Set<Label>();
  readonly #signal = createSignal();
  readonly #timeline: Pick<Timeline, 'wait'>;

  constructor(timeline: Pick<Timeline, 'wait'>) {
    this.#timeline = timeline;
  }

  begin(label: Label): void {
    this.#underWay.add(label);
  }

  end(label: Label): void {
    this.#underWay.delete(label);
    this.#signal.ring();
  }

  async settled(label: Label): Promise<void> {
    while (this.#underWay.has(label)) await this.#timeline.wait(this.#signal);
  }

  /** The order, once no acceptance of a quote on it is under way. */
  async acceptedOrder(label: Label): Promise<KnownOrder | undefined> {
    await this.settled(acceptanceOf(label));
    return this.order(label);
  }

  async order(label: Label): Promise<KnownOrder | undefined> {
    await this.settled(label);
    return this.orders.get(label);
  }

  async quote(label: Label): Promise<KnownQuote | undefined> {
    await this.settled(label);
    return this.quotes.get(label);
  }

  async stream(label: Label): Promise<KnownStream | undefined> {
    await this.settled(label);
    return this.streams.get(label);
  }
}

/** Intent ids by label, and ids of quotes. */
export const idsIn = ({ orders, quotes }: LabelRegistry) => ({
  orders: new Map([...orders].map(([label, { intentId }]) => [label, intentId])),
  quotes: new Map([...quotes].map(([label, { quoteId }]) => [label, quoteId])),
});
