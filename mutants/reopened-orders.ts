import { type Order, orderOf } from '../src/reference/core/index.ts';
import type { Tamper, TamperContext } from '../src/reference/http/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { Written } from './mutation.ts';
import { items, text } from './tools.ts';

type Forgotten = (order: Order, context: TamperContext) => boolean;

const keyOf = (what: string, id: unknown): string => `${what} ${text(id)}`;

/** Orders that read as PENDING again once something was asked of them at a moment that nobody had thought of. */
const reopenedBy = (endpoint: EndpointName, isForgotten: Forgotten) => (): Tamper => {
  const shown = items(['order.read', 'order.list'], (item, { memory }) =>
    memory.has(keyOf('reopened', item.intent_id)) ? { ...item, status: 'PENDING' } : item,
  );
  return {
    ...shown(),
    command(command, context) {
      if (command.type !== 'request') return command;
      const { memory, now } = context;
      const id = command.params.intent_id ?? '';
      const order = orderOf(context.state, id);
      if (command.endpoint === 'order.cancel') memory.set(keyOf('cancelled', id), now);
      if (command.endpoint === endpoint && order && isForgotten(order, context)) {
        memory.set(keyOf('reopened', id), true);
      }
      return command;
    },
  };
};

/** What is asked of orders that have moved on, just now or long ago (3.1). */
export const crossingMutations: readonly Written[] = [
  {
    id: 'late-proposal-reopens-settled',
    breaks: ['proposal.accept.order-stays-legal'],
    summary: 'A settled order reads as PENDING once its proposal is accepted again.',
    tamper: reopenedBy('proposal.accept', ({ status }) => status === 'SETTLED'),
  },
  {
    id: 'late-proposal-reopens-accepted',
    breaks: ['proposal.accept.order-stays-legal'],
    summary:
      'An order with an accepted quote reads as PENDING once its proposal is accepted again.',
    tamper: reopenedBy(
      'proposal.accept',
      ({ status }) => status === 'QUOTED' || status === 'EXECUTING',
    ),
  },
  {
    id: 'quote-beside-acceptance-undoes-it',
    breaks: ['order.state.executing-to-settled'],
    summary: "A rival's quote that comes at the moment of an acceptance leaves the order PENDING.",
    tamper: reopenedBy('quote.submit', ({ accepted }, { now }) => accepted?.acceptedAt === now),
  },
  {
    id: 'quote-beside-cancel-revives',
    breaks: ['order.state.cancel-ends-order'],
    summary: 'A quote that comes at the moment of a cancel leaves the order PENDING.',
    tamper: reopenedBy(
      'quote.submit',
      ({ id }, { memory, now }) => memory.get(keyOf('cancelled', id)) === now,
    ),
  },
];
