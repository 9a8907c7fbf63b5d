import type { Flaw } from './flaw.ts';

const office = '  const office = tokenIssuerOf(dialect, () => clock.now(), defect);';
const stats = '      return item(response, 200, { totals: { seen: book.size } });';

/** By a second author: tokens, identity, stats, and reads of orders, quotes and settlements. */
export const secondHandReads: readonly Flaw[] = [
  {
    id: 'memo-ends-at-emoji',
    part: '2.2',
    breaks:
      'A memo ends before its first character beyond the basic plane, such as an emoji, as in a column of three-byte UTF-8.',
    patches: [
      {
        file: 'bodies.ts',
        find: '  return Object.fromEntries(names.map((name) => [name, String(given[name])]));',
        replace: `  const read = (name: string): string =>
    name === 'memo' ? (String(given[name]).split(/[\\u{10000}-\\u{10FFFF}]/u)[0] ?? '') : String(given[name]);
  return Object.fromEntries(names.map((name) => [name, read(name)]));`,
      },
    ],
  },
  {
    id: 'archived-row-without-hash',
    part: '2.2',
    breaks:
      'GET /orders lists an order that settled more than ten minutes ago without its transaction_hash; the single order has it.',
    patches: [
      {
        file: 'server.ts',
        find: `(entry) =>
        book.view(entry),
      );`,
        replace: `(entry) => {
        const isArchived = entry.settled && clock.now() - entry.settled.at > 600_000;
        return { ...book.view(entry), ...(isArchived && { transaction_hash: undefined }) };
      });`,
      },
    ],
  },
  {
    id: 'full-hour-hides-requests',
    part: '4.4',
    breaks:
      'GET /quote-requests lists those of the present clock hour only; one that was created before it and is open still is missing.',
    patches: [
      {
        file: 'server.ts',
        find: 'list(response, query, seen.pending(),',
        replace: `list(
        response,
        query,
        seen
          .pending()
          .filter(
            ({ created }) =>
              Math.floor(created / 3_600_000) === Math.floor(clock.now() / 3_600_000),
          ),`,
      },
    ],
  },
  {
    id: 'older-token-dies-after-renewal',
    part: '5.4',
    breaks:
      'Five minutes after a party got a newer token its older one is refused, long before its exp.',
    patches: [
      {
        file: 'tokens.ts',
        find: `  return {
    secret,`,
        replace: `  const issued = new Map<string, number[]>();
  return {
    secret,`,
      },
      {
        file: 'tokens.ts',
        find: '      const exp = Math.floor(now() / 1000) + dialect.tokenSeconds;',
        replace: `      const exp = Math.floor(now() / 1000) + dialect.tokenSeconds;
      issued.set(party, [...(issued.get(party) ?? []), exp]);`,
      },
      {
        file: 'tokens.ts',
        find: "        return claims.exp * 1000 <= now() ? 'expired' : claims;",
        replace: `        if (claims.exp * 1000 <= now()) return 'expired';
        const isReplaced = (exp: number): boolean =>
          exp > claims.exp && (exp - dialect.tokenSeconds + 300) * 1000 <= now();
        return issued.get(claims.sub)?.some(isReplaced) ? 'bad' : claims;`,
      },
    ],
  },
  {
    id: 'custodian-loses-participant',
    part: '2.7',
    breaks:
      'GET /whoami gives a custodian null as participant_id, not a string, once the backend has run for twenty minutes.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  const begun = clock.now();`,
      },
      {
        file: 'server.ts',
        find: '        participant_id: dialect.participantId,',
        replace: `        participant_id:
          member.role === 'custodian' && clock.now() - begun > 1_200_000
            ? null
            : dialect.participantId,`,
      },
    ],
  },
  {
    id: 'old-quotes-outside-the-filter',
    part: '4.4',
    breaks:
      'GET /quotes with a status leaves out quotes that were submitted more than ten minutes ago; without one it lists them.',
    patches: [
      {
        file: 'server.ts',
        find: '(item) => item.status === wanted && isMine(item));',
        replace: `(item) => {
      const at = 'until' in item && 'at' in item ? Number(item.at) : clock.now();
      return clock.now() - at <= 600_000 && item.status === wanted && isMine(item);
    });`,
      },
    ],
  },
  {
    id: 'stats-envelope-from-cache',
    part: '2.1',
    breaks:
      'GET /dashboard/stats repeats the whole answer of up to four minutes ago, with its meta.timestamp, which is to be the time of the response.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  const kept = new Map<string, { at: number; body: unknown }>();`,
      },
      {
        file: 'server.ts',
        find: stats,
        replace: `    {
      const at = clock.now();
      const before = kept.get(member.key);
      if (before && at - before.at < 240_000) return send(response, 200, before.body);
      const meta = { request_id: \`s-\${at}\`, timestamp: book.moment(at) };
      const body = { meta, data: { totals: { seen: book.size } } };
      kept.set(member.key, { at, body });
      return send(response, 200, body);
    }`,
      },
    ],
  },
  {
    id: 'stats-fail-during-settlement',
    part: '4.1',
    breaks:
      'GET /dashboard/stats answers 500 to an institution or custodian while one of its orders is EXECUTING.',
    patches: [
      {
        file: 'server.ts',
        find: stats,
        replace: `    {
      const own = book.ofParty.get(member.party) ?? [];
      if (own.some(({ status }) => status === 'EXECUTING')) return refuse(response, 500, 'volume');
      return item(response, 200, { totals: { seen: book.size } });
    }`,
      },
    ],
  },
  {
    id: 'receiver-custodian-loses-unsettled',
    part: '1.4',
    breaks:
      'GET /orders/{id} refuses an order to its receiver custodian once it is over without a settlement.',
    patches: [
      {
        file: 'server.ts',
        find: '    const side = sideOf(member, found);',
        replace: `    const side = sideOf(member, found);
    const isLost = ['EXPIRED', 'FAILED'].includes(found.status);
    if (side === 'receiver' && reads && !what && isLost) throw new Refusal('foreign', 'not_yours');`,
      },
    ],
  },
  {
    id: 'identity-sticks-to-connection',
    part: '2.7',
    breaks:
      'GET /whoami gives the party_id of whoever used the same TCP connection first, with the role of the caller.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  const firstOn = new WeakMap<object, string>();`,
      },
      {
        file: 'server.ts',
        find: "    if (rest[0] !== 'api' || rest[1] !== 'v1') throw new Refusal('missing', 'path');",
        replace: `    if (!firstOn.has(request.socket)) firstOn.set(request.socket, member.party);
    if (rest[0] !== 'api' || rest[1] !== 'v1') throw new Refusal('missing', 'path');`,
      },
      {
        file: 'server.ts',
        find: '        party_id: member.party,\n        operator_party_id',
        replace: '        party_id: firstOn.get(request.socket),\n        operator_party_id',
      },
    ],
  },
  {
    id: 'early-look-hides-settlement',
    part: '4.4',
    breaks:
      'GET /settlements/{id} goes on finding nothing for five minutes if its winner asked for it before it had settled.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  const missed = new Map<string, number>();`,
      },
      {
        file: 'server.ts',
        find: "      if (!one) throw new Refusal('missing', 'no_settlement');",
        replace: `      const asked = \`\${member.key} \${id.toLowerCase()}\`;
      if (!one) missed.set(asked, clock.now());
      if (!one || clock.now() - (missed.get(asked) ?? 0) < 300_000)
        throw new Refusal('missing', 'no_settlement');`,
      },
    ],
  },
  {
    id: 'submissions-answered-crosswise',
    part: '2.3',
    breaks:
      'Of two quotes that are submitted at once both are answered with the later one: its quote_id, intent_id and fx_rate.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  let latest: Quote | undefined;`,
      },
      {
        file: 'server.ts',
        find: "    item(response, defect === 'submit-answers-200' ? 200 : 201, book.quoteView(quote, false));",
        replace: `    latest = quote;
    setTimeout(() => item(response, 201, book.quoteView(latest ?? quote, false)), 5);`,
      },
    ],
  },
];
