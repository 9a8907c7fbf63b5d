import type { Flaw } from './flaw.ts';

const newStream = '    const stream: Stream = { member, response, only, stop: () => {} };';
const onlyField = '  readonly only: string | null;';
const gone =
  "    if (quote.status !== 'PENDING' || quote.until <= now) throw new Refusal('state', 'quote_gone');";

/** Of another hand: several streams, and the course of orders and quotes. */
export const secondHandCourse: readonly Flaw[] = [
  {
    id: 'excess-below-a-cent-passes',
    part: '2.2',
    breaks:
      'A quote that exceeds source_amount_max by less than half a cent is accepted, and source_amount_actual is above the maximum.',
    hiddenIn: ['meridian', 'citadel'],
    patches: [
      {
        file: 'order-book.ts',
        find: "    if (this.dialect.aboveMax === 'refuse-submit' && source.gt(max))",
        replace:
          "    if (this.dialect.aboveMax === 'refuse-submit' && source.toDecimalPlaces(2).gt(max))",
      },
      {
        file: 'order-book.ts',
        find: "    if (new D(quote.source).gt(order.body.source_amount_max ?? '0')) {",
        replace:
          "    if (new D(quote.source).toDecimalPlaces(2).gt(order.body.source_amount_max ?? '0')) {",
      },
    ],
  },
  {
    id: 'old-stream-forgets-its-filter',
    part: '6',
    breaks:
      'A stream with an intent_id carries the events of all orders of its party after five minutes.',
    patches: [
      {
        file: 'server.ts',
        find: onlyField,
        replace: `${onlyField}
  readonly since: number;`,
      },
      {
        file: 'server.ts',
        find: newStream,
        replace: `    const since = clock.now();
    const stream: Stream = { member, response, only, since, stop: () => {} };`,
      },
      {
        file: 'server.ts',
        find: '          stream.only.toLowerCase() !== order.id.toLowerCase() &&',
        replace: `          clock.now() - stream.since < 300_000 &&
          stream.only.toLowerCase() !== order.id.toLowerCase() &&`,
      },
    ],
  },
  {
    id: 'failed-order-turns-expired',
    part: '3.1',
    breaks: 'An order that FAILED is EXPIRED in every view five minutes later, without an event.',
    patches: [
      {
        file: 'order-book.ts',
        find: '    if (reason) order.reason = reason;',
        replace: `    if (reason) order.reason = reason;
    if (status === 'FAILED') {
      this.clock.after(300_000, () => {
        order.status = 'EXPIRED';
      });
    }`,
      },
    ],
  },
  {
    id: 'later-filter-moves-earlier-stream',
    part: '6',
    breaks:
      'If a party opens a second stream with an intent_id, its first stream with one changes to the order of the second.',
    patches: [
      { file: 'server.ts', find: onlyField, replace: '  only: string | null;' },
      {
        file: 'server.ts',
        find: '    streams.add(stream);',
        replace: `    for (const other of streams)
      if (only !== null && other.only !== null && other.member === member) other.only = only;
    streams.add(stream);`,
      },
    ],
  },
  {
    id: 'newest-stream-alone-hears-settlement',
    part: '6',
    breaks: 'Of two streams of the winner only the one opened last carries settlement_completed.',
    patches: [
      {
        file: 'server.ts',
        find: '        write(stream, event, data);',
        replace: `        const newest = [...streams].findLast(
          ({ member, response }) => member.party === to && !response.destroyed,
        );
        if (event === 'settlement_completed' && stream !== newest) continue;
        write(stream, event, data);`,
      },
    ],
  },
  {
    id: 'dead-stream-swallows-an-event',
    part: '6',
    breaks:
      'The first event after a stream was closed does not reach the streams that were opened later, of the same or another maker; on order streams likewise.',
    patches: [
      {
        file: 'server.ts',
        find: '        if (stream.member.party !== to) continue;',
        replace: `        const isSameKind = makers.includes(stream.member.party) === makers.includes(to);
        if (stream.response.destroyed && isSameKind) {
          streams.delete(stream);
          break;
        }
        if (stream.member.party !== to) continue;`,
      },
    ],
  },
  {
    id: 'newcomer-delays-heartbeat',
    part: '8',
    breaks:
      'A new stream of a party starts the thirty seconds of its other streams again, so their next heartbeat comes late.',
    patches: [
      {
        file: 'server.ts',
        find: onlyField,
        replace: `${onlyField}
  restart?: () => void;`,
      },
      {
        file: 'server.ts',
        find: '    if (dialect.beatOnConnect) beat();',
        replace: `    for (const other of streams) if (other.member === member) other.restart?.();
    stream.restart = () => {
      stream.stop();
      again();
    };
    if (dialect.beatOnConnect) beat();`,
      },
    ],
  },
  {
    id: 'busy-maker-hears-of-no-request',
    part: '6',
    breaks:
      'A maker gets no quote_request_new for a request that is created while a trade it won is EXECUTING; GET /quote-requests has it.',
    patches: [
      {
        file: 'order-book.ts',
        find: '    for (const maker of told)\n',
        replace: `    const isFree = (maker: string): boolean =>
      !(this.quotesOf.get(maker) ?? []).some(
        (quote) => quote.status === 'ACCEPTED' && quote.order.status === 'EXECUTING',
      );
    for (const maker of told.filter(isFree))
`,
      },
    ],
  },
  {
    id: 'reading-prolongs-order',
    part: '3.1',
    breaks:
      'An order that is read by GET /orders/{id} in its last ten seconds stays PENDING for thirty seconds beyond its expires_at, which stays as it was.',
    patches: [
      {
        file: 'order-book.ts',
        find: '  expires: number;\n',
        replace: '  expires: number;\n  readAt?: number;\n',
      },
      {
        file: 'order-book.ts',
        find: "      if (order.status === 'PENDING') this.expire(order);",
        replace: `      const expire = (): void => {
        if (order.status === 'PENDING') this.expire(order);
      };
      if (order.expires - (order.readAt ?? 0) < 10_000) this.clock.after(30_000, expire);
      else expire();`,
      },
      {
        file: 'server.ts',
        find: '    if (reads && !what) return item(response, 200, book.view(found));',
        replace: `    const kept = book.find(found.id);
    if (reads && !what && kept) kept.readAt = clock.now();
    if (reads && !what) return item(response, 200, book.view(found));`,
      },
    ],
  },
  {
    id: 'refused-acceptance-rejects-rivals',
    part: '3.2',
    breaks:
      'An acceptance of a lapsed quote is refused, and yet the other quotes of the order are REJECTED from then on.',
    patches: [
      {
        file: 'order-book.ts',
        find: gone,
        replace: `    if (quote.status !== 'PENDING' || quote.until <= now) {
      for (const rival of order.quotes)
        if (rival !== quote && rival.status === 'PENDING') rival.status = 'REJECTED';
      throw new Refusal('state', 'quote_gone');
    }`,
      },
    ],
  },
  {
    id: 'holding-index-ignored',
    part: '4.2',
    breaks:
      'POST /orders answers with an order of the last minute, its intent_id and amounts, if its source_contract_id differs in the index alone.',
    patches: [
      {
        file: 'order-book.ts',
        find: '    if (this.dialect.contractOnce && this.contracts.has(body.source_contract_id))',
        replace: `    const holding = (contract = ''): string => contract.split('#')[0] ?? '';
    const twin = (this.ofParty.get(sender) ?? []).find(
      (one) =>
        now - one.created < 60_000 &&
        one.sender === sender &&
        one.body.source_contract_id !== body.source_contract_id &&
        holding(one.body.source_contract_id) === holding(body.source_contract_id),
    );
    if (twin) return twin;
    if (this.dialect.contractOnce && this.contracts.has(body.source_contract_id))`,
      },
    ],
  },
  {
    id: 'lapsed-first-quote-blocks-others',
    part: '3.1',
    breaks: 'No quote of an order can be accepted once the first that was submitted has lapsed.',
    patches: [
      {
        file: 'order-book.ts',
        find: gone,
        replace: `    const [first = quote] = order.quotes;
    if (quote.status !== 'PENDING' || quote.until <= now || first.until <= now)
      throw new Refusal('state', 'quote_gone');`,
      },
    ],
  },
];
