import type { Order } from '../src/reference/core/index.ts';
import { openRequestsOf } from './defects/reading.ts';
import { mutation, type Written } from './mutation.ts';

/** A number derived from a text, different for almost all texts. */
const numberOf = (text: string): number => {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 99_991;
  return sum;
};

const deskOf = ({ senderPartyId }: Order): number => numberOf(senderPartyId);
const makers = ['rfq.list', 'rfq.read'] as const;

/** Defects by which requests of different senders can be told apart, though nothing names the sender (2.4). */
export const anonymityMutations: readonly Written[] = [
  mutation('requests-numbered-by-desk', 'rfq.senders-not-told-apart')
    .summary('Requests carry a number that stands for their sender.')
    .leak(makers, (order) => ({ desk: deskOf(order) })),
  mutation('request-references-begin-alike', 'rfq.senders-not-told-apart')
    .summary('The reference of a request is a number for its sender, and one for the request.')
    .leak('rfq.read', (order) => ({ details: { reference: `R${deskOf(order)}-${order.seq}` } })),
  mutation('requests-told-with-a-pseudonym', 'rfq.senders-not-told-apart')
    .summary('quote_request_new names the sender by a pseudonym that each maker has for itself.')
    .setPayload('quote_request_new', (_, { order, to }) => ({
      client: numberOf(`${to} ${order?.senderPartyId}`).toString(36),
    })),
  mutation('header-of-a-request-tells-its-shard', 'rfq.senders-not-told-apart')
    .summary('A header of a single request says on which shard its sender is kept.')
    .setAnswer('rfq.read', ({ headers }, { order }) => {
      return order && { headers: { ...headers, 'x-shard': `s${deskOf(order)}` } };
    }),
  mutation('own-quotes-tell-the-counterparty', 'rfq.senders-not-told-apart')
    .summary("A maker's own quotes carry a number for the institution that they were made to.")
    .set(['quote.list', 'rfq.quotes'], (_, { order }) => order && { account: deskOf(order) }),
  mutation('requests-filtered-by-sender', 'rfq.list.answers-nothing-of-senders')
    .summary('A maker that knows the identifier of a sender can list its requests.')
    .lists('rfq.list', (context) => {
      const { sender_party_id: asked } = context.query;
      return (
        asked !== undefined &&
        openRequestsOf(context, ({ senderPartyId }) => senderPartyId === asked)
      );
    }),
  mutation('requests-counted-by-sender', 'rfq.list.answers-nothing-of-senders')
    .summary('The number of requests is that of one sender, where a maker asks for it.')
    .setPagination('rfq.list', (_, context) => {
      const { sender_party_id: asked } = context.query;
      const count = openRequestsOf(context, ({ senderPartyId }) => senderPartyId === asked).length;
      return asked !== undefined && { total_items: count };
    }),
  mutation('requests-filtered-by-custodian', 'rfq.list.answers-nothing-of-senders')
    .summary('A maker that knows the identifier of a custodian can list the requests it keeps.')
    .lists('rfq.list', (context) => {
      const { sender_custodian_party_id: asked } = context.query;
      const isKept = (order: Order): boolean => order.senderCustodianPartyId === asked;
      return asked !== undefined && openRequestsOf(context, isKept);
    }),
  mutation('receiver-hears-updates', 'event.order-updated.not-to-receiver')
    .summary('order_updated goes to the institution that is to receive as well.')
    .alsoTo('order_updated', ({ order }) => order?.receiverPartyId),
  mutation('receiver-hears-of-the-settlement', 'event.order-updated.not-to-receiver')
    .summary('The institution that is to receive is told when an order has settled.')
    .alsoTo('order_updated', ({ order, status }) => status === 'SETTLED' && order?.receiverPartyId),
];
