import type { Assignment } from '../../spec/gaps/index.ts';
import type { PartyRecord } from './contract.ts';

export interface OpeningBalance {
  readonly partyId: string;
  readonly currency: string;
  /** A decimal string. */
  readonly amount: string;
}

/** Initial configuration of a world. Plain data. */
export interface WorldConfig {
  readonly parties: readonly PartyRecord[];
  readonly operatorPartyId: string;
  readonly assignment: Assignment;
  /** Known currencies with the decimals of their minor unit. Orders in other currencies are possible too. */
  readonly currencies: Readonly<Record<string, number>>;
  readonly openingBalances: readonly OpeningBalance[];
  /** Opening balance in each currency that is not known, by party identifier; by default none. */
  readonly openingBalanceOfOthers?: Readonly<Record<string, string>>;
  /** True if a memo such as `!revert:2` makes its own order fail; see faults.ts. */
  readonly magicMemos: boolean;
}
