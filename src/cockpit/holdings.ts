import { Decimal as Decimals } from 'decimal.js';
import type { WorldConfig } from '../reference/core/index.ts';

/** Enough digits for every amount that there is. */
const Decimal = Decimals.clone({ precision: 80 });

type Holdings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** How much more or less than in the beginning each owner holds, where it is not the same: by owner and currency. */
export function changedHoldings(
  { openingBalances }: Pick<WorldConfig, 'openingBalances'>,
  holdings: Holdings,
  names: ReadonlyMap<string, string>,
): Holdings {
  const opening = new Map(
    openingBalances.map(({ partyId, currency, amount }) => [`${partyId} ${currency}`, amount]),
  );
  const changed = Object.entries(holdings).flatMap(([owner, amounts]) => {
    const differ = Object.entries(amounts).flatMap(([currency, amount]) => {
      const before = opening.get(`${owner} ${currency}`) ?? '0';
      if (amount === before) return [];
      const by = new Decimal(amount).minus(before);
      return by.isZero() ? [] : [[currency, `${by.isPositive() ? '+' : ''}${by.toFixed()}`]];
    });
    return differ.length === 0 ? [] : [[names.get(owner) ?? owner, Object.fromEntries(differ)]];
  });
  return Object.fromEntries(changed);
}
