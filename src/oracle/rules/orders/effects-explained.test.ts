import { describe, expect, test } from 'vitest';
import {
  altered,
  context,
  edited,
  FakeTarget,
  withExchanges,
} from '../../../../test/support/oracle/findings-and-edits.ts';
import type { Order } from '../../../../test/support/oracle/fake-views.ts';
import type { Exchange, History } from '../../../history/records.ts';
import { judgeWhoeverActed } from '../../judge-whoever-acted.ts';
import { type OracleContext, viewOf } from '../../trace/history-view.ts';
import { effectsExplained } from './effects-explained.ts';

/** Findings of the rule on a history, the passes apart. */
const against = (history: History, more: Partial<OracleContext> = {}) =>
  [...judgeWhoeverActed(effectsExplained, viewOf(history, context(more)))].flatMap(
    ({ outcome, requirement }) => (outcome === 'pass' ? [] : [`${outcome} ${requirement}`]),
  );

function traded(act: (fake: FakeTarget, order: Order) => void): FakeTarget {
  const fake = new FakeTarget();
  for (const party of ['sender', 'sender_custodian', 'maker_a', 'maker_b'] as const)
    fake.token(party);
  const order = fake.create();
  fake.advance(3_000);
  act(fake, order);
  return fake;
}

/** Sender and custodian accept a quote each, and the order is read a while later. */
const twoAccepted = traded((fake, order) => {
  const [one, other] = [fake.quote('maker_a', order, '1'), fake.quote('maker_b', order, '1')];
  fake.advance(3_000);
  fake.accept(order, one);
  fake.accept(order, other, 'sender_custodian');
  fake.advance(10_000);
  fake.read('sender', order);
});

/** The second acceptance was sent before the first was answered. */
const atOnce = (history: History): History => {
  const first = history.records.findIndex(
    (record) => record.kind === 'exchange' && record.endpoint === 'quote.accept',
  );
  return altered(history, (record) => {
    const isSecond = record.kind === 'exchange' && record.party === 'sender_custodian';
    return isSecond && record.endpoint === 'quote.accept'
      ? { ...record, precededBy: first }
      : record;
  });
};

/** The acceptance that did not win. */
const losing = { at: 'quote.accept', party: 'sender' } as const;

function refuse(exchange: { -readonly [K in keyof Exchange]: Exchange[K] }): void {
  exchange.response = { status: 409, headers: {}, body: {} };
}

const pending = (order: Record<string, unknown>): void => {
  order['status'] = 'PENDING';
  delete order['quote_id'];
};

/** Quotes of one maker at these rates. The first is accepted after its deadline. */
function late(rates: readonly string[]): History {
  const fake = traded((now, order) => {
    const [first] = rates.map((rate) => now.quote('maker_a', order, rate));
    now.advance(9_000);
    if (first) now.accept(order, first);
  });
  return edited(fake, { at: 'quote.submit' }, (quote) => {
    quote['valid_until'] = quote['submitted_at'];
  });
}

describe('an order of effects is missed', () => {
  test('where two acceptances sent at once were granted', () => {
    expect(against(atOnce(twoAccepted))).toEqual(['fail order.state.legal-under-race']);
  });

  test('where an acceptance was granted and a later read shows nothing of it', () => {
    const one = withExchanges(twoAccepted, losing, refuse);
    expect(against(edited(one, { at: 'order.read' }, pending))).toEqual([
      'fail order.state.listed-transitions-only',
    ]);
  });

  test('where a quote was accepted after its deadline that may have given way to another', () => {
    expect(against(late(['1', '1.1']))).toEqual(['fail order.accept.expired-quote-refused']);
  });

  test('where a quote is PENDING again whose rival was accepted', () => {
    const fake = traded((now, order) => {
      now.quote('maker_a', order, '1');
      now.accept(order, now.quote('maker_b', order, '1'));
      now.advance(3_000);
      now.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    });
    const place = { at: 'order.quotes', status: 'REJECTED' } as const;
    const shown = edited(fake, place, (quote) => (quote['status'] = 'PENDING'));
    expect(against(shown)).toEqual(['fail quote.state.listed-transitions-only']);
  });
});

describe('a refusal of what an open order admits', () => {
  const refusal = (later: (fake: FakeTarget, order: Order) => void): FakeTarget =>
    traded((fake, order) => {
      const quote = fake.quote('maker_a', order, '1');
      fake.advance(3_000);
      const params = { intent_id: order.intent_id, quote_id: quote.quote_id };
      fake.refuse('sender', 'quote.accept', { params });
      later(fake, order);
    });
  const accepts = (fake: FakeTarget): void => {
    const order = fake.create();
    fake.accept(order, fake.quote('maker_a', order, '1'));
  };
  const answers = () => 'none';

  test('counts if the party was granted as much later', () => {
    const history = refusal((fake, order) => {
      fake.read('sender', order);
      accepts(fake);
    });
    expect(against(history, { answers })).toEqual(['fail quote.state.usable-until-deadline']);
    // A trade may have to wait for a proposal (gap `proposal.effect`).
    expect(against(history)).toEqual([]);
  });

  test.each([
    ['nothing of the kind was ever granted', (fake, order) => void fake.read('sender', order)],
    ['the order was not seen afterwards, and may have failed', accepts],
  ] as const satisfies [string, (fake: FakeTarget, order: Order) => void][])(
    'says nothing where %s',
    (_, later) => {
      expect(against(refusal(later), { answers })).toEqual([]);
    },
  );
});

describe('the rule is quiet', () => {
  const odd = atOnce(twoAccepted);

  test('about an order that a control disturbed', () => {
    expect(against(odd, { disturbed: () => true })).toEqual([]);
  });

  test('about a late acceptance of a quote that may have given way to a valid one', () => {
    const later = { at: 'quote.submit', nth: 1 } as const;
    const extended = edited(late(['1', '1.1']), later, (quote) => {
      quote['valid_until'] = '2099-01-01T00:00:00.000Z';
    });
    expect(against(extended)).toEqual([]);
  });

  test('about acceptances that an earlier answer shows to be invalid', () => {
    expect(against(twoAccepted)).toEqual([]);
    expect(against(late(['1']))).toEqual([]);
  });

  test('about one of two acceptances that lost, or had no answer', () => {
    expect(against(atOnce(withExchanges(twoAccepted, losing, refuse)))).toEqual([]);
    const unanswered = withExchanges(twoAccepted, losing, (exchange) => {
      delete exchange.response;
      exchange.error = { code: 'timeout', message: 'no answer came' };
    });
    expect(against(unanswered)).toEqual([]);
  });

  test('about what a party did that may not do it', () => {
    const foreign = altered(odd, (record) =>
      record.kind === 'exchange' && record.party === 'sender_custodian'
        ? { ...record, party: 'outsider_custodian' }
        : record,
    );
    expect(against(foreign)).toEqual([]);
  });

  test('where a quote may have been replaced by one whose answer was lost', () => {
    const fake = traded((now, order) => {
      now.quote('maker_a', order, '1');
      now.quote('maker_a', order, '1');
      now.advance(3_000);
      now.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    });
    const lost = withExchanges(fake, { at: 'quote.submit', nth: 1 }, (exchange) => {
      delete exchange.response;
      exchange.error = { code: 'timeout', message: 'no answer came' };
    });
    const first = { at: 'order.quotes' } as const;
    expect(against(edited(lost, first, (quote) => (quote['status'] = 'REJECTED')))).toEqual([]);
  });

  test('where somebody outside the history may have accepted', () => {
    const fake = traded((now, order) => {
      const quote = now.quote('maker_a', order, '1');
      const params = { intent_id: order.intent_id, quote_id: quote.quote_id };
      now.refuse('sender', 'quote.accept', { params });
      now.read('sender', order);
    });
    const quoted = edited(fake, { at: 'order.read' }, (order) => (order['status'] = 'QUOTED'));
    const requirement = 'order.state.listed-transitions-only';
    expect(against(quoted)).toEqual([`fail ${requirement}`]);
    const recorded = (party: string) =>
      party === 'sender' ? [{ sent: 0, received: Number.POSITIVE_INFINITY }] : [];
    expect(against(quoted, { recorded })).toEqual([`inconclusive ${requirement}`]);
  });
});
