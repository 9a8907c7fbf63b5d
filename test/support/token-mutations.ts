import { createHmac } from 'node:crypto';
import { authChecks } from '../../conformance/5-authentication/index.ts';
import { tokenLifetimeChecks } from '../../conformance/5-authentication/tokens.ts';
import { schemaVersionChecks } from '../../conformance/base-urls-and-envelopes.ts';
import { type How, ranOn } from './tampered.ts';
import type { Tamper } from '../../src/reference/http/index.ts';

/** Runs checks of tokens (all or `only`) and all rules on a tampered reference. */
export const ranWith = (
  tamper: Tamper,
  { only = [], prepare }: Pick<How, 'only' | 'prepare'> = {},
) =>
  ranOn([...authChecks, ...tokenLifetimeChecks, ...schemaVersionChecks], { tamper, only, prepare });

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

/**
 * Accepts every HS256 token, except those signed with secrets that are no key: only a public key
 * used as a secret is left.
 */
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
