import type { Book, Order } from './order-book.ts';
import type { Quote } from './quote.ts';

export interface PeerParty {
  readonly key: string;
  readonly party: string;
  readonly role: string;
}

export const peerParties: readonly PeerParty[] = [
  { key: 'sender', party: 'Nordbank::12ab', role: 'institution' },
  { key: 'outsider', party: 'Sudbank::34cd', role: 'institution' },
  { key: 'sender_custodian', party: 'Keep & Co::77aa', role: 'custodian' },
  { key: 'receiver_custodian', party: 'Vault::88bb', role: 'custodian' },
  { key: 'outsider_custodian', party: 'Chest::99cc', role: 'custodian' },
  { key: 'maker_a', party: 'Quick Quotes::a001', role: 'market-maker' },
  { key: 'maker_b', party: 'Tight::b002', role: 'market-maker' },
  { key: 'maker_c', party: 'Wide::c003', role: 'market-maker' },
];

const hour = 3_600_000;

/**
 * Adds one old order, as a backend in use has thousands: in every state, open ones included, with
 * values from before they were validated.
 */
export function keepOldOrder(book: Book, index: number, of: number): void {
  const [sender = '', , custodian = '', receiver = ''] = peerParties.map(({ party }) => party);
  const makers = peerParties.filter(({ role }) => role === 'market-maker');
  const created = book.clock.now() - 24 * hour - (of - index) * 1000;
  const id = (kind: number): string =>
    `00000000-0000-4000-800${kind}-${index.toString(16).padStart(12, '0')}`;
  const status =
    ['EXPIRED', 'FAILED', 'SETTLED', 'PENDING'][index % 50 === 3 ? 3 : index % 3] ?? '';
  const isTraded = status === 'SETTLED' || status === 'FAILED';
  const order: Order = {
    id: id(0),
    status,
    sender,
    body: {
      sender_custodian_party_id: custodian,
      intent_signature: index % 2 ? 'ab12' : 'signed by hand',
      receiver_party_id: index % 2 ? 'Old::ee' : 'nobody',
      receiver_custodian_party_id: receiver,
      source_contract_id: index % 2 ? `ff${index.toString(16)}#0` : `contract ${index}`,
      source_currency: 'GBP',
      target_amount: index % 5 ? '10.00' : '10.000000001',
      target_currency: 'JPY',
      source_amount_max: '12.00',
    },
    created,
    expires: status === 'PENDING' ? created + 9_000 * hour : created + 60_000,
    quotes: [],
    ...(status === 'FAILED' && { reason: 'REVERT' }),
  };
  const maker = makers[index % makers.length]?.party ?? '';
  const quote: Quote = {
    id: id(1),
    order,
    maker,
    rate: '1',
    target: '10.00',
    source: '10.00',
    submitted: '10.00',
    at: created + 10,
    until: created + 50_000,
    untilText: book.moment(created + 50_000),
    status: isTraded ? 'ACCEPTED' : 'EXPIRED',
  };
  if (index % 4 !== 1 || isTraded) order.quotes.push(quote);
  if (isTraded) order.accepted = { quote, at: created + 1_000 };
  if (status === 'SETTLED') {
    order.settled = { hash: `0a${index.toString(16).padStart(6, '0')}`, at: created + 5_000 };
  }
  book.keep(order);
}

/** The part that a party has in an order. */
export const sideOf = (
  member: PeerParty,
  order: Order,
): 'sender' | 'custodian' | 'receiver' | undefined => {
  if (order.sender === member.party) return 'sender';
  if (order.body.sender_custodian_party_id === member.party) return 'custodian';
  return order.body.receiver_custodian_party_id === member.party ? 'receiver' : undefined;
};
