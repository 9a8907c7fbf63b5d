import type { Flaw } from './flaw.ts';

/** The two event streams. */
export const eventFlaws: readonly Flaw[] = [
  {
    id: 'heartbeats-end-after-ten-minutes',
    part: '8',
    breaks: 'A stream has no heartbeat any more after ten minutes; its other events go on.',
    patches: [
      {
        file: 'server.ts',
        find: '    const again = () => {',
        replace: `    let beats = 0;
    const again = () => {
      if ((beats += 1) > 20) return;`,
      },
    ],
  },
  {
    id: 'first-close-silences-second',
    part: '6',
    breaks: 'If a party has two streams and closes one, the other has no heartbeat any more.',
    patches: [
      {
        file: 'server.ts',
        // The peer's own listener comes too late to fire: its request is over once it is read.
        find: "    request.on('close', () => {",
        replace: `    response.on('close', () => {
      for (const other of streams) if (other.member === member) other.stop();`,
      },
    ],
  },
  {
    id: 'quotes-pass-the-filter',
    part: '6',
    breaks: 'A stream with an intent_id also carries quote_received of other orders.',
    patches: [
      {
        file: 'server.ts',
        find: '          stream.only.toLowerCase() !== order.id.toLowerCase() &&',
        replace: `          stream.only.toLowerCase() !== order.id.toLowerCase() &&
          event !== 'quote_received' &&`,
      },
    ],
  },
  {
    id: 'filter-opens-orders-of-strangers',
    part: '6',
    breaks:
      'An institution that opens a stream with the intent_id of a foreign order gets the order_updated of it.',
    patches: [
      {
        file: 'server.ts',
        find: '        if (stream.member.party !== to) continue;',
        replace: `        const isAsked =
          event === 'order_updated' &&
          to === order.sender &&
          stream.member.role === 'institution' &&
          stream.only?.toLowerCase() === order.id.toLowerCase();
        if (stream.member.party !== to && !isAsked) continue;`,
      },
      {
        file: 'server.ts',
        find: '    if (dialect.unknownRefused && only !== null) owned(member, find(only));',
        replace: `    if (dialect.unknownRefused && only !== null && !find(only))
      throw new Refusal('missing', 'no_such_order');`,
      },
    ],
  },
  {
    id: 'custodian-hears-first-quote-again',
    part: '6',
    breaks:
      "The custodian's quote_received for a later quote carries the first quote of the order once more.",
    patches: [
      {
        file: 'order-book.ts',
        find: `    for (const party of to)
      this.announce(party, 'quote_received', order, this.quoteView(quote, true));`,
        replace: `    for (const party of to) {
      const told = party === order.sender ? quote : (order.quotes[0] ?? quote);
      this.announce(party, 'quote_received', order, this.quoteView(told, true));
    }`,
      },
    ],
  },
  {
    id: 'custodian-hears-the-state-late',
    part: '6',
    breaks:
      'order_updated reaches the custodian after 1.5 s with the status of that moment: QUOTED is skipped, EXECUTING comes twice.',
    patches: [
      {
        file: 'order-book.ts',
        find: `    for (const party of to) {
      this.announce(party, 'order_updated', order, data);`,
        replace: `    for (const party of to) {
      if (party === own) {
        this.clock.after(1_500, () =>
          this.announce(party, 'order_updated', order, { ...data, status: order.status }),
        );
        continue;
      }
      this.announce(party, 'order_updated', order, data);`,
      },
    ],
  },
  {
    id: 'settlement-told-to-losers',
    part: '6',
    breaks: 'settlement_completed goes to every maker that quoted, not only to the one that won.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    this.announce(winner, 'settlement_completed', order, this.settlement(order));",
        replace: `    for (const maker of new Set(order.quotes.map((quote) => quote.maker)))
      this.announce(maker, 'settlement_completed', order, this.settlement(order));`,
      },
    ],
  },
  {
    id: 'quoted-request-expires-in-silence',
    part: '6',
    breaks: 'No maker gets quote_request_expired for a request that expires after it was quoted.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    this.end(order, 'EXPIRED', reason);",
        replace: `    this.end(order, 'EXPIRED', reason);
    if (order.quotes.length > 0) return;`,
      },
    ],
  },
  {
    id: 'maker-stream-mute-after-hundred',
    part: '6',
    breaks: "After its hundredth message a maker's stream carries heartbeats only.",
    patches: [
      {
        file: 'server.ts',
        find: '  readonly only: string | null;',
        replace: `  readonly only: string | null;
  sent?: number;`,
      },
      {
        file: 'server.ts',
        find: '    sequence += 1;',
        replace: `    sequence += 1;
    stream.sent = (stream.sent ?? 0) + 1;
    const isMaker = stream.member.role === 'market-maker';
    if (isMaker && stream.sent > 100 && event !== 'heartbeat') return;`,
      },
    ],
  },
  {
    id: 'expired-request-names-sender',
    part: '2.4',
    breaks:
      'quote_request_expired of a request that nobody quoted carries the whole order, with the parties of the sender.',
    patches: [
      {
        file: 'order-book.ts',
        find: `    for (const maker of this.makers) {
      this.announce(maker, 'quote_request_expired', order, { intent_id: order.id });`,
        replace: `    const told = order.quotes.length > 0 ? { intent_id: order.id } : this.view(order);
    for (const maker of this.makers) {
      this.announce(maker, 'quote_request_expired', order, told);`,
      },
    ],
  },
  {
    id: 'winner-hears-rate-turned-over',
    part: '6',
    breaks:
      'quote_accepted carries 1 / fx_rate where the source currency comes after the target currency in the alphabet.',
    patches: [
      {
        file: 'order-book.ts',
        find: `      quote_id: quote.id,
      fx_rate: quote.rate,`,
        replace: `      quote_id: quote.id,
      fx_rate:
        (order.body.source_currency ?? '') > (order.body.target_currency ?? '')
          ? new D(1).div(quote.rate).toDecimalPlaces(10).toFixed()
          : quote.rate,`,
      },
    ],
  },
];
