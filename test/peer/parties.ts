import type { Book } from './order-book.ts';

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

/** An order from long ago, as a backend in use has them by the thousand: neither side is notified of it. */
export function seedOldOrder(book: Book, index: number): void {
  const [sender, , custodian, receiver] = peerParties;
  const created = book.clock.now() - 86_400_000 - index * 1000;
  book.orders.push({
    id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    status: index % 2 ? 'EXPIRED' : 'FAILED',
    sender: sender?.party ?? '',
    body: {
      sender_custodian_party_id: custodian?.party ?? '',
      intent_signature: 'ab12',
      receiver_party_id: 'Old::ee',
      receiver_custodian_party_id: receiver?.party ?? '',
      source_contract_id: `ff${index.toString(16)}#0`,
      source_currency: 'GBP',
      target_amount: '10.00',
      target_currency: 'JPY',
      source_amount_max: '12.00',
    },
    created,
    expires: created + book.dialect.lifetimeMs,
  });
}
