import { orderOf } from '../src/reference/core/index.ts';
import type { Written } from './mutation.ts';
import {
  answers,
  items,
  orderAsked,
  orderIn,
  payloads,
  quotesOn,
  rules,
  shifted,
  without,
} from './tools.ts';

const makers = ['rfq.list', 'rfq.read'] as const;

/** Requests for quote, and what makers must not learn (2.4). */
export const rfqMutations: readonly Written[] = [
  {
    id: 'request-detail-lacks-expiry',
    breaks: ['rfq.expires-at.present'],
    summary: 'A single request does not say when it expires.',
    tamper: items('rfq.read', (item) => without(item, 'expires_at')),
  },
  {
    id: 'request-detail-abbreviates-the-sender',
    breaks: ['rfq.read.hides-sender-identity'],
    summary: 'A single request shows the name of its sender and the first digits of its key.',
    tamper: items('rfq.read', (item, context) => ({
      ...item,
      from: orderIn(context, item)?.senderPartyId.replace(/(?<=::.{6}).*$/, '…'),
    })),
  },
  {
    id: 'request-without-memo-names-its-sender',
    breaks: ['rfq.read.hides-sender-identity'],
    summary: 'A single request whose order has no memo names its sender in place of one.',
    tamper: items('rfq.read', (item, context) => {
      const order = orderIn(context, item);
      return order && order.memo === undefined ? { ...item, note: order.senderPartyId } : item;
    }),
  },
  {
    id: 'request-list-lacks-created-at',
    breaks: ['rfq.created-at.present'],
    summary: 'Listed requests do not say when they were created.',
    tamper: items('rfq.list', (item) => without(item, 'created_at')),
  },
  {
    id: 'request-lacks-source-currency-once-quoted',
    breaks: ['rfq.source-currency.present'],
    summary: 'A request that has quotes is read without its source currency.',
    tamper: items('rfq.read', (item, context) =>
      quotesOn(context, String(item.intent_id)).length > 0
        ? without(item, 'source_currency')
        : item,
    ),
  },
  {
    id: 'request-amount-as-number',
    breaks: ['rfq.target-amount.form', 'convention.amounts-as-strings'],
    summary: 'A single request carries its amount as a JSON number.',
    tamper: items('rfq.read', (item) => ({ ...item, target_amount: +String(item.target_amount) })),
  },
  {
    id: 'sender-shown-to-those-who-quoted',
    breaks: ['rfq.read.hides-sender-identity'],
    summary: 'A maker that has quoted a request sees who asks.',
    tamper: items('rfq.read', (item, context) => {
      const own = quotesOn(context, String(item.intent_id)).some(
        ({ makerPartyId }) => makerPartyId === context.party?.partyId,
      );
      return own ? { ...item, client: orderIn(context, item)?.senderPartyId } : item;
    }),
  },
  {
    id: 'key-of-the-sender-cut',
    breaks: ['rfq.read.hides-sender-identity'],
    summary: "A single request carries the first digits of the sender's key as a reference.",
    tamper: items('rfq.read', (item, context) => {
      const [, key = ''] = orderIn(context, item)?.senderPartyId.split('::') ?? [];
      return { ...item, client_ref: key.slice(0, 16) };
    }),
  },
  {
    id: 'custodian-deep-in-request',
    breaks: ['rfq.read.hides-sender-identity'],
    summary: "A single request tells under settlement details which custodian's account pays.",
    tamper: items('rfq.read', (item, context) => ({
      ...item,
      settlement: { legs: [{ from: orderIn(context, item)?.senderCustodianPartyId }] },
    })),
  },
  {
    id: 'sender-name-in-listed-requests',
    breaks: ['rfq.list.hides-sender-identity'],
    summary: 'Listed requests carry a reference made of the name of the sender and a number.',
    tamper: items('rfq.list', (item, context) => {
      const order = orderIn(context, item);
      return { ...item, reference: `${order?.senderPartyId ?? ''}/${order?.seq ?? 0}` };
    }),
  },
  {
    id: 'sender-on-second-page-of-requests',
    breaks: ['rfq.list.hides-sender-identity'],
    summary: 'Requests on a later page are written by the view of orders.',
    tamper: items('rfq.list', (item, context) =>
      (context.pagination?.page ?? 1) > 1
        ? { ...item, sender_party_id: orderIn(context, item)?.senderPartyId }
        : item,
    ),
  },
  {
    id: 'sender-in-new-request-event',
    breaks: ['event.quote-request-new.hides-sender-identity'],
    summary: 'quote_request_new carries the sender.',
    tamper: payloads('quote_request_new', (data, _event, context) => ({
      ...data,
      sender_party_id: orderIn(context, data)?.senderPartyId,
    })),
  },
  {
    id: 'sender-in-expired-request-event',
    breaks: ['maker.sees-no-sender-identity'],
    summary: 'quote_request_expired tells which custodian held the order.',
    tamper: payloads('quote_request_expired', (data, _event, context) => ({
      ...data,
      custodian: orderIn(context, data)?.senderCustodianPartyId,
    })),
  },
  {
    id: 'sender-in-own-quotes',
    breaks: ['maker.sees-no-sender-identity'],
    summary: 'A maker finds under a request whom each of its pending quotes was made to.',
    tamper: items('rfq.quotes', (item, context) => ({
      ...item,
      counterparty: orderIn(context, item)?.senderPartyId,
    })),
  },
  {
    id: 'sender-in-submission-answer-after-rival',
    breaks: ['maker.sees-no-sender-identity'],
    summary: 'Once a rival has quoted, the answer to a submission names the sender.',
    tamper: items('quote.submit', (item, context) =>
      quotesOn(context, String(item.intent_id)).length > 1
        ? { ...item, parties: { buyer: orderIn(context, item)?.senderPartyId } }
        : item,
    ),
  },
  {
    id: 'sender-in-header-of-submission',
    breaks: ['maker.sees-no-sender-identity'],
    summary: 'A header of the answer to a submission, left from tracing, names the sender.',
    tamper: answers('quote.submit', (wire, context) => ({
      ...wire,
      headers: { ...wire.headers, 'x-counterparty': orderAsked(context)?.senderPartyId ?? '' },
    })),
  },
  {
    id: 'sender-told-to-losers',
    breaks: ['maker.sees-no-sender-identity'],
    summary: 'quote_rejected tells whose order it was that the maker lost.',
    tamper: payloads('quote_rejected', (data, event, { state }) => ({
      ...data,
      buyer: orderOf(state, event.intentId)?.senderPartyId,
    })),
  },
  {
    id: 'memo-in-request-detail',
    breaks: ['rfq.hides-order-particulars'],
    summary: 'A single request shows the memo of the order.',
    tamper: items('rfq.read', (item, context) => ({
      ...item,
      memo: orderIn(context, item)?.memo ?? null,
    })),
  },
  {
    id: 'contract-in-listed-requests',
    breaks: ['rfq.hides-order-particulars'],
    summary: 'Listed requests show the source contract.',
    tamper: items('rfq.list', (item, context) => ({
      ...item,
      source_contract_id: orderIn(context, item)?.sourceContractId,
    })),
  },
  {
    id: 'request-currencies-swapped',
    breaks: ['rfq.source-currency.as-order', 'rfq.target-currency.as-order'],
    summary: 'A single request has its currencies the wrong way round.',
    tamper: items('rfq.read', (item) => ({
      ...item,
      source_currency: item.target_currency,
      target_currency: item.source_currency,
    })),
  },
  {
    id: 'request-amount-rounded-in-list',
    breaks: ['rfq.target-amount.as-order'],
    summary: 'Listed requests show amounts in whole units.',
    tamper: items('rfq.list', (item) => ({
      ...item,
      target_amount: String(item.target_amount).replace(/\.\d+$/, ''),
    })),
  },
  {
    id: 'request-shows-the-maximum',
    breaks: ['rfq.target-amount.as-order'],
    summary: 'A single request shows what the sender would pay as its target amount.',
    tamper: items('rfq.read', (item, context) => ({
      ...item,
      target_amount: orderIn(context, item)?.sourceAmountMax,
    })),
  },
  {
    id: 'request-created-when-read',
    breaks: ['rfq.created-at.as-order'],
    summary: 'A request is said to have been created a minute before its order.',
    tamper: items(makers, (item) => ({ ...item, created_at: shifted(item.created_at, -60_000) })),
  },
  {
    id: 'request-expires-earlier',
    breaks: ['rfq.expires-at.as-order'],
    summary: 'Makers see requests expire five seconds before they do.',
    tamper: rules(({ views }) => ({
      views: {
        rfqItem: (order) => ({
          ...views.rfqItem(order),
          expires_at: new Date(order.expiresAt - 5_000).toISOString(),
        }),
      },
    })),
  },
  {
    id: 'request-says-for-whom',
    breaks: ['rfq.list.hides-sender-identity', 'rfq.read.hides-sender-identity'],
    summary: 'A note on a request has the name of its sender among other words.',
    tamper: items(makers, (item, context) => ({
      ...item,
      note: `for ${orderIn(context, item)?.senderPartyId.split('::')[0]}, by agreement`,
    })),
  },
];
