import type { Tamper, WireAnswer } from '../src/reference/http/index.ts';
import { type EndpointName, endpoints } from '../src/spec/endpoints.ts';
import type { Written } from './mutation.ts';
import { gate, lenient, part } from './token-tools.ts';
import { answers, type Json } from './tools.ts';

const unguarded =
  (...where: readonly EndpointName[]) =>
  (): Tamper => ({ authRequired: (endpoint) => (where.includes(endpoint) ? false : undefined) });

/** Expired tokens go on being good for so many milliseconds. */
const forgiving = (ms: number) =>
  gate((decided, { authorization, now }) => {
    const expiry = Number(part(authorization, 1)?.exp) * 1000;
    return decided === 'token_expired' && now < expiry + ms ? true : undefined;
  });

const isExpired = ({ body }: WireAnswer): boolean =>
  (body as Json | undefined)?.code === 'token_expired';

/** Tokens: whether they are wanted, and how long they are good (5.1, 5.2, 5.4). */
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
    tamper: forgiving(60_000),
  },
  {
    id: 'expired-token-with-short-leeway',
    breaks: ['auth.expired-token-401'],
    summary: 'A token is good for five seconds beyond its expiry.',
    tamper: forgiving(5_000),
  },
  {
    id: 'expired-token-answered-403',
    breaks: ['auth.expired-token-401'],
    summary: 'An expired token is answered with 403.',
    tamper: () => ({
      response: (wire) => (isExpired(wire) ? { ...wire, status: 403 } : wire),
    }),
  },
  {
    id: 'expired-token-answered-400-for-submissions',
    breaks: ['auth.expired-token-401'],
    summary: 'A quote submitted with an expired token is answered with 400.',
    tamper: answers('quote.submit', (wire) => (isExpired(wire) ? { ...wire, status: 400 } : wire)),
  },
  {
    id: 'expired-token-after-filters',
    breaks: ['auth.expired-token-401'],
    summary: 'A list that is asked for by status is refused with 400 where the token has expired.',
    tamper: answers(['order.list', 'quote.list'], (wire, { query }) =>
      isExpired(wire) && query['status'] !== undefined ? { ...wire, status: 400 } : wire,
    ),
  },
  {
    id: 'expired-token-after-roles',
    breaks: ['auth.expired-token-401'],
    summary:
      'A role that an endpoint is not for gets 403 before the expiry of its token is looked at.',
    tamper: () => ({
      response: (wire, { endpoint, party }) =>
        isExpired(wire) &&
        endpoint !== undefined &&
        !(endpoints[endpoint].roles as readonly unknown[]).includes(party?.role)
          ? { ...wire, status: 403 }
          : wire,
    }),
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
    id: 'token-of-custodian-refused-in-its-last-seconds',
    breaks: ['auth.token-lasts-until-expiry'],
    summary: "A custodian's token is refused five seconds before it expires.",
    tamper: () => ({
      admits: (decided, { party, authorization, now }) => {
        if (party?.role !== 'custodian' || decided !== 'admitted') return undefined;
        return Number(part(authorization, 1)?.exp) * 1_000 - now > 5_000;
      },
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
];
