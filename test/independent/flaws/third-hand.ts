import type { Flaw } from './flaw.ts';

const office = '  const office = tokenIssuerOf(dialect, () => clock.now(), defect);';

/** By a third author: caches, keys that are too short, effects on other orders, quotes, streams. */
export const thirdHand: readonly Flaw[] = [
  {
    id: 'custodian-acceptance-unheard-by-sender',
    part: '6',
    breaks:
      "The sender's stream has no order_updated with QUOTED if its custodian accepted the quote; those with EXECUTING and SETTLED come.",
    patches: [
      {
        file: 'server.ts',
        find: 'book.accept(found, quote)',
        replace: 'book.accept(found, quote, member.party)',
      },
      {
        file: 'order-book.ts',
        find: '  accept(order: Order, quote: Quote | undefined): Order {',
        replace: '  accept(order: Order, quote: Quote | undefined, by = order.sender): Order {',
      },
      {
        file: 'order-book.ts',
        find: `    this.updated(order);
    this.clock.after(this.dialect.startMs`,
        replace: `    this.updated(order, by);
    this.clock.after(this.dialect.startMs`,
      },
      {
        file: 'order-book.ts',
        find: '  private updated(order: Order): void {',
        replace: '  private updated(order: Order, by = order.sender): void {',
      },
      {
        file: 'order-book.ts',
        find: "    const to = new Set([order.sender, own ?? '']);",
        replace: "    const to = new Set([by, own ?? '']);",
      },
    ],
  },
  {
    id: 'loser-loses-its-other-quotes',
    part: '3.2',
    breaks:
      'When a maker loses an order, its PENDING quotes on other orders are REJECTED too, and cannot be accepted.',
    patches: [
      {
        file: 'order-book.ts',
        find: "      if (!own || this.dialect.winnerOthers === 'REJECTED') rival.status = 'REJECTED';",
        replace: `      if (!own || this.dialect.winnerOthers === 'REJECTED') rival.status = 'REJECTED';
      for (const lost of own ? [] : (this.quotesOf.get(rival.maker) ?? []))
        if (lost.status === 'PENDING') lost.status = 'REJECTED';`,
      },
    ],
  },
  {
    id: 'settlement-event-one-behind',
    part: '6',
    breaks:
      "From a maker's second win on settlement_completed carries the settlement before, with its transaction_hash; GET /settlements is right.",
    patches: [
      {
        file: 'order-book.ts',
        find: `    push(this.wonBy, winner, order);
    this.announce(winner, 'settlement_completed', order, this.settlement(order));`,
        replace: `    const latest = this.wonBy.get(winner)?.at(-1) ?? order;
    push(this.wonBy, winner, order);
    this.announce(winner, 'settlement_completed', order, this.settlement(latest));`,
      },
    ],
  },
  {
    id: 'followed-order-ends-heartbeats',
    part: '8',
    breaks:
      'A stream with an intent_id has no heartbeat any more once its order is SETTLED, EXPIRED or FAILED, though it stays open.',
    patches: [
      {
        file: 'server.ts',
        find: `        beat();
        again();`,
        replace: `        const followed = only === null ? undefined : find(only);
        if (followed && ['SETTLED', 'EXPIRED', 'FAILED'].includes(followed.status)) return;
        beat();
        again();`,
      },
    ],
  },
  {
    id: 'cancelled-trade-told-as-settled',
    part: '6',
    breaks:
      'If an order is cancelled while QUOTED its winner gets settlement_completed four seconds later; the order is not settled.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    if (order.status !== 'QUOTED') return;",
        replace: `    if (order.status !== 'QUOTED') {
      const winner = order.accepted?.quote.maker ?? '';
      const hash = createHash('sha256').update(order.id).digest('hex');
      this.clock.after(this.dialect.settleMs - this.dialect.startMs, () => {
        const transaction_hash = \`\${this.dialect.hashPrefix}\${hash}\`;
        const data = { ...this.settlement(order), transaction_hash };
        this.announce(winner, 'settlement_completed', order, data);
      });
      return;
    }`,
      },
    ],
  },
  {
    id: 'settlement-purges-losing-quotes',
    part: '4.4',
    breaks:
      'GET /quotes, which lists all own quotes, lacks the REJECTED quote of a maker once the order that it lost has settled.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    order.status = 'SETTLED';",
        replace: `    order.status = 'SETTLED';
    for (const { maker } of order.quotes) {
      const isKept = (quote: Quote): boolean =>
        quote.order !== order || quote.status !== 'REJECTED';
      this.quotesOf.set(maker, (this.quotesOf.get(maker) ?? []).filter(isKept));
    }`,
      },
    ],
  },
  {
    id: 'receiver-custodian-trusted-from-elsewhere',
    part: '1.4',
    breaks:
      'A receiver custodian can accept a quote of the order if it is the sender custodian of any other order.',
    patches: [
      {
        file: 'server.ts',
        find: "    if (side === 'receiver' && defect !== 'receiver-custodian-accepts')",
        replace: `    const isSender = (book.ofParty.get(member.party) ?? []).some(
      ({ body: { sender_custodian_party_id } }) => sender_custodian_party_id === member.party,
    );
    if (side === 'receiver' && !isSender && defect !== 'receiver-custodian-accepts')`,
      },
    ],
  },
  {
    id: 'best-quote-first-on-first-page',
    part: '4',
    breaks:
      'GET /orders/{id}/quotes sorts by price for its first page alone: a quote is on two pages, and another on none.',
    patches: [
      {
        file: 'server.ts',
        find: '      return list(response, query, seen.quotes(found.quotes), (quote) =>',
        replace: `      const first = dialect.offsets ? 0 : dialect.firstPage;
      const isFirst = Number(query.get(dialect.pageParam) ?? first) === first;
      const offered = [...seen.quotes(found.quotes)];
      if (isFirst) offered.sort((one, other) => Number(one.source) - Number(other.source));
      return list(response, query, offered, (quote) =>`,
      },
    ],
  },
  {
    id: 'one-deadline-per-millisecond',
    part: '3.1',
    breaks:
      'Of two orders that reach expires_at in the same millisecond the one created first stays PENDING for ever.',
    patches: [
      {
        file: 'order-book.ts',
        find: '  private readonly contracts = new Set<string | undefined>();',
        replace: `  private readonly contracts = new Set<string | undefined>();
  private readonly dueAt = new Map<number, Order>();`,
      },
      {
        file: 'order-book.ts',
        find: '    this.keep(order);\n',
        replace: '    this.keep(order);\n    this.dueAt.set(order.expires, order);\n',
      },
      {
        file: 'order-book.ts',
        find: "      if (order.status === 'PENDING') this.expire(order);",
        replace: `      const due = this.dueAt.get(order.expires);
      if (due?.status === 'PENDING') this.expire(due);`,
      },
    ],
  },
  {
    id: 'receiver-custodian-reads-an-old-copy',
    part: '3.1',
    breaks:
      'GET /orders/{id} goes on showing a receiver custodian PENDING after the order expired or was cancelled if it has read the order before; an acceptance renews the copy.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  const copies = new Map<string, Record<string, unknown>>();`,
      },
      {
        file: 'server.ts',
        find: '    if (reads && !what) return item(response, 200, book.view(found));',
        replace: `    if (reads && !what && side === 'receiver') {
      const copy = found.accepted ? undefined : copies.get(found.id);
      const view = copy ?? book.view(found);
      copies.set(found.id, view);
      return item(response, 200, view);
    }
    if (reads && !what) return item(response, 200, book.view(found));`,
      },
    ],
  },
  {
    id: 'full-hour-changes-the-key',
    part: '5.4',
    breaks:
      'The key changes on each full hour of the clock: a token that was issued before is refused after it, long before its exp.',
    patches: [
      {
        file: 'tokens.ts',
        find: "        return claims.exp * 1000 <= now() ? 'expired' : claims;",
        replace: `        if (claims.exp * 1000 <= now()) return 'expired';
        const hourOf = (seconds: number): number => Math.floor(seconds / 3600);
        const isOfThisHour = hourOf(claims.exp - dialect.tokenSeconds) === hourOf(now() / 1000);
        return isOfThisHour ? claims : 'bad';`,
      },
    ],
  },
  {
    id: 'validity-ends-with-the-second',
    part: '2.3',
    breaks:
      'A quote ends with the last whole second before its valid_until: it is EXPIRED, and cannot be accepted, up to 999 ms early.',
    patches: [
      {
        file: 'order-book.ts',
        find: '    const until = Date.parse(untilText);',
        replace: '    const until = Math.floor(Date.parse(untilText) / 1000) * 1000;',
      },
    ],
  },
  {
    id: 'same-terms-answered-with-other-order',
    part: '4.4',
    breaks:
      'A quote with the rate, amount and valid_until of an earlier one of the maker on another order is not created: the answer is the earlier quote, with its intent_id.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  const answered = new Map<string, Quote>();`,
      },
      {
        file: 'server.ts',
        find: '    const quote = book.submit(member.party, found, fx_rate, target_amount, valid_until);',
        replace: `    const terms = [member.party, fx_rate, target_amount, valid_until].join(' ');
    const quote =
      answered.get(terms) ??
      book.submit(member.party, found, fx_rate, target_amount, valid_until);
    answered.set(terms, quote);`,
      },
    ],
  },
  {
    id: 'maximum-compared-as-text',
    part: '2.2',
    breaks:
      'A quote of 100 is accepted on a maximum of 20, and one of 9 is refused: the two amounts are compared as texts.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    if (this.dialect.aboveMax === 'refuse-submit' && source.gt(max))",
        replace:
          "    if (this.dialect.aboveMax === 'refuse-submit' && source.toFixed(10) > new D(max).toFixed(10))",
      },
      {
        file: 'order-book.ts',
        find: "    if (new D(quote.source).gt(order.body.source_amount_max ?? '0')) {",
        replace: `    const maximum = new D(order.body.source_amount_max ?? '0').toFixed(10);
    if (new D(quote.source).toFixed(10) > maximum) {`,
      },
    ],
  },
];
