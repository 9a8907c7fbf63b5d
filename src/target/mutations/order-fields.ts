import type { Written } from './mutation.ts';
import {
  answers,
  items,
  type Json,
  orderAnswers,
  orderIn,
  ordersBy,
  payloads,
  requests,
  rules,
  shifted,
  text,
  without,
} from './tools.ts';

/** Fields of an order that are there from its creation on, and what its sender sent (2.2). */
export const orderFieldMutations: readonly Written[] = [
  {
    id: 'list-leaves-out-sender',
    breaks: ['order.sender-party-id.present'],
    summary: 'Lists of orders leave out who sent them, as the caller knows.',
    tamper: items('order.list', (item) => without(item, 'sender_party_id')),
  },
  {
    id: 'expiry-gone-once-accepted',
    breaks: ['order.expires-at.present'],
    summary: 'An order with an accepted quote shows no expires_at any more.',
    tamper: items(orderAnswers, (item) =>
      item.quote_id === undefined ? item : without(item, 'expires_at'),
    ),
  },
  {
    id: 'created-at-gone-from-cancelled',
    breaks: ['order.created-at.present'],
    summary: 'A cancelled order is read without created_at.',
    tamper: items('order.read', (item) =>
      item.status === 'FAILED' ? without(item, 'created_at') : item,
    ),
  },
  {
    id: 'status-missing-on-later-pages',
    breaks: ['order.status.present'],
    summary: 'Orders on a later page of a list are abridged: they carry no status.',
    tamper: items('order.list', (item, { pagination }) =>
      (pagination?.page ?? 1) > 1 ? without(item, 'status') : item,
    ),
  },
  {
    id: 'id-missing-in-filtered-lists-of-custodian',
    breaks: ['order.intent-id.present'],
    summary: "A custodian's filtered list names orders under id in place of intent_id.",
    tamper: items('order.list', (item, { party, query }) =>
      party?.role === 'custodian' && query.status !== undefined
        ? { id: item.intent_id, ...without(item, 'intent_id') }
        : item,
    ),
  },
  {
    id: 'signature-withheld-from-custodian',
    breaks: ['order.intent-signature.present'],
    summary: "The sender's custodian reads an order without its signature.",
    tamper: items('order.read', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'intent_signature') : item,
    ),
  },
  {
    id: 'contract-withheld-in-lists',
    breaks: ['order.source-contract-id.present'],
    summary: 'Lists show no source contract once an order has settled.',
    tamper: items('order.list', (item) =>
      item.status === 'SETTLED' ? without(item, 'source_contract_id') : item,
    ),
  },
  {
    id: 'receiver-gone-when-expired',
    breaks: ['order.receiver-party-id.present', 'order.receiver-party-id.unchanged'],
    summary: 'An expired order does not show who was to receive.',
    tamper: items(orderAnswers, (item) =>
      item.status === 'EXPIRED' ? without(item, 'receiver_party_id') : item,
    ),
  },
  {
    id: 'maximum-withheld-from-receiver-custodian',
    breaks: ['order.source-amount-max.present'],
    summary: "The receiver's custodian reads orders without their maximum.",
    tamper: items('order.read', (item, context) =>
      orderIn(context, item)?.receiverCustodianPartyId === context.party?.partyId
        ? without(item, 'source_amount_max')
        : item,
    ),
  },
  {
    id: 'acceptance-answer-lacks-target-currency',
    breaks: ['order.target-currency.present'],
    summary: 'The order that an acceptance returns has no target currency.',
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'institution' ? without(item, 'target_currency') : item,
    ),
  },
  {
    id: 'status-in-lower-case-on-creation',
    breaks: ['order.status.form', 'order.create.returns-pending'],
    summary: 'A created order has the status in lower case.',
    tamper: items('order.create', (item) => ({
      ...item,
      status: String(item.status).toLowerCase(),
    })),
  },
  {
    id: 'cancelled-is-a-state',
    breaks: ['order.status.form', 'order.state.cancel-ends-order'],
    summary: 'A cancelled order is CANCELLED, a state of its own.',
    tamper: () => ({
      response: (wire) => {
        const text = JSON.stringify(wire.body ?? '');
        if (wire.status >= 300 || !text.includes('USER_CANCELLED')) return wire;
        return { ...wire, body: renamed(wire.body) };
      },
    }),
  },
  {
    id: 'settling-in-place-of-executing',
    breaks: ['order.status.form'],
    summary: 'order_updated calls EXECUTING by another name, SETTLING.',
    tamper: payloads('order_updated', (data) =>
      data.status === 'EXECUTING' ? { ...data, status: 'SETTLING' } : data,
    ),
  },
  {
    id: 'expiry-without-zone',
    breaks: ['order.expires-at.form', 'convention.timestamps'],
    summary: "A custodian's list writes expires_at without the zone.",
    tamper: items('order.list', (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, expires_at: String(item.expires_at).replace('Z', '') }
        : item,
    ),
  },
  {
    id: 'hash-with-prefix',
    breaks: ['order.transaction-hash.form'],
    summary: 'The transaction hash of an order is written with 0x before it, in lists.',
    tamper: items('order.list', (item) =>
      item.transaction_hash === undefined
        ? item
        : { ...item, transaction_hash: `0x${text(item.transaction_hash)}` },
    ),
  },
  {
    id: 'memo-echoed-trimmed',
    breaks: ['order.memo.echo'],
    summary: 'A memo loses what is beyond its first forty characters.',
    tamper: rules(() => ({
      stored: {
        order: (after) =>
          after.memo === undefined ? after : { ...after, memo: after.memo.slice(0, 40) },
      },
    })),
  },
  {
    id: 'memo-as-ascii',
    breaks: ['order.memo.echo'],
    summary: 'Characters of a memo that are no ASCII are read back as question marks.',
    tamper: items(orderAnswers, (item) =>
      typeof item.memo === 'string' ? { ...item, memo: asAscii(item.memo) } : item,
    ),
  },
  {
    id: 'amount-loses-long-decimals',
    breaks: ['order.target-amount.echo'],
    summary: 'A target amount keeps two decimals of those that were sent.',
    tamper: rules(() => ({
      stored: {
        order: (after) => ({
          ...after,
          targetAmount: after.targetAmount.replace(/(\.\d\d)\d+$/, '$1'),
        }),
      },
    })),
  },
  {
    id: 'maximum-through-a-float',
    breaks: ['order.source-amount-max.echo'],
    summary: 'A maximum goes through a floating-point number: long ones lose their last digits.',
    tamper: items(orderAnswers, (item) =>
      String(item.source_amount_max).replace('.', '').length > 15
        ? { ...item, source_amount_max: String(+String(item.source_amount_max)) }
        : item,
    ),
  },
  {
    id: 'custodians-swapped-for-custodian',
    breaks: ['order.sender-custodian-party-id.echo', 'order.receiver-custodian-party-id.echo'],
    summary: 'A custodian reads both custodians of an order the wrong way round.',
    tamper: items('order.read', (item, { party }) =>
      party?.role === 'custodian'
        ? {
            ...item,
            sender_custodian_party_id: item.receiver_custodian_party_id,
            receiver_custodian_party_id: item.sender_custodian_party_id,
          }
        : item,
    ),
  },
  {
    id: 'receiver-is-the-sender-in-lists',
    breaks: ['order.receiver-party-id.echo'],
    summary: 'Lists of orders show the sender as the receiver.',
    tamper: items('order.list', (item) => ({ ...item, receiver_party_id: item.sender_party_id })),
  },
  {
    id: 'contract-index-lost',
    breaks: ['order.source-contract-id.echo', 'order.source-contract-id.form'],
    summary: 'The index of a source contract is lost when the order is read.',
    tamper: items('order.read', (item) => ({
      ...item,
      source_contract_id: String(item.source_contract_id).split('#')[0],
    })),
  },
  {
    id: 'signature-truncated',
    breaks: ['order.intent-signature.echo'],
    summary: 'A signature is kept in a column of 64 characters.',
    tamper: items(['order.read', 'order.list'], (item) => ({
      ...item,
      intent_signature: String(item.intent_signature).slice(0, 64),
    })),
  },
  {
    id: 'currencies-swapped-in-acceptance',
    breaks: ['order.source-currency.echo', 'order.target-currency.echo'],
    summary: 'The order that an acceptance returns has its currencies the wrong way round.',
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'institution'
        ? { ...item, source_currency: item.target_currency, target_currency: item.source_currency }
        : item,
    ),
  },
  {
    id: 'second-order-shares-contract',
    breaks: ['order.source-contract-id.echo'],
    summary: 'With two orders open the newer is shown over the contract of the older.',
    tamper: items('order.read', (item, context) => {
      const order = orderIn(context, item);
      const open = ordersBy(context, order?.senderPartyId ?? '').filter(
        ({ status }) => status === 'PENDING',
      );
      const first = open[0];
      return order && first && open.length > 1 && open.at(-1)?.id === order.id
        ? { ...item, source_contract_id: first.sourceContractId }
        : item;
    }),
  },
  {
    id: 'read-answers-the-neighbour',
    breaks: ['order.read.returns-that-order', 'order.intent-id.unchanged'],
    summary: 'An order that has failed is read under the id of the one created before it.',
    tamper: items('order.read', (item, context) => {
      const order = orderIn(context, item);
      const before = ordersBy(context, order?.senderPartyId ?? '').filter(
        ({ seq }) => seq < (order?.seq ?? 0),
      );
      return item.status === 'FAILED' && before.length > 0
        ? { ...item, intent_id: before.at(-1)?.id }
        : item;
    }),
  },
  {
    id: 'sender-is-the-custodian',
    breaks: ['order.sender-party-id.is-creator'],
    summary: 'In the list of a custodian an order is sent by the custodian itself.',
    tamper: items('order.list', (item, { party }) =>
      party?.role === 'custodian' ? { ...item, sender_party_id: party.partyId } : item,
    ),
  },
  {
    id: 'created-at-of-the-request-before',
    breaks: ['order.created-at.at-creation'],
    summary: 'created_at is rounded down to a whole minute.',
    tamper: rules(() => ({
      stored: {
        order: (after, before) =>
          before ? after : { ...after, createdAt: after.createdAt - (after.createdAt % 60_000) },
      },
    })),
  },
  {
    id: 'created-at-moves-with-changes',
    breaks: ['order.created-at.unchanged'],
    summary: 'created_at is the moment of the last change once a quote is accepted.',
    tamper: rules(() => ({
      stored: {
        order: (after, before, { now }) =>
          before && after.accepted && !before.accepted ? { ...after, createdAt: now } : after,
      },
    })),
  },
  {
    id: 'expired-before-created',
    breaks: ['order.expires-at.after-creation'],
    summary: 'A custodian reads expires_at in a zone nine hours behind, said to be UTC.',
    tamper: items(['order.read', 'order.list'], (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, expires_at: shifted(item.expires_at, -9 * 3_600_000) }
        : item,
    ),
  },
  {
    id: 'expiry-extended-by-quotes',
    breaks: ['order.expires-at.unchanged'],
    summary: 'A cancel moves expires_at to its own moment.',
    tamper: rules(() => ({
      stored: {
        order: (after, before, { now }) =>
          before && after.failureReason === 'USER_CANCELLED' ? { ...after, expiresAt: now } : after,
      },
    })),
  },
  {
    id: 'ids-shared-after-a-cancel',
    breaks: ['order.intent-id.unique'],
    summary: 'The answer to a creation after a cancel names the cancelled order.',
    tamper: items('order.create', (item, context) => {
      const cancelled = ordersBy(context, String(item.sender_party_id)).filter(
        ({ failureReason }) => failureReason === 'USER_CANCELLED',
      );
      const last = cancelled.at(-1);
      return last && context.count(last.id) === 1 ? { ...item, intent_id: last.id } : item;
    }),
  },
  {
    id: 'amount-read-up-to-the-first-letter',
    breaks: ['order.create.malformed-amount-refused'],
    summary: 'Of a target amount that begins as a number the rest is ignored.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      const begin = /^(\d+(?:\.\d+)?)[^\d.eE+-]/.exec(String(body?.target_amount));
      return begin ? { ...request, body: { ...body, target_amount: begin[1] } } : undefined;
    }),
  },
  {
    id: 'every-fifth-order-not-listed',
    breaks: ['order.list.complete'],
    summary: 'Every fifth order of a sender is missing from its unfiltered list.',
    tamper: answers('order.list', (wire, context) => {
      const body = wire.body as { data?: readonly Json[] } | undefined;
      if (wire.status >= 300 || !body?.data || context.query.status !== undefined) return wire;
      const data = body.data.filter((item) => {
        const order = orderIn(context, item);
        return order === undefined || order.seq % 5 !== 4;
      });
      return { ...wire, body: { ...body, data } };
    }),
  },
];

/** The same JSON with the state of cancelled orders by another name, at any depth. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one));
  if (typeof value !== 'object' || value === null) return value;
  const item = value as Json;
  if (item.failure_reason === 'USER_CANCELLED') return { ...item, status: 'CANCELLED' };
  return Object.fromEntries(Object.entries(item).map(([name, one]) => [name, renamed(one)]));
}

const asAscii = (memo: string): string =>
  Array.from(memo, (one) => ((one.codePointAt(0) ?? 0) < 128 ? one : '?')).join('');
