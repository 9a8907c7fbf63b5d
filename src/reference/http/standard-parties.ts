import type { Random } from '../../random/random.ts';
import { type CastName, cast, castNames } from '../../spec/requirements/requirement.ts';
import type { PartySpec } from './world.ts';

/** How each of the standard cast appears: its path segment, and the name in its party identifier. */
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

/** The eight parties of the standard cast; the same random stream gives the same identifiers. */
export const standardParties = (random: Random): PartySpec[] =>
  castNames.map((name) => {
    const [prefix, shown] = places[name];
    const partyId = `${shown}::${fingerprint(random.fork(name))}`;
    return { name, prefix, partyId, role: cast[name] };
  });

export const standardOperator = (random: Random): string =>
  `Operator::${fingerprint(random.fork('operator'))}`;
