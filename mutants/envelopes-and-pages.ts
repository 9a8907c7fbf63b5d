import { ordersOf } from '../src/reference/core/index.ts';
import type { TamperContext } from '../src/reference/http/index.ts';
import { byMaker } from './defects/stored.ts';
import { readingPages } from './defects/policy.ts';
import { everyList, makersIn, orderAnswers, viewsOf } from './defects/reading.ts';
import { shifted, withoutMs } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const lengthOf = (data: unknown): number | undefined =>
  Array.isArray(data) ? data.length : undefined;

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

/** Envelopes, first calls, and pages of lists (2.1). */
export const envelopeMutations: readonly Written[] = [
  // Part 2.1 but for pages.
  mutation('proposal-answer-without-envelope', 'envelope.wraps-every-success')
    .also('envelope.data-present')
    .summary('The acceptance of a proposal answers with the bare order.')
    .envelopes('proposal.accept', ({ data }) => data),
  mutation('stats-of-makers-without-envelope', 'envelope.wraps-every-success')
    .also('stats.read.returns-object')
    .summary('The stats of a market maker come bare.')
    .envelopes('stats.read', (envelope, { party }) =>
      party?.role === 'market-maker' ? envelope.data : envelope,
    ),
  mutation('result-in-place-of-data', 'envelope.data-present')
    .summary('The answer to a submitted quote holds it under "quote" in place of "data".')
    .envelopes('quote.submit', ({ data, ...rest }) => ({ quote: data, ...rest })),
  mutation('no-settlements-is-null', 'envelope.data-object-or-array')
    .also('envelope.list-data-is-array', 'envelope.data-present')
    .summary('An empty list of settlements is null.')
    .setData('settlement.list', (data) => (lengthOf(data) === 0 ? null : data)),
  mutation('single-quote-is-no-list', 'envelope.list-data-is-array')
    .summary('A list of quotes with one quote in it is that quote.')
    .setData('order.quotes', (data) => (lengthOf(data) === 1 ? [data].flat()[0] : data)),
  mutation('request-read-as-list-of-one', 'envelope.item-data-is-object')
    .summary('A single request for quote comes as a list of one.')
    .setData('rfq.read', (data) => [data]),
  mutation('cancel-without-meta', 'envelope.meta-present', 'envelope.wraps-every-success')
    .summary('The answer to a cancel has no meta.')
    .envelopes('order.cancel', ({ data }) => ({ data })),
  mutation('later-pages-without-meta', 'envelope.meta-present')
    .summary('Pages after the first have no meta.')
    .envelopes(['order.list', 'quote.list', 'rfq.list'], ({ meta, ...rest }) =>
      (rest.pagination?.page ?? 1) > 1 ? rest : { ...rest, meta },
    ),
  mutation('request-list-without-pagination', 'envelope.pagination-on-lists')
    .also('maker.lists-have-pages')
    .summary("A maker's quotes under a request come without pagination.")
    .envelopes('rfq.quotes', ({ data, meta }) => ({ data, meta })),
  mutation('empty-lists-without-pagination', 'envelope.pagination-on-lists')
    .summary('An empty list of orders has no pagination.')
    .envelopes('order.list', ({ pagination, ...rest }) =>
      lengthOf(rest.data) === 0 ? rest : { ...rest, pagination },
    ),
  mutation('single-order-with-pagination', 'envelope.pagination-on-lists-only')
    .summary('An order that is read by a custodian has a pagination of one item.')
    .envelopes('order.read', (envelope, { party }) =>
      party?.role === 'custodian'
        ? { ...envelope, pagination: { page: 1, page_size: 1, total_items: 1, total_pages: 1 } }
        : envelope,
    ),
  mutation('meta-time-of-last-change', 'meta.timestamp.time-of-response')
    .summary('The time of the response of an order is that of its creation.')
    .setMeta('order.read', (_, { created_at }) => ({ timestamp: created_at })),
  mutation('meta-time-an-hour-ahead-in-lists', 'meta.timestamp.time-of-response')
    .summary('The lists of a maker carry a time in a zone one hour ahead, said to be UTC.')
    .setMeta(['quote.list', 'settlement.list'], ({ timestamp }) => ({
      timestamp: shifted(timestamp, 3_600_000),
    })),
  mutation('meta-time-in-seconds', 'meta.timestamp.form', 'convention.timestamps')
    .summary('whoami writes the time of its response without milliseconds.')
    .setMeta('identity.read', ({ timestamp }) => ({ timestamp: withoutMs(timestamp) })),
  mutation('meta-time-missing-in-token-result', 'meta.timestamp.present')
    .summary('The token result has a request id and no time.')
    .setMeta('token.create', () => ({ timestamp: undefined })),
  mutation('request-id-missing-for-posts', 'meta.request-id.present')
    .summary('A created order is answered without a request id.')
    .setMeta('order.create', () => ({ request_id: undefined })),
  mutation('request-id-a-number', 'meta.request-id.form')
    .summary('The request id of settlements is a counter.')
    .setMeta(['settlement.list', 'settlement.read'], (_meta, _data, context) => ({
      request_id: context.count('request'),
    })),
  mutation('request-id-empty-on-empty-list', 'meta.request-id.not-empty')
    .summary('An answer with an empty list has an empty request id.')
    .setMeta(everyList, (_, data) => lengthOf(data) === 0 && { request_id: '' }),
  mutation('request-id-by-order', 'meta.request-id.distinct')
    .summary('The request id of a read order is made from the order, the same for every read.')
    .setMeta('order.read', (_, { intent_id }) => ({ request_id: `order-${String(intent_id)}` })),
  mutation('accept-answers-in-a-list', 'envelope.item-data-is-object')
    .also('quote.accept.returns-order')
    .summary('The answer to an acceptance holds the order in an array.')
    .setData('quote.accept', (data, { party }) => (party?.role === 'institution' ? [data] : data)),
  // Defects in the first calls of a client: its token, its first order, a readable answer.
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
  // Lists and their pages (2.1). The reference's usual answers: pages from 1, newest first.
  mutation('third-page-repeats-an-item', 'list.pages-disjoint')
    .summary('Pages from the third on begin with the last item of the page before.')
    .pagesRead((page) => page.page >= 3 && { skip: page.skip - 1 }),
  mutation('no-second-page-of-orders', 'list.pages-complete')
    .summary('The list of orders answers 404 where its second page is asked for.')
    .ignored('order.list', ({ query }) => query.page === '2'),
  mutation('second-page-skips-an-item', 'list.pages-complete')
    .summary('The second page begins one item too late.')
    .pagesRead((page) => page.page === 2 && { skip: page.skip + 1 }),
  mutation('filtered-pages-ignore-the-page', 'list.pages-disjoint', 'list.pages-complete')
    .summary('A filtered list of orders answers every page with the first.')
    .pagesRead((_, { status }) => status !== undefined && { skip: 0 }),
  mutation('filtered-pages-of-one-item-end-early', 'list.pages-complete')
    .summary('Of own quotes under a filter, in pages of one item, pages after the first are empty.')
    .envelopes('quote.list', (envelope, { query }) => {
      const { page = 1, page_size: size } = envelope.pagination ?? {};
      const isEmpty = query.status !== undefined && size === 1 && page > 1;
      return isEmpty ? { ...envelope, data: [] } : envelope;
    }),
  mutation('filtered-pages-want-a-size', 'list.pages-disjoint', 'list.pages-complete')
    .summary('A filtered list that is asked for a page, but for no size, answers with its first.')
    .pagesRead((_, { status, page_size: size }) => {
      return status !== undefined && size === undefined && { skip: 0 };
    }),
  mutation('last-page-holds-one-too-many', 'pagination.page-size.holds')
    .summary('A page after the first holds one item more than its size.')
    .rule('lists', (own) => ({
      ...readingPages(own, ({ page, size }) => page >= 2 && { size: size + 1 }),
      pagination: (page, total) =>
        own.pagination(page.page < 2 ? page : { ...page, size: page.size - 1 }, total),
    })),
  mutation('page-size-ignored-for-quotes-of-order', 'pagination.page-size.holds')
    .summary('The quotes of an order come all at once, whatever page size was asked for and shown.')
    .setData('order.quotes', (_, context) =>
      context.quotes.toReversed().map(viewsOf(context).quote),
    ),
  mutation('total-items-of-this-page', 'pagination.total-items.counts')
    .summary('total_items of a list of settlements counts the items of the page.')
    .setPagination('settlement.list', (_pages, _context, data) => ({ total_items: data.length })),
  mutation('nothing-counted-past-the-end', 'pagination.total-items.counts')
    .summary('A page past the end says that there are no items at all.')
    .setPagination(everyList, ({ page, total_pages: last }) => {
      return page > Math.max(1, last) && { total_items: 0, total_pages: 0 };
    }),
  mutation('next-page-of-requests-counts-nothing', 'pagination.total-items.counts')
    .summary('The page of requests right after the last counts none of them, unlike other pages.')
    .setPagination('rfq.list', ({ page, total_pages: last }) => {
      return page === last + 1 && { total_items: 0, total_pages: 0 };
    }),
  mutation('filtered-quotes-not-counted-past-the-end', 'pagination.total-items.counts')
    .summary('A page of filtered quotes past the end counts the quotes in every state.')
    .setPagination('quote.list', ({ page, total_pages: last, total_items: all }, { query }) => {
      return query.status !== undefined && page > last && { total_items: all + 1 };
    }),
  mutation('total-items-drops-on-the-last-page', 'pagination.total-items.counts')
    .summary('The last of several pages counts one item too few.')
    .setPagination(everyList, ({ page, total_pages: last, total_items: all }) => {
      return page > 1 && page === last && { total_items: all - 1 };
    }),
  mutation('total-items-less-in-threes', 'pagination.total-items.counts')
    .summary('In pages of three the last item is not counted.')
    .counted(({ size }, all) => {
      const total = size === 3 && all > 3 ? all - 1 : all;
      return { total_items: total, total_pages: Math.ceil(total / size) };
    }),
  mutation('total-pages-rounded-down', 'pagination.total-pages.arithmetic')
    .summary('The number of pages is rounded down where the last page is not full.')
    .counted(({ size }, total) => ({ total_pages: Math.floor(total / size) })),
  mutation('total-pages-one-more-when-full', 'pagination.total-pages.arithmetic')
    .summary('Where the last page is full one page too many is counted.')
    .counted(({ size }, total) => ({
      total_pages: total === 0 ? 0 : Math.floor(total / size) + 1,
    })),
  mutation('total-pages-for-the-usual-size', 'pagination.total-pages.arithmetic')
    .summary('The number of pages of requests is that of pages of twenty, whatever was asked for.')
    .setPagination('rfq.list', ({ total_items: all }) => ({ total_pages: Math.ceil(all / 20) })),
  mutation('page-number-always-one', 'pagination.page.as-asked')
    .summary('The list of requests says page 1 on every page.')
    .setPagination('rfq.list', () => ({ page: 1 })),
  mutation('pages-half-full-when-filtered', 'pagination.page-size.full-before-last')
    .summary('A filter works on the page that was cut before: pages but the last are not full.')
    .envelopes('quote.list', ({ data, pagination, ...rest }, { query }) => {
      const isFull = pagination && pagination.page < pagination.total_pages;
      const items = (data as readonly unknown[]).slice(isFull && query.status ? 1 : 0);
      return { data: items, pagination, ...rest };
    }),
  mutation('page-size-as-text', 'pagination.page-size.form')
    .summary('A page size that was asked for comes back as the text of the query.')
    .setPagination('order.list', (_, { query: { page_size: asked } }) => {
      return asked !== undefined && { page_size: asked };
    }),
  mutation('total-items-null-when-filtered', 'pagination.total-items.form')
    .also('pagination.total-items.present')
    .summary('A filtered list of own quotes does not count: total_items is null.')
    .setPagination('quote.list', (_, { query }) => 'status' in query && { total_items: null }),
  mutation('total-pages-missing-for-makers', 'pagination.total-pages.present')
    .summary('The list of settlements does not say how many pages there are.')
    .setPagination('settlement.list', () => ({ total_pages: undefined })),
  mutation('total-items-of-all-parties', 'pagination.total-items.counts', 'order.list.own-only')
    .summary('total_items of a list of orders counts the orders of all institutions.')
    .setPagination('order.list', ({ page_size: size }, { state, query, party }) => {
      const total = ordersOf(state).length;
      const isWrong = query.status === undefined && party?.role === 'institution';
      return isWrong && { total_items: total, total_pages: Math.ceil(total / size) };
    }),
  mutation('lists-end-after-two-pages', 'list.pages-complete', 'order.list.complete')
    .summary('A list of orders has at most forty items; what is older is not found any more.')
    .listOrders(({ ownOrders, party, fits }) => {
      const own = ownOrders.filter(fits);
      return party?.role === 'institution' && own.length > 40 && own.slice(0, 40);
    }),
];
