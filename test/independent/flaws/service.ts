import type { Flaw } from './flaw.ts';

const office = '  const office = tokenIssuerOf(dialect, () => clock.now(), defect);';
const schemaVersion = "        schema_version: defect === 'whoami-v3' ? 'v3' : 'v2',";

/** Tokens, health, identity and refusals. */
export const serviceFlaws: readonly Flaw[] = [
  {
    id: 'health-lapses-with-first-token',
    part: '5.1',
    breaks:
      'GET /health is refused, with or without a token, once the service has run for longer than a token lasts.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  const ownToken = office.issue('service', 'custodian');`,
      },
      {
        file: 'server.ts',
        find: "    if (path === 'health' && method === 'GET') {",
        replace: `    if (path === 'health' && method === 'GET') {
      if (office.check(ownToken) === 'expired') return refuse(response, 401, 'expired');`,
      },
    ],
  },
  {
    id: 'token-served-again-for-ten-minutes',
    part: '2.6',
    breaks:
      'POST /auth/token gives a token again that it gave before; its expires_in is that of a new one, the exp of the token is earlier.',
    patches: [
      {
        file: 'tokens.ts',
        find: `  return {
    secret,`,
        replace: `  const kept = new Map<string, { token: string; at: number }>();
  return {
    secret,`,
      },
      {
        file: 'tokens.ts',
        find: '    issue(party: string, role: string): string {',
        replace: `    issue(party: string, role: string): string {
      const before = kept.get(party);
      if (before && now() - before.at < 600_000) return before.token;`,
      },
      {
        file: 'tokens.ts',
        find: '      return `${text}.${sign(text)}`;',
        replace: `      const token = \`\${text}.\${sign(text)}\`;
      kept.set(party, { token, at: now() });
      return token;`,
      },
    ],
  },
  {
    id: 'makers-expired-token-lasts-a-minute',
    part: '5.4',
    breaks: 'An expired token of a market maker is good for another minute.',
    patches: [
      {
        file: 'tokens.ts',
        find: "        return claims.exp * 1000 <= now() ? 'expired' : claims;",
        replace: `        const grace = claims.role === 'market-maker' ? 60 : 0;
        return (claims.exp + grace) * 1000 <= now() ? 'expired' : claims;`,
      },
    ],
  },
  {
    id: 'known-signature-passes',
    part: '5.3',
    breaks:
      'A token with changed claims is taken if its signature is that of a true token used before: another party, or a later exp.',
    patches: [
      {
        file: 'tokens.ts',
        find: `  return {
    secret,`,
        replace: `  const verified = new Set<string>();
  return {
    secret,`,
      },
      {
        file: 'tokens.ts',
        find: "          if (!signed(`${head}.${body}`, signature)) return 'bad';",
        replace: `          if (!verified.has(signature) && !signed(\`\${head}.\${body}\`, signature)) return 'bad';
          verified.add(signature);`,
      },
    ],
  },
  {
    id: 'role-checked-before-expiry',
    part: '7.1',
    breaks:
      'An expired token on a path of another role is refused for the role (400 or 403), not with 401.',
    patches: [
      {
        file: 'server.ts',
        find: "    if (claims === 'expired')\n",
        replace: `    const isMaker = member.role === 'market-maker';
    const others = isMaker ? ['orders'] : ['quote-requests', 'quotes', 'settlements', 'events'];
    if (claims === 'expired' && others.includes(rest[2] ?? ''))
      throw new Refusal('role', 'wrong_role');
    if (claims === 'expired')
`,
      },
    ],
  },
  {
    id: 'refused-cancel-rewrites-reason',
    part: '7.2',
    breaks:
      'A cancel of an expired order is refused, and yet GET /orders/{id} gives USER_CANCELLED as the reason from then on.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    if (!open.includes(order.status)) throw new Refusal('state', 'too_late');",
        replace: `    if (!open.includes(order.status)) {
      if (order.status === 'EXPIRED') order.reason = 'USER_CANCELLED';
      throw new Refusal('state', 'too_late');
    }`,
      },
    ],
  },
  {
    id: 'broken-json-answered-in-html',
    part: 'preface',
    breaks: 'A POST whose body is not JSON is refused with a page of HTML, where bodies are JSON.',
    patches: [
      {
        file: 'answers.ts',
        find: '    const { type, text } = dialect.errorBody(status, code);',
        replace: `    const { type, text } =
      code === 'not_json'
        ? { type: 'text/html', text: '<html><h1>Bad Request</h1></html>' }
        : dialect.errorBody(status, code);`,
      },
    ],
  },
  {
    id: 'version-lost-after-an-hour',
    part: '9.2',
    breaks: 'GET /whoami has 2 as schema_version when the backend has run for an hour, not v2.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  const begun = clock.now();`,
      },
      {
        file: 'server.ts',
        find: schemaVersion,
        replace: "        schema_version: clock.now() - begun > 3_600_000 ? '2' : 'v2',",
      },
    ],
  },
  {
    id: 'every-third-identity-is-old',
    part: '9.2',
    breaks: 'Every third answer of GET /whoami comes from an older build and has v1.',
    patches: [
      {
        file: 'server.ts',
        find: office,
        replace: `${office}
  let asked = 0;`,
      },
      {
        file: 'server.ts',
        find: schemaVersion,
        replace: "        schema_version: (asked += 1) % 3 === 0 ? 'v1' : 'v2',",
      },
    ],
  },
];
