import type { Flaw } from './flaw.ts';

/** Parties that see or do more than their role allows. */
export const accessFlaws: readonly Flaw[] = [
  {
    id: 'settled-order-opens-to-strangers',
    part: '1.4',
    breaks:
      'Once an involved party has read a settled order, any institution that knows its id gets it by GET /orders/{id}.',
    patches: [
      {
        file: 'server.ts',
        find: '  const find = (id: string): Order | undefined => book.find(id);',
        replace: `  const readBefore = new Set<string>();
  const find = (id: string): Order | undefined => book.find(id);`,
      },
      {
        file: 'server.ts',
        find: "    if (!sideOf(member, order) && !pass) throw new Refusal('foreign', 'not_yours');",
        replace: `    const isShared = readBefore.has(order.id) && member.role === 'institution';
    if (!sideOf(member, order) && !pass && !isShared) throw new Refusal('foreign', 'not_yours');
    if (order.status === 'SETTLED') readBefore.add(order.id);`,
      },
    ],
  },
  {
    id: 'strange-custodian-lists-quotes-of-expired-order',
    part: '1.4',
    breaks:
      'A custodian that has nothing to do with an order gets its quotes by GET /orders/{id}/quotes after it expired.',
    patches: [
      {
        file: 'server.ts',
        find: '    const found = owned(member, seen.order(find(id)));',
        replace: `    const asked =
      member.role === 'custodian' && what === 'quotes' && !quoteId ? find(id) : undefined;
    const found = asked?.status === 'EXPIRED' ? asked : owned(member, seen.order(find(id)));`,
      },
    ],
  },
  {
    id: 'custodian-cancels-once-quoted',
    part: '1.4',
    breaks: 'The sender custodian can cancel an order, which is for the institution alone.',
    patches: [
      {
        file: 'server.ts',
        find: "      if (side !== 'sender') throw new Refusal('role', 'sender_only');",
        replace: `      if (side !== 'sender' && found.quotes.length === 0)
        throw new Refusal('role', 'sender_only');`,
      },
    ],
  },
  {
    id: 'institution-accepts-proposal-later',
    part: '4.3',
    breaks:
      'The sender institution gets a success from POST /orders/{id}/accept, which is for its custodian alone.',
    patches: [
      {
        file: 'server.ts',
        find: "      if (side !== 'custodian') throw new Refusal('role', 'custodian_only');",
        replace: `      if (side !== 'custodian' && found.status === 'PENDING')
        throw new Refusal('role', 'custodian_only');`,
      },
    ],
  },
  {
    id: 'loser-reads-settlement',
    part: '1.4',
    breaks:
      'A maker that quoted and lost reads the settlement of the winner by GET /settlements/{id}.',
    patches: [
      {
        file: 'server.ts',
        find: '      const one = won.find((entry) => entry.id.toLowerCase() === id.toLowerCase());',
        replace: `      const asked = find(id);
      const isQuoted = asked?.settled !== undefined && asked.quotes.some(isMine);
      const one = isQuoted
        ? asked
        : won.find((entry) => entry.id.toLowerCase() === id.toLowerCase());`,
      },
    ],
  },
  {
    id: 'rivals-shown-after-the-end',
    part: '4.4',
    breaks:
      'GET /quote-requests/{id}/quotes shows a maker the quotes of its rivals when the request is over.',
    patches: [
      {
        file: 'server.ts',
        find: '      const own = seen.quotes(found.quotes).filter(isMine);',
        replace: `      const isOver = found.status !== 'PENDING' && found.quotes.some(isMine);
      const own = isOver ? found.quotes : seen.quotes(found.quotes).filter(isMine);`,
      },
    ],
  },
];
