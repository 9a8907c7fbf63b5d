import type { WorldConfig } from './contract.ts';
import { Decimal } from './money.ts';
import { partiesIn } from './policy/access.ts';
import type { Policy } from './policy/index.ts';
import type { Order } from './records.ts';
import { orderStates } from '../../spec/vocabulary.ts';
import { everyLabel, type ListingLayout, stateLabels, Tables } from './store/tables.ts';

/** Data of a world that never changes. */
export interface WorldSetup {
  readonly config: WorldConfig;
  readonly policy: Policy;
  /** Party identifiers of the market makers, in the order of the configuration. */
  readonly makers: readonly string[];
}

export const worldSetup = (config: WorldConfig, policy: Policy): WorldSetup => ({
  config,
  policy,
  makers: config.parties
    .filter((party) => party.role === 'market-maker')
    .map((party) => party.partyId),
});

/** Decimals of a currency's minor unit; 2 for a currency that the world does not know. */
export const minorUnitsOf = ({ config }: WorldSetup, currency: string): number =>
  (Object.hasOwn(config.currencies, currency) ? config.currencies[currency] : undefined) ?? 2;

/** The one group of the listing of active requests. */
export const rfqGroup = 'rfq';

const statusLabels = stateLabels(orderStates);
const nowhere: readonly string[] = [];

export const currencyLabel = (label: string, currency: string): string => `${label}/${currency}`;

const currenciesOf = (order: Order): readonly string[] =>
  order.sourceCurrency === order.targetCurrency
    ? [order.sourceCurrency]
    : [order.sourceCurrency, order.targetCurrency];

type Labels = (order: Order, labels: readonly string[]) => readonly string[];
const labelsOnly: Labels = (_order, labels) => labels;
const withCurrencies: Labels = (order, labels) => [
  ...labels,
  ...labels.flatMap((label) =>
    currenciesOf(order).map((currency) => currencyLabel(label, currency)),
  ),
];

export function listingLayout({ access, lists, orders, rfqs }: Policy): ListingLayout {
  const listedFor = (order: Order): readonly string[] => partiesIn(order, access.lists);
  const label = lists.currencyFilter ? withCurrencies : labelsOnly;
  const rfqGroups = [rfqGroup];
  return {
    partyOrders: {
      groups: listedFor,
      labels: (order) => label(order, statusLabels[order.status]),
    },
    activeRfqs: {
      groups: () => rfqGroups,
      labels: (order) => (rfqs.isActive(order) ? label(order, everyLabel) : nowhere),
    },
    volumeOf: listedFor,
    uniqueKey: orders.contractUse === 'once' ? (order) => order.sourceContractId : () => undefined,
  };
}

/** An empty heap of this world; its ledger holds the opening balances. */
export function openingTables(world: WorldSetup): Tables {
  const tables = new Tables(listingLayout(world.policy));
  for (const { partyId, currency, amount } of world.config.openingBalances) {
    const before = tables.holdings.get(partyId)?.get(currency);
    const after = new Decimal(amount).plus(before ?? 0);
    tables.apply({ table: 'holdings', owner: partyId, currency, before, after });
  }
  return tables;
}
