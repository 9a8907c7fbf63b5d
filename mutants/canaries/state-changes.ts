import {
  type Order,
  orderOf,
  quoteOf,
  type Quote,
  type State,
} from '../../src/reference/core/index.ts';
import { Decimal } from '../../src/reference/core/money.ts';
import type { Change } from '../../src/reference/core/store/tables.ts';

/** Defects in the inside: a state as it would never become by itself. */

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

/** An owner of holdings has so much more of a currency. */
export function withMore(state: State, owner: string, currency: string, amount: string): State {
  const before = state.version.read().holdings.get(owner);
  const after = { ...before, [currency]: new Decimal(before?.[currency] ?? 0).plus(amount) };
  return changed(state, { table: 'holdings', owner, before, after });
}

/** What everybody holds is as it was in an earlier state: nothing that was moved since has been. */
export function withHoldingsOf(earlier: State, state: State): State {
  const before = new Map(earlier.version.read().holdings);
  const now = new Map(state.version.read().holdings);
  const changes = [...new Set([...before.keys(), ...now.keys()])]
    .filter((owner) => before.get(owner) !== now.get(owner))
    .map(
      (owner): Change => ({
        table: 'holdings',
        owner,
        before: now.get(owner),
        after: before.get(owner),
      }),
    );
  return changed(state, ...changes);
}
