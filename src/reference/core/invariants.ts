import { canonicalJson } from './canonical-json.ts';
import { isTerminal } from '../../spec/states.ts';
import { Decimal, zero } from './money.ts';
import type { Order } from './records.ts';
import { deadlinesOf, escrowsOf, ordersOf, quotesOf, settlementOf } from './state-queries.ts';
import type { State } from './state.ts';

/** A broken invariant inside a backend, which its interface need not show. */
export interface InsideViolation {
  /** Which of `insideInvariants`. */
  readonly invariant: InsideInvariant;
  readonly message: string;
  /** The order it concerns, if it concerns one. */
  readonly intentId?: string;
}

/** What holds of every state of the reference, and of every state after another; each in our words. */
export const insideInvariants = {
  'value-conserved': 'In each currency, what all hold together never changes (part 1.3).',
  'nothing-below-zero': 'Nobody ever holds less than nothing.',
  'holds-match-legs':
    'Reserved is what the legs of a running settlement have moved so far, and nothing for any other order.',
  'no-deadline-missed':
    'Once everything due has happened, nothing that an order or a quote waits for lies in the past.',
  'ended-stays-ended': 'An order that has ended never changes again (part 3.1).',
  'nothing-forgotten': 'What exists once exists for good.',
  'one-quote-selected':
    'At most one quote of an order is selected, and it is the one that the order names.',
  'maximum-kept': 'An order never costs more than its maximum (part 2.2).',
  'settled-is-recorded': 'An order has a settlement just where it is SETTLED.',
} as const;
export type InsideInvariant = keyof typeof insideInvariants;

/** The state at one moment, when nothing is in flight and all deadlines up to `now` were carried out. */
export interface InvariantMoment {
  readonly state: State;
  readonly now: number;
}

type Found = Iterable<InsideViolation>;

type Sums = ReadonlyMap<string, Decimal>;

/** What is kept of a state for the next look, so that no older version of the data has to be read again. */
interface Seen {
  readonly orders: readonly Order[];
  readonly sums: Sums;
}

const seenOf = new WeakMap<State, Seen>();

function look(state: State): Seen {
  const known = seenOf.get(state);
  if (known) return known;
  const seen = { orders: ordersOf(state), sums: sumsOf(state) };
  seenOf.set(state, seen);
  return seen;
}

/**
 * What all hold together, by currency. Of a currency that the world does not know, each holds from the start what the
 * configuration says, and only those that hold something else are written down.
 */
function sumsOf(state: State): Sums {
  const { currencies, openingBalanceOfOthers = {} } = state.world.config;
  const sums = new Map<string, Decimal>();
  for (const [owner, holdings] of state.version.read().holdings) {
    for (const [currency, amount] of holdings) {
      const sum = (sums.get(currency) ?? zero).plus(amount);
      const isUsual =
        !Object.hasOwn(currencies, currency) && Object.hasOwn(openingBalanceOfOthers, owner);
      sums.set(currency, isUsual ? sum.minus(openingBalanceOfOthers[owner] as string) : sum);
    }
  }
  return sums;
}

function* valueConserved(earlier: Sums, later: Sums): Found {
  for (const currency of new Set([...earlier.keys(), ...later.keys()])) {
    const change = (later.get(currency) ?? zero).minus(earlier.get(currency) ?? 0);
    if (change.isZero()) continue;
    const sign = change.isNegative() ? 'less' : 'more';
    const message = `all parties together hold ${change.abs().toFixed()} ${currency} ${sign} than before`;
    yield { invariant: 'value-conserved', message };
  }
}

function* nothingBelowZero(state: State): Found {
  for (const [owner, holdings] of state.version.read().holdings) {
    for (const [currency, amount] of holdings) {
      if (!amount.isNegative() || amount.isZero()) continue;
      const message = `${owner} holds ${amount.toFixed()} ${currency}`;
      yield { invariant: 'nothing-below-zero', message };
    }
  }
}

const nothingHeld: Sums = new Map();

/** What a running settlement must hold in reserve: the first leg's amount from leg 1 on, the third's from leg 3 on. */
function heldFor(order: Order): Sums {
  if (order.status !== 'EXECUTING' || order.accepted === undefined) return nothingHeld;
  const held = new Map<string, Decimal>();
  const add = (currency: string, amount: string): void => {
    held.set(currency, (held.get(currency) ?? zero).plus(amount));
  };
  if (order.legsDone >= 1) add(order.sourceCurrency, order.accepted.sourceAmount);
  if (order.legsDone >= 3) add(order.targetCurrency, order.targetAmount);
  return held;
}

function* holdsMatchLegs(state: State, orders: readonly Order[]): Found {
  const escrows = escrowsOf(state);
  for (const order of orders) {
    const due = heldFor(order);
    const held = escrows.get(order.id);
    if (due.size === 0 && held === undefined) continue;
    for (const currency of new Set([...due.keys(), ...Object.keys(held ?? {})])) {
      const [wanted, has] = [due.get(currency) ?? zero, held?.[currency] ?? '0'];
      if (wanted.eq(has)) continue;
      const message = `for an order that is ${order.status}, ${has} ${currency} are reserved instead of ${wanted.toFixed()}`;
      yield { invariant: 'holds-match-legs', message, intentId: order.id };
    }
  }
}

function* noDeadlineMissed({ state, now }: InvariantMoment): Found {
  for (const { at, kind, intentId } of deadlinesOf(state)) {
    if (at >= now) return;
    const message = `the ${kind} of an order was due ${now - at} ms ago and has not happened`;
    yield { invariant: 'no-deadline-missed', message, intentId };
  }
}

function* historyKept(before: readonly Order[], orders: readonly Order[]): Found {
  for (const earlier of before) {
    const order = orders[earlier.seq];
    if (order?.id !== earlier.id) {
      const message = `an order that was ${earlier.status} no longer exists`;
      yield { invariant: 'nothing-forgotten', message, intentId: earlier.id };
    } else if (isTerminal(earlier.status) && order !== earlier && changed(earlier, order)) {
      const message = `an order that had ended as ${earlier.status} was changed (it is ${order.status})`;
      yield { invariant: 'ended-stays-ended', message, intentId: order.id };
    }
  }
}

/** A state restored from a journal holds equal records, not the same ones. */
const changed = (earlier: Order, later: Order): boolean =>
  canonicalJson(earlier) !== canonicalJson(later);

function* termsKept(state: State, order: Order): Found {
  const intentId = order.id;
  const quotes = quotesOf(state, intentId);
  const selected = quotes.filter(({ status }) => status === 'ACCEPTED');
  const { accepted } = order;
  if (selected.length > 1 || selected.some(({ id }) => id !== accepted?.quoteId)) {
    const message = `${selected.length} quotes of an order that is ${order.status} are selected, and it names ${accepted ? 'another' : 'none'}`;
    yield { invariant: 'one-quote-selected', message, intentId };
  }
  const isRecorded = settlementOf(state, intentId) !== undefined;
  if (isRecorded !== (order.status === 'SETTLED')) {
    const message = `an order that is ${order.status} has ${isRecorded ? 'a' : 'no'} settlement`;
    yield { invariant: 'settled-is-recorded', message, intentId };
  }
}

function* maximumKept({ id, accepted, sourceAmountMax }: Order): Found {
  if (!accepted || new Decimal(accepted.sourceAmount).lte(sourceAmountMax)) return;
  const message = `an order costs ${accepted.sourceAmount}, more than its maximum of ${sourceAmountMax}`;
  yield { invariant: 'maximum-kept', message, intentId: id };
}

/** Everything that is wrong at a moment, or with the way to it from an earlier one. */
export function* insideViolations(before: InvariantMoment, moment: InvariantMoment): Found {
  const { state } = moment;
  if (before.state !== state) {
    const earlier = look(before.state);
    const { orders, sums } = look(state);
    yield* historyKept(earlier.orders, orders);
    yield* valueConserved(earlier.sums, sums);
    yield* nothingBelowZero(state);
    yield* holdsMatchLegs(state, orders);
    for (const order of orders) {
      yield* termsKept(state, order);
      if (order !== earlier.orders[order.seq]) yield* maximumKept(order);
    }
  }
  yield* noDeadlineMissed(moment);
}
