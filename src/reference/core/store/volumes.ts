import { type Decimal, decimalOf, zero } from '../money.ts';
import type { Order } from '../records.ts';

interface Sums {
  readonly source: Map<string, Decimal>;
  readonly target: Map<string, Decimal>;
}
const noSums = (): Sums => ({ source: new Map(), target: new Map() });

/** Settled amounts by currency: paid in source currencies, delivered in target currencies. */
export type Volume = { readonly [side in keyof Sums]: ReadonlyMap<string, Decimal> };

type Sign = 'plus' | 'minus';

/** Deletes a sum that is zero again, so that undone changes leave no trace. */
function add(sums: Map<string, Decimal>, currency: string, amount: Decimal, sign: Sign): void {
  const sum = (sums.get(currency) ?? zero)[sign](amount);
  if (sum.isZero()) sums.delete(currency);
  else sums.set(currency, sum);
}

/** Settlement volume of every party, kept in step with every change of an order. */
export class Volumes {
  readonly #parties: (order: Order) => readonly string[];
  readonly #sums = new Map<string, Sums>();

  constructor(parties: (order: Order) => readonly string[]) {
    this.#parties = parties;
  }

  of(partyId: string): Volume {
    return this.#sums.get(partyId) ?? noSums();
  }

  change(before: Order | undefined, after: Order | undefined): void {
    if (before?.settled === after?.settled) return;
    if (before?.settled) this.#count(before, 'minus');
    if (after?.settled) this.#count(after, 'plus');
  }

  #count(order: Order, sign: Sign): void {
    if (order.accepted === undefined) return;
    const source = decimalOf(order.accepted.sourceAmount);
    const target = decimalOf(order.targetAmount);
    for (const partyId of [...this.#parties(order), order.accepted.makerPartyId]) {
      const sums = this.#sums.get(partyId) ?? noSums();
      this.#sums.set(partyId, sums);
      add(sums.source, order.sourceCurrency, source, sign);
      add(sums.target, order.targetCurrency, target, sign);
    }
  }
}
