import { balancesOf, orderOf, quoteOf, type State } from '../../reference/core/index.ts';

/** What became of a world, by the names that its plan gives: the same however deep it was played. */
export interface WorldEnd {
  readonly orders: Readonly<Record<string, OrderEnd>>;
  readonly quotes: Readonly<Record<string, string>>;
  /** By party: decimal strings by currency, of what changed. */
  readonly holdings: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface OrderEnd {
  readonly status: string;
  readonly reason?: string;
  /** The label of the quote that it was settled or is to be settled by. */
  readonly quote?: string;
}

interface Names {
  /** Ids by label. */
  readonly orders: ReadonlyMap<string, string>;
  readonly quotes: ReadonlyMap<string, string>;
  /** Party identifiers by name. */
  readonly parties: ReadonlyMap<string, string>;
}

export function worldEnd(state: State, { orders, quotes, parties }: Names): WorldEnd {
  const labels = new Map([...quotes].map(([label, id]) => [id, label]));
  const orderEnds = [...orders].flatMap(([label, id]): [string, OrderEnd][] => {
    const order = orderOf(state, id);
    if (!order) return [];
    const { status, failureReason: reason, accepted } = order;
    const quote = accepted && labels.get(accepted.quoteId);
    return [[label, { status, ...(reason && { reason }), ...(quote !== undefined && { quote }) }]];
  });
  return {
    orders: Object.fromEntries(orderEnds),
    quotes: Object.fromEntries(
      [...quotes].map(([label, id]) => [label, quoteOf(state, id)?.status ?? 'none']),
    ),
    holdings: Object.fromEntries([...parties].map(([name, id]) => [name, balancesOf(state, id)])),
  };
}
