import { expect, test } from 'vitest';
import { placesOf } from './places.ts';

test.each(['embedded:/bank-a/health', 'ftp://fx.example/bank-a/health', 'blob:null/health'])(
  'a request to %s went to no party',
  (address) => {
    expect(placesOf([{ method: 'GET', url: new URL(address) }], [])).toEqual([undefined]);
  },
);

test('a request below a prefix went to the party of that prefix', () => {
  const url = new URL('https://fx.example/bank-a/health');
  expect(placesOf([{ method: 'GET', url }], [])).toMatchObject([
    { baseUrl: 'https://fx.example/bank-a', path: '/health', endpoint: 'health.read' },
  ]);
});
