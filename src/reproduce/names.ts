import type { Exchange } from '../history/records.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { isStream } from './slice.ts';

const words: { readonly [name in EndpointName]: string } = {
  'token.create': 'token',
  'health.read': 'health',
  'identity.read': 'identity',
  'stats.read': 'stats',
  'order.create': 'order',
  'order.list': 'orders',
  'order.events': 'stream',
  'order.read': 'order_read',
  'order.cancel': 'cancel',
  'order.quotes': 'quotes',
  'proposal.accept': 'proposal',
  'quote.accept': 'acceptance',
  'rfq.list': 'requests',
  'rfq.read': 'request',
  'quote.submit': 'quote',
  'rfq.quotes': 'quotes',
  'quote.list': 'own_quotes',
  'settlement.list': 'settlements',
  'settlement.read': 'settlement',
  'maker.events': 'stream',
};

/** Name of an answer: by its endpoint, numbered from the second on. A stream is named after its party. */
export function nameFor(recorded: Exchange, taken: Map<string, number>): string {
  const { endpoint, party } = recorded;
  const word = isStream(recorded) ? `stream_of_${party}` : endpoint ? words[endpoint] : 'answer';
  const count = (taken.get(word) ?? 0) + 1;
  taken.set(word, count);
  return count === 1 ? word : `${word}_${count}`;
}
