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

/** One participant backend: a party, and where it is found. */
export interface PartySpec extends PartyRecord {
  readonly name: string;
  /** Its first path segment where all share one port, without slashes. */
  readonly prefix: string;
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly assignment: Assignment;
  readonly parties: readonly PartySpec[];
  /** Party identifier of the operator. */
  readonly operator: string;
  /** In place of the one that the assignment makes. */
  readonly policy?: Policy;
  readonly tamper?: Tamper;
  /**
   * What the world goes on from and writes to: it answers and sends only what is on disk. Without one, it lasts as long
   * as its process.
   */
  readonly journal?: OpenJournal;
  /** In place of what the world draws: 32 hexadecimal digits for each command, those of a journal that is replayed. */
  readonly entropy?: () => string;
  /** In place of the standard currencies, opening balances and magic memos. */
  readonly config?: Partial<Pick<WorldConfig, 'currencies' | 'openingBalances' | 'magicMemos'>>;
}

/** What the core of a world starts from. */
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
    // A configuration with balances of its own names every balance there is.
    ...(!config?.openingBalances && { openingBalanceOfOthers: standardBalanceOfOthers(records) }),
    magicMemos: config?.magicMemos ?? true,
  };
}
