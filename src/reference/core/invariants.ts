import type { Deadline } from './contract.ts';
import { isTerminal } from '../../spec/states.ts';
import { Decimal, zero } from './money.ts';
import type { Order } from './records.ts';
import { escrowOf, orderOfEscrow } from './lifecycle/ledger.ts';
import { deadlinesOf, orderOf, ordersOf, quotesOf, settlementOf } from './state-queries.ts';
import type { Change } from './store/tables.ts';
import type { State } from './state.ts';

/** A broken invariant inside a backend, which its interface need not show. */
export interface InsideViolation {
  /** Key of `insideInvariants`. */
  readonly invariant: InsideInvariant;
  /** Kind of violation, in words that are the same for every order, party and amount. Absent if there is only one. */
  readonly way?: string;
  readonly message: string;
  /** The order it concerns, if it concerns one. */
  readonly intentId?: string;
}

/** Invariants of every state of the reference, and of every pair of successive states; each in our words. */
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

type HoldingChange = Extract<Change, { table: 'holdings' }>;

/** Orders and holdings of a state, each under one key. */
const contentOf = (state: State) => ({
  orders: new Map(ordersOf(state).map((order) => [order.id, order])),
  holdings: new Map(
    [...state.version.read().holdings].flatMap(([owner, held]) =>
      [...held].map(([currency, amount]) => [`${currency} ${owner}`, { owner, currency, amount }]),
    ),
  ),
});

/** Every order and holding as a change: a state restored from a journal has no list of changes. */
function allChanges(earlier: State, later: State): readonly Change[] {
  const [old, now] = [contentOf(earlier), contentOf(later)];
  const orders = new Set([...old.orders.keys(), ...now.orders.keys()]);
  const holdings = new Map([...old.holdings, ...now.holdings]);
  return [
    ...[...orders].map((id): Change => {
      return { table: 'orders', before: old.orders.get(id), after: now.orders.get(id) };
    }),
    ...[...holdings].map(([key, { owner, currency }]): Change => {
      const [before, after] = [old, now].map((one) => one.holdings.get(key)?.amount);
      return { table: 'holdings', owner, currency, before, after };
    }),
  ];
}

/** Id of the order whose record, quote, settlement or escrow a change is about. */
function orderIdOf(change: Change): string | undefined {
  switch (change.table) {
    case 'orders':
    case 'settlements':
      return (change.after ?? change.before)?.id;
    case 'quotes':
      return (change.after ?? change.before)?.intentId;
    case 'holdings':
      return orderOfEscrow(change.owner);
    case 'faults':
      return undefined;
  }
}

/** Opening balance: in a currency that the world does not know, as the configuration says; else zero. */
function openingOf({ world: { config } }: State, { owner, currency }: HoldingChange): Decimal {
  const { currencies, openingBalanceOfOthers = {} } = config;
  if (Object.hasOwn(currencies, currency) || !Object.hasOwn(openingBalanceOfOthers, owner))
    return zero;
  return new Decimal(openingBalanceOfOthers[owner] as string);
}

function* valueConserved(state: State, holdings: readonly HoldingChange[]): Found {
  const sums = new Map<string, Decimal>();
  for (const one of holdings) {
    const opening = openingOf(state, one);
    const change = (one.after ?? opening).minus(one.before ?? opening);
    sums.set(one.currency, (sums.get(one.currency) ?? zero).plus(change));
  }
  for (const [currency, change] of sums) {
    if (change.isZero()) continue;
    const sign = change.isNegative() ? 'less' : 'more';
    const message = `all parties together hold ${change.abs().toFixed()} ${currency} ${sign} than before`;
    yield { invariant: 'value-conserved', way: sign, message };
  }
}

function* nothingBelowZero(holdings: readonly HoldingChange[]): Found {
  for (const { owner, currency, after } of holdings) {
    if (!after?.isNegative() || after.isZero()) continue;
    const message = `${owner} holds ${after.toFixed()} ${currency}`;
    yield { invariant: 'nothing-below-zero', message };
  }
}

type Sums = ReadonlyMap<string, Decimal>;

const nothingHeld: Sums = new Map();

/** Amounts that a running settlement must reserve: the first leg's amount from leg 1 on, the third's from leg 3 on. */
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

function* holdsMatchLegs(state: State, order: Order): Found {
  const due = heldFor(order);
  const held = state.version.read().holdings.get(escrowOf(order));
  for (const currency of new Set([...due.keys(), ...(held?.keys() ?? [])])) {
    const [wanted, has] = [due.get(currency) ?? zero, held?.get(currency) ?? zero];
    if (wanted.eq(has)) continue;
    const message = `for an order that is ${order.status}, ${has.toFixed()} ${currency} are reserved instead of ${wanted.toFixed()}`;
    yield { invariant: 'holds-match-legs', way: order.status, message, intentId: order.id };
  }
}

/** Cache of the deadlines by state: time moves far more often than the state does. */
const deadlinesBy = new WeakMap<State, readonly Deadline[]>();

function* noDeadlineMissed({ state, now }: InvariantMoment): Found {
  const deadlines = deadlinesBy.get(state) ?? deadlinesOf(state);
  deadlinesBy.set(state, deadlines);
  for (const { at, kind, intentId } of deadlines) {
    if (at >= now) return;
    const message = `the ${kind} of an order was due and has not happened`;
    yield { invariant: 'no-deadline-missed', way: kind, message, intentId };
  }
}

function* historyKept(changes: readonly Change[]): Found {
  for (const { table, before: earlier, after: order } of changes) {
    if (table !== 'orders' || !earlier) continue;
    const { id: intentId, status } = earlier;
    if (order === undefined) {
      const message = `an order that was ${status} no longer exists`;
      yield { invariant: 'nothing-forgotten', way: status, message, intentId };
    } else if (isTerminal(status) && changed(earlier, order)) {
      const way = `${status} to ${order.status}`;
      const message = `an order that had ended as ${status} was changed (it is ${order.status})`;
      yield { invariant: 'ended-stays-ended', way, message, intentId };
    }
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON with sorted members: an object read from a snapshot may have its members in another order than before. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

/** Compares by value: a state restored from a journal holds equal records, not the same objects. */
const changed = (earlier: Order, later: Order): boolean =>
  canonicalJson(earlier) !== canonicalJson(later);

function* termsKept(state: State, order: Order): Found {
  const intentId = order.id;
  const quotes = quotesOf(state, intentId);
  const selected = quotes.filter(({ status }) => status === 'ACCEPTED');
  const { accepted } = order;
  if (selected.length > 1 || selected.some(({ id }) => id !== accepted?.quoteId)) {
    const named = accepted ? 'another' : 'none';
    const message = `${selected.length} quotes of an order that is ${order.status} are selected, and it names ${named}`;
    yield { invariant: 'one-quote-selected', way: `${order.status}, ${named}`, message, intentId };
  }
  const isRecorded = settlementOf(state, intentId) !== undefined;
  if (isRecorded !== (order.status === 'SETTLED')) {
    const way = `${order.status} has ${isRecorded ? 'a' : 'no'} settlement`;
    yield { invariant: 'settled-is-recorded', way, message: `an order that is ${way}`, intentId };
  }
}

function* maximumKept({ id, accepted, sourceAmountMax }: Order): Found {
  if (!accepted || new Decimal(accepted.sourceAmount).lte(sourceAmountMax)) return;
  const message = `an order costs ${accepted.sourceAmount}, more than its maximum of ${sourceAmountMax}`;
  yield { invariant: 'maximum-kept', message, intentId: id };
}

/** All violations at a moment, or in the changes since an earlier moment. */
export function* insideViolations(before: InvariantMoment, moment: InvariantMoment): Found {
  const { state } = moment;
  if (before.state !== state) {
    const changes =
      before.state.version.changesTo(state.version) ?? allChanges(before.state, state);
    const holdings = changes.filter((one) => one.table === 'holdings');
    yield* historyKept(changes);
    yield* valueConserved(state, holdings);
    yield* nothingBelowZero(holdings);
    for (const id of new Set(changes.map(orderIdOf))) {
      const order = id === undefined ? undefined : orderOf(state, id);
      if (!order) continue;
      yield* holdsMatchLegs(state, order);
      yield* termsKept(state, order);
      yield* maximumKept(order);
    }
  }
  yield* noDeadlineMissed(moment);
}
