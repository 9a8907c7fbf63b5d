import type { Exchange } from '../../../src/history/records.ts';

/** `unknown`: the answer never came, so it may have happened or not. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** One try of an action that several clients may try at once. */
export interface Try {
  readonly quote?: string;
  outcome: Outcome;
}

/** Notes a try before it is made. */
export function tryOf(tries: Map<string, Try[]>, order: string, quote?: string): Try {
  const one: Try = { outcome: 'unknown', ...(quote !== undefined && { quote }) };
  tries.set(order, [...(tries.get(order) ?? []), one]);
  return one;
}

/** Writes that a client tried, with their outcomes, over all lives of a server. */
export interface Ledger {
  /** By source contract, which no two tries share. */
  readonly orders: Map<string, { readonly outcome: Outcome; readonly id?: string }>;
  /** By rate, which no two tries share. */
  readonly quotes: Map<
    string,
    { readonly outcome: Outcome; readonly id?: string; readonly of: string }
  >;
  /** By order; a try that is under way is unknown. */
  readonly accepts: Map<string, Try[]>;
  readonly cancels: Map<string, Try[]>;
  /** The last state in which each order was seen. */
  readonly seen: Map<string, string>;
}

export const createLedger = (): Ledger => ({
  orders: new Map(),
  quotes: new Map(),
  accepts: new Map(),
  cancels: new Map(),
  seen: new Map(),
});

type Data = Readonly<Record<string, unknown>>;

export function outcomeOf({ response }: Exchange): Outcome {
  if (!response) return 'unknown';
  return response.status < 300 ? 'acknowledged' : 'refused';
}

export const dataOf = ({ response }: Exchange): Data =>
  ((response?.body as { readonly data?: Data } | undefined)?.data ?? {}) as Data;

const isFinal = (status: string): boolean => ['SETTLED', 'EXPIRED', 'FAILED'].includes(status);
const ranks = ['PENDING', 'QUOTED', 'EXECUTING', 'SETTLED'];

/**
 * A wrong result of a restart. `lost`: an acknowledged write is gone. `invented`: a write appears
 * that never happened. `other`: neither.
 */
export interface Difference {
  readonly kind: 'lost' | 'invented' | 'other';
  readonly what: string;
}

/** Compares the orders that a server lists with what its client knows. */
export function compareOrders(ledger: Ledger, listed: readonly Data[]): Difference[] {
  const found: Difference[] = [];
  const note = (kind: Difference['kind'], what: string): void => void found.push({ kind, what });
  const byContract = new Map<string, Data>();
  for (const order of listed) {
    const contract = String(order['source_contract_id']);
    const tried = ledger.orders.get(contract);
    if (!tried) note('invented', `order ${String(order['intent_id'])} was never asked for`);
    else if (tried.outcome === 'refused')
      note('invented', `order ${String(order['intent_id'])} was refused`);
    if (byContract.has(contract)) note('invented', `two orders of contract ${contract}`);
    byContract.set(contract, order);
  }
  for (const [contract, { outcome, id }] of ledger.orders) {
    const order = byContract.get(contract);
    if (outcome === 'acknowledged' && order?.['intent_id'] !== id)
      note('lost', `order ${id} was answered, and is ${String(order?.['intent_id'])} now`);
  }
  for (const order of listed) found.push(...compareOrder(ledger, order));
  return found;
}

function compareOrder({ accepts, cancels, seen }: Ledger, order: Data): Difference[] {
  const found: Difference[] = [];
  const note = (kind: Difference['kind'], what: string): void => void found.push({ kind, what });
  const id = String(order['intent_id']);
  const status = String(order['status']);
  const reason = order['failure_reason'];
  const accepted = order['accepted_quote_id'] ?? order['quote_id'];
  const before = seen.get(id);
  if (before !== undefined && before !== status) {
    const back = ranks.indexOf(status) >= 0 && ranks.indexOf(status) < ranks.indexOf(before);
    if (isFinal(before) || back) note('lost', `order ${id} was ${before}, and is ${status} now`);
  }
  const tries = accepts.get(id) ?? [];
  for (const { quote, outcome } of tries) {
    if (outcome !== 'acknowledged') continue;
    if (status === 'PENDING' || (accepted !== undefined && accepted !== quote))
      note(
        'lost',
        `order ${id}: the acceptance of ${quote} was answered, and it is ${status} with ${String(accepted)}`,
      );
  }
  const wasAccepted = ['QUOTED', 'EXECUTING', 'SETTLED'].includes(status);
  const mayBeAccepted = tries.some(({ outcome }) => outcome !== 'refused');
  if (wasAccepted && !mayBeAccepted)
    note('invented', `order ${id} is ${status}, and nobody accepted`);
  const cancel = cancels.get(id) ?? [];
  if (cancel.some(({ outcome }) => outcome === 'acknowledged') && reason !== 'USER_CANCELLED')
    note('lost', `order ${id} was cancelled, and is ${status} now`);
  if (reason === 'USER_CANCELLED' && cancel.every(({ outcome }) => outcome === 'refused'))
    note('invented', `order ${id} is cancelled, and nobody did`);
  return found;
}

/** Compares the quotes that a server lists for its makers with what the client knows. */
export function compareQuotes({ quotes }: Ledger, listed: readonly Data[]): Difference[] {
  const found: Difference[] = [];
  const byRate = new Map<string, Data>();
  for (const quote of listed) {
    const rate = String(quote['fx_rate']);
    const tried = quotes.get(rate);
    if (!tried || tried.outcome === 'refused' || byRate.has(rate))
      found.push({ kind: 'invented', what: `quote ${String(quote['quote_id'])} at ${rate}` });
    byRate.set(rate, quote);
  }
  for (const [rate, { outcome, id }] of quotes)
    if (outcome === 'acknowledged' && byRate.get(rate)?.['quote_id'] !== id)
      found.push({ kind: 'lost', what: `quote ${id} at ${rate}` });
  return found;
}
