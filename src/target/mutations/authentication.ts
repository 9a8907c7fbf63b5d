import type { AdmissionContext, Tamper, TokenRefusal } from '../../server/index.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import type { Written } from './mutation.ts';
import { answers, type Json } from './tools.ts';

type Decided = 'admitted' | TokenRefusal;

const gate =
  (admits: (decided: Decided, context: AdmissionContext) => boolean | undefined) => (): Tamper => ({
    admits,
  });

/** Lets one kind of refused token pass at some endpoints. */
const lenient = (refusal: TokenRefusal, ...where: readonly EndpointName[]) =>
  gate((decided, { endpoint }) =>
    decided === refusal && endpoint !== undefined && where.includes(endpoint) ? true : undefined,
  );

const unguarded =
  (...where: readonly EndpointName[]) =>
  (): Tamper => ({ authRequired: (endpoint) => (where.includes(endpoint) ? false : undefined) });

const part = (authorization: string | undefined, index: number): Json | undefined => {
  try {
    const text = atob((authorization ?? '').split('.')[index]?.split(' ').pop() ?? '');
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

const header = (authorization: string | undefined): Json | undefined =>
  part((authorization ?? '').split(' ').pop(), 0);

const claims =
  (change: (claims: Json, role: string) => Record<string, unknown>, ...skip: readonly string[]) =>
  (): Tamper => ({
    claims: (own) => change(own, String(own.role)),
    verify: { skip: skip as never },
  });

/** Tokens: whether they are wanted, what they say, how long they are good (part 5). */
export const authenticationMutations: readonly Written[] = [
  {
    id: 'stats-without-token',
    breaks: ['auth.stats.read.token-required'],
    summary: 'The dashboard stats need no token.',
    tamper: unguarded('stats.read'),
  },
  {
    id: 'whoami-without-token',
    breaks: ['auth.identity.read.token-required'],
    summary: 'whoami needs no token, as it only confirms who the backend is.',
    tamper: unguarded('identity.read'),
  },
  {
    id: 'order-stream-without-token',
    breaks: ['auth.order.events.token-required'],
    summary: 'The order stream opens without a token, since browsers cannot send one.',
    tamper: lenient('token_missing', 'order.events'),
  },
  {
    id: 'maker-stream-without-token',
    breaks: ['auth.maker.events.token-required'],
    summary: 'The stream of market makers opens without a token.',
    tamper: lenient('token_missing', 'maker.events'),
  },
  {
    id: 'request-list-without-token',
    breaks: ['auth.rfq.list.token-required'],
    summary: 'The list of requests is public, being anonymized.',
    tamper: unguarded('rfq.list'),
  },
  {
    id: 'request-read-without-token',
    breaks: ['auth.rfq.read.token-required'],
    summary: 'A single request is public, being anonymized.',
    tamper: unguarded('rfq.read'),
  },
  {
    id: 'settlement-read-without-token',
    breaks: ['auth.settlement.read.token-required'],
    summary: 'A settlement can be read without a token by whoever knows its id.',
    tamper: unguarded('settlement.read'),
  },
  {
    id: 'orders-below-an-id-without-token',
    breaks: ['auth.order.read.token-required', 'auth.order.quotes.token-required'],
    summary: 'Whoever knows the id of an order needs no token to read it and its quotes.',
    tamper: unguarded('order.read', 'order.quotes'),
  },
  {
    id: 'cancel-without-token',
    breaks: ['auth.order.cancel.token-required'],
    summary: 'A cancel needs no token.',
    tamper: unguarded('order.cancel'),
  },
  {
    id: 'accept-without-token',
    breaks: ['auth.quote.accept.token-required'],
    summary: 'An acceptance needs no token.',
    tamper: unguarded('quote.accept'),
  },
  {
    id: 'proposal-without-token',
    breaks: ['auth.proposal.accept.token-required'],
    summary: 'Accepting a proposal needs no token.',
    tamper: unguarded('proposal.accept'),
  },
  {
    id: 'creation-without-token',
    breaks: ['auth.order.create.token-required'],
    summary: 'Creating an order needs no token.',
    tamper: unguarded('order.create'),
  },
  {
    id: 'submission-without-token',
    breaks: ['auth.quote.submit.token-required'],
    summary: 'Submitting a quote needs no token.',
    tamper: unguarded('quote.submit'),
  },
  {
    id: 'lists-of-makers-without-token',
    breaks: [
      'auth.quote.list.token-required',
      'auth.rfq.quotes.token-required',
      'auth.settlement.list.token-required',
    ],
    summary: 'The lists of market makers need no token.',
    tamper: unguarded('quote.list', 'rfq.quotes', 'settlement.list'),
  },
  {
    id: 'order-list-without-token',
    breaks: ['auth.order.list.token-required'],
    summary: 'The list of orders of an institution needs no token.',
    tamper: gate((decided, { endpoint, party }) =>
      decided === 'token_missing' && endpoint === 'order.list' && party?.role === 'institution'
        ? true
        : undefined,
    ),
  },
  {
    id: 'expired-token-on-streams',
    breaks: ['auth.stream.bad-token-refused', 'auth.expired-token-401'],
    summary: 'Streams open for expired tokens.',
    tamper: lenient('token_expired', 'order.events', 'maker.events'),
  },
  {
    id: 'expired-token-on-one-read',
    breaks: ['auth.expired-token-401'],
    summary: 'A single settlement is read with an expired token.',
    tamper: lenient('token_expired', 'settlement.read'),
  },
  {
    id: 'expired-token-for-writes',
    breaks: ['auth.expired-token-401'],
    summary: 'Orders are created and cancelled with expired tokens.',
    tamper: lenient('token_expired', 'order.create', 'order.cancel'),
  },
  {
    id: 'expired-token-for-custodians',
    breaks: ['auth.expired-token-401'],
    summary: 'The backends of custodians do not look at the expiry.',
    tamper: gate((decided, { party }) =>
      decided === 'token_expired' && party?.role === 'custodian' ? true : undefined,
    ),
  },
  {
    id: 'expired-token-with-leeway',
    breaks: ['auth.expired-token-401'],
    summary: 'A token is good for a minute beyond its expiry.',
    tamper: gate((decided, { authorization, now }) => {
      const expiry = Number(part(authorization, 1)?.exp) * 1000;
      return decided === 'token_expired' && now < expiry + 60_000 ? true : undefined;
    }),
  },
  {
    id: 'expired-token-answered-403',
    breaks: ['auth.expired-token-401'],
    summary: 'An expired token is answered with 403.',
    tamper: () => ({
      response: (wire) =>
        (wire.body as Json | undefined)?.code === 'token_expired' ? { ...wire, status: 403 } : wire,
    }),
  },
  {
    id: 'expired-token-answered-400-for-submissions',
    breaks: ['auth.expired-token-401'],
    summary: 'A quote submitted with an expired token is answered with 400.',
    tamper: answers('quote.submit', (wire) =>
      (wire.body as Json | undefined)?.code === 'token_expired' ? { ...wire, status: 400 } : wire,
    ),
  },
  {
    id: 'tokens-end-early',
    breaks: ['auth.token-lasts-until-expiry'],
    summary: 'A token is refused five minutes before it expires.',
    tamper: gate((decided, { authorization, now }) => {
      const expiry = Number(part(authorization, 1)?.exp) * 1000;
      return decided === 'admitted' && now > expiry - 300_000 ? false : undefined;
    }),
  },
  {
    id: 'new-token-ends-the-old',
    breaks: ['auth.token-lasts-until-expiry', 'auth.new-token-before-expiry'],
    summary: 'The token that a market maker had before is refused once it has a new one.',
    tamper: () => ({
      admits: (decided, { party, authorization, memory }) => {
        if (party?.role !== 'market-maker' || decided !== 'admitted') return undefined;
        const latest = memory.get(party.partyId) as number | undefined;
        const expiry = Number(part(authorization, 1)?.exp);
        if (latest === undefined || expiry >= latest) {
          memory.set(party.partyId, expiry);
          return undefined;
        }
        return false;
      },
    }),
  },
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
    id: 'expiry-claim-with-fraction',
    breaks: ['claim.exp.form'],
    summary: 'exp has a fraction of a second.',
    tamper: claims((own) => ({ ...own, exp: Number(own.exp) + 0.5 })),
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
