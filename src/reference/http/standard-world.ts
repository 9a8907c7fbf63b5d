import type { Random } from '../../random/random.ts';
import { type CastName, cast, castNames } from '../../spec/requirements/requirement.ts';
import type { Role } from '../../spec/vocabulary.ts';
import type { PartyRecord } from '../core/contract.ts';
import type { OpeningBalance, WorldConfig } from '../core/index.ts';

/** Path segment of each party of the standard cast, and the name in its party identifier. */
const places: Readonly<Record<CastName, readonly [prefix: string, name: string]>> = {
  sender: ['bank-a', 'BankA'],
  outsider: ['bank-b', 'BankB'],
  sender_custodian: ['custodian-a', 'CustodianA'],
  receiver_custodian: ['custodian-b', 'CustodianB'],
  outsider_custodian: ['custodian-c', 'CustodianC'],
  maker_a: ['mm-1', 'MarketMaker1'],
  maker_b: ['mm-2', 'MarketMaker2'],
  maker_c: ['mm-3', 'MarketMaker3'],
};

/** Namespaces of party identifiers are fingerprints of keys: a multihash head, then 32 bytes. */
const fingerprint = (random: Random): string => `1220${random.hex(64)}`;

/** A member of a cast. The standard eight have fixed path segments; those of others come from their names. */
export interface CastMember {
  readonly name: string;
  readonly role: Role;
  /** Source of the party identifier, in place of the name: another identity makes another party. */
  readonly identity?: string;
}

const standardCast: readonly CastMember[] = castNames.map((name) => ({ name, role: cast[name] }));

const placeOf = (name: string): readonly [prefix: string, shown: string] =>
  Object.hasOwn(places, name)
    ? places[name as CastName]
    : [
        name.replaceAll('_', '-'),
        name.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase()),
      ];

/** The parties of a cast, by default the standard one; the same random stream gives the same identifiers. */
export const standardParties = (random: Random, members: readonly CastMember[] = standardCast) =>
  members.map(({ name, role, identity = name }) => {
    const [prefix] = placeOf(name);
    const [, shown] = placeOf(identity);
    const partyId = `${shown}::${fingerprint(random.fork(identity))}`;
    return { name, prefix, partyId, role };
  });

export const standardOperator = (random: Random): string =>
  `Operator::${fingerprint(random.fork('operator'))}`;

const codes = [
  'AED AUD BHD BRL CAD CHF CLP CNY CZK DKK EUR GBP HKD HUF INR JOD',
  'JPY KRW KWD MXN NOK NZD PLN SEK SGD THB TND TRY USD VND ZAR',
];
const decimalsOf = (code: string): number =>
  ['BHD', 'JOD', 'KWD', 'TND'].includes(code)
    ? 3
    : ['CLP', 'JPY', 'KRW', 'VND'].includes(code)
      ? 0
      : 2;

/** ISO 4217: the decimals of the minor unit. */
export const standardCurrencies: WorldConfig['currencies'] = Object.fromEntries(
  codes.flatMap((line) => line.split(' ')).map((code) => [code, decimalsOf(code)]),
);

/** An amount that no number of the largest admissible orders can use up. */
const plenty = '1000000000000000000000000';

const payersIn = (parties: readonly PartyRecord[]): readonly PartyRecord[] =>
  parties.filter(({ role }) => role !== 'custodian');

/** Senders and makers have plenty of everything: no settlement lacks funds unless a configuration says so. */
export const standardBalances = (
  parties: readonly PartyRecord[],
  currencies: WorldConfig['currencies'],
): OpeningBalance[] =>
  payersIn(parties).flatMap(({ partyId }) =>
    Object.keys(currencies).map((currency) => ({ partyId, currency, amount: plenty })),
  );

/** Opening balances in any other currency (gap `order.currencies`). */
export const standardBalanceOfOthers = (
  parties: readonly PartyRecord[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(payersIn(parties).map(({ partyId }) => [partyId, plenty]));
