import { describe, expect, test } from 'vitest';
import type { History } from '../history/records.ts';
import { formatTimestamp } from '../spec/forms.ts';
import type { CastName } from '../spec/requirements/index.ts';
import type { JudgeContext } from './index.ts';
import { listening, outcomes } from './testing.ts';
import type { Json, Order, Quote } from './testing/world-views.ts';
import type { World } from './testing/world.ts';

const quoting = 'access.quote.submit.market-maker-allowed';
const accepting = 'quote.state.usable-until-deadline';

/** Refuses a quote as often as a check insists on one, and shows what its order is then. */
function refuseQuote(
  world: World,
  order: Order,
  { rate = '1', until }: { rate?: string; until?: string } = {},
) {
  const params = { intent_id: order.intent_id };
  for (let n = 0; n < 3; n += 1) {
    const body = {
      fx_rate: rate,
      target_amount: order['target_amount'],
      valid_until: until ?? formatTimestamp(world.now + 15_000),
    };
    world.refuse('maker_a', 'quote.submit', { params, body });
    world.advance(1_000);
  }
  world.read('sender', order);
}

/** The maker is granted a longer quote than those that are refused, and a briefer one, and both are over. */
function grant(
  world: World,
  more: Json = {},
  { longMs = 20_000, briefMs = 5_000, maker = 'maker_a' as CastName } = {},
) {
  world.quote(maker, world.create('sender', more), '1', longMs);
  world.quote(maker, world.create('sender', more), '1', briefMs);
  world.advance(25_000);
}

function refuseAcceptance(world: World, order: Order, quote: Quote, by: CastName = 'sender') {
  const params = { intent_id: order.intent_id, quote_id: quote.quote_id };
  for (let n = 0; n < 3; n += 1) {
    world.refuse(by, 'quote.accept', { params });
    world.advance(1_000);
  }
  world.read('sender', order);
}

/** Another order, accepted without ado. */
function acceptAnother(world: World, by: CastName = 'sender', more: Json = {}) {
  const order = world.create('sender', more);
  world.accept(order, world.quote('maker_b', order, '1'), by);
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
const found = (history: History, requirement: string, more: Partial<JudgeContext> = {}) =>
  outcomes(history, requirement, { answers: none, ...more }).includes('fail');

describe('a proper quote that is refused again and again', () => {
  test.each([
    ['a clock like ours', 0],
    ['one that is ahead', 3_600_000],
    ['one that is behind', -3_600_000],
  ])('is blamed where its maker was granted as much and as little: on %s', (_, offset) => {
    const world = listening('sender');
    grant(world);
    refuseQuote(world, world.create());
    expect(
      found(shifted(world, -offset), quoting, { offset: { least: offset, most: offset } }),
    ).toBe(true);
  });

  test.each([
    ['of an order that was cancelled', (world: World, order: Order) => world.cancel(order), false],
    [
      'that won, and has settled',
      (world: World, order: Order, quote: Quote) => {
        world.accept(order, quote);
        world.advance(10_000);
        world.read('sender', order);
      },
      true,
    ],
  ])('beside a quote %s', (_, end, blames) => {
    const world = listening('sender');
    grant(world);
    const order = world.create();
    // At another rate it counts as well.
    const quote = world.quote('maker_a', order, '1.01', 60_000);
    end(world, order, quote);
    const next = world.create();
    refuseQuote(world, next);
    expect(found(world, quoting)).toBe(blames);
  });

  test('is blamed where another order that it had quoted was open as well, and one is open now', () => {
    const world = listening('sender');
    const [one, other] = [world.create(), world.create()];
    world.quote('maker_a', one, '1', 5_000);
    world.quote('maker_a', other, '1', 20_000);
    world.read('sender', one);
    world.advance(25_000);
    world.quote('maker_a', world.create(), '1', 20_000);
    refuseQuote(world, world.create());
    expect(found(world, quoting)).toBe(true);
  });

  test.each([
    ['on five requests', 5, 'maker_b', true],
    ['on four', 4, 'maker_b', false],
    ['on five, and nobody else was taken either', 5, undefined, false],
  ] as const)('is blamed where its maker never was taken, %s', (_, requests, granted, fails) => {
    const world = listening('sender');
    if (granted) grant(world, {}, { maker: granted });
    for (let n = 0; n < requests; n += 1) refuseQuote(world, world.create());
    expect(found(world, quoting)).toBe(fails);
  });

  test.each<[string, (world: World) => void]>([
    ['nobody knows whether any is taken', (world) => refuseQuote(world, world.create())],
    [
      'the maker has one open',
      (world) => {
        grant(world);
        world.quote('maker_a', world.create(), '1');
        world.quote('maker_a', world.create(), '1');
        refuseQuote(world, world.create());
      },
    ],
    [
      'it has quoted this order',
      (world) => {
        grant(world);
        const order = world.create();
        world.quote('maker_a', order, '1', 5_000);
        world.advance(25_000);
        refuseQuote(world, order);
      },
    ],
    [
      'its rate says more than one thing',
      (world) => {
        grant(world);
        refuseQuote(world, world.create(), { rate: '0.9' });
      },
    ],
    [
      'it is to be valid for longer than any',
      (world) => {
        grant(world, {}, { longMs: 10_000 });
        refuseQuote(world, world.create());
      },
    ],
    [
      'it is to be valid more briefly than any',
      (world) => {
        grant(world, {}, { briefMs: 16_000 });
        refuseQuote(world, world.create());
      },
    ],
    [
      'it is to be valid to the end of its order',
      (world) => {
        grant(world);
        const order = world.create();
        world.advance(45_000);
        refuseQuote(world, order, { until: order.expires_at });
      },
    ],
    [
      'none was taken in its currencies',
      (world) => {
        grant(world, { target_currency: 'JPY' });
        refuseQuote(world, world.create());
      },
    ],
    [
      'none was as large',
      (world) => {
        grant(world, { target_amount: '99.99' });
        refuseQuote(world, world.create());
      },
    ],
    [
      'none was as small',
      (world) => {
        grant(world, { target_amount: '100.01' });
        refuseQuote(world, world.create());
      },
    ],
    [
      'it costs more than its order allows',
      (world) => {
        grant(world);
        refuseQuote(world, world.create('sender', { source_amount_max: '99.00' }));
      },
    ],
    [
      'its order had expired',
      (world) => {
        grant(world);
        const order = world.create();
        world.advance(61_000);
        refuseQuote(world, order);
      },
    ],
  ])('is not blamed where %s', (_, lay) => {
    const world = listening('sender');
    lay(world);
    expect(found(world, quoting)).toBe(false);
  });

  test('is not blamed where its order may wait for its proposal', () => {
    const world = listening('sender');
    grant(world);
    refuseQuote(world, world.create());
    expect(found(world, quoting, { answers: () => 'opens-quoting' })).toBe(false);
  });
});

describe('an acceptance that is refused again and again', () => {
  test.each<CastName>(['sender', 'sender_custodian'])('is blamed: by %s', (by) => {
    const world = listening('sender');
    const order = world.create();
    refuseAcceptance(world, order, world.quote('maker_a', order, '1'), by);
    acceptAnother(world, by);
    expect(found(world, accepting)).toBe(true);
  });

  test.each<[string, (world: World, order: Order) => void]>([
    [
      'of a stranger',
      (world, order) =>
        refuseAcceptance(world, order, world.quote('maker_a', order, '1'), 'outsider'),
    ],
    [
      'past its deadline',
      (world, order) => {
        const quote = world.quote('maker_a', order, '1', 1_500);
        world.advance(2_000);
        refuseAcceptance(world, order, quote);
      },
    ],
    [
      'once its maker has quoted anew',
      (world, order) => {
        const quote = world.quote('maker_a', order, '1');
        world.quote('maker_a', order, '1');
        refuseAcceptance(world, order, quote);
      },
    ],
    [
      'once another was accepted',
      (world, order) => {
        const quote = world.quote('maker_a', order, '1');
        world.accept(order, world.quote('maker_b', order, '1'));
        refuseAcceptance(world, order, quote);
      },
    ],
    [
      'under the name of another order',
      (world, order) => {
        const quote = world.quote('maker_a', order, '1');
        refuseAcceptance(world, world.create(), quote);
        world.read('sender', order);
      },
    ],
  ])('is not blamed %s', (_, lay) => {
    const world = listening('sender');
    lay(world, world.create());
    acceptAnother(world);
    expect(found(world, accepting)).toBe(false);
  });

  test.each<[string, (world: World) => void]>([
    ['no longer is', () => {}],
    ['is by somebody else', (world) => acceptAnother(world, 'sender_custodian')],
    ['is for less', (world) => acceptAnother(world, 'sender', { target_amount: '99.99' })],
    ['is in others', (world) => acceptAnother(world, 'sender', { source_currency: 'GBP' })],
  ])('is not blamed where what is granted later %s', (_, lay) => {
    const world = listening('sender');
    const order = world.create();
    refuseAcceptance(world, order, world.quote('maker_a', order, '1'));
    lay(world);
    expect(found(world, accepting)).toBe(false);
  });
});

describe('an order that its side does not find', () => {
  const look = (by: CastName, afterMs: number) => {
    const world = listening('sender');
    const order = world.create();
    world.advance(afterMs);
    world.refuse(by, 'order.read', { params: { intent_id: order.intent_id }, status: 404 });
    return world;
  };

  test.each<[CastName, string, number, boolean]>([
    ['sender', 'institution', 3_000, true],
    ['sender', 'institution', 1_000, false],
    ['sender_custodian', 'custodian', 3_000, true],
    ['outsider', 'institution', 3_000, false],
  ])('by %s (%s) %d ms later: %s', (by, role, afterMs, blamed) => {
    expect(found(look(by, afterMs), `access.order.read.${role}-allowed`)).toBe(blamed);
  });
});
