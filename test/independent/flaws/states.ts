import type { Flaw } from './flaw.ts';

/** Transitions of orders and quotes, and their deadlines. */
export const stateFlaws: readonly Flaw[] = [
  {
    id: 'lapsed-quote-accepted-within-a-second',
    part: '3.1',
    breaks: 'A quote can be accepted up to a second after its valid_until.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    if (quote.status !== 'PENDING' || quote.until <= now) throw new Refusal('state', 'quote_gone');",
        replace: `    const isGone =
      quote.status === 'EXPIRED' ? quote.until + 1_000 <= now : quote.status !== 'PENDING';
    if (isGone) throw new Refusal('state', 'quote_gone');`,
      },
    ],
  },
  {
    id: 'long-validity-overflows',
    part: '3.2',
    breaks:
      'A quote that is taken with a validity of 25 to 49 days is EXPIRED at once in every list, and cannot be accepted.',
    patches: [
      {
        file: 'order-book.ts',
        find: '    this.clock.after(until - now, () => {',
        replace: '    this.clock.after((until - now) | 0, () => {',
      },
    ],
  },
  {
    id: 'executing-order-expires',
    part: '3.1',
    breaks:
      'An order in settlement turns EXPIRED when its deadline passes, although a quote was accepted, and SETTLED later.',
    patches: [
      {
        file: 'order-book.ts',
        find: "      if (order.status === 'PENDING') this.expire(order);",
        replace: "      if (['PENDING', 'EXECUTING'].includes(order.status)) this.expire(order);",
      },
    ],
  },
  {
    id: 'accepted-quote-lapses',
    part: '3.2',
    breaks:
      'An accepted quote is shown as EXPIRED in GET /orders/{id}/quotes and GET /quotes when its valid_until passes.',
    patches: [
      {
        file: 'order-book.ts',
        find: "      if (quote.status === 'PENDING' && this.defect !== 'quotes-never-expire')",
        replace: "      if (quote.status !== 'REJECTED' && this.defect !== 'quotes-never-expire')",
      },
    ],
  },
  {
    id: 'second-settlement-silences-first',
    part: '3.1',
    breaks:
      'If a maker wins a second order while the first is in settlement, the first stays EXECUTING for ever.',
    patches: [
      {
        file: 'order-book.ts',
        find: '  private readonly contracts = new Set<string | undefined>();',
        replace: `  private readonly contracts = new Set<string | undefined>();
  private readonly settling = new Map<string, () => void>();`,
      },
      {
        file: 'order-book.ts',
        find: '    } else this.clock.after(left, () => this.settle(order));',
        replace: `    } else {
      const winner = order.accepted?.quote.maker ?? '';
      this.settling.get(winner)?.();
      this.settling.set(
        winner,
        this.clock.after(left, () => this.settle(order)),
      );
    }`,
      },
    ],
  },
  {
    id: 'reverted-order-settles-later',
    part: '3.1',
    breaks: 'An order that FAILED in settlement is tried again five minutes later, and is SETTLED.',
    patches: [
      {
        file: 'order-book.ts',
        find: "      this.clock.after(left / 2, () => this.end(order, 'FAILED', 'REVERT'));",
        replace: `      this.clock.after(left / 2, () => this.end(order, 'FAILED', 'REVERT'));
      this.clock.after(left / 2 + 300_000, () => this.settle(order));`,
      },
    ],
  },
  {
    id: 'two-acceptances-at-once',
    part: '3.1',
    breaks:
      'Two acceptances of different quotes of an order that arrive together both succeed: two makers hear that they won.',
    patches: [
      {
        file: 'server.ts',
        find: '      const view = book.view(book.accept(found, quote));',
        replace: `      const wasOpen = found.status === 'PENDING' && quote?.status === 'PENDING';
      await new Promise((resolve) => setTimeout(resolve, 5));
      const view = book.view(book.accept(found, quote, wasOpen));`,
      },
      {
        file: 'order-book.ts',
        find: '  accept(order: Order, quote: Quote | undefined): Order {',
        replace: '  accept(order: Order, quote: Quote | undefined, wasOpen = false): Order {',
      },
      {
        file: 'order-book.ts',
        find: "    if (order.status !== 'PENDING') throw new Refusal('state', 'not_pending');",
        replace: `    const isRaced = wasOpen && ['QUOTED', 'EXECUTING'].includes(order.status);
    if (order.status !== 'PENDING' && !isRaced) throw new Refusal('state', 'not_pending');`,
      },
      {
        file: 'order-book.ts',
        find: "    if (quote.status !== 'PENDING' || quote.until <= now) throw new Refusal('state', 'quote_gone');",
        replace: `    const isFree = quote.status === 'PENDING' || (isRaced && quote.status === 'REJECTED');
    if (!isFree || quote.until <= now) throw new Refusal('state', 'quote_gone');`,
      },
    ],
  },
  {
    id: 'equal-rival-stays-pending',
    part: '3.2',
    breaks:
      'A rival that quoted exactly the rate of the winner is neither REJECTED nor told so: its quote stays PENDING in every list.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    const rivals = order.quotes.filter((q) => q !== quote && q.status === 'PENDING');",
        replace: `    const rivals = order.quotes.filter(
      (q) => q !== quote && q.rate !== quote.rate && q.status === 'PENDING',
    );`,
      },
    ],
  },
  {
    id: 'settlements-queue-up',
    part: '8',
    breaks:
      'Orders settle one by one: of three that are accepted together the last takes twelve seconds or so.',
    patches: [
      {
        file: 'order-book.ts',
        find: '    const left = this.dialect.settleMs - this.dialect.startMs;',
        replace: `    const busy = [...this.byId.values()].filter(({ status }) => status === 'EXECUTING').length;
    const left = (this.dialect.settleMs - this.dialect.startMs) * busy;`,
      },
    ],
  },
];
