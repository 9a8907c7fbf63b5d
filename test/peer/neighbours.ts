import type { Book, Order } from './order-book.ts';
import { Refusal } from './refusal.ts';
import { peerParties } from './parties.ts';

/**
 * Other users of a backend: an institution, a market maker, and a second client of the sender. They
 * use only their own orders, or their maker quotes every order.
 */
export type Neighbours = 'none' | 'among themselves' | 'quoting all';

const [sender = '', , custodian = '', receiver = ''] = peerParties.map(({ party }) => party);
const institution = 'Elsewhere::e1';
const maker = 'Floor::f2';
/** Somebody else's client of a party that a run acts as, too. */
const ourMaker = 'Quick Quotes::a001';

/** Returns a function that takes the next of their actions in a fixed cycle. */
export function neighboursOn(book: Book, who: Neighbours): () => void {
  let turn = 0;
  const own: Order[] = [];
  const create = (by: string): void => {
    const order = book.create(by, {
      sender_custodian_party_id: custodian,
      intent_signature: `ab${turn.toString(16).padStart(8, '0')}`,
      receiver_party_id: institution,
      receiver_custodian_party_id: receiver,
      source_contract_id: `ee${turn.toString(16).padStart(8, '0')}#0`,
      source_currency: 'USD',
      target_amount: '70.00',
      target_currency: 'EUR',
      source_amount_max: '90.00',
    });
    own.push(order);
  };
  const quote = (order: Order, by = maker): void => {
    if (order.quotes.some((one) => one.maker === by)) return;
    const until = book.moment(book.clock.now() + 20_000);
    book.submit(by, order, '1', order.body.target_amount ?? '', until);
  };
  const isOpen = ({ status }: Order): boolean => status === 'PENDING';
  const acts: readonly (() => void)[] = [
    () => create(institution),
    () => own.filter(isOpen).forEach((order) => quote(order)),
    () => create(sender),
    () => {
      const order = own.filter(isOpen).find(({ quotes }) => quotes.length > 0);
      if (order) book.accept(order, order.quotes.at(-1));
    },
    () => own.filter(isOpen).forEach((order) => quote(order, ourMaker)),
    () => {
      const order = own.findLast(isOpen);
      if (order) book.cancel(order);
    },
  ];
  return () => {
    if (who === 'none') return;
    turn += 1;
    try {
      if (who === 'quoting all') for (const order of book.pending) quote(order);
      if (turn % 3 === 0) acts[(turn / 3) % acts.length]?.();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };
}
