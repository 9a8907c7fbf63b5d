/** Circumstances that must not change the course of an order's life, each with its values. */
export const factors = {
  creator: ['sender', 'outsider'],
  accepter: ['creator', 'sender_custodian'],
  /** Number of market makers that quote. */
  makers: [1, 2, 3],
  memo: ['some', 'none'],
  proposal: ['left', 'accepted'],
  /** Yen have no minor unit. */
  currencies: ['usual', 'to-yen', 'from-yen'],
  size: ['usual', 'small', 'large'],
  /** `joint`: one custodian keeps for both sides. */
  custody: ['apart', 'joint'],
  /** `institution`: the receiver is an institution of the cast. */
  receiver: ['stranger', 'institution'],
} as const;

export type Factor = keyof typeof factors;
export type Circumstances = { readonly [F in Factor]: (typeof factors)[F][number] };
export type Ending = 'settled' | 'cancelled' | 'cancelled-once-quoted' | 'expired';

/** A value of each factor, in their order. */
type Row = readonly [
  Circumstances['creator'],
  Circumstances['accepter'],
  Circumstances['makers'],
  Circumstances['memo'],
  Circumstances['proposal'],
  Circumstances['currencies'],
  Circumstances['size'],
  Circumstances['custody'],
  Circumstances['receiver'],
];

/** For any two values of different factors there is an order that settles with both; a test holds that. */
const settling: readonly Row[] = [
  ['sender', 'sender_custodian', 3, 'some', 'left', 'usual', 'small', 'joint', 'institution'],
  ['outsider', 'creator', 2, 'none', 'left', 'to-yen', 'usual', 'apart', 'stranger'],
  [
    'outsider',
    'sender_custodian',
    1,
    'none',
    'accepted',
    'from-yen',
    'large',
    'joint',
    'institution',
  ],
  ['sender', 'creator', 3, 'some', 'accepted', 'from-yen', 'large', 'apart', 'stranger'],
  ['sender', 'sender_custodian', 2, 'some', 'accepted', 'to-yen', 'usual', 'joint', 'institution'],
  ['outsider', 'creator', 1, 'none', 'accepted', 'usual', 'small', 'apart', 'stranger'],
  ['sender', 'creator', 1, 'some', 'left', 'to-yen', 'large', 'apart', 'institution'],
  ['outsider', 'creator', 3, 'none', 'left', 'from-yen', 'usual', 'joint', 'stranger'],
  ['sender', 'sender_custodian', 2, 'none', 'left', 'from-yen', 'small', 'apart', 'stranger'],
  ['outsider', 'sender_custodian', 2, 'some', 'accepted', 'usual', 'large', 'apart', 'institution'],
  [
    'outsider',
    'sender_custodian',
    3,
    'some',
    'accepted',
    'to-yen',
    'small',
    'apart',
    'institution',
  ],
  ['outsider', 'creator', 1, 'some', 'left', 'usual', 'usual', 'joint', 'institution'],
];

/** The other ends of an order, each with most values of each factor. */
const ending: readonly (readonly [Exclude<Ending, 'settled'>, Row])[] = [
  [
    'cancelled-once-quoted',
    ['sender', 'sender_custodian', 2, 'none', 'accepted', 'usual', 'small', 'joint', 'institution'],
  ],
  [
    'cancelled-once-quoted',
    ['outsider', 'creator', 3, 'some', 'left', 'from-yen', 'large', 'apart', 'stranger'],
  ],
  [
    'cancelled',
    ['outsider', 'creator', 3, 'none', 'left', 'to-yen', 'large', 'joint', 'institution'],
  ],
  ['expired', ['sender', 'creator', 2, 'none', 'left', 'to-yen', 'large', 'apart', 'stranger']],
  [
    'expired',
    ['outsider', 'creator', 1, 'some', 'accepted', 'from-yen', 'small', 'joint', 'institution'],
  ],
];

const named = (row: Row): Circumstances =>
  Object.fromEntries(
    Object.keys(factors).map((factor, place) => [factor, row[place]]),
  ) as Circumstances;

export interface Life {
  readonly ending: Ending;
  readonly with: Circumstances;
}

export const lives: readonly Life[] = [
  ...settling.map((row) => ({ ending: 'settled' as const, with: named(row) })),
  ...ending.map(([how, row]) => ({ ending: how, with: named(row) })),
];
