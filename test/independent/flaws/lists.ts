import type { Flaw } from './flaw.ts';

/** Pages, filters and what stands in a list. */
export const listFlaws: readonly Flaw[] = [
  {
    id: 'one-page-too-many',
    part: '2.1',
    breaks: 'total_pages counts one page more than there is when the last page is full.',
    patches: [
      {
        file: 'answers.ts',
        find: '    const pages = Math.ceil(all.length / size);',
        replace: '    const pages = all.length === 0 ? 0 : Math.floor(all.length / size) + 1;',
      },
    ],
  },
  {
    id: 'count-stops-at-hundred',
    part: '2.1',
    breaks: 'total_items of any list is 100 where there are more, as the pages themselves show.',
    patches: [
      {
        file: 'answers.ts',
        find: '        total_items: all.length,',
        replace: '        total_items: Math.min(all.length, 100),',
      },
    ],
  },
  {
    id: 'filter-forgotten-after-first-page',
    part: '4.2',
    breaks: 'GET /orders and GET /quotes with a status show any status from the second page on.',
    patches: [
      {
        file: 'server.ts',
        find: "    const wanted = query.get('status');",
        replace: `    const first = dialect.offsets ? 0 : dialect.firstPage;
    const isLater = Number(query.get(dialect.pageParam) ?? 0) > first;
    const wanted = isLater ? null : query.get('status');`,
      },
    ],
  },
  {
    id: 'lapsed-quotes-filed-as-pending',
    part: '4.4',
    breaks:
      'GET /quotes?status=PENDING lists quotes that have lapsed, with EXPIRED in them, and status=EXPIRED does not.',
    patches: [
      {
        file: 'server.ts',
        find: '(item) => item.status === wanted && isMine(item));',
        replace: `(item) => {
      const isLapsed =
        item.status === 'EXPIRED' &&
        'until' in item &&
        typeof item.until === 'number' &&
        item.until <= clock.now();
      return (isLapsed ? 'PENDING' : item.status) === wanted && isMine(item);
    });`,
      },
    ],
  },
  {
    id: 'twin-lost-at-page-boundary',
    part: '4',
    breaks:
      'Of two orders created in the same millisecond the second is on no page if a page ends between them.',
    patches: [
      {
        file: 'answers.ts',
        find: '    const before = at(from - 1);',
        replace: `    const before = at(from - 1);
    const momentOf = (item: T | undefined): unknown =>
      (item as { created?: number } | undefined)?.created;
    while (shown.length > 0 && momentOf(shown[0]) && momentOf(shown[0]) === momentOf(before))
      shown.shift();`,
      },
    ],
  },
  {
    id: 'custodian-of-both-sides-lists-twice',
    part: '4.3',
    breaks: 'GET /orders shows a custodian the same order twice, and counts it twice.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    for (const party of new Set([order.sender, own ?? '', other ?? '']))",
        replace: "    for (const party of [order.sender, own ?? '', other ?? ''])",
      },
    ],
  },
  {
    id: 'cancelled-request-still-listed',
    part: '4.4',
    breaks: 'GET /quote-requests goes on listing a request whose order was cancelled.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    this.end(order, this.dialect.cancelState, 'USER_CANCELLED');",
        replace: `    this.end(order, this.dialect.cancelState, 'USER_CANCELLED');
    if (was === 'PENDING' && order.quotes.length > 0) this.pending.add(order);`,
      },
      {
        file: 'server.ts',
        find: 'list(response, query, seen.pending(),',
        replace: 'list(response, query, [...new Set([...seen.pending(), ...book.pending])],',
      },
    ],
  },
  {
    id: 'settlement-gone-after-an-hour',
    part: '4.4',
    breaks:
      'GET /settlements/{id} finds nothing an hour after settlement, while GET /settlements still has it.',
    patches: [
      {
        file: 'server.ts',
        find: "      if (!one) throw new Refusal('missing', 'no_settlement');",
        replace: `      if (!one || clock.now() - (one.settled?.at ?? 0) > 3_600_000)
        throw new Refusal('missing', 'no_settlement');`,
      },
    ],
  },
];
