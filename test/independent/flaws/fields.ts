import type { Flaw } from './flaw.ts';

/** Fields that are wrong, stale or cut in one view. */
export const fieldFlaws: readonly Flaw[] = [
  {
    id: 'memo-cut-in-lists',
    part: '2.2',
    breaks: 'GET /orders shows the first 140 characters of a memo; the single order shows all.',
    patches: [
      {
        file: 'server.ts',
        find: `(entry) =>
        book.view(entry),
      );`,
        replace: `(entry) => {
        const row = book.view(entry);
        return typeof row.memo === 'string' ? { ...row, memo: row.memo.slice(0, 140) } : row;
      });`,
      },
    ],
  },
  {
    id: 'memo-folded-for-search',
    part: '2.2',
    breaks:
      'A memo comes back with other characters than were sent to POST /orders: a raised 2 is a plain 2.',
    patches: [
      {
        file: 'bodies.ts',
        find: '  return Object.fromEntries(names.map((name) => [name, String(given[name])]));',
        replace: `  const read = (name: string): string =>
    name === 'memo' ? String(given[name]).normalize('NFKC') : String(given[name]);
  return Object.fromEntries(names.map((name) => [name, read(name)]));`,
      },
    ],
  },
  {
    id: 'acceptance-moves-to-settlement',
    part: '2.2',
    breaks:
      'After settlement GET /orders/{id} gives the time of settlement as quote_accepted_at, not the one that the acceptance answered.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    order.status = 'SETTLED';",
        replace: `    order.status = 'SETTLED';
    if (order.accepted) order.accepted.at = this.clock.now();`,
      },
    ],
  },
  {
    id: 'deadline-keeps-date-past-midnight',
    part: '2.2',
    breaks:
      'An order that lives over midnight UTC shows an expires_at of the day before, ahead of its created_at.',
    patches: [
      {
        file: 'order-book.ts',
        find: `      expires_at: this.moment(order.expires),
      revision: 3,`,
        replace: `      expires_at:
        this.moment(order.created).slice(0, 10) + this.moment(order.expires).slice(10),
      revision: 3,`,
      },
    ],
  },
  {
    id: 'acceptance-without-milliseconds',
    part: '2',
    breaks:
      'An acceptance on a whole second has a quote_accepted_at without milliseconds, in its answer and in GET /orders/{id}.',
    patches: [
      {
        file: 'order-book.ts',
        find: '      view.quote_accepted_at = this.moment(at);',
        replace: "      view.quote_accepted_at = this.moment(at).replace('.000', '');",
      },
    ],
  },
  {
    id: 'settlement-in-cents',
    part: '2.5',
    breaks:
      'A settlement shows a target_amount of two decimals where the order has three, as in dinars; what is beyond is lost.',
    hiddenIn: ['citadel'],
    patches: [
      {
        file: 'order-book.ts',
        find: '      target_amount: order.body.target_amount,',
        replace: "      target_amount: new D(order.body.target_amount ?? '0').toFixed(2),",
      },
    ],
  },
  {
    id: 'tiny-rate-with-exponent',
    part: '2',
    breaks: 'A settlement writes a very small fx_rate with an exponent, such as 1e-7.',
    patches: [
      {
        file: 'order-book.ts',
        find: '      fx_rate: quote?.rate,',
        replace: "      fx_rate: new D(quote?.rate ?? '0').toString(),",
      },
    ],
  },
  {
    id: 'request-amount-through-a-float',
    part: '2.4',
    breaks:
      'The list of quote requests and quote_request_new give a large target_amount that differs from the order in its last digits.',
    patches: [
      {
        file: 'order-book.ts',
        find: `      target_amount,
      ...(this.dialect.rfqExtras`,
        replace: `      target_amount: listed ? String(Number(target_amount)) : target_amount,
      ...(this.dialect.rfqExtras`,
      },
    ],
  },
  {
    id: 'request-deadline-of-first-quote',
    part: '2.4',
    breaks:
      'GET /quote-requests/{id} gives the validity of the first quote as expires_at; the list gives the deadline of the request.',
    patches: [
      {
        file: 'order-book.ts',
        find: `      expires_at: this.moment(order.expires),
      source_currency,`,
        replace: `      expires_at: this.moment(
        listed ? order.expires : (order.quotes[0]?.until ?? order.expires),
      ),
      source_currency,`,
      },
    ],
  },
  {
    id: 'party-escaped-in-token-result',
    part: '2.6',
    breaks:
      'POST /auth/token gives a canton_party_id with &amp; where the token itself and whoami have a plain ampersand.',
    patches: [
      {
        file: 'server.ts',
        find: '        canton_party_id: member.party,',
        replace: "        canton_party_id: member.party.replaceAll('&', '&amp;'),",
      },
    ],
  },
  {
    id: 'order-ids-come-round',
    part: '2.2',
    breaks:
      'The 101st order gets the id of the first from POST /orders, and GET /orders/{id} shows the newer of the two.',
    patches: [
      {
        file: 'order-book.ts',
        find: '  private readonly contracts = new Set<string | undefined>();',
        replace: `  private readonly contracts = new Set<string | undefined>();
  private readonly ids: string[] = [];
  private made = 0;`,
      },
      {
        file: 'order-book.ts',
        find: `      id: this.newId(),
      status: 'PENDING',
      sender,`,
        replace: `      id: (this.ids[this.made++ % 100] ??= this.newId()),
      status: 'PENDING',
      sender,`,
      },
    ],
  },
  {
    id: 'custodian-told-the-maximum',
    part: '4.3',
    breaks:
      'A custodian that accepts a quote is answered the maximum of the order as source_amount_actual; GET /orders/{id} has the real amount.',
    patches: [
      {
        file: 'server.ts',
        find: `        source_amount_actual,
        quote_accepted_at,
      });`,
        replace: `        source_amount_actual: source_amount_actual && view.source_amount_max,
        quote_accepted_at,
      });`,
      },
    ],
  },
  {
    id: 'stats-null-before-first-win',
    part: '2.1',
    breaks:
      'GET /dashboard/stats has null as data for a maker with quotes and no settled trade, not an object.',
    patches: [
      {
        file: 'server.ts',
        find: '      return item(response, 200, { totals: { seen: book.size } });',
        replace: `      return item(
        response,
        200,
        book.quotesOf.has(member.party) && !book.wonBy.has(member.party)
          ? null
          : { totals: { seen: book.size } },
      );`,
      },
    ],
  },
];
