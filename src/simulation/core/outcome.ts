import { balancesOf, orderOf, quoteOf, type State } from '../../reference/core/index.ts';

/** End state of a world, by the labels of its plan. It is the same at every depth. */
export interface WorldEnd {
  readonly orders: Readonly<Record<string, OrderEnd>>;
  readonly quotes: Readonly<Record<string, string>>;
  /** Holdings by party and currency, as decimal strings; only those that changed. */
  readonly holdings: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface OrderEnd {
  readonly status: string;
  readonly reason?: string;
  /** Label of the quote that settled the order or is to settle it. */
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
