import { type Fields, matchesOrder, isRefusal } from '../../src/protocol/answers.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import {
  openForQuotes,
  orderBody,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  readOrder,
} from '../../src/suite/actions/orders.ts';
import { quote } from '../../src/suite/actions/quotes.ts';
import type { Random } from '../../src/random/random.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import {
  acceptAndSettle,
  lifeRequirementsOf,
  quotesOf,
  cancelOrder,
  readAs,
} from '../shared/order-life.ts';
import { stateOf } from '../shared/order-states.ts';
import { waits } from '../shared/waits.ts';

/**
 * Values that the document admits but few implementers expect. A target may refuse any of them without a finding. A
 * value that it took must be shown unchanged everywhere: the rules judge that.
 */
interface UnusualValue {
  readonly id: string;
  readonly title: string;
  /**
   * Kinds of unusual values, each from the oddest to the mildest. One order has the first of every kind. If it is
   * refused, each kind gets its own order with the first value that is taken.
   */
  readonly kinds: (random: Random) => readonly (readonly Fields[])[];
  /**
   * Rate at which it is quoted and settled. Absent: the order is cancelled, since a target may have further reasons to
   * refuse quotes on unusual amounts.
   */
  readonly rate?: string;
}

const mixedHex = (random: Random, digits: number): string =>
  random
    .hex(digits)
    .replace(/[a-f]/g, (digit, at: number) => (at % 3 ? digit.toUpperCase() : digit));

const bothSides = (word: string): string =>
  `${word} Håndværk & Søn  Überseehandel Zoe\u0308 ${'Treuhand '.repeat(5)}${word}`;

/** Texts that something on the way might take for more than a text. */
const symbols = [
  '=1+1   two\tthree',
  "it''s $$ $1 %s %d %% {{a}} {0} ${b}",
  'C:\\new\\table \\u0041 \\x41 \\\\',
  '&lt;i&gt; &#39; &eacute; <br/> -- /* */ ; \' " `',
];
/** Characters that count though they do not show, or that some take for the end of a line. */
const marks = [
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F467} \u2764\uFE0F \u{1F1E9}\u{1F1F0}',
  'soft\u00ADhyphen \u202Eright to left\u202C \uFEFFbom',
  'line\u2028paragraph\u2029next\u0085end',
  'I\u0130\u0131 Stra\u00DFe \u03A3\u03C2\u03C3 \u1E9E \u01C5 A\u030A\u00C5 \u212B',
];

/**
 * A long text in which every place is different, so that a cut shows wherever it is made. `wide`: each character has
 * three bytes, so that a cut between bytes shows as well.
 */
function longText(random: Random, length: number, wide?: 'wide'): string {
  const words = Array.from({ length: Math.ceil(length / 6) }, (_, at) => `${random.hex(4)}-${at}`);
  const text = `${words.join(' ').slice(0, length - 4)} end`;
  const widen = (char: string) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0);
  return wide ? text.replaceAll(/\S/g, widen) : text;
}

const memos = (...memo: readonly string[]): readonly Fields[] =>
  memo.map((text) => ({ memo: text }));

const pair = (source_currency: string, target_currency: string): Fields => ({
  source_currency,
  target_currency,
});

const amounts = (target_amount: string, source_amount_max: string): Fields => ({
  target_amount,
  source_amount_max,
});

const unusualValues: readonly UnusualValue[] = [
  {
    id: 'identifiers',
    title: 'long identifiers in letters of both cases and of more than one alphabet',
    rate: '1',
    kinds: (random) => [
      [
        { source_contract_id: `${mixedHex(random, 138)}#4294967311` },
        { source_contract_id: `${random.hex(64)}#4294967311` },
        { source_contract_id: `${random.hex(64)}#70001` },
        { source_contract_id: `${random.hex(64)}#12` },
      ],
      [
        { intent_signature: mixedHex(random, 290) },
        { intent_signature: mixedHex(random, 144) },
        { intent_signature: mixedHex(random, 128) },
      ],
      [
        { receiver_party_id: `${bothSides('Ærø')}::${mixedHex(random, 68)}` },
        { receiver_party_id: `${bothSides('Aero').slice(0, 60)}::${random.hex(68)}` },
        { receiver_party_id: `Receiver & Sons::${random.hex(68)}` },
        { receiver_party_id: `Receiver::${random.hex(68)}` },
      ],
    ],
  },
  {
    id: 'yen',
    title:
      'a target currency that stands behind its source in the alphabet, to be quoted at about ten',
    rate: '10',
    kinds: () => [[{ ...pair('EUR', 'JPY'), ...amounts('150000', '2000000') }]],
  },
  {
    id: 'three-decimals',
    title: 'currencies of three decimals, to be quoted at far below one',
    rate: '0.00000025',
    kinds: () => [
      ['BHD', 'USD'].map((source) => ({
        ...pair(source, 'KWD'),
        ...amounts('5000000000.125', '99999999999999999.875'),
      })),
    ],
  },
  {
    id: 'fractions',
    title: 'fractions of currencies that have no coins for them, of twelve decimals if they may',
    kinds: () => [
      [
        { ...pair('KRW', 'JPY'), ...amounts('1234.560000000007', '5000.750000000003') },
        { ...pair('KRW', 'JPY'), ...amounts('1234.56', '5000.75') },
      ],
    ],
  },
  {
    id: 'codes',
    title: 'currencies of other codes than three capitals',
    kinds: () => [[pair('USDC', 'EUR2L'), pair('USDC', 'EURC')]],
  },
  {
    id: 'sextillion',
    title: 'amounts of more than twenty digits',
    kinds: () => [
      [
        amounts('1234567890123456789012.25', '3000000000000000000001.75'),
        amounts('1000000000000000000000', '2000000000000000000000'),
      ],
    ],
  },
  {
    id: 'long-memo',
    title: 'a memo of many thousand characters',
    rate: '1',
    kinds: (random) => [
      (['wide', undefined] as const).flatMap((wide) =>
        [12_500, 9_000, 4_500, 2_200, 1_100, 990, 520].map((length) => ({
          memo: longText(random, length, wide),
        })),
      ),
    ],
  },
  {
    id: 'symbols-memo',
    title: 'a memo of symbols and with a line break at its end',
    rate: '1',
    kinds: () => [memos(`${symbols.join(' | ')}\n`, symbols.join(' | '))],
  },
  {
    id: 'hidden-memo',
    title: 'a memo of characters that do not show',
    rate: '1',
    kinds: () => [memos(marks.join(' | '), marks.slice(0, 2).join(' | '))],
  },
  {
    id: 'control-memo',
    title: 'a memo with control characters',
    kinds: () => [memos('bell\u0007 back\u0008 escape\u001B[1m delete\u007F unit\u001F.')],
  },
  ...(
    [
      ['zero', '0'],
      ['day', '2026-01-02'],
      ['object', '{"a":1}'],
      ['decimal', '1.50'],
      ['true', 'true'],
    ] as const
  ).map(([id, memo]) => ({
    id: `${id}-memo`,
    title: `the memo ${memo}`,
    kinds: () => [memos(memo)],
  })),
];

const maker: CastName = 'maker_b';

async function tried(t: CheckContext, changes: Fields): Promise<PlacedOrder | undefined> {
  const body = orderBody(t, changes);
  const exchange = await t.party('sender').call('order.create', { body });
  return isRefusal(exchange) ? undefined : placedOrder('sender', body, exchange);
}

/** All orders that were taken: one, or one for each kind of oddity. */
async function created(t: CheckContext, { kinds }: UnusualValue): Promise<readonly PlacedOrder[]> {
  // Fields that the target file fixes stay unchanged.
  const isFree = (fields: Fields): boolean =>
    !Object.keys(fields).some((name) => name in t.target.orderDefaults);
  const free = kinds(t.random)
    .map((variants) => variants.filter(isFree))
    .filter((variants) => variants.length > 0);
  if (free.length === 0) {
    const fixed = Object.keys(t.target.orderDefaults).join(', ');
    t.outOfScope(`the target's file fixes these fields under orders.defaults (${fixed})`);
  }
  const whole = await tried(t, Object.assign({}, ...free.map(([oddest]) => oddest)) as Fields);
  if (whole) return [whole];
  const orders: PlacedOrder[] = [];
  for (const variants of free) {
    for (const changes of free.length === 1 ? variants.slice(1) : variants) {
      const order = await tried(t, changes);
      if (!order) continue;
      orders.push(order);
      break;
    }
  }
  return orders;
}

/** All parties that may see an order read it: the rules judge the answers. */
async function lookAt(t: CheckContext, order: PlacedOrder): Promise<void> {
  const params = paramsOf(order);
  await t.party('sender').call('order.read', { params });
  await findInList(t, t.party('sender'), 'order.list', matchesOrder(order));
  for (const name of ['sender_custodian', 'receiver_custodian'] as const) {
    if (t.target.parties[name]) await t.party(name).call('order.read', { params });
  }
  await t.party(maker).call('rfq.list');
  await readAs(t, maker, 'rfq.read', order);
}

/** Creates the orders, lets all parties read them, and leads the first one to its end. */
async function show(t: CheckContext, row: UnusualValue): Promise<void> {
  const orders = await created(t, row);
  const [first] = orders;
  if (!first) {
    // If the order was only to be shown, nothing is left to judge.
    if (row.rate === undefined) return;
    t.outOfScope('this target takes no such order');
  }
  for (const order of orders) {
    await openForQuotes(t, order);
    await lookAt(t, order);
    if (order !== first) await cancelOrder(t, order);
  }
  if (row.rate === undefined) {
    await cancelOrder(t, first);
    return;
  }
  // An amount in the source's currency has to be worked out first, and may be finer than any backend reckons.
  const meansTarget = t.target.answers.get('quote.target_amount') === 'target';
  const placed = await quote(t, maker, first, { rate: meansTarget ? row.rate : '1' });
  await quotesOf(t, first);
  const { data, exchange } = await readOrder(t, first);
  // The validation of this target may fail the order for its unusual value.
  if (stateOf(data) !== 'PENDING')
    t.notExercised(`the order is ${stateOf(data)}, and cannot be accepted`, [exchange]);
  await acceptAndSettle(t, { order: first, quote: placed, acceptedBy: 'sender' });
}

export const unusualValueChecks = unusualValues.map<Check>((row) => ({
  id: `order.create.unusual.${row.id}`,
  title: `An order with ${row.title} is refused, or shown to everybody as it was sent.`,
  requirements: row.rate === undefined ? [] : lifeRequirementsOf(),
  needs: {
    parties: ['sender', maker],
    ...(row.rate !== undefined && { waitMs: waits.settlement }),
  },
  run: (t) => show(t, row),
}));
