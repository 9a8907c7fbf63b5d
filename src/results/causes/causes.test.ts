import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec/requirements/index.ts';
import type { CauseReport, Failure } from '../run-report.ts';
import type { HistoryRecord } from '../../history/records.ts';
import type { FoundFailure } from '../source-report.ts';
import { createLocator } from './index.ts';
import { causesIn, exchange, failed, frame } from '../../../test/support/made-failures.ts';

const created = exchange('c', 'order.create', { intent_id: 'o', memo: 'long memo' });
const read = exchange('r', 'order.read', { intent_id: 'o', memo: 'long' });
const listed = exchange('l', 'order.list', [{ intent_id: 'o', memo: 'long' }]);
const memoOf = (place: string, id: string): Failure =>
  failed('order.memo.echo', `memo in ${place} was not what it should be`, {
    expected: 'long memo',
    actual: 'long',
    exchanges: ['c', id],
  });

describe('a single defect', () => {
  it('is one cause, whatever rules and requirements saw of it, with its endpoint and its path', () => {
    const changed = failed('order.memo.unchanged', 'memo of an order was not what it had been', {
      expected: 'long memo',
      actual: 'long',
      exchanges: ['c', 'r'],
    });
    expect(causesIn([memoOf('order.read', 'r'), changed], [created, read])).toMatchObject([
      {
        id: 'order.read:memo:wrong-value',
        place: { endpoint: 'order.read', field: 'data.memo' },
        about: 'order.memo.echo',
        requirements: ['order.memo.echo', 'order.memo.unchanged'],
        failures: [
          { source: 'rule', index: 0 },
          { source: 'rule', index: 1 },
        ],
      },
    ]);
  });

  it('is one cause where one field is wrong wherever it shows', () => {
    const causes = causesIn(
      [memoOf('order.read', 'r'), memoOf('order.list', 'l')],
      [created, read, listed],
    );
    expect(causes).toMatchObject([{ id: 'memo:wrong-value' }]);
    const [{ place, also = [] }] = causes as [CauseReport];
    expect(
      [place, ...also].map(({ endpoint, field }) => `${endpoint} ${field}`).toSorted(),
    ).toEqual(['order.list data[].memo', 'order.read data.memo']);
  });

  it('is located in the view that contradicts all others', () => {
    const differ = failed(
      'order.list.agrees-with-read',
      'order.list and order.read differed in memo',
      {
        expected: { memo: 'long' },
        actual: { memo: 'long memo' },
        exchanges: ['r', 'l'],
      },
    );
    expect(causesIn([memoOf('order.read', 'r'), differ], [created, read, listed])).toMatchObject([
      { place: { endpoint: 'order.read', field: 'data.memo' } },
    ]);
  });

  it('includes later failures of the same order', () => {
    const accepted = exchange(
      'a',
      'quote.accept',
      { intent_id: 'o' },
      { params: { intent_id: 'o' } },
    );
    const told = frame('f', 'settlement_completed', { intent_id: 'o' });
    const causes = causesIn(
      [
        failed('order.accept.expired-quote-refused', 'a quote was accepted on an order', {
          deviation: 'let through',
          expected: 'a 4xx status',
          actual: 200,
          exchanges: ['a'],
        }),
        failed('event.settlement-completed.only-settled', 'settlement_completed came of a trade', {
          exchanges: ['f'],
        }),
      ],
      [accepted, told],
    );
    expect(causes).toMatchObject([
      { id: 'quote.accept:let-through', deviation: 'let through', failures: [{}, {}] },
    ]);
  });
});

describe('the place of a failure', () => {
  const placesOf = (failure: FoundFailure, records: readonly HistoryRecord[]) =>
    createLocator({ records })(failure).places;

  it('is read from the data of a finding, not from its message', () => {
    const issued = exchange('t', 'token.create', {});
    const lacks = failed('claim.exp.present', 'a token did not carry exp', { exchanges: ['t'] });
    expect(placesOf(lacks, [issued])).toEqual([{ endpoint: 'token.create', field: 'claims.exp' }]);
    const wordy = 'no quote_received went to one, twice: fx_rate and meta.page of an EXPIRED order';
    const plain = failed('error.refusal-sends-no-event', wordy, { exchanges: ['r'] });
    expect(placesOf(plain, [read])).toEqual([{ endpoint: 'order.read' }]);
    const said = { ...plain, fields: ['memo', 'status'] };
    expect(placesOf(said, [read])).toEqual([
      { endpoint: 'order.read', field: 'data.memo' },
      { endpoint: 'order.read', field: 'data.status' },
    ]);
  });

  it('is the event of the finding if its requirement covers any event', () => {
    const opened = exchange('s', 'order.events', undefined, { opensStream: true });
    const missed = failed('stream.unfiltered-has-all', 'it did not come', { exchanges: ['s'] });
    expect(placesOf(missed, [opened])).toEqual([{ endpoint: 'order.events' }]);
    expect(placesOf({ ...missed, event: 'quote_received' }, [opened])).toEqual([
      { event: 'quote_received' },
      { endpoint: 'order.events' },
    ]);
  });

  it('is the field in which a failure reason was seen', () => {
    const ended = exchange('e', 'order.read', { intent_id: 'o', ended_for: { code: 'REVERT' } });
    const odd = failed('order.failure-reason.applies', 'an order ended for nothing', {
      fields: ['code'],
      actual: 'REVERT',
      exchanges: ['e'],
    });
    expect(placesOf(odd, [ended])).toEqual([
      { endpoint: 'order.read', field: 'data.ended_for.code' },
    ]);
  });
});

describe('two mistakes', () => {
  it('stay two causes if their places differ, the one with more requirements first', () => {
    const token = exchange('t', 'token.create', { expires_in: 0 });
    const causes = causesIn(
      [
        failed('token.expires-in.positive', 'expires_in was not positive', {
          actual: 0,
          exchanges: ['t'],
        }),
        memoOf('order.read', 'r'),
        failed('order.memo.unchanged', 'memo of an order was not what it had been (order.read)', {
          exchanges: ['c', 'r'],
        }),
      ],
      [created, read, token],
    );
    expect(causes.map(({ place }) => place)).toEqual([
      { endpoint: 'order.read', field: 'data.memo' },
      { endpoint: 'token.create', field: 'data.expires_in' },
    ]);
  });

  it('stay two if a field is missing in one place and wrong in another', () => {
    const missing = failed('order.memo.echo', 'the memo that was sent did not show (order.list)', {
      deviation: 'missing',
      requirement: 'order.target-amount.present',
      exchanges: ['l'],
    });
    const wrong = failed('order.target-amount.echo', 'target_amount in order.read was not', {
      expected: '1',
      actual: '2',
      exchanges: ['c', 'r'],
    });
    expect(causesIn([missing, wrong], [created, read, listed])).toHaveLength(2);
  });

  it('stay two if they have no place', () => {
    const nowhere = ['service.order-to-settlement', 'settlement.four-legs'] as const;
    const causes = causesIn(
      nowhere.map((id) => failed(id, 'something was not as it must be', {})),
      [],
    );
    expect(causes.map(({ place, title }) => [place, title])).toEqual(
      nowhere.map((id) => [{}, requirements[id].summary]),
    );
  });
});

describe('the name of a cause', () => {
  it('holds nothing that differs from run to run', () => {
    const at = (order: string): readonly string[] => {
      const odd = exchange(
        'x',
        'order.read',
        {},
        {
          endpoint: undefined,
          request: { method: 'GET', path: `/orders/${order}/else?x=1`, headers: {} },
          response: { status: 500, headers: {} },
        },
      );
      const fault = failed('error.refusal-is-4xx', 'a request was answered with 500', {
        expected: 'success, or a 4xx status',
        actual: 500,
        exchanges: ['x'],
      });
      return causesIn([fault], [odd]).map(({ id }) => id);
    };
    const [one, other] = [
      '7f7c0000-0000-4000-8000-000000000001',
      '7f7c0000-0000-4000-8000-000000000002',
    ].map(at);
    expect(one).toEqual(other);
    expect(one).toEqual(['get-orders-id-else:fault']);
  });

  it('is short even if a target sends a long name', () => {
    const named = frame('f', 'e'.repeat(10_000), {});
    const strange = failed('event.own-stream-only', 'it came on the maker stream', {
      exchanges: ['f'],
    });
    const [cause] = causesIn([strange], [named]);
    expect(cause?.id.length).toBeLessThanOrEqual(120);
    expect(cause?.title.length).toBeLessThan(200);
  });
});
