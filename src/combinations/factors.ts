import type { Constraint, Domain } from './domain.ts';

/** Circumstances of an order's life, each with its values. */
const factors = {
  /** Sender of the acceptance: of the first granted one, else of the first one. */
  accepter: ['sender', 'custodian', 'nobody'],
  /** Rivals of the quote that was to be accepted: quotes of other makers, else (`own`) of the same maker. */
  rivals: ['none', 'one', 'several', 'own'],
  /** `yes`: the deadline of a rival passed before the acceptance. */
  lapsed: ['no', 'yes'],
  /** Time from the acceptance to its deadlines: over ten seconds, over one, within the last second, or too late. */
  'valid-until': ['far', 'seconds', 'last', 'after', 'none'],
  'expires-at': ['far', 'seconds', 'last', 'after', 'none'],
  proposal: ['left', 'accepted'],
  /** Event stream of the order side: the most special one that was open during the order's life. */
  streams: ['whole', 'limited', 'resumed', 'none'],
  /** End of the sender's last order that had ended before this one was created. */
  before: ['first', 'none-ended', 'settled', 'unsettled'],
  /** Number of orders that its sender had created before: `many` from `manyOrders` on. */
  earlier: ['few', 'many'],
  /** Currencies without a minor unit, and amounts at the edges. */
  money: ['usual', 'no-minor-unit', 'small', 'large'],
  ending: ['settled', 'failed', 'cancelled', 'expired'],
  /** Concurrent events: a late quote on it, or the settlement of another order. */
  beside: ['nothing', 'own-order', 'others-order', 'late-quote'],
} as const satisfies Domain['factors'];

export type Factor = keyof typeof factors;
/** A whole life. */
export type Life = { readonly [F in Factor]: (typeof factors)[F][number] };
/** Factors that one check cannot control, because many checks act as the same parties. */
type Surroundings = 'before' | 'earlier';
/** A life that a check brings about. */
export type DrivenLife = Omit<Life, Surroundings>;
/** The known part of a life. */
export type PartOfLife = { readonly [F in Factor]?: Life[F] | undefined };

/** The bounds of nearness, in milliseconds before a deadline. */
export const nearness = { farFromMs: 10_000, lastFromMs: 1_000 } as const;
/** Number of earlier orders from which they count as `many`. */
export const manyOrders = 10;

const together = <F extends Factor>(
  of: readonly F[],
  holds: (life: Pick<Life, F>) => boolean,
): Constraint => ({ of, holds: (values) => holds(values as Pick<Life, F>) });

/** A condition and what follows from it, as a constraint. */
const implies = (condition: boolean, consequence: boolean): boolean => !condition || consequence;

const isOneOf = <T extends string>(value: T, ...some: readonly T[]): boolean =>
  some.includes(value);

/** Combinations that the document itself rules out. */
const impossible: readonly Constraint[] = [
  // Without an acceptance, nothing can be near a deadline.
  ...(['valid-until', 'expires-at'] as const).map((deadline) =>
    together(
      ['accepter', deadline],
      (life) => (life.accepter === 'nobody') === (life[deadline] === 'none'),
    ),
  ),
  together(['accepter', 'ending'], (life) =>
    implies(life.accepter === 'nobody', life.ending !== 'settled'),
  ),
  together(['rivals', 'lapsed'], (life) => implies(life.rivals === 'none', life.lapsed === 'no')),
  // 3.1: a quote that is not valid any more cannot be accepted, nor can one on an order that has expired.
  together(['valid-until', 'ending'], (life) =>
    implies(life['valid-until'] === 'after', isOneOf(life.ending, 'cancelled', 'expired')),
  ),
  together(['expires-at', 'ending'], (life) =>
    implies(life['expires-at'] === 'after', life.ending === 'expired'),
  ),
  // 3.1: an order with an accepted quote does not expire by its own deadline, only by the quote's.
  together(['accepter', 'valid-until', 'expires-at', 'ending'], (life) =>
    implies(
      life.accepter !== 'nobody' && life.ending === 'expired',
      isOneOf(life['valid-until'], 'last', 'after') || life['expires-at'] === 'after',
    ),
  ),
  // A quote is late if another one was accepted.
  together(['beside', 'accepter'], (life) =>
    implies(life.beside === 'late-quote', life.accepter !== 'nobody'),
  ),
  ...(['valid-until', 'expires-at'] as const).map((deadline) =>
    together(['beside', deadline], (life) =>
      implies(life.beside === 'late-quote', life[deadline] !== 'after'),
    ),
  ),
  together(['before', 'earlier'], (life) =>
    implies(life.before === 'first', life.earlier === 'few'),
  ),
];

/** Every life that an order may have. */
export const lives: Domain = { factors, constraints: impossible };

const { before: _, earlier: __, ...ofTheCourse } = factors;

/** Lives that a check can bring about by itself, independent of other events of its parties in the same run. */
export const drivenLives: Domain = {
  factors: {
    ...ofTheCourse,
    streams: ['whole', 'limited', 'resumed'],
    // Other orders are under way at the same time in any run.
    beside: ['nothing', 'late-quote'],
  },
  constraints: [
    ...impossible,
    // No control makes an order fail that nobody has accepted; a settlement that is to fail must have begun.
    together(['accepter', 'ending'], (life) =>
      implies(life.accepter === 'nobody', life.ending !== 'failed'),
    ),
    together(['valid-until', 'ending'], (life) =>
      implies(life['valid-until'] === 'last', life.ending !== 'failed'),
    ),
    // A cancel must come in time to be sure of its effect.
    together(['valid-until', 'ending'], (life) =>
      implies(life['valid-until'] === 'last', life.ending !== 'cancelled'),
    ),
    together(['valid-until', 'expires-at', 'ending'], (life) =>
      implies(
        life['valid-until'] === 'after' && life['expires-at'] === 'last',
        life.ending === 'expired',
      ),
    ),
    // An order that is cancelled at once has no time for a quote to come late.
    together(['beside', 'ending'], (life) =>
      implies(life.beside === 'late-quote', isOneOf(life.ending, 'settled', 'failed')),
    ),
  ],
};

/**
 * Lives that a run of many checks shows. All checks act as the same parties: these listen from the beginning, have had
 * other orders before, and have others under way at any time.
 */
export const livesInRuns: Domain = {
  ...drivenLives,
  factors: {
    ...drivenLives.factors,
    before: ['settled', 'unsettled'],
    beside: ['own-order', 'late-quote'],
  },
};
