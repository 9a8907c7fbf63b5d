import type { AdmissionContext, WireAnswer } from '../src/reference/http/index.ts';
import { type EndpointName, endpoints } from '../src/spec/endpoints.ts';
import type { RequirementId } from '../src/spec/requirements/index.ts';
import { byMaker } from './defects/stored.ts';
import { part } from './defects/reading.ts';
import type { Json } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const expiryOf = ({ authorization }: AdmissionContext): number =>
  Number(part(authorization, 1)?.exp) * 1000;

const isExpired = ({ body }: WireAnswer): boolean =>
  (body as Json | undefined)?.code === 'token_expired';

/** An endpoint that wants no token. */
const unguarded = (id: string, endpoint: EndpointName): Written =>
  mutation(id, `auth.${endpoint}.token-required` as RequirementId)
    .summary(`The endpoint ${endpoint} answers without a token.`)
    .unguarded(endpoint);

const isUnsigned = (authorization: string | undefined): boolean =>
  String(part((authorization ?? '').split(' ').pop(), 0)?.alg).toLowerCase() === 'none';

const claimed = ({ authorization }: AdmissionContext): Json => part(authorization, 1) ?? {};

/** True if the subject and the role of a token are those of its party. */
const isOwn = (context: AdmissionContext): boolean => {
  const { sub, role } = claimed(context);
  return sub === context.party?.partyId && role === context.party?.role;
};

/** Tokens (part 5). */
export const authenticationMutations: readonly Written[] = [
  // Defects in tokens: whether they are required, and how long they are valid (5.1, 5.2, 5.4).
  unguarded('stats-without-token', 'stats.read'),
  unguarded('whoami-without-token', 'identity.read'),
  mutation('order-stream-without-token', 'auth.order.events.token-required')
    .summary('The order stream opens without a token, since browsers cannot send one.')
    .lenient('token_missing', 'order.events'),
  mutation('maker-stream-without-token', 'auth.maker.events.token-required')
    .summary('The stream of market makers opens without a token.')
    .lenient('token_missing', 'maker.events'),
  unguarded('request-list-without-token', 'rfq.list'),
  unguarded('request-read-without-token', 'rfq.read'),
  unguarded('settlement-read-without-token', 'settlement.read'),
  mutation('orders-below-an-id-without-token', 'auth.order.read.token-required')
    .also('auth.order.quotes.token-required')
    .summary('Whoever knows the id of an order needs no token to read it and its quotes.')
    .unguarded('order.read', 'order.quotes'),
  unguarded('cancel-without-token', 'order.cancel'),
  unguarded('accept-without-token', 'quote.accept'),
  unguarded('proposal-without-token', 'proposal.accept'),
  unguarded('creation-without-token', 'order.create'),
  unguarded('submission-without-token', 'quote.submit'),
  mutation('lists-of-makers-without-token', 'auth.quote.list.token-required')
    .also('auth.rfq.quotes.token-required', 'auth.settlement.list.token-required')
    .summary('The lists of market makers need no token.')
    .unguarded('quote.list', 'rfq.quotes', 'settlement.list'),
  mutation('order-list-without-token', 'auth.order.list.token-required')
    .summary('The list of orders of an institution needs no token.')
    .pass('token_missing', ({ endpoint, party }) => {
      return endpoint === 'order.list' && party?.role === 'institution';
    }),
  mutation('expired-token-on-streams', 'auth.stream.bad-token-refused', 'auth.expired-token-401')
    .summary('Streams open for expired tokens.')
    .lenient('token_expired', 'order.events', 'maker.events'),
  mutation('expired-token-on-one-read', 'auth.expired-token-401')
    .summary('A single settlement is read with an expired token.')
    .lenient('token_expired', 'settlement.read'),
  mutation('expired-token-for-writes', 'auth.expired-token-401')
    .summary('Orders are created and cancelled with expired tokens.')
    .lenient('token_expired', 'order.create', 'order.cancel'),
  mutation('expired-token-for-custodians', 'auth.expired-token-401')
    .summary('The backends of custodians do not look at the expiry.')
    .pass('token_expired', ({ party }) => party?.role === 'custodian'),
  mutation('expired-token-with-leeway', 'auth.expired-token-401')
    .summary('A token is good for a minute beyond its expiry.')
    .pass('token_expired', (context) => context.now < expiryOf(context) + 60_000),
  mutation('expired-token-with-short-leeway', 'auth.expired-token-401')
    .summary('A token is good for five seconds beyond its expiry.')
    .pass('token_expired', (context) => context.now < expiryOf(context) + 5_000),
  mutation('expired-token-answered-403', 'auth.expired-token-401')
    .summary('An expired token is answered with 403.')
    .response((wire) => (isExpired(wire) ? { ...wire, status: 403 } : wire)),
  mutation('expired-token-answered-400-for-submissions', 'auth.expired-token-401')
    .summary('A quote submitted with an expired token is answered with 400.')
    .setAnswer('quote.submit', (wire) => isExpired(wire) && { status: 400 }),
  mutation('expired-token-after-filters', 'auth.expired-token-401')
    .summary('A list that is asked for by status is refused with 400 where the token has expired.')
    .setAnswer(['order.list', 'quote.list'], (wire, { query }) => {
      return isExpired(wire) && query.status !== undefined && { status: 400 };
    }),
  mutation('expired-token-after-bad-filters', 'auth.expired-token-401')
    .summary('A filter that is no state is refused with 400 before the token is looked at.')
    .setAnswer(['order.list', 'quote.list'], (wire, { query }) => {
      return isExpired(wire) && query.status === 'LOST' && { status: 400 };
    }),
  mutation('requests-remember-good-tokens', 'auth.expired-token-401')
    .summary('The service of requests takes a token for a minute after it took it before.')
    .gate((decided, { authorization, endpoint, memory, now }) => {
      if (endpoint !== 'rfq.read') return undefined;
      const key = `${endpoint} ${authorization}`;
      if (decided === 'admitted') memory.set(key, now);
      const last = memory.get(key) as number | undefined;
      const isKnown = last !== undefined && now - last < 60_000;
      return decided === 'token_expired' && isKnown ? true : undefined;
    }),
  mutation('expired-token-after-roles', 'auth.expired-token-401')
    .summary('A role that an endpoint is not for gets 403, whether its token has expired or not.')
    .response((wire, { endpoint, party }) => {
      const roles: readonly unknown[] = endpoint ? endpoints[endpoint].roles : [party?.role];
      return isExpired(wire) && !roles.includes(party?.role) ? { ...wire, status: 403 } : wire;
    }),
  mutation('tokens-end-early', 'auth.token-lasts-until-expiry')
    .summary('A token is refused five minutes before it expires.')
    .bar((context) => context.now > expiryOf(context) - 300_000),
  mutation('token-of-custodian-refused-in-its-last-seconds', 'auth.token-lasts-until-expiry')
    .summary("A custodian's token is refused five seconds before it expires.")
    .bar((context) => {
      return context.party?.role === 'custodian' && expiryOf(context) - context.now <= 5_000;
    }),
  mutation('new-token-ends-the-old', 'auth.token-lasts-until-expiry')
    .also('auth.new-token-before-expiry')
    .summary('The token that a market maker had before is refused once it has a new one.')
    .bar((context) => {
      const { party, memory } = context;
      if (party?.role !== 'market-maker') return false;
      const latest = memory.get(party.partyId) as number | undefined;
      const isOld = latest !== undefined && expiryOf(context) < latest;
      if (!isOld) memory.set(party.partyId, expiryOf(context));
      return isOld;
    }),
  // Defects in tokens: the claims that are verified, and the claims that they contain (5.1, 5.3).
  mutation('older-token-opens-no-stream', 'auth.token-lasts-until-expiry')
    .summary("A custodian's stream opens for the last token that its backend issued alone.")
    .tamper(() => {
      const last = new Map<unknown, string>();
      return {
        claims: (own, context) => {
          const jti = String(context.count('tokens'));
          last.set(own.sub, jti);
          return { ...own, jti };
        },
        admits: (decided, { authorization, endpoint, party }) => {
          const isStream = endpoint === 'order.events' && party?.role === 'custodian';
          if (decided !== 'admitted' || !isStream) return undefined;
          const { sub, jti } = part(authorization, 1) ?? {};
          return last.get(sub) === jti ? undefined : false;
        },
      };
    }),
  mutation('unsigned-token-admitted', 'auth.unsigned-token-refused')
    .summary('A token with the algorithm none is admitted at whoami.')
    .pass('token_invalid', ({ endpoint, authorization }) => {
      return endpoint === 'identity.read' && isUnsigned(authorization);
    }),
  mutation('unsigned-token-admitted-everywhere', 'auth.unsigned-token-refused')
    .summary('The algorithm of a token is taken from its header, none included.')
    .pass('token_invalid', ({ authorization }) => isUnsigned(authorization)),
  mutation('issuer-in-any-letters', 'auth.wrong-issuer-refused')
    .summary('The issuer is compared without regard to capitals.')
    .pass('token_invalid', (context) => {
      const { iss, exp } = claimed(context);
      const isAlike = iss !== 'svc' && String(iss).toLowerCase() === 'svc';
      return isAlike && Number(exp) * 1000 > context.now;
    }),
  mutation('audience-compared-by-its-beginning', 'auth.wrong-audience-refused')
    .summary('An audience will do that begins like the right one.')
    .pass('token_invalid', (context) => {
      const { aud, exp } = claimed(context);
      const isAlike = aud !== 'svc-api' && String(aud).startsWith('svc-api');
      return isAlike && Number(exp) * 1000 > context.now;
    }),
  mutation('word-for-no-token-is-one', 'auth.malformed-token-refused')
    .summary('A bearer header with nothing in it, or with the word for nothing, counts as a token.')
    .gate((_, { authorization }) => {
      return /^bearer\s*(null|undefined)?$/i.test(authorization ?? '') || undefined;
    }),
  mutation('signature-not-checked-for-makers', 'auth.forged-signature-refused')
    .also('auth.altered-claims-refused')
    .summary('The backends of market makers decode tokens without verifying them.')
    .pass('token_invalid', (context) => {
      const { sub, exp } = claimed(context);
      const { party, now } = context;
      return byMaker(context, context) && sub === party?.partyId && Number(exp) * 1000 > now;
    }),
  mutation('signature-not-checked', 'auth.foreign-key-refused', 'auth.forged-signature-refused')
    .summary('The signature of a token is not checked.')
    .unchecked('signature'),
  mutation('issuer-unchecked', 'auth.wrong-issuer-refused')
    .summary('Any issuer will do.')
    .unchecked('issuer'),
  mutation('audience-unchecked', 'auth.wrong-audience-refused')
    .summary('Any audience will do.')
    .unchecked('audience'),
  mutation('audience-of-quotes-unchecked', 'auth.wrong-audience-refused')
    .summary('Who submits a quote needs a token for any audience.')
    .pass('token_invalid', (context) => {
      const { iss, aud } = claimed(context);
      const isAlone = isOwn(context) && iss === 'svc' && aud !== 'svc-api';
      return context.endpoint === 'quote.submit' && isAlone;
    }),
  mutation('issuer-of-acceptances-unchecked', 'auth.wrong-issuer-refused')
    .summary('The issuer of a token makes no difference to an acceptance.')
    .pass('token_invalid', (context) => {
      const { iss, aud } = claimed(context);
      const isAlone = isOwn(context) && aud === 'svc-api' && iss !== 'svc';
      return context.endpoint === 'quote.accept' && isAlone;
    }),
  mutation('expiry-claim-optional', 'auth.no-expiry-refused')
    .summary('A token without an expiry is good for ever.')
    .pass('token_invalid', (context) => {
      const { iss, aud, exp } = claimed(context);
      return isOwn(context) && iss === 'svc' && aud === 'svc-api' && exp === undefined;
    }),
  mutation('garbage-token-on-streams', 'auth.stream.bad-token-refused')
    .summary('The order stream wants a bearer header and does not look at what is in it.')
    .lenient('token_invalid', 'order.events'),
  mutation('basic-scheme-is-fine', 'auth.other-scheme-refused')
    .summary('The scheme of the authorization header is not looked at.')
    .pass('token_invalid', (context) => {
      const { sub, exp } = claimed(context);
      const { authorization, party, now } = context;
      const isGood = sub === party?.partyId && Number(exp) * 1000 > now;
      return !/^bearer /i.test(authorization ?? '') && isGood;
    }),
  mutation('no-jwt-counts-as-one', 'auth.malformed-token-refused')
    .summary('What is no JWT counts as the token of the backend itself.')
    .gate((decided, { authorization }) =>
      decided === 'token_invalid' && (authorization ?? '').split('.').length !== 3
        ? true
        : undefined,
    ),
  mutation('issuer-is-a-url', 'claim.iss.fixed')
    .summary('Tokens are issued by https://svc.')
    .claims(() => ({ iss: 'https://svc' }), 'issuer'),
  mutation('no-issuer-for-custodians', 'claim.iss.present')
    .summary('Tokens of custodians name no issuer.')
    .claims((own) => own.role === 'custodian' && { iss: undefined }, 'issuer'),
  mutation('audience-of-makers-differs', 'claim.aud.fixed')
    .summary('Tokens of market makers are for svc-mm-api.')
    .claims((own) => own.role === 'market-maker' && { aud: 'svc-mm-api' }, 'audience'),
  mutation('no-audience', 'claim.aud.present')
    .summary('Tokens name no audience.')
    .claims(() => ({ aud: undefined }), 'audience'),
  mutation('subject-without-namespace', 'claim.sub.form', 'claim.canton-party-id.same-as-sub')
    .summary('sub is the bare name of the party.')
    .claims((own) => ({ sub: String(own.sub).split('::')[0] }), 'subject'),
  mutation('no-ledger-party-claim', 'claim.canton-party-id.present')
    .summary('Tokens do not repeat the party as canton_party_id.')
    .claims(() => ({ canton_party_id: undefined }), 'subject'),
  mutation('no-subject-for-makers', 'claim.sub.present')
    .summary('Tokens of market makers have no sub.')
    .claims((own) => own.role === 'market-maker' && { sub: undefined }, 'subject'),
  mutation('role-claim-capitalized', 'claim.role.form')
    .summary('The role of an institution is capitalized in its token.')
    .claims((own) => own.role === 'institution' && { role: 'Institution' }, 'role'),
  mutation('roles-claim-in-place-of-role', 'claim.role.present')
    .summary('A token carries a list of roles in place of the role.')
    .claims((own) => ({ role: undefined, roles: [own.role] }), 'role'),
  mutation('expiry-claim-as-text', 'claim.exp.form')
    .summary('exp is a string of digits.')
    .claims((own) => ({ exp: String(own.exp) })),
  mutation('expiry-claim-in-milliseconds', 'token.exp-matches-expires-in')
    .also('auth.expired-token-401')
    .summary('exp is in milliseconds.')
    .claims((own) => ({ exp: Number(own.exp) * 1000 })),
  mutation('expiry-claim-ten-minutes-off', 'token.exp-matches-expires-in')
    .summary('Tokens of custodians expire ten minutes before they are said to.')
    .claims((own) => own.role === 'custodian' && { exp: Number(own.exp) - 600 }),
];
