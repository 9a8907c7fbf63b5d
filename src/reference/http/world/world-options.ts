import type { PartyRecord } from '../../core/contract.ts';
import type { Policy, WorldConfig } from '../../core/index.ts';
import type { OpenJournal } from '../../journal/index.ts';
import type { Random } from '../../../random/random.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Clock } from '../../../timeline/clock/clock.ts';
import {
  standardBalanceOfOthers,
  standardBalances,
  standardCurrencies,
} from '../standard-world.ts';
import type { Tamper } from '../tamper.ts';

/** One participant backend: a party, and its path prefix. */
export interface PartySpec extends PartyRecord {
  readonly name: string;
  /** First path segment of the backend if all share one port; without slashes. */
  readonly prefix: string;
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly assignment: Assignment;
  readonly parties: readonly PartySpec[];
  /** Party identifier of the operator. */
  readonly operator: string;
  /** Replaces the policy that the assignment makes. */
  readonly policy?: Policy;
  readonly tamper?: Tamper;
  /**
   * Journal that the world continues from and writes to: it answers and sends only what is on disk. Without a journal,
   * the world lasts as long as its process.
   */
  readonly journal?: OpenJournal;
  /** Replaces the draws of the world: 32 hexadecimal digits for each command, from a journal that is replayed. */
  readonly entropy?: () => string;
  /** Replaces the standard currencies, opening balances and magic memos. */
  readonly config?: Partial<Pick<WorldConfig, 'currencies' | 'openingBalances' | 'magicMemos'>>;
}

/** Initial configuration of the core of a world. */
export function worldConfigOf({
  assignment,
  config,
  operator,
  parties,
}: Pick<WorldOptions, 'assignment' | 'config' | 'operator' | 'parties'>): WorldConfig {
  const records = parties.map(({ partyId, role }) => ({ partyId, role }));
  const currencies = config?.currencies ?? standardCurrencies;
  return {
    assignment,
    operatorPartyId: operator,
    parties: records,
    currencies,
    openingBalances: config?.openingBalances ?? standardBalances(records, currencies),
    // A configuration with its own balances names every balance.
    ...(!config?.openingBalances && { openingBalanceOfOthers: standardBalanceOfOthers(records) }),
    magicMemos: config?.magicMemos ?? true,
  };
}
