import type { Tamper } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { gate } from './token-tools.ts';
import {
  answers,
  bentOrders,
  envelopes,
  items,
  type Json,
  orderAnswers,
  rules,
  text,
  without,
} from './tools.ts';

/** Other claims in the tokens of institutions beside the first, with the checks that would mind left out. */
const outsidersClaims =
  (change: (claims: Json) => Record<string, unknown>, ...skip: readonly string[]) =>
  (): Tamper => ({
    claims: (own, { party, parties }) =>
      party?.role === 'institution' && party.partyId !== parties.find(isInstitution)?.partyId
        ? change(own)
        : { ...own },
    verify: { skip: skip as never },
  });

const isInstitution = ({ role }: { readonly role: string }): boolean => role === 'institution';

const isMaker = ({ role }: { readonly role: string }): boolean => role === 'market-maker';

const refusal = (status: number, title: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', title, status },
});

/** Mistakes in what a client needs before anything else: its token, its first order, an answer that it can read. */
export const firstNeeds: readonly Written[] = [
  {
    id: 'stats-are-bare-text',
    breaks: ['envelope.data-object-or-array'],
    summary: 'The stats are put into the envelope as JSON text.',
    tamper: envelopes('stats.read', ({ data, ...rest }) => ({
      data: JSON.stringify(data),
      ...rest,
    })),
  },
  {
    id: 'total-items-as-text',
    breaks: ['pagination.total-items.form'],
    summary: 'The list of settlements writes total_items as a string.',
    tamper: envelopes('settlement.list', ({ pagination, ...rest }) => ({
      ...rest,
      pagination: pagination && { ...pagination, total_items: String(pagination.total_items) },
    })),
  },
  {
    id: 'hash-in-other-letters',
    breaks: ['order.transaction-hash.form'],
    summary: 'The transaction hash of an order is written with letters beyond f.',
    tamper: items(orderAnswers, (item) =>
      item.transaction_hash === undefined
        ? item
        : { ...item, transaction_hash: text(item.transaction_hash).replaceAll('a', 'z') },
    ),
  },
  {
    id: 'participant-as-number',
    breaks: ['identity.participant-id.form'],
    summary: 'participant_id is a number for market makers.',
    tamper: items('identity.read', (item, { party }) =>
      party?.role === 'market-maker' ? { ...item, participant_id: 17 } : item,
    ),
  },
  {
    id: 'accepted-at-when-settled',
    breaks: ['order.quote-accepted-at.at-acceptance'],
    summary: 'quote_accepted_at is three seconds later than the acceptance, wherever it shows.',
    tamper: rules((policy) => ({
      views: bentOrders(policy, (order) =>
        order.accepted
          ? {
              ...order,
              accepted: { ...order.accepted, acceptedAt: order.accepted.acceptedAt + 3_000 },
            }
          : order,
      ),
    })),
  },
  {
    id: 'too-dear-called-no-quote',
    breaks: ['order.failure-reason.slippage'],
    summary: 'An order that fails on a quote above its maximum fails with NO_QUOTE.',
    tamper: rules(() => ({
      accept: { aboveMaximum: 'fail-order' },
      orders: { slippage: { state: 'FAILED', reason: 'NO_QUOTE' } },
    })),
  },
  {
    id: 'token-without-end',
    breaks: ['claim.exp.present'],
    summary: "A second institution's tokens carry no exp.",
    tamper: outsidersClaims((claims) => without(claims, 'exp'), 'expiry'),
  },
  {
    id: 'token-party-without-fingerprint',
    breaks: ['claim.canton-party-id.form'],
    summary: "canton_party_id of a second institution's tokens is its name alone.",
    tamper: outsidersClaims(
      (claims) => ({ ...claims, canton_party_id: text(claims.canton_party_id).split('::')[0] }),
      'party',
    ),
  },
  {
    id: 'token-issuer-in-a-list',
    breaks: ['claim.iss.form'],
    summary: "iss of a second institution's tokens is a list of one.",
    tamper: outsidersClaims((claims) => ({ ...claims, iss: [claims.iss] }), 'issuer'),
  },
  {
    id: 'token-audience-as-object',
    breaks: ['claim.aud.form'],
    summary: "aud of a second institution's tokens is an object with a name.",
    tamper: outsidersClaims((claims) => ({ ...claims, aud: { name: claims.aud } }), 'audience'),
  },
  {
    id: 'token-only-with-a-body',
    breaks: ['token.create.no-body-needed'],
    summary: 'A custodian gets no token without sending an object, once it has had two.',
    tamper: answers('token.create', (wire, context) => {
      const { party, requestBody } = context;
      const isBare = party?.role === 'custodian' && requestBody === undefined;
      return isBare && context.count(`token ${party.partyId}`) > 2
        ? refusal(400, 'A body is required')
        : wire;
    }),
  },
  {
    id: 'third-maker-has-no-stream',
    breaks: ['stream.opens'],
    summary: 'The stream of one market maker takes no token.',
    tamper: gate((_, { endpoint, party, parties }) =>
      endpoint === 'maker.events' && party?.partyId === parties.findLast(isMaker)?.partyId
        ? false
        : undefined,
    ),
  },
  {
    id: 'own-quotes-without-the-prefix',
    breaks: ['version.prefix'],
    summary: 'The list of own quotes of one market maker is not found below the prefix.',
    tamper: answers('quote.list', (wire, { party, parties }) =>
      party?.partyId === parties.findLast(isMaker)?.partyId
        ? refusal(404, 'There is no such address')
        : wire,
    ),
  },
];
