import type { TamperContext } from '../src/reference/http/index.ts';
import { byMaker } from './defects/callers.ts';
import { makersIn, orderAnswers } from './defects/reading.ts';
import { mutation, type Written } from './mutation.ts';

/** An institution that is not the first. */
const isOutsider = ({ party, parties }: TamperContext): boolean =>
  party?.role === 'institution' &&
  party.partyId !== parties.find(({ role }) => role === 'institution')?.partyId;

const byLastMaker = ({ party, ...context }: TamperContext): boolean =>
  party?.partyId === makersIn(context).at(-1);

const refusal = (status: number, title: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', title, status },
});

/** Defects in the first calls of a client: its token, its first order, a readable answer. */
export const firstCalls: readonly Written[] = [
  mutation('stats-are-bare-text', 'envelope.data-object-or-array')
    .summary('The stats are put into the envelope as JSON text.')
    .setData('stats.read', (data) => JSON.stringify(data)),
  mutation('total-items-as-text', 'pagination.total-items.form')
    .summary('The list of settlements writes total_items as a string.')
    .setPagination('settlement.list', ({ total_items: all }) => ({ total_items: String(all) })),
  mutation('hash-in-other-letters', 'order.transaction-hash.form')
    .summary('The transaction hash of an order is written with letters beyond f.')
    .change(orderAnswers, 'transaction_hash', (value) => value.replaceAll('a', 'z')),
  mutation('participant-as-number', 'identity.participant-id.form')
    .summary('participant_id is a number for market makers.')
    .setWhen('identity.read', byMaker, { participant_id: 17 }),
  mutation('accepted-at-when-settled', 'order.quote-accepted-at.at-acceptance')
    .summary('quote_accepted_at is three seconds later than the acceptance, wherever it shows.')
    .showOrders(
      ({ accepted: own }) => own && { accepted: { ...own, acceptedAt: own.acceptedAt + 3_000 } },
    ),
  mutation('too-dear-called-no-quote', 'order.failure-reason.slippage')
    .summary('An order that fails on a quote above its maximum fails with NO_QUOTE.')
    .rules(() => ({
      accept: { aboveMaximum: 'fail-order' },
      orders: { slippage: { state: 'FAILED', reason: 'NO_QUOTE' } },
    })),
  mutation('token-without-end', 'claim.exp.present')
    .summary("A second institution's tokens carry no exp.")
    .claims((_, about) => isOutsider(about) && { exp: undefined }, 'expiry'),
  mutation('token-party-without-fingerprint', 'claim.canton-party-id.form')
    .summary("canton_party_id of a second institution's tokens is its name alone.")
    .claims((own, about) => {
      const [name] = String(own.canton_party_id).split('::');
      return isOutsider(about) && { canton_party_id: name };
    }, 'party'),
  mutation('token-issuer-in-a-list', 'claim.iss.form')
    .summary("iss of a second institution's tokens is a list of one.")
    .claims((own, about) => isOutsider(about) && { iss: [own.iss] }, 'issuer'),
  mutation('token-audience-as-object', 'claim.aud.form')
    .summary("aud of a second institution's tokens is an object with a name.")
    .claims((own, about) => isOutsider(about) && { aud: { name: own.aud } }, 'audience'),
  mutation('token-only-with-a-body', 'token.create.no-body-needed')
    .summary('A custodian gets no token without sending an object, once it has had two.')
    .replace('token.create', (_, context) => {
      const { party, requestBody } = context;
      const isBare = party?.role === 'custodian' && requestBody === undefined;
      const isLater = isBare && context.count(`token ${party.partyId}`) > 2;
      return isLater && refusal(400, 'A body is required');
    }),
  mutation('third-maker-has-no-stream', 'stream.opens')
    .summary('The stream of one market maker takes no token.')
    .gate((_, context) => {
      return context.endpoint === 'maker.events' && byLastMaker(context) ? false : undefined;
    }),
  mutation('own-quotes-without-the-prefix', 'version.prefix')
    .summary('The list of own quotes of one market maker is not found below the prefix.')
    .replace('quote.list', (_, context) => {
      return byLastMaker(context) && refusal(404, 'There is no such address');
    }),
];
