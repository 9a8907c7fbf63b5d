import type { GapId } from './index.ts';

/**
 * Problem of a client that relies on one answer, at a backend with another. The text follows "a client written against
 * A"; `{own}` stands for the answer that the client knows, `{other}` for the one that it meets.
 */
export const gapRisks: { readonly [Id in GapId]: string } = {
  'list.page_param':
    'asks for pages by `{own}` where `{other}` is wanted: it may get the first page each time, or a refusal',
  'list.page_size_param':
    'asks for a page size by `{own}` where `{other}` is wanted: pages come in a size that it did not choose',
  'list.first_page':
    'begins at page {own} where the first is {other}: it skips a page, asks for one that is none, or reads one twice',
  'list.max_page_size':
    'counts on pages of up to {own} where {other} is the most: pages are shorter than it asked for, or larger than it expects',
  'list.oversize': 'expects `{own}` for a page size that is too large, and meets `{other}`',
  'list.past_end':
    'takes `{own}` as the sign that a list has ended, and meets `{other}`: its walk over the pages ends otherwise, or not at all',
  'list.order':
    'expects lists `{own}` and gets them `{other}`: what it takes for the latest may be the oldest',
  'list.empty_total_pages':
    'expects {own} pages of an empty list and reads {other}: a loop over pages runs once too often, or not at all',
  'list.unknown_status':
    'expects `{own}` for a status filter that is none, and meets `{other}`: a slip in a filter shows in another way, or not at all',
  'list.other_filters':
    'filters by `{own}` where there is `{other}`: it may get items that it meant to leave out',
  'order.required_fields':
    'sends the fields that are required under `{own}` where `{other}` holds: its orders may be refused for a missing field',
  'order.unknown_fields': 'expects `{own}` for fields of its own in an order, and meets `{other}`',
  'order.failure_reason_field':
    'reads the failure reason from `{own}` where it stands in `{other}`: it sees orders fail without a reason',
  'order.unset_fields':
    'expects a field that is not set to be {own}, and finds it {other}: a check for one misses the other',
  'order.lifetime':
    'counts on {own} until an order expires where it is {other}: quotes and acceptances may come too late, or orders stay open for longer than it thinks',
  'order.contract_reuse':
    'expects `{own}` for a second order over one source contract, and meets `{other}`',
  'order.same_currency':
    'expects `{own}` for an order from a currency to itself, and meets `{other}`',
  'proposal.effect':
    'expects the acceptance of a proposal to have the effect `{own}` where it is `{other}`: it may wait for quotes or an acceptance that nothing unlocks, or skip what is needed',
  'proposal.response':
    'reads `{own}` as the answer to the acceptance of a proposal, and gets `{other}`',
  'cancel.state': 'waits for a cancelled order to be {own}, and it ends {other}',
  'cancel.response': 'reads `{own}` as the answer to a cancel, and gets `{other}`',
  'cancel.again':
    'expects `{own}` when it cancels once more, and meets `{other}`: a retry looks like a failure, or hides one',
  'cancel.accepted_quote':
    'expects the accepted quote of an ended order to be {own}, and finds it {other}',
  'expiry.reason':
    'expects expired orders to carry a reason as under `{own}` where it is `{other}`: it reads none, or one that it does not expect',
  'slippage.meaning':
    'reads SLIPPAGE as `{own}` where it means `{other}`: it explains a failure by the wrong cause',
  'validation.when':
    'expects validation to fail an order `{own}` where it is `{other}`: orders that it counts on may still fail',
  'withdrawn.state': 'waits for a withdrawn order to be {own}, and it ends {other}',
  'settlement.timeout_state':
    'waits for an order whose settlement took too long to be {own}, and it ends {other}',
  'settlement.window':
    'gives a settlement {own} where the window is {other}: it gives up too early, or waits for what has failed',
  'settlement.steps':
    'expects settlement to begin and end at {own} where it does at {other}: what it may still cancel, and how long it waits, differ',
  'quote.target_amount':
    'reads the target amount of a quote as in the {own} currency where it is in the {other} currency: it computes amounts that are wrong by the rate',
  'quote.amount_match':
    'quotes amounts as `{own}` admits where `{other}` holds: its quotes may be refused, or it is offered a part of its amount',
  'quote.rate_orientation':
    'reads rates as {own} where they are {other}: it takes the worst price for the best, and pays the inverse',
  'money.format':
    'expects computed amounts as `{own}` and gets them as `{other}`: its own sums differ in the last digits, and comparisons of texts fail',
  'quote.above_max':
    'expects `{own}` for a quote above the maximum, and meets `{other}`: it hears of it at another moment, or loses the order by it',
  'quote.twice':
    'expects `{own}` for a second quote on one request, and meets `{other}`: a better price is refused, added, or replaces the first',
  'quote.winner_others': "expects the winner's other quotes to be {own}, and finds them {other}",
  'quote.orphans':
    'expects the pending quotes of an ended order to become `{own}`, and they become `{other}`: it counts quotes as open that are not',
  'quote.past_validity': 'expects `{own}` for a quote whose time has passed, and meets `{other}`',
  'quote.beyond_expiry':
    'expects `{own}` for a quote that is valid longer than its order, and meets `{other}`',
  'quote.max_validity':
    'makes quotes valid as long as `{own}` admits where the bound is `{other}`: they may be refused',
  'accept.again':
    'expects `{own}` when it accepts once more, and meets `{other}`: a retry looks like a failure, or hides one',
  'time.boundary':
    'takes a deadline at its very millisecond as {own} where it is {other}: an acceptance at the last moment goes the other way',
  'settlement.beyond_validity':
    'expects that a settlement under way `{own}` once the quote has expired, and it `{other}`',
  'rfq.detail': 'reads `{own}` from a single request for quote, and gets `{other}`',
  'rfq.closed':
    'expects `{own}` when it reads a request that has ended, and meets `{other}`: it may take the end of a request for an error',
  'access.foreign':
    "knows {own} as the refusal of somebody else's resource, and meets {other}: it may retry, renew its token, or take it for lost",
  'access.receiver_quotes':
    'expects `{own}` when a receiver custodian lists the quotes of an order, and meets `{other}`',
  'access.receiver_lists':
    'counts on `{own}` for orders to receive in the list of their custodian, and meets `{other}`: it finds them not, or more than it expects',
  'access.receiver_events':
    'counts on `{own}` for `order_updated` to a receiver custodian, and meets `{other}`: it waits for events that do not come, or gets some that it does not expect',
  'access.custodian_extras':
    'counts on `{own}` for events and statistics of custodians, and meets `{other}`',
  'auth.refusal_status':
    'renews its token at {own}, and is refused with {other}: it may not see that its token is bad',
  'auth.other_party':
    "relies on `{own}` for another party's valid token, and meets `{other}`: tokens that were mixed up go unnoticed, or are refused",
  'token.algorithm': 'verifies tokens signed by {own}, and gets them signed by {other}',
  'token.audience_form': 'reads `aud` as a {own}, and gets a {other}',
  'token.role_claim': 'relies on `{own}` for a token without a known role, and meets `{other}`',
  'token.lifetime':
    'renews its token as if it lasted {own} where it lasts {other}: it is refused in the middle of its work, or asks too often',
  'stream.auth': 'opens streams with `{own}` where `{other}` is taken: its streams may be refused',
  'identity.participant': 'expects a backend as `{own}`, and meets one as `{other}`',
  'stats.fields': 'reads statistics as `{own}`, and they are `{other}`',
  'http.create_status': 'takes {own} as the sign that an order was created, and gets {other}',
  'http.success_status': 'takes {own} as the sign of success, and gets {other}',
  'error.shape':
    'reads errors as `{own}`, and gets them as `{other}`: it shows none of what the backend says',
  'error.statuses':
    'tells refusals apart as `{own}` does where it is `{other}`: it takes one kind of refusal for another',
  'health.response':
    'reads `{own}` from /health, and gets `{other}`: its monitor may report an outage that is none',
  'limits.rate':
    'sends as often as `{own}` admits where the limit is `{other}`: it may be answered 429',
  'limits.open_orders':
    'keeps as many orders or quotes open as `{own}` admits where it is `{other}`: further ones may be refused',
  'heartbeat.payload': 'reads heartbeats as `{own}`, and gets `{other}`',
  'heartbeat.phase':
    'expects heartbeats `{own}`, and they come `{other}`: a watchdog on a stream may take the first pause for a loss',
  'stream.resume':
    'resumes a broken stream as `{own}` where it is `{other}`: it loses events, or gets some again',
  'stream.line_end':
    'reads streams whose lines end in {own}, and gets {other}: a reader that knows no other sees no event end',
  'stream.unknown_filter':
    'expects `{own}` for a stream of an order that does not exist, and meets `{other}`: it may wait on it for ever',
  'stream.extra_events': 'expects `{own}` beside the listed events, and gets `{other}`',
  'event.payload':
    'reads from events what `{own}` gives where it is `{other}`: fields that it needs may be missing',
  'event.creation':
    'expects `{own}` when an order is created, and meets `{other}`: it waits for an event that does not come, or counts one too many',
  'event.rfq_closed':
    'expects `quote_request_expired` as `{own}` where it is `{other}`: requests stay in its list that have ended',
  'event.rfq_closed_to':
    'expects `quote_request_expired` to go to `{own}` where it goes to `{other}`: a maker may not hear of the end',
  'event.rejected_per':
    'counts one `quote_rejected` for each {own} where there is one for each {other}: quotes stay open in its books, or are closed twice',
  'order.signature_check':
    'signs orders as `{own}` wants where `{other}` holds: its orders may be refused',
  'order.contract_check':
    'names source contracts as `{own}` admits where `{other}` holds: its orders may be refused, or fail later',
  'order.party_check':
    'names parties as `{own}` admits where `{other}` holds: its orders may be refused',
  'order.currencies':
    'uses currencies as `{own}` admits where `{other}` holds: its orders may be refused',
  'money.input':
    'writes amounts as `{own}` admits where `{other}` holds: they may be refused, or read otherwise',
  'money.zero': 'expects `{own}` for amounts that are zero or negative, and meets `{other}`',
  'text.length':
    'writes texts as long as `{own}` admits where it is `{other}`: they may be refused',
  'cancel.request': 'sends `{own}` as the body of a cancel where `{other}` is taken',
  'proposal.request':
    'sends `{own}` as the body of the acceptance of a proposal where `{other}` is taken',
  'request.unknown_query':
    'expects `{own}` for a query parameter that an endpoint does not have, and meets `{other}`',
  'access.unknown': 'knows {own} as the refusal of an id that nothing has, and meets {other}',
  'access.malformed_id': 'expects `{own}` for an id that is no UUID, and meets `{other}`',
  'access.wrong_role': 'knows {own} as the refusal of a role, and meets {other}',
  'order.expiry_meaning':
    'reads `expires_at` as `{own}` where it is `{other}`: it takes an order for safe that may still expire',
  'order.quoted_expiry': 'expects a QUOTED order to expire `{own}`, and it does `{other}`',
  'order.expiry_lag':
    'expects a state to change `{own}` after a deadline, and it does `{other}`: it may act on an order that has ended',
  'views.lag':
    'expects every backend to show a change `{own}`, and it shows `{other}`: what it has just done may not be there yet',
  'event.latency':
    'expects events `{own}`, and they come `{other}`: a wait that is enough there may be too short here',
  'event.wrapping':
    'reads events as `{own}`, and they are `{other}`: it finds none of their fields',
  'stream.per_party':
    'opens `{own}` streams at once where there may be `{other}`: a stream that it counts on is closed or refused',
  'stream.closing':
    'expects a stream to end `{own}`, and it does `{other}`: without opening it again it misses events',
  'rfq.active':
    'expects `{own}` where it has quoted a request and looks for it in its list, and meets `{other}`',
  'quote.late': 'expects `{own}` for a quote that comes too late, and meets `{other}`',
  'quote.window':
    'takes a quote as usable under `{own}` where it is `{other}`: an acceptance near the end goes the other way',
  'token.endpoint':
    'counts on `{own}` for a backend that issues tokens, and meets `{other}`: it needs another way to a token',
  'token.keys': 'looks for keys as `{own}` where it is `{other}`: it cannot verify tokens',
  'token.extra_claims': 'reads the claims of `{own}`, and gets `{other}`',
  'result.extra_fields':
    'expects `{own}` beside the listed fields, and gets `{other}`: a strict reader refuses the result',
  'rfq.times':
    'takes the times of a request as `{own}`, and gets `{other}`: it may quote for too long',
  'body.content_type': 'expects bodies announced as `{own}`, and gets `{other}`',
  'meta.request_id':
    'relies on request identifiers as `{own}`, and gets `{other}`: it cannot find its request again',
  'list.unpaged': 'expects the quotes of an order in pages: `{own}`, and meets `{other}`',
  'error.codes': 'tells errors apart by the codes of `{own}`, and gets `{other}`',
  'version.policy': 'relies on `{own}` for what stays compatible, and meets `{other}`',
  'version.unprefixed': 'relies on `{own}` for paths without their prefix, and meets `{other}`',
};
