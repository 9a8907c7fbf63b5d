import type { AdmissionContext, WireAnswer } from '../src/reference/http/index.ts';
import { type EndpointName, endpoints } from '../src/spec/endpoints.ts';
import type { RequirementId } from '../src/spec/requirements/index.ts';
import { part } from './defects/reading.ts';
import type { Json } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const expiryOf = ({ authorization }: AdmissionContext): number =>
  Number(part(authorization, 1)?.exp) * 1000;

const isExpired = ({ body }: WireAnswer): boolean =>
  (body as Json | undefined)?.code === 'token_expired';

/** An endpoint that wants no token. */
const unguarded = (id: string, endpoint: EndpointName): Written =>
  mutation(id, `auth.${endpoint}.token-required` as RequirementId)
    .summary(`The endpoint ${endpoint} answers without a token.`)
    .unguarded(endpoint);

/** Defects in tokens: whether they are required, and how long they are valid (5.1, 5.2, 5.4). */
export const authenticationMutations: readonly Written[] = [
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
];
