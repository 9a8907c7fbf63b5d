import {
  type Order,
  type Quote,
  type State,
  orderOf,
  quoteOf,
} from '../../src/reference/core/index.ts';
import { Decimal } from '../../src/reference/core/money.ts';
import type { Change } from '../../src/reference/core/store/tables.ts';

/** A state with changes that the core would never make: for defects inside the core. */

function changed(state: State, ...changes: readonly Change[]): State {
  const { version } = state.version.next((_, apply) => changes.forEach(apply));
  return { ...state, version };
}

export function withOrder(state: State, id: string, members: Partial<Order>): State {
  const before = orderOf(state, id);
  return before
    ? changed(state, { table: 'orders', before, after: { ...before, ...members } })
    : state;
}

export function withQuote(state: State, id: string, members: Partial<Quote>): State {
  const before = quoteOf(state, id);
  return before
    ? changed(state, { table: 'quotes', before, after: { ...before, ...members } })
    : state;
}

/** Adds an amount of a currency to an owner's holdings. */
export function withMore(state: State, owner: string, currency: string, amount: string): State {
  const before = state.version.read().holdings.get(owner)?.get(currency);
  const after = new Decimal(before ?? 0).plus(amount);
  return changed(state, { table: 'holdings', owner, currency, before, after });
}

type Held = ReadonlyMap<string, ReadonlyMap<string, Decimal>>;

/** A copy, since the data of a version is valid only until another version is read. */
const heldIn = (state: State): Held =>
  new Map([...state.version.read().holdings].map(([owner, held]) => [owner, new Map(held)]));

/** Restores all holdings of an earlier state: undoes every transfer since then. */
export function withHoldingsOf(earlier: State, state: State): State {
  const [then, now] = [heldIn(earlier), heldIn(state)];
  const changes = [...new Set([...then.keys(), ...now.keys()])].flatMap((owner): Change[] => {
    const [held, holds] = [then.get(owner), now.get(owner)];
    const currencies = new Set([...(held?.keys() ?? []), ...(holds?.keys() ?? [])]);
    return [...currencies]
      .filter((currency) => held?.get(currency) !== holds?.get(currency))
      .map((currency) => ({
        table: 'holdings',
        owner,
        currency,
        before: holds?.get(currency),
        after: held?.get(currency),
      }));
  });
  return changed(state, ...changes);
}
