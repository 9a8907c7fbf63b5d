import { describe, expect, test } from 'vitest';
import type { History, HistoryRecord } from '../history/records.ts';
import {
  altered,
  edited,
  fullTrade,
  issued,
  outcomes,
} from '../../test/support/oracle/findings-and-edits.ts';
import { body, defects, type Defects, type Json, set } from '../../test/support/oracle/defects.ts';
import { partyIds } from '../../test/support/oracle/fake-wire.ts';

const life = fullTrade();

describe('one thing broken', () => {
  test.each(defects)('%s fails %s', (_, requirement, breaking) => {
    expect(outcomes(breaking(life), requirement)).toContain('fail');
  });

  const vaguely: Defects = [
    [
      'the memo in a request',
      'rfq.hides-order-particulars',
      set({ at: 'rfq.read', nth: 0 }, 'note', 'for sender 1'),
    ],
    [
      'the winner in quote_rejected, under any name',
      'event.quote-rejected.keeps-winner-secret',
      set({ at: 'quote_rejected', nth: 0 }, 'won_by', partyIds.maker_a),
    ],
    [
      'a failure reason that is none of the six',
      'order.failure-reason.admissible',
      (history: History) =>
        edited(history, { at: 'order_updated', status: 'FAILED' }, (order) => {
          if (order['failure_reason'] === 'USER_CANCELLED') order['failure_reason'] = 'CANCELLED';
        }),
    ],
    [
      'the same request id twice',
      'meta.request-id.distinct',
      body(
        { at: 'order.list', party: 'sender_custodian' },
        (found) => ((found['meta'] as Json)['request_id'] = 'r'),
      ),
    ],
    [
      'a settlement that takes 20 seconds',
      'limit.settlement-duration',
      set(
        { at: 'order_updated', status: 'SETTLED' },
        'quote_accepted_at',
        '2026-03-02T08:59:50.000Z',
      ),
    ],
  ];
  test.each(vaguely)('%s is noticed under %s', (_, requirement, breaking) => {
    const seen = outcomes(breaking(life), requirement);
    expect(seen.includes('fail') || seen.includes('warn')).toBe(true);
  });

  test.each([
    ['a request of nordhavn-bank-17', 'Nordhavn Bank', 'fail'],
    ['NORDHAVN_BANK', 'Nordhavn Bank', 'fail'],
    ['nordhavnBank', 'Nordhavn Bank', 'fail'],
    ['nordhavn savings bank', 'Nordhavn Bank', 'pass'],
    ['nordhavn banking', 'Nordhavn Bank', 'pass'],
    ['the sender bank decides', 'Sender Bank', 'pass'],
    [btoa('{"to":"Nordhavn Bank::1220"}'), 'Nordhavn Bank', 'pass'],
  ])('that a request says %s of %s', (text, name, outcome) => {
    const requirement = 'rfq.read.hides-sender-identity';
    const rename = (record: HistoryRecord): HistoryRecord =>
      JSON.parse(JSON.stringify(record).replaceAll('Alder::', `${name}::`)) as HistoryRecord;
    const breaking = set({ at: 'rfq.read', nth: 0 }, 'note', text);
    const found = outcomes(breaking(altered(life, rename)), requirement);
    expect(found.includes('fail') ? 'fail' : 'pass').toBe(outcome);
  });

  test.each(['maker_a', 'receiver_custodian'])('that a request encodes %s', (name) => {
    const text = btoa(`{"by":"${partyIds[name as keyof typeof partyIds]}"}`);
    const breaking = set({ at: 'rfq.read', nth: 0 }, 'ref', text);
    expect(outcomes(breaking(life), 'rfq.read.hides-sender-identity')).not.toContain('fail');
  });

  test.each([
    ['user_cancelled', 'fail'],
    ['UserCancelled', 'fail'],
    ['CANCELLED', 'warn'],
  ])('that an order failed for the reason %s', (word, outcome) => {
    const breaking = edited(life, { at: 'order_updated', status: 'FAILED' }, (order) => {
      if (order['failure_reason'] === 'USER_CANCELLED') order['failure_reason'] = word;
    });
    expect(outcomes(breaking, 'order.failure-reason.admissible')).toContain(outcome);
  });

  test.each([
    ['Bank of Alder', 'Bank of Alder', 'fail'],
    ['bank-a', 'bank-a', 'fail'],
    ['Bank', 'Bank', 'pass'],
    ['client 7', 'client 7', 'pass'],
    ['NordBank', 'nordbank-desk', 'fail'],
    ['NordBank', 'via NordBank-17', 'fail'],
    ['Northwind', 'NORTHWIND', 'fail'],
    ['Treasury', 'held by treasury', 'pass'],
    ['BankA', 'a bank, a client', 'pass'],
  ])('that a request of a party named %s says "%s"', (name, told, outcome) => {
    const requirement = 'rfq.read.hides-sender-identity';
    const rename = (record: HistoryRecord): HistoryRecord =>
      JSON.parse(JSON.stringify(record).replaceAll('Alder::', `${name}::`)) as HistoryRecord;
    const breaking = set({ at: 'rfq.read', nth: 0 }, 'client', told);
    expect(outcomes(breaking(altered(life, rename)), requirement)).toContain(outcome);
    expect(outcomes(altered(life, rename), requirement)).not.toContain('fail');
  });

  test.each([
    [10_000, 'fail'],
    [40_000, 'pass'],
  ])('that a target ends a stream after %d ms', (ms, outcome) => {
    const fake = issued('sender');
    const stream = fake.listen('sender');
    fake.advance(ms);
    fake.hangUp(stream, 'target');
    fake.advance(1_000);
    expect(outcomes(fake, 'stream.stays-open')).toEqual([outcome]);
  });
});
