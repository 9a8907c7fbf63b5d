import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { authChecks } from '../../conformance/5-authentication/index.ts';
import { tokenLifetimeChecks } from '../../conformance/5-authentication/tokens.ts';
import { schemaVersionChecks } from '../../conformance/base-urls-and-envelopes.ts';
import { allRules } from '../../src/oracle/index.ts';
import { random } from '../../src/random/random.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { runChecks } from '../../src/suite/engine/run-checks.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

/** What checks and rules find where tokens are tampered with: each outcome with its requirement. */
export async function failures(tamper: Tamper, only?: string): Promise<readonly string[]> {
  const { checks, rules } = await ran(tamper, only);
  const found = [...checks, ...rules].flatMap(({ failures }) => failures);
  return [...new Set(found.map(({ requirement, outcome }) => `${outcome} ${requirement}`))];
}

/** The checks of tokens, or some of them, on a reference that is tampered with. */
export async function ran(tamper: Tamper, only?: string) {
  const target = await openEmbedded({ seed: 5n, tamper });
  try {
    const run = await runChecks({
      target,
      checks: [...authChecks, ...tokenLifetimeChecks, ...schemaVersionChecks],
      rules: allRules,
      options: { random: random(5n), ...(only !== undefined && { only: [only] }) },
    });
    expect(run.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    return run;
  } finally {
    await target.close();
  }
}

const expiredAs = (status: number, where: string): Tamper => ({
  response: (wire, { endpoint }) =>
    endpoint === where && JSON.stringify(wire.body ?? null).includes('token_expired')
      ? { ...wire, status }
      : wire,
});

const whoami = (changes: Readonly<Record<string, unknown>>): Tamper => ({
  response(wire, { endpoint, party }) {
    if (endpoint !== 'identity.read' || party?.role !== 'custodian') return wire;
    const body = wire.body as { readonly data?: object };
    return body.data ? { ...wire, body: { ...body, data: { ...body.data, ...changes } } } : wire;
  },
});

/** Takes every token of HS256 but those under the secrets that are no key: what is left is the public key's. */
const takesPublicKeyAsSecret: Tamper = {
  admits(decided, { authorization }) {
    const [head = '', payload = '', signature = ''] =
      authorization?.split(' ')[1]?.split('.') ?? [];
    const isOfHmac = Buffer.from(head, 'base64url').toString().includes('HS256');
    const known = ['secret', ''].map((secret) =>
      createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url'),
    );
    return decided === 'token_invalid' && isOfHmac && !known.includes(signature) ? true : undefined;
  },
};

/** Checks, what they must find broken, and by what. */
export const tokenMutations: readonly (readonly [
  only: string,
  requirement: string,
  tamper: Tamper,
])[] = [
  ['auth.every-forgery*', 'auth.unsigned-token-refused', { verify: { skip: ['algorithm'] } }],
  ['auth.every-forgery*', 'auth.foreign-key-refused', { verify: { skip: ['signature'] } }],
  ['auth.every-forgery*', 'auth.foreign-key-refused', takesPublicKeyAsSecret],
  ['auth.wrong-claims*', 'auth.wrong-audience-refused', { verify: { skip: ['audience'] } }],
  ['auth.expired.waited*', 'auth.expired-token-401', { verify: { skip: ['expiry'] } }],
  ['auth.expired.waited*', 'auth.expired-token-401', expiredAs(403, 'quote.submit')],
  ['auth.expired.minted*', 'auth.expired-token-401', expiredAs(400, 'settlement.read')],
  ['auth.expired.minted*', 'auth.expired-token-401', expiredAs(403, 'maker.events')],
  [
    'auth.token-required*',
    'auth.rfq.quotes.token-required',
    { authRequired: (endpoint) => (endpoint === 'rfq.quotes' ? false : undefined) },
  ],
  [
    'auth.token-required*',
    'auth.stream.bad-token-refused',
    { authRequired: (endpoint) => (endpoint === 'maker.events' ? false : undefined) },
  ],
  ['auth.self*', 'identity.role.as-token', whoami({ role: 'institution' })],
  ['version*', 'version.schema-pinned', whoami({ schema_version: 'v3' })],
  [
    'limit*',
    'token.exp-matches-expires-in',
    { claims: (claims) => ({ ...claims, exp: Number(claims['exp']) * 1_000 }) },
  ],
];
