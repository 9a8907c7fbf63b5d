import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  cancel,
  type PlacedOrder,
  quote,
  readOrder,
  refused,
  textOf,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { beside } from '../beside.ts';
import { ask, type Ground, settlementWaitMs, untilSettled } from '../deeds.ts';
import { idsOf, negativesOf, positivesOf, words } from './permissions.ts';
import {
  allSides,
  exchanged,
  isThere,
  orderBetween,
  receiving,
  rotated,
  type Sides,
  sidesNeed,
  usual,
} from './sides.ts';

/** Reading an order and its quotes, by all who may and all who may not. */
async function readings(trial: Trial, sides: Sides, ground: Ground): Promise<void> {
  for (const endpoint of ['order.read', 'order.quotes'] as const) {
    await beside(
      trial,
      ground,
      negativesOf(trial, endpoint, sides),
      positivesOf(trial, endpoint, sides),
    );
  }
}

/** How late a deadline may take effect (gap `order.expiry_lag`). */
const sweepMs = 3_000;

/** The same at every station of an order's way. */
const reads = [
  ...allSides.map((sides) => ({ sides, end: 'settled' as const })),
  { sides: usual, end: 'cancelled' as const },
  { sides: exchanged, end: 'expired' as const },
].map(({ sides, end }) =>
  defineCheck({
    id: `access.relation.reads.${sides.id}.${end}`,
    title: `Who has a part in an order reads it and its quotes at every station until it is ${end}; nobody else does (${sides.id}).`,
    requirements: idsOf('order.read', 'order.quotes'),
    needs: {
      parties: [...new Set([...sidesNeed(sides), 'maker_a'] as const)],
      waitMs: settlementWaitMs,
    },
    async run(trial) {
      const order = await orderBetween(trial, sides);
      const ground = { order };
      await readings(trial, sides, ground);
      const placed = await quote(trial, 'maker_a', order);
      if (isThere(trial, 'maker_b')) await quote(trial, 'maker_b', order);
      await readings(trial, sides, ground);
      if (end === 'cancelled') await cancel(trial, order);
      else if (end === 'expired') await untilExpired(trial, order, sweepMs);
      else await accept(trial, order, placed, acceptor(trial, sides));
      await readings(trial, sides, ground);
      if (end !== 'settled') return;
      await untilSettled(trial, order);
      await readings(trial, sides, ground);
    },
  }),
);

/** The custodian where the parts are not the usual ones, so that its way is walked as well. */
const acceptor = (trial: Trial, { id, creator, keeper }: Sides): CastName =>
  id !== 'usual' && isThere(trial, keeper) ? keeper : creator;

interface Act {
  readonly endpoint: 'order.cancel' | 'proposal.accept' | 'quote.accept';
  readonly sides: Sides;
  /** Who then does it. */
  readonly twin: 'creator' | 'keeper';
  readonly quotes: readonly CastName[];
}

const deeds: Readonly<Record<Act['endpoint'], string>> = {
  'order.cancel': 'cancel an order',
  'proposal.accept': 'accept its proposal',
  'quote.accept': 'accept a quote on it',
};

const acts: readonly Act[] = [
  { endpoint: 'order.cancel', sides: usual, twin: 'creator', quotes: [] },
  { endpoint: 'order.cancel', sides: usual, twin: 'creator', quotes: ['maker_a', 'maker_b'] },
  { endpoint: 'order.cancel', sides: exchanged, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'order.cancel', sides: rotated, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'order.cancel', sides: receiving, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'proposal.accept', sides: usual, twin: 'keeper', quotes: [] },
  { endpoint: 'proposal.accept', sides: exchanged, twin: 'keeper', quotes: [] },
  { endpoint: 'proposal.accept', sides: rotated, twin: 'keeper', quotes: [] },
  { endpoint: 'quote.accept', sides: usual, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'quote.accept', sides: usual, twin: 'keeper', quotes: ['maker_b', 'maker_a'] },
  { endpoint: 'quote.accept', sides: receiving, twin: 'creator', quotes: ['maker_a'] },
  { endpoint: 'quote.accept', sides: exchanged, twin: 'creator', quotes: ['maker_a', 'maker_b'] },
  { endpoint: 'quote.accept', sides: exchanged, twin: 'keeper', quotes: ['maker_a'] },
  { endpoint: 'quote.accept', sides: rotated, twin: 'keeper', quotes: ['maker_b', 'maker_a'] },
  { endpoint: 'quote.accept', sides: rotated, twin: 'creator', quotes: ['maker_a'] },
];

const acting = acts.map(({ endpoint, sides, twin, quotes }) =>
  defineCheck({
    id: `access.relation.${endpoint}.${sides.id}.${twin}.${quotes.length}-quotes`,
    title: `Nobody but ${endpoint === 'quote.accept' ? "the sender's side" : words[twin]} can ${deeds[endpoint]}; then ${words[twin]} does (${sides.id}).`,
    requirements: [...idsOf(endpoint), 'error.refusal-changes-nothing'],
    needs: { parties: [...new Set([...sidesNeed(sides), sides[twin], ...quotes])] },
    async run(trial) {
      const order = await orderBetween(
        trial,
        sides,
        endpoint === 'proposal.accept' ? 'leave' : undefined,
      );
      let ground: Ground = { order };
      for (const maker of quotes) ground = { order, quote: await quote(trial, maker, order) };
      const served = positivesOf(trial, endpoint, sides).filter(({ by }) => by === sides[twin]);
      await beside(trial, ground, negativesOf(trial, endpoint, sides), served);
    },
  }),
);

/** Ids of two orders mixed: one's own order with a foreign quote, a foreign order with one's own quote. */
const mixed = [usual, exchanged].map((sides) =>
  defineCheck({
    id: `access.relation.mixed-ids.${sides.id}`,
    title: `With an order of its own open, ${sides.rival} accepts neither a foreign quote on it nor its own quote on a foreign order.`,
    requirements: [
      'quote.accept.foreign-institution-refused',
      'quote.accept.quote-of-other-order-refused',
      'order.cancel.foreign-institution-refused',
      'order.read.foreign-institution-refused',
      'error.refusal-changes-nothing',
      'service.sender-accepts',
    ],
    needs: { parties: ['sender', 'outsider', 'maker_a'] },
    async run(trial) {
      const { rival, creator } = sides;
      const foreign = await orderBetween(trial, sides);
      const own = await orderBetween(trial, { ...sides, creator: rival, rival: creator });
      const theirs = await quote(trial, 'maker_a', foreign);
      const mine = await quote(trial, 'maker_a', own);
      const by = { by: rival, endpoint: 'quote.accept' } as const;
      await beside(
        trial,
        { order: foreign, quote: theirs },
        [
          {
            ...by,
            requirement: 'quote.accept.quote-of-other-order-refused',
            what: 'its own order with a quote on a foreign one',
            ground: { order: own, quote: theirs },
          },
          {
            ...by,
            requirement: 'quote.accept.foreign-institution-refused',
            what: 'a foreign order with a quote on its own',
            ground: { order: foreign, quote: mine },
          },
          {
            ...by,
            requirement: 'quote.accept.foreign-institution-refused',
            what: 'a foreign order while it has one of its own',
          },
          {
            ...by,
            endpoint: 'order.cancel',
            requirement: 'order.cancel.foreign-institution-refused',
            what: 'a foreign order while it has one of its own',
          },
        ],
        [{ by: creator, endpoint: 'quote.accept', requirements: ['service.sender-accepts'] }],
      );
      const kept = await readOrder(trial, own, rival);
      const late = kept.exchange.received + trial.target.clock.offset.most >= mine.validUntil;
      if (late) return;
      trial.judge('error.refusal-changes-nothing', textOf(kept.data, 'status') === 'PENDING', {
        message: 'An order moved by acceptances that mixed it up with another.',
        expected: 'PENDING',
        actual: kept.data['status'],
        seen: [kept.exchange],
      });
      const ground = { order: own, quote: mine };
      await beside(
        trial,
        ground,
        [
          {
            by: creator,
            endpoint: 'quote.accept',
            requirement: 'quote.accept.foreign-institution-refused',
            what: 'a foreign order after one of its own was accepted',
          },
          {
            by: creator,
            endpoint: 'order.cancel',
            requirement: 'order.cancel.foreign-institution-refused',
            what: 'a foreign order after one of its own was accepted',
          },
        ],
        [{ by: rival, endpoint: 'quote.accept', requirements: ['service.sender-accepts'] }],
      );
      await readBack(trial, sides, foreign, own);
    },
  }),
);

/** Each reads its own after both were accepted, and not the other's. */
async function readBack(
  trial: Trial,
  { creator, rival }: Sides,
  foreign: PlacedOrder,
  own: PlacedOrder,
) {
  const what = 'the order of another, both being accepted';
  for (const [reader, order] of [
    [creator, own],
    [rival, foreign],
  ] as const) {
    const no = await ask(trial, reader, 'order.read', { order });
    refused(trial, 'order.read.foreign-institution-refused', no, what);
  }
}

export const relationChecks: readonly Check[] = [...reads, ...acting, ...mixed];
