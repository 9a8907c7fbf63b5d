import { expect, it } from 'vitest';
import type { Exchange, Frame, HistoryRecord } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { exchange, frame } from '../../../test/support/records.ts';
import { stepsOfCause } from './of-cause.ts';

const call = (id: string, endpoint: EndpointName, order: string, more: object = {}): Exchange =>
  exchange({
    id,
    endpoint,
    params: endpoint === 'order.create' ? {} : { intent_id: order },
    data: { intent_id: order, ...more },
    at: Number(id),
  });

const event = (id: string, order: string): Frame =>
  frame({
    id,
    stream: '1',
    at: Number(id),
    event: 'order_updated',
    data: { intent_id: order },
  });

const records: readonly HistoryRecord[] = [
  { ...call('1', 'order.events', 'none'), opensStream: true },
  call('2', 'order.create', 'A'),
  call('3', 'order.create', 'b'),
  call('4', 'order.read', 'a'),
  call('5', 'quote.submit', 'a', { quote_id: 'q' }),
  call('6', 'quote.submit', 'a', { quote_id: 'other' }),
  call('7', 'quote.accept', 'a', { quote_id: 'q' }),
  event('8', 'a'),
  call('9', 'order.cancel', 'a'),
];
const stepsTo = (...evidence: string[]): string[] =>
  stepsOfCause({ records }, evidence).map(({ id }) => id);

it('holds the evidence of a failure, and the steps that led its order there', () => {
  expect(stepsTo('4')).toEqual(['2', '4']);
  expect(stepsTo('8')).toEqual(['1', '2', '5', '7', '8']);
});
