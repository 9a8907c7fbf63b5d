import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { exchange as made } from '../../../test/support/records.ts';
import { exchangesOf } from './exchange-index.ts';
import { observeOrders, observeProposal } from './orders.ts';

const intentId = '00000000-0000-4000-8000-000000000001';
const startMs = Date.parse('2026-03-02T09:00:00.000Z');

const exchange = (
  n: number,
  endpoint: EndpointName,
  given: Omit<Parameters<typeof made>[0], 'at'>,
): Exchange =>
  made({
    by: 'discovery',
    endpoint,
    params: endpoint === 'order.create' ? {} : { intent_id: intentId },
    at: startMs + 10 * n,
    ...given,
  });

const inOrder = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchangesOf({ records: exchanges.toSorted((one, other) => one.sent - other.sent) });

describe('the effect of a proposal', () => {
  const quoted = (n: number, validMs: number, status: number, by?: string): Exchange =>
    exchange(n, 'quote.submit', {
      party: 'maker_a',
      body: { fx_rate: '1', valid_until: new Date(startMs + n + validMs).toISOString() },
      status,
      ...(by !== undefined && { by }),
    });
  const accepted = exchange(5, 'proposal.accept', { party: 'sender_custodian', status: 200 });
  const effect = (...quotes: readonly Exchange[]) =>
    [...observeProposal(inOrder([...quotes, accepted]))]
      .filter(({ gap }) => gap === 'proposal.effect')
      .map(({ answer }) => answer);

  it('opens quoting if a quote is refused before it and taken after it', () => {
    const [early, late] = [quoted(1, 1_000, 409), quoted(7, 994, 201)];
    expect(effect(early, late)).toEqual(['opens-quoting']);
  });

  it('opens quoting whatever validity the target allows', () => {
    const before = [quoted(1, 240_000, 422), quoted(2, 10_000, 422), quoted(3, 5_600, 409)];
    const after = [quoted(6, 240_000, 422), quoted(7, 10_000, 422), quoted(8, 5_600, 201)];
    expect(effect(...before, ...after)).toEqual(['opens-quoting']);
    expect(effect(...before.slice(0, 2), ...after)).toEqual([]);
  });

  it('opens acceptance if that is refused before it and granted after it', () => {
    const select = (n: number, status: number, by = 'discovery'): Exchange => ({
      ...exchange(n, 'quote.accept', { party: 'sender', status, by }),
      params: { intent_id: intentId, quote_id: '00000000-0000-4000-8000-000000000002' },
    });
    const given = quoted(1, 9_000, 201);
    expect(effect(given, select(2, 409), select(7, 200))).toEqual(['opens-acceptance']);
    expect(effect(given, select(2, 409), select(7, 409))).toEqual([]);
    expect(effect(given, select(2, 409), select(3, 200))).toEqual([]);
    expect(effect(given, select(2, 409, 'a.check'), select(7, 200, 'a.check'))).toEqual([]);
  });

  it('is not derived from quotes that discovery did not send', () => {
    expect(effect(quoted(1, -1_000, 422, 'a.check'), quoted(7, 9_000, 201, 'a.check'))).toEqual([]);
  });
});

describe('the receivers that an order may name', () => {
  const creation = (n: number, receiver: string, status: number): Exchange =>
    exchange(n, 'order.create', {
      party: 'sender',
      body: { receiver_party_id: receiver, memo: 'm' },
      status,
    });
  const check = (...creations: readonly Exchange[]) =>
    [...observeOrders(inOrder(creations))]
      .filter(({ gap }) => gap === 'order.party_check')
      .map(({ answer }) => answer);

  it('are known parties if the same order to an unknown one is refused', () => {
    const refused = creation(1, 'Receiver::0a', 422);
    expect(check(refused, creation(2, 'Bank::0b', 201))).toEqual(['known-parties']);
    expect(check(refused, creation(2, 'Bank::0b', 422))).toEqual([]);
  });
});
