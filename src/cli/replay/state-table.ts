import {
  balancesOf,
  deadlinesOf,
  ordersOf,
  ownersOf,
  saveState,
} from '../../reference/core/index.ts';
import type { Recovered } from '../../reference/journal/index.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';

const deadlinesShown = 5;

/** A state as text: number of orders by state, changed holdings, next deadlines. */
export function stateTable(
  { head, state, epoch, at }: Recovered,
  asked: number | undefined,
  names: ReadonlyMap<string, string>,
): string {
  const { seed, clock, mutation } = head.origin;
  const { quotes, settlements } = saveState(state);
  const altered = mutation === undefined ? '' : `, mutation ${mutation}`;
  const orders = ordersOf(state);
  const deadlines = deadlinesOf(state);
  return [
    `begun ${formatTimestamp(head.startedAt)}, seed ${seed}, ${clock} clock${altered}, ${epoch} start${epoch === 1 ? '' : 's'}`,
    `as of ${formatTimestamp(asked ?? at)}; the last record is of ${formatTimestamp(at)}`,
    '',
    row(
      'orders',
      orders.length,
      counted(
        orderStates,
        orders.map(({ status }) => status),
      ),
    ),
    row(
      'quotes',
      quotes.length,
      counted(
        quoteStates,
        quotes.map(({ status }) => status),
      ),
    ),
    row('settlements', settlements.length, ''),
    '',
    ...holdingsOf(head, state, names),
    '',
    `${deadlines.length} deadline${deadlines.length === 1 ? '' : 's'} to come`,
    ...deadlines
      .slice(0, deadlinesShown)
      .map(({ at: due, kind, intentId }) => `  ${formatTimestamp(due)}  ${kind}  ${intentId}`),
    ...(deadlines.length > deadlinesShown ? ['  ...'] : []),
  ].join('\n');
}

const row = (what: string, count: number, states: string): string =>
  `${what.padEnd(12)} ${String(count).padStart(6)}   ${states}`.trimEnd();

const counted = (states: readonly string[], seen: readonly string[]): string =>
  states
    .map((state) => [state, seen.filter((one) => one === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${state} ${count}`)
    .join(', ');

/** Holdings that differ from the opening balances, including escrows. */
function holdingsOf(
  { config }: Recovered['head'],
  state: Recovered['state'],
  names: ReadonlyMap<string, string>,
): string[] {
  const opening = new Map(
    config.openingBalances.map(({ partyId, currency, amount }) => [
      `${partyId}/${currency}`,
      amount,
    ]),
  );
  const lines = ownersOf(state).flatMap((owner) =>
    Object.entries(balancesOf(state, owner))
      .filter(([currency, amount]) => (opening.get(`${owner}/${currency}`) ?? '0') !== amount)
      .map(
        ([currency, amount]) =>
          `  ${(names.get(owner) ?? owner).padEnd(20)} ${currency}  ${amount}`,
      ),
  );
  return lines.length === 0
    ? ['holdings are as they were at the beginning']
    : ['holdings that have changed', ...lines];
}
