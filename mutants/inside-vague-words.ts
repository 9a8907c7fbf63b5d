import { orderOf, ordersOf } from '../src/reference/core/index.ts';
import type { PartyRecord, State } from '../src/reference/core/index.ts';
import { isPending } from './defects/conditions.ts';
import { defects } from './defects/index.ts';
import { orderAnswers, part, quotesOn, viewsOf } from './defects/reading.ts';
import { isObject, written } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const custodied = (party: PartyRecord | undefined, state: State) =>
  ordersOf(state).filter((order) => order.senderCustodianPartyId === party?.partyId);

/** Text up to the first character that does not belong. */
const upTo = (text: unknown, form: RegExp): string | undefined =>
  typeof text === 'string' ? form.exec(text)?.[0] : undefined;

/** Mistakes behind requirements of vague words. Written from docs/tolerances.md alone. */
export const insideVagueWords: readonly Written[] = [
  mutation('settled-orders-in-plain-text', 'body.content-type')
    .inside('body.content-type')
    .summary('A settled order that is read comes as text/plain.')
    .setAnswer('order.read', (_, { order }) => {
      return order?.status === 'SETTLED' && { headers: { 'content-type': 'text/plain' } };
    }),
  mutation('no-stats-before-a-settlement', 'access.stats.read.custodian-allowed')
    .inside('access.stats.read.custodian-allowed')
    .summary('A custodian is refused its stats until one of its orders has settled.')
    .setAnswer('stats.read', (_, { party, state }) => {
      const isEmpty = custodied(party, state).every(({ status }) => status !== 'SETTLED');
      return party?.role === 'custodian' && isEmpty && { status: 404, body: { code: 'empty' } };
    }),
  mutation('no-stream-before-an-order', 'access.order.events.custodian-allowed')
    .inside('access.order.events.custodian-allowed')
    .summary('A custodian is refused its event stream until it has an order.')
    .ignored('order.events', ({ caller, state }) => {
      return caller.role === 'custodian' && custodied(caller, state).length === 0;
    }),
  mutation('settlements-from-a-cache', 'meta.request-id.distinct')
    .inside('meta.request-id.distinct')
    .summary('For 10 s the list of settlements repeats the request_id of its last answer.')
    .setMeta('settlement.list', (meta, _, { party, memory, now }) => {
      const key = `listed ${party?.partyId}`;
      const last = memory.get(key) as { readonly at: number; readonly id: unknown } | undefined;
      if (last && now - last.at < 10_000) return { request_id: last.id };
      memory.set(key, { at: now, id: meta.request_id });
      return undefined;
    }),
  mutation('expiry-replaced-by-custodians', 'order.expires-at.unchanged')
    .inside('order.expires-at.unchanged')
    .summary('Where a custodian accepts, expires_at becomes valid_until of the quote.')
    .storeOrder((after, before, { command }) => {
      const isAccepted = after.status === 'QUOTED' && before?.status === 'PENDING';
      const isByCustodian = command.type === 'request' && command.caller.role === 'custodian';
      return (
        isAccepted &&
        isByCustodian &&
        after.accepted && {
          expiresAt: after.accepted.validUntil,
        }
      );
    }),
  mutation('no-quote-once-all-lapsed', 'order.failure-reason.only-when-ended')
    .inside('order.failure-reason.only-when-ended')
    .summary('A PENDING order of which all quotes have lapsed shows NO_QUOTE.')
    .when(isPending, (_, { quotes }) => {
      return quotes.length > 0 && quotes.every(({ status }) => status === 'EXPIRED');
    })
    .set(orderAnswers, { failure_reason: 'NO_QUOTE' }),
  mutation('unquoted-proposals-expire-without-reason', 'order.failure-reason.no-quote')
    .inside('order.failure-reason.no-quote')
    .summary('An unquoted order whose proposal was accepted expires without a reason.')
    .storeOrder(({ status, failureReason, proposalAccepted }) => {
      const isUnquoted = status === 'EXPIRED' && failureReason === 'NO_QUOTE';
      return isUnquoted && proposalAccepted && { failureReason: undefined };
    }),
  mutation('too-dear-for-a-custodian-is-a-revert', 'order.failure-reason.slippage')
    .inside('order.failure-reason.slippage')
    .summary('A quote above the maximum fails its order, with REVERT where a custodian accepts.')
    .rules(() => ({
      accept: { aboveMaximum: 'fail-order' },
      stored: {
        order: (after, _, { command }) => {
          const isByCustodian = command.type === 'request' && command.caller.role === 'custodian';
          return after.failureReason === 'SLIPPAGE' && isByCustodian
            ? { ...after, failureReason: 'REVERT' }
            : after;
        },
      },
    })),
  mutation('memo-shown-to-those-who-quoted', 'rfq.hides-order-particulars')
    .inside('rfq.hides-order-particulars')
    .summary('A single request shows its memo to makers that have quoted it.')
    .set('rfq.read', (_, { order, quotes, party }) => {
      const isOwn = quotes.some(({ makerPartyId }) => makerPartyId === party?.partyId);
      return isOwn && order?.memo !== undefined && { memo: order.memo };
    }),
  mutation('requests-begin-with-their-last-quote', 'rfq.created-at.as-order')
    .inside('rfq.created-at.as-order')
    .summary('created_at of a request with several quotes is the moment of the last.')
    .set(['rfq.list', 'rfq.read'], (_, { quotes }) => {
      const last = quotes.length > 1 ? quotes.at(-1) : undefined;
      return last && { created_at: written(last.submittedAt) };
    }),
  mutation('requests-end-with-the-own-quote', 'rfq.expires-at.as-order')
    .inside('rfq.expires-at.as-order')
    .summary('A maker that quoted a request sees the end of its quote as expires_at.')
    .set(['rfq.list', 'rfq.read'], (_, { quotes, party }) => {
      const own = quotes.findLast(({ makerPartyId }) => makerPartyId === party?.partyId);
      return own && { expires_at: written(own.validUntil) };
    }),
  mutation('listed-settlements-name-the-custodian', 'settlement.hides-sender-identity')
    .inside('settlement.hides-sender-identity')
    .summary('The list of settlements, not a single one, names the custodian of the sender.')
    .leak('settlement.list', (order) => ({ custodian: order.senderCustodianPartyId })),
  mutation('stats-name-open-counterparties', 'stats.read.hides-sender-identity')
    .inside('stats.read.hides-sender-identity')
    .summary('The stats of a maker name the senders of open orders that it has quoted.')
    .setData('stats.read', (data, context) => {
      const { party, state } = context;
      const open = ordersOf(state).filter(
        ({ id, status }) =>
          status === 'PENDING' &&
          quotesOn(context, id).some(({ makerPartyId }) => makerPartyId === party?.partyId),
      );
      const counterparties = [...new Set(open.map(({ senderPartyId }) => senderPartyId))];
      return party?.role === 'market-maker' && isObject(data)
        ? { ...data, open_counterparties: counterparties }
        : data;
    }),
  mutation('quoting-a-cancelled-request-again', 'quote.submit.closed-request-refused')
    .also('error.refusal-is-4xx')
    .inside('quote.submit.closed-request-refused')
    .summary('A maker that quoted an order before its cancel gets 201 and the quote of then.')
    .grant(
      'quote.submit',
      (context) => {
        const { order, quotes, caller } = context;
        const own = quotes.findLast(({ makerPartyId }) => makerPartyId === caller.partyId);
        const isCancelled = order?.failureReason === 'USER_CANCELLED';
        return isCancelled && own && viewsOf(context).ownQuote(own);
      },
      201,
    ),
  mutation('streams-take-tokens-without-an-end', 'auth.no-expiry-refused')
    .inside('auth.no-expiry-refused')
    .summary('Event streams take a token that has no expiry.')
    .gate((decided, { authorization, endpoint }) => {
      const claims = part(authorization, 1);
      const isStream = endpoint === 'order.events' || endpoint === 'maker.events';
      const isEndless = claims !== undefined && claims.exp === undefined;
      return decided === 'token_invalid' && isStream && isEndless ? true : undefined;
    }),
  mutation('second-loser-told-late', 'event.live')
    .inside('event.live')
    .summary('Of several losers the last hears of its loss 8 s late.')
    .eventDelay(({ event, intentId, to }, context) => {
      const losers = quotesOn(context, intentId).filter(({ status }) => status === 'REJECTED');
      const isLast = losers.length > 1 && losers.at(-1)?.makerPartyId === to;
      return event === 'quote_rejected' && isLast ? 8_000 : 0;
    }),
  mutation('beat-skipped-after-three-events', 'event.heartbeat.during-traffic')
    .also('limit.heartbeat-interval.order-stream', 'limit.heartbeat-interval.maker-stream')
    .inside('event.heartbeat.during-traffic')
    .summary('A stream that carried three events since its last heartbeat skips the next one.')
    .frame((text, { event, stream, memory, party }) => {
      const key = `since ${party?.partyId ?? ''} ${stream}`;
      const since = (memory.get(key) as number | undefined) ?? 0;
      memory.set(key, event === 'heartbeat' ? 0 : since + 1);
      return event === 'heartbeat' && since >= 3 ? undefined : text;
    }),
  mutation('busy-makers-told-of-no-name', 'event.quote-request-new.names-request')
    .inside('event.quote-request-new.names-request')
    .summary('quote_request_new lacks intent_id for a maker with an open quote.')
    .dropPayloadWhen(
      'quote_request_new',
      (context) => {
        const { state, to } = context;
        return ordersOf(state).some(
          ({ id, status }) =>
            status === 'PENDING' &&
            quotesOn(context, id).some((one) => one.makerPartyId === to && isPending(one)),
        );
      },
      'intent_id',
    ),
  mutation('losers-with-two-quotes-told-the-price', 'event.quote-rejected.keeps-winner-secret')
    .inside('event.quote-rejected.keeps-winner-secret')
    .summary('quote_rejected tells a maker that quoted twice the rate that won.')
    .setPayload('quote_rejected', (_, { order, quotes, to }) => {
      const own = quotes.filter(({ makerPartyId }) => makerPartyId === to);
      return own.length > 1 && order?.accepted && { best_rate: order.accepted.rate };
    }),
  mutation('maximum-as-a-number', 'order.create.number-amount-refused')
    .inside('order.create.number-amount-refused')
    .summary('source_amount_max may be a JSON number.')
    .setBody('order.create', ({ source_amount_max: max }) => {
      return typeof max === 'number' && { source_amount_max: String(max) };
    }),
  mutation('negative-maximum-is-none', 'order.create.negative-amount-refused')
    .inside('order.create.negative-amount-refused')
    .summary('A negative source_amount_max stands for no maximum.')
    .setBody('order.create', ({ source_amount_max: max }) => {
      return String(max).startsWith('-') && { source_amount_max: '999999999999' };
    }),
  mutation('receiver-custodian-by-name', 'order.create.malformed-party-refused')
    .inside('order.create.malformed-party-refused')
    .summary('A receiver_custodian_party_id without its second part gets one.')
    .setBody('order.create', ({ receiver_custodian_party_id: id }) => {
      const isName = typeof id === 'string' && !id.includes('::') && id !== '';
      return isName && { receiver_custodian_party_id: `${id.replace(/\W/g, '')}::00` };
    }),
  mutation('contract-read-up-to-its-index', 'order.create.malformed-contract-refused')
    .inside('order.create.malformed-contract-refused')
    .summary('What follows the index of a contract is cut off.')
    .setBody('order.create', ({ source_contract_id: id }) => {
      const read = upTo(id, /^[0-9a-f]+#\d+/i);
      return read !== undefined && { source_contract_id: read };
    }),
  mutation('signature-read-up-to-another-letter', 'order.create.malformed-signature-refused')
    .inside('order.create.malformed-signature-refused')
    .summary('A signature is read up to the first letter that is no hexadecimal digit.')
    .setBody('order.create', ({ intent_signature: signature }) => {
      const read = upTo(signature, /^[0-9a-f]+/i);
      return read !== undefined && { intent_signature: read };
    }),
  mutation('currency-in-a-list', 'order.create.other-type-refused')
    .inside('order.create.other-type-refused')
    .summary('A list that holds a currency is taken for the currency.')
    .setBody('order.create', ({ source_currency: listed }) => {
      return Array.isArray(listed) && { source_currency: listed[0] as unknown };
    }),
  mutation('renewed-tokens-last-five-minutes', 'limit.token-lifetime')
    .inside('limit.token-lifetime')
    .summary('From the second on a token of a party lasts five minutes, and says so.')
    .together(
      defects.claims((own, context) => {
        const isRenewed = context.count(`token ${String(own.sub)}`) > 1;
        return isRenewed && { exp: Math.floor(context.now / 1_000) + 300 };
      }),
      defects.set('token.create', ({ token }, { now }) => {
        const end = part(`Bearer ${String(token)}`, 1)?.exp;
        return { expires_in: Math.round(Number(end) - now / 1_000) };
      }),
    ),
  mutation('proposed-orders-settle-slowly', 'limit.settlement-duration')
    .inside('limit.settlement-duration')
    .summary('The settlement of an order whose proposal was accepted takes 9 s.')
    .deadline((deadline, { state }) => {
      const isLast = deadline.kind === 'settlement-leg' && deadline.leg === 4;
      const isProposed = orderOf(state, deadline.intentId)?.proposalAccepted;
      return isLast && isProposed ? { ...deadline, at: deadline.at + 5_000 } : deadline;
    }),
];
