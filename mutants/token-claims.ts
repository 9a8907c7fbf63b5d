import type { Tamper } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { gate, lenient, part } from './token-tools.ts';
import type { Json } from './tools.ts';

const header = (authorization: string | undefined): Json | undefined =>
  part((authorization ?? '').split(' ').pop(), 0);

const claims =
  (change: (claims: Json, role: string) => Record<string, unknown>, ...skip: readonly string[]) =>
  (): Tamper => ({
    claims: (own) => change(own, String(own.role)),
    verify: { skip: skip as never },
  });

/** Tokens: what is looked at in them, and what they say (5.1, 5.3). */
export const claimMutations: readonly Written[] = [
  {
    id: 'unsigned-token-admitted',
    breaks: ['auth.unsigned-token-refused'],
    summary: 'A token with the algorithm none is admitted at whoami.',
    tamper: gate((decided, { endpoint, authorization }) =>
      decided === 'token_invalid' &&
      endpoint === 'identity.read' &&
      String(header(authorization)?.alg).toLowerCase() === 'none'
        ? true
        : undefined,
    ),
  },
  {
    id: 'unsigned-token-admitted-everywhere',
    breaks: ['auth.unsigned-token-refused'],
    summary: 'The algorithm of a token is taken from its header, none included.',
    tamper: gate((decided, { authorization }) =>
      decided === 'token_invalid' && String(header(authorization)?.alg).toLowerCase() === 'none'
        ? true
        : undefined,
    ),
  },
  {
    id: 'issuer-in-any-letters',
    breaks: ['auth.wrong-issuer-refused'],
    summary: 'The issuer is compared without regard to capitals.',
    tamper: gate((decided, { authorization, now }) => {
      const { iss, exp } = part(authorization, 1) ?? {};
      const isAlike = iss !== 'svc' && String(iss).toLowerCase() === 'svc';
      return decided === 'token_invalid' && isAlike && Number(exp) * 1000 > now ? true : undefined;
    }),
  },
  {
    id: 'audience-compared-by-its-beginning',
    breaks: ['auth.wrong-audience-refused'],
    summary: 'An audience will do that begins like the right one.',
    tamper: gate((decided, { authorization, now }) => {
      const { aud, exp } = part(authorization, 1) ?? {};
      const isAlike = aud !== 'svc-api' && String(aud).startsWith('svc-api');
      return decided === 'token_invalid' && isAlike && Number(exp) * 1000 > now ? true : undefined;
    }),
  },
  {
    id: 'word-for-no-token-is-one',
    breaks: ['auth.malformed-token-refused'],
    summary: 'A bearer header with nothing in it, or with the word for nothing, counts as a token.',
    tamper: gate((_, { authorization }) =>
      /^bearer\s*(null|undefined)?$/i.test(authorization ?? '') ? true : undefined,
    ),
  },
  {
    id: 'signature-not-checked-for-makers',
    breaks: ['auth.forged-signature-refused', 'auth.altered-claims-refused'],
    summary: 'The backends of market makers decode tokens without verifying them.',
    tamper: gate((decided, { party, authorization, now }) => {
      const claimed = part(authorization, 1);
      return decided === 'token_invalid' &&
        party?.role === 'market-maker' &&
        claimed?.sub === party.partyId &&
        Number(claimed.exp) * 1000 > now
        ? true
        : undefined;
    }),
  },
  {
    id: 'signature-not-checked',
    breaks: ['auth.foreign-key-refused', 'auth.forged-signature-refused'],
    summary: 'The signature of a token is not checked.',
    tamper: () => ({ verify: { skip: ['signature'] } }),
  },
  {
    id: 'issuer-unchecked',
    breaks: ['auth.wrong-issuer-refused'],
    summary: 'Any issuer will do.',
    tamper: () => ({ verify: { skip: ['issuer'] } }),
  },
  {
    id: 'audience-unchecked',
    breaks: ['auth.wrong-audience-refused'],
    summary: 'Any audience will do.',
    tamper: () => ({ verify: { skip: ['audience'] } }),
  },
  {
    id: 'audience-of-quotes-unchecked',
    breaks: ['auth.wrong-audience-refused'],
    summary: 'Who submits a quote needs a token for any audience.',
    tamper: gate((decided, { endpoint, authorization, party }) => {
      const claimed = part(authorization, 1);
      return decided === 'token_invalid' &&
        endpoint === 'quote.submit' &&
        claimed?.sub === party?.partyId &&
        claimed?.iss === 'svc' &&
        claimed.role === party?.role &&
        claimed.aud !== 'svc-api'
        ? true
        : undefined;
    }),
  },
  {
    id: 'issuer-of-acceptances-unchecked',
    breaks: ['auth.wrong-issuer-refused'],
    summary: 'The issuer of a token makes no difference to an acceptance.',
    tamper: gate((decided, { endpoint, authorization, party }) => {
      const claimed = part(authorization, 1);
      return decided === 'token_invalid' &&
        endpoint === 'quote.accept' &&
        claimed?.sub === party?.partyId &&
        claimed?.aud === 'svc-api' &&
        claimed.role === party?.role &&
        claimed.iss !== 'svc'
        ? true
        : undefined;
    }),
  },
  {
    id: 'role-claim-unchecked',
    breaks: ['auth.no-role-refused', 'auth.unknown-role-refused'],
    summary: 'The role that a token claims is not looked at.',
    tamper: () => ({ verify: { skip: ['role'] } }),
  },
  {
    id: 'expiry-claim-optional',
    breaks: ['auth.no-expiry-refused'],
    summary: 'A token without an expiry is good for ever.',
    tamper: gate((decided, { authorization, party }) => {
      const claimed = part(authorization, 1);
      return decided === 'token_invalid' &&
        claimed?.sub === party?.partyId &&
        claimed?.role === party?.role &&
        claimed?.iss === 'svc' &&
        claimed?.aud === 'svc-api' &&
        claimed.exp === undefined
        ? true
        : undefined;
    }),
  },
  {
    id: 'garbage-token-on-streams',
    breaks: ['auth.stream.bad-token-refused'],
    summary: 'The order stream wants a bearer header and does not look at what is in it.',
    tamper: lenient('token_invalid', 'order.events'),
  },
  {
    id: 'basic-scheme-is-fine',
    breaks: ['auth.other-scheme-refused'],
    summary: 'The scheme of the authorization header is not looked at.',
    tamper: gate((decided, { authorization, party, now }) => {
      const claimed = part(authorization, 1);
      return decided === 'token_invalid' &&
        !/^bearer /i.test(authorization ?? '') &&
        claimed?.sub === party?.partyId &&
        Number(claimed?.exp) * 1000 > now
        ? true
        : undefined;
    }),
  },
  {
    id: 'no-jwt-counts-as-one',
    breaks: ['auth.malformed-token-refused'],
    summary: 'What is no JWT counts as the token of the backend itself.',
    tamper: gate((decided, { authorization }) =>
      decided === 'token_invalid' && (authorization ?? '').split('.').length !== 3
        ? true
        : undefined,
    ),
  },
  {
    id: 'issuer-is-a-url',
    breaks: ['claim.iss.fixed'],
    summary: 'Tokens are issued by https://svc.',
    tamper: claims((own) => ({ ...own, iss: 'https://svc' }), 'issuer'),
  },
  {
    id: 'no-issuer-for-custodians',
    breaks: ['claim.iss.present'],
    summary: 'Tokens of custodians name no issuer.',
    tamper: claims(
      (own, role) => (role === 'custodian' ? leftOut(own, 'iss') : { ...own }),
      'issuer',
    ),
  },
  {
    id: 'audience-of-makers-differs',
    breaks: ['claim.aud.fixed'],
    summary: 'Tokens of market makers are for svc-mm-api.',
    tamper: claims(
      (own, role) => (role === 'market-maker' ? { ...own, aud: 'svc-mm-api' } : { ...own }),
      'audience',
    ),
  },
  {
    id: 'no-audience',
    breaks: ['claim.aud.present'],
    summary: 'Tokens name no audience.',
    tamper: claims((own) => leftOut(own, 'aud'), 'audience'),
  },
  {
    id: 'subject-without-namespace',
    breaks: ['claim.sub.form', 'claim.canton-party-id.same-as-sub'],
    summary: 'sub is the bare name of the party.',
    tamper: claims((own) => ({ ...own, sub: String(own.sub).split('::')[0] }), 'subject'),
  },
  {
    id: 'no-ledger-party-claim',
    breaks: ['claim.canton-party-id.present'],
    summary: 'Tokens do not repeat the party as canton_party_id.',
    tamper: claims((own) => leftOut(own, 'canton_party_id'), 'subject'),
  },
  {
    id: 'no-subject-for-makers',
    breaks: ['claim.sub.present'],
    summary: 'Tokens of market makers have no sub.',
    tamper: claims(
      (own, role) => (role === 'market-maker' ? leftOut(own, 'sub') : { ...own }),
      'subject',
    ),
  },
  {
    id: 'role-claim-capitalized',
    breaks: ['claim.role.form'],
    summary: 'The role of an institution is capitalized in its token.',
    tamper: claims(
      (own, role) => (role === 'institution' ? { ...own, role: 'Institution' } : { ...own }),
      'role',
    ),
  },
  {
    id: 'roles-claim-in-place-of-role',
    breaks: ['claim.role.present'],
    summary: 'A token carries a list of roles in place of the role.',
    tamper: claims((own) => ({ ...leftOut(own, 'role'), roles: [own.role] }), 'role'),
  },
  {
    id: 'expiry-claim-as-text',
    breaks: ['claim.exp.form'],
    summary: 'exp is a string of digits.',
    tamper: claims((own) => ({ ...own, exp: String(own.exp) })),
  },
  {
    id: 'expiry-claim-in-milliseconds',
    breaks: ['token.exp-matches-expires-in', 'auth.expired-token-401'],
    summary: 'exp is in milliseconds.',
    tamper: claims((own) => ({ ...own, exp: Number(own.exp) * 1000 })),
  },
  {
    id: 'expiry-claim-ten-minutes-off',
    breaks: ['token.exp-matches-expires-in'],
    summary: 'Tokens of custodians expire ten minutes before they are said to.',
    tamper: claims((own, role) =>
      role === 'custodian' ? { ...own, exp: Number(own.exp) - 600 } : { ...own },
    ),
  },
];

function leftOut(own: Json, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = own;
  return rest;
}
