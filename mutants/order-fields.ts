import type { Written } from './mutation.ts';
import { items, type Json, orderAnswers, orderIn, payloads, text, without } from './tools.ts';

/** Fields of an order that are there from its creation on (2.2). */
export const orderFieldMutations: readonly Written[] = [
  {
    id: 'list-leaves-out-sender',
    breaks: ['order.sender-party-id.present'],
    summary: 'Lists of orders leave out who sent them, as the caller knows.',
    tamper: items('order.list', (item) => without(item, 'sender_party_id')),
  },
  {
    id: 'sender-as-the-body-says',
    breaks: ['order.sender-party-id.is-creator'],
    summary: 'An order is created for whichever sender its body names.',
    tamper: items('order.create', (item, { requestBody }) => ({
      ...item,
      sender_party_id: (requestBody as Json | undefined)?.sender_party_id ?? item.sender_party_id,
    })),
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
];

/** The same JSON with the state of cancelled orders by another name, at any depth. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one));
  if (typeof value !== 'object' || value === null) return value;
  const item = value as Json;
  if (item.failure_reason === 'USER_CANCELLED') return { ...item, status: 'CANCELLED' };
  return Object.fromEntries(Object.entries(item).map(([name, one]) => [name, renamed(one)]));
}
