import type { Deadline } from './contract.ts';
import { pendingDeadlines, quoteExpiry } from './lifecycle/deadlines.ts';
import type { Order, Quote, Settlement, StandingFaults } from './records.ts';
import type { State } from './state.ts';

/** Queries of a state for tests, tools and the shell: complete, not as one caller sees it. */

export const orderOf = (state: State, intentId: string): Order | undefined =>
  state.version.read().orders.get(intentId);

export const quoteOf = (state: State, quoteId: string): Quote | undefined =>
  state.version.read().quotes.get(quoteId);

export const settlementOf = (state: State, intentId: string): Settlement | undefined =>
  state.version.read().settlements.get(intentId);

/** All orders, oldest first; a copy. */
export const ordersOf = (state: State): readonly Order[] => [...state.version.read().orders.all()];

/** The quotes on an order, oldest first. */
export const quotesOf = (state: State, intentId: string): readonly Quote[] =>
  state.version.read().quotesOf(intentId);

/** Balances of a party as decimal strings by currency, without the amounts that its settlements have reserved. */
export const balancesOf = (state: State, partyId: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(state.version.read().holdings.get(partyId) ?? [])].map(([currency, amount]) => [
      currency,
      amount.toFixed(),
    ]),
  );

/** Owners with holdings, escrows of running settlements among them. */
export const ownersOf = (state: State): readonly string[] =>
  [...state.version.read().holdings.keys()].sort();

/** Pending deadlines, in order of time. A shell must keep them after a restore. */
export function deadlinesOf(state: State): readonly Deadline[] {
  const { policy } = state.world;
  const tables = state.version.read();
  const found: Deadline[] = [];
  for (const order of tables.orders.all()) {
    found.push(...pendingDeadlines(policy, order));
  }
  for (const quote of tables.quotes.all()) {
    const order = tables.orders.get(quote.intentId);
    const holds = quote.status === 'ACCEPTED' && order?.status === 'QUOTED';
    if (quote.status === 'PENDING' || holds) found.push(quoteExpiry(policy, quote));
  }
  return found.sort((one, other) => one.at - other.at);
}

/** The fault for the next order, and the fault for all orders. */
export const standingFaultsOf = (state: State): StandingFaults => state.version.read().faults;
