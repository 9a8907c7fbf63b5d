import { describe, expect, test } from 'vitest';
import type { History } from '../../../history/records.ts';
import { formatTimestamp } from '../../../spec/forms.ts';
import type { CastName } from '../../../spec/requirements/index.ts';
import type { OracleContext } from '../../index.ts';
import { fails, listening } from '../../../../test/support/oracle/findings-and-edits.ts';
import type { Json, Order, Quote } from '../../../../test/support/oracle/fake-views.ts';
import type { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';

const quoting = 'access.quote.submit.market-maker-allowed';
const accepting = 'quote.state.usable-until-deadline';

/** Refuses a quote as often as a check insists on one, and shows what its order is then. */
function refuseQuote(
  fake: FakeTarget,
  order: Order,
  { rate = '1', until }: { rate?: string; until?: 'end' } = {},
) {
  const params = { intent_id: order.intent_id };
  for (let n = 0; n < 3; n += 1) {
    const body = {
      fx_rate: rate,
      target_amount: order['target_amount'],
      valid_until: until ? order.expires_at : formatTimestamp(fake.now + 15_000),
    };
    fake.refuse('maker_a', 'quote.submit', { params, body });
    fake.advance(1_000);
  }
  fake.read('sender', order);
}

/** The maker is granted a longer and a shorter quote than the refused ones. Both have ended. */
function grant(
  fake: FakeTarget,
  more: Json = {},
  { longMs = 20_000, briefMs = 5_000, maker = 'maker_a' as CastName } = {},
) {
  fake.quote(maker, fake.create('sender', more), '1', longMs);
  fake.quote(maker, fake.create('sender', more), '1', briefMs);
  fake.advance(25_000);
}

function refuseAcceptance(fake: FakeTarget, order: Order, quote: Quote, by: CastName = 'sender') {
  const params = { intent_id: order.intent_id, quote_id: quote.quote_id };
  for (let n = 0; n < 3; n += 1) {
    fake.refuse(by, 'quote.accept', { params });
    fake.advance(1_000);
  }
  fake.read('sender', order);
}

/** An order of some age. */
const aged = (ms: number) => (fake: FakeTarget) => {
  const order = fake.create();
  fake.advance(ms);
  return order;
};

/** Another order, accepted without ado. */
function acceptAnother(fake: FakeTarget, by: CastName = 'sender', more: Json = {}) {
  const order = fake.create('sender', more);
  fake.accept(order, fake.quote('maker_b', order, '1'), by);
}

/** The same on another clock of ours. */
const shifted = ({ records }: History, byMs: number): History => ({
  records: records.map((record) => {
    if (record.kind === 'end') return { ...record, at: record.at + byMs };
    const received = record.received + byMs;
    return record.kind === 'exchange'
      ? { ...record, sent: record.sent + byMs, received }
      : { ...record, received };
  }),
});

const none = (gap: string) => (gap === 'proposal.effect' ? 'none' : undefined);
const found = (history: History, requirement: string, more: Partial<OracleContext> = {}) =>
  fails(history, requirement, { answers: none, ...more });

describe('a proper quote that is refused again and again', () => {
  test.each([
    ['a clock like ours', 0],
    ['one that is ahead', 3_600_000],
    ['one that is behind', -3_600_000],
  ])('is blamed if the maker was granted both longer and shorter quotes: on %s', (_, offset) => {
    const fake = listening('sender');
    grant(fake);
    refuseQuote(fake, fake.create());
    expect(
      found(shifted(fake, -offset), quoting, { offset: { least: offset, most: offset } }),
    ).toBe(true);
  });

  test.each([
    [
      'of an order that was cancelled',
      (fake: FakeTarget, order: Order) => fake.cancel(order),
      false,
    ],
    [
      'that won, and has settled',
      (fake: FakeTarget, order: Order, quote: Quote) => {
        fake.accept(order, quote);
        fake.advance(10_000);
        fake.read('sender', order);
      },
      true,
    ],
  ])('beside a quote %s', (_, end, isFailing) => {
    const fake = listening('sender');
    grant(fake);
    const order = fake.create();
    // At another rate it counts as well.
    const quote = fake.quote('maker_a', order, '1.01', 60_000);
    end(fake, order, quote);
    const next = fake.create();
    refuseQuote(fake, next);
    expect(found(fake, quoting)).toBe(isFailing);
  });

  test('is blamed where another order that it had quoted was open as well, and one is open now', () => {
    const fake = listening('sender');
    const [one, other] = [fake.create(), fake.create()];
    fake.quote('maker_a', one, '1', 5_000);
    fake.quote('maker_a', other, '1', 20_000);
    fake.read('sender', one);
    fake.advance(25_000);
    fake.quote('maker_a', fake.create(), '1', 20_000);
    refuseQuote(fake, fake.create());
    expect(found(fake, quoting)).toBe(true);
  });

  test.each([
    ['on five requests', 5, 'maker_b', true],
    ['on four', 4, 'maker_b', false],
    ['on five, and nobody else was taken either', 5, undefined, false],
  ] as const)(
    'is blamed if no quote of the maker was ever taken, %s',
    (_, requests, granted, isFailing) => {
      const fake = listening('sender');
      if (granted) grant(fake, {}, { maker: granted });
      for (let n = 0; n < requests; n += 1) refuseQuote(fake, fake.create());
      expect(found(fake, quoting)).toBe(isFailing);
    },
  );

  interface Course {
    /** Terms of the orders with granted quotes; `none`: no quote was granted. */
    readonly granted?: Json | 'none';
    readonly validity?: Parameters<typeof grant>[2];
    /** Later steps. Returns the order that is quoted. */
    readonly order?: (fake: FakeTarget) => Order;
    readonly quote?: Parameters<typeof refuseQuote>[2];
  }

  test.each<[string, Course]>([
    ['nobody knows whether any is taken', { granted: 'none' }],
    [
      'the maker has one open',
      {
        order: (fake) => {
          for (let n = 0; n < 2; n += 1) fake.quote('maker_a', fake.create(), '1');
          return fake.create();
        },
      },
    ],
    [
      'it has quoted this order',
      {
        order: (fake) => {
          const order = fake.create();
          fake.quote('maker_a', order, '1', 5_000);
          fake.advance(25_000);
          return order;
        },
      },
    ],
    ['its rate says more than one thing', { quote: { rate: '0.9' } }],
    ['it is to be valid for longer than any', { validity: { longMs: 10_000 } }],
    ['it is to be valid more briefly than any', { validity: { briefMs: 16_000 } }],
    ['it is to be valid to the end of its order', { order: aged(45_000), quote: { until: 'end' } }],
    ['none was taken in its currencies', { granted: { target_currency: 'JPY' } }],
    ['none was as large', { granted: { target_amount: '99.99' } }],
    ['none was as small', { granted: { target_amount: '100.01' } }],
    [
      'it costs more than its order allows',
      { order: (fake) => fake.create('sender', { source_amount_max: '99.00' }) },
    ],
    ['its order had expired', { order: aged(61_000) }],
  ])('is not blamed where %s', (_, { granted = {}, validity, order, quote }) => {
    const fake = listening('sender');
    if (granted !== 'none') grant(fake, granted, validity);
    refuseQuote(fake, order?.(fake) ?? fake.create(), quote);
    expect(found(fake, quoting)).toBe(false);
  });

  test('is not blamed where its order may wait for its proposal', () => {
    const fake = listening('sender');
    grant(fake);
    refuseQuote(fake, fake.create());
    expect(found(fake, quoting, { answers: () => 'opens-quoting' })).toBe(false);
  });
});

describe('an acceptance that is refused again and again', () => {
  test.each<CastName>(['sender', 'sender_custodian'])('is blamed: by %s', (by) => {
    const fake = listening('sender');
    const order = fake.create();
    refuseAcceptance(fake, order, fake.quote('maker_a', order, '1'), by);
    acceptAnother(fake, by);
    expect(found(fake, accepting)).toBe(true);
  });

  test.each<[string, (fake: FakeTarget, order: Order, quote: Quote) => Quote | Order | void]>([
    ['past its deadline', (fake) => fake.advance(21_000)],
    ['once its maker has quoted anew', (fake, order) => fake.quote('maker_a', order, '1')],
    [
      'once another was accepted',
      (fake, order) => fake.accept(order, fake.quote('maker_b', order, '1')),
    ],
  ])('is not blamed %s', (_, lay) => {
    const fake = listening('sender');
    const order = fake.create();
    const quote = fake.quote('maker_a', order, '1');
    lay(fake, order, quote);
    refuseAcceptance(fake, order, quote);
    acceptAnother(fake);
    expect(found(fake, accepting)).toBe(false);
  });

  test.each(['of a stranger', 'under the name of another order'])('is not blamed %s', (what) => {
    const fake = listening('sender');
    const order = fake.create();
    const quote = fake.quote('maker_a', order, '1');
    if (what === 'of a stranger') refuseAcceptance(fake, order, quote, 'outsider');
    else refuseAcceptance(fake, fake.create(), quote);
    fake.read('sender', order);
    acceptAnother(fake);
    expect(found(fake, accepting)).toBe(false);
  });

  test.each<[string, (fake: FakeTarget) => void]>([
    ['no longer is', () => {}],
    ['is by somebody else', (fake) => acceptAnother(fake, 'sender_custodian')],
    ['is for less', (fake) => acceptAnother(fake, 'sender', { target_amount: '99.99' })],
    ['is in others', (fake) => acceptAnother(fake, 'sender', { source_currency: 'GBP' })],
  ])('is not blamed where what is granted later %s', (_, lay) => {
    const fake = listening('sender');
    const order = fake.create();
    refuseAcceptance(fake, order, fake.quote('maker_a', order, '1'));
    lay(fake);
    expect(found(fake, accepting)).toBe(false);
  });
});

describe('an order that its side does not find', () => {
  const look = (by: CastName, afterMs: number) => {
    const fake = listening('sender');
    const order = fake.create();
    fake.advance(afterMs);
    fake.refuse(by, 'order.read', { params: { intent_id: order.intent_id }, status: 404 });
    return fake;
  };

  test.each<[CastName, string, number, boolean]>([
    ['sender', 'institution', 3_000, true],
    ['sender', 'institution', 1_000, false],
    ['sender_custodian', 'custodian', 3_000, true],
    ['outsider', 'institution', 3_000, false],
  ])('by %s (%s) %d ms later: %s', (by, role, afterMs, violations) => {
    expect(found(look(by, afterMs), `access.order.read.${role}-allowed`)).toBe(violations);
  });
});

describe('a proposal that is refused again and again', () => {
  const proposing = 'proposal.accept.by-sender-custodian';
  const paramsOf = (order: Order) => ({ params: { intent_id: order.intent_id } });

  function acceptProposal(fake: FakeTarget, order: Order) {
    const { intent_id, status } = order;
    fake.item(
      'sender_custodian',
      'proposal.accept',
      () => ({ intent_id, status }),
      paramsOf(order),
    );
  }

  function refuseProposal(fake: FakeTarget, order: Order, by: CastName = 'sender_custodian') {
    for (let n = 0; n < 3; n += 1) {
      fake.refuse(by, 'proposal.accept', paramsOf(order));
      fake.advance(1_000);
    }
    fake.read('sender', order);
  }

  test('is blamed where that of another order was accepted', () => {
    const fake = listening('sender');
    acceptProposal(fake, fake.create());
    refuseProposal(fake, fake.create());
    expect(found(fake, proposing)).toBe(true);
  });

  test.each<[string, (fake: FakeTarget, order: Order) => void]>([
    ['none was accepted ever', refuseProposal],
    [
      'its order was quoted',
      (fake, order) => {
        acceptProposal(fake, fake.create());
        fake.quote('maker_a', order, '1');
        refuseProposal(fake, order);
      },
    ],
    [
      'another custodian asked',
      (fake, order) => {
        acceptProposal(fake, fake.create());
        refuseProposal(fake, order, 'receiver_custodian');
      },
    ],
    [
      'that of a smaller order was accepted',
      (fake, order) => {
        acceptProposal(fake, fake.create('sender', { target_amount: '99.99' }));
        refuseProposal(fake, order);
      },
    ],
    [
      'it was accepted at last',
      (fake, order) => {
        acceptProposal(fake, fake.create());
        refuseProposal(fake, order);
        acceptProposal(fake, order);
      },
    ],
  ])('is not blamed where %s', (_, lay) => {
    const fake = listening('sender');
    lay(fake, fake.create());
    expect(found(fake, proposing)).toBe(false);
  });
});
