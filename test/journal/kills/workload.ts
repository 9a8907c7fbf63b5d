import type { Party } from '../../../src/client/contract.ts';
import type { Random } from '../../../src/random/random.ts';
import { orderBody } from '../../../src/protocol/order-body.ts';
import { quoteBody } from '../../../src/protocol/quote-body.ts';
import { dataOf, type Ledger, outcomeOf, tryOf } from './ledger.ts';

export type Cast = Readonly<
  Record<
    'sender' | 'sender_custodian' | 'receiver_custodian' | 'maker_a' | 'maker_b' | 'maker_c',
    Party
  >
>;

export interface Workload {
  readonly cast: Cast;
  readonly ledger: Ledger;
  /** Orders and quotes that were answered, the newest last. */
  readonly open: { readonly orders: string[]; readonly quotes: { order: string; quote: string }[] };
  /** Counts tries, so that each has a contract or a rate of its own. */
  tries: number;
  /** Requests that were answered. */
  answered: number;
}

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** One client: sends requests until the server is gone. */
export async function work(load: Workload, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) await act(load, random);
}

async function act(load: Workload, random: Random): Promise<void> {
  const { cast, ledger, open } = load;
  const dice = random.below(100);
  const order = open.orders.length === 0 ? undefined : random.pick(open.orders.slice(-12));
  if (order === undefined || dice < 30) return create(load, random);
  if (dice < 62) return quote(load, random, order);
  if (dice < 80) {
    const chosen = open.quotes.length === 0 ? undefined : random.pick(open.quotes.slice(-8));
    if (chosen) return accept(load, chosen);
    return quote(load, random, order);
  }
  if (dice < 86) {
    const tried = tryOf(ledger.cancels, order);
    const exchange = await cast.sender.call('order.cancel', { params: { intent_id: order } });
    tried.outcome = outcomeOf(exchange);
    if (exchange.response) load.answered += 1;
    return;
  }
  if (dice < 90) {
    await cast.sender_custodian.call('proposal.accept', { params: { intent_id: order } });
    return;
  }
  const exchange = await cast.sender.call('order.read', { params: { intent_id: order } });
  const { status } = dataOf(exchange);
  if (exchange.response) load.answered += 1;
  if (typeof status === 'string') ledger.seen.set(order, status);
}

async function create(load: Workload, random: Random): Promise<void> {
  const { cast, ledger, open } = load;
  load.tries += 1;
  const contract = `00${load.tries.toString(16).padStart(12, '0')}#0`;
  ledger.orders.set(contract, { outcome: 'unknown' });
  const body = orderBody({
    hex: (digits) => random.hex(digits),
    senderCustodian: cast.sender_custodian.partyId,
    receiver: undefined,
    receiverCustodian: cast.receiver_custodian.partyId,
    changes: { source_contract_id: contract },
  });
  const exchange = await cast.sender.call('order.create', { body });
  const id = dataOf(exchange)['intent_id'];
  ledger.orders.set(contract, {
    outcome: outcomeOf(exchange),
    ...(typeof id === 'string' && { id }),
  });
  if (exchange.response) load.answered += 1;
  if (typeof id === 'string') open.orders.push(id);
}

async function quote(load: Workload, random: Random, order: string): Promise<void> {
  const { cast, ledger, open } = load;
  load.tries += 1;
  const rate = `1.${String(load.tries).padStart(6, '0')}1`;
  ledger.quotes.set(rate, { outcome: 'unknown', of: order });
  const exchange = await cast[random.pick(makers)].call('quote.submit', {
    params: { intent_id: order },
    body: quoteBody(rate, '1000.00', Date.now() + 30_000),
  });
  const id = dataOf(exchange)['quote_id'];
  ledger.quotes.set(rate, {
    outcome: outcomeOf(exchange),
    of: order,
    ...(typeof id === 'string' && { id }),
  });
  if (exchange.response) load.answered += 1;
  if (typeof id === 'string') open.quotes.push({ order, quote: id });
}

async function accept(
  load: Workload,
  { order, quote: chosen }: { readonly order: string; readonly quote: string },
): Promise<void> {
  const { cast, ledger } = load;
  const tried = tryOf(ledger.accepts, order, chosen);
  const params = { intent_id: order, quote_id: chosen };
  const exchange = await cast.sender.call('quote.accept', { params });
  tried.outcome = outcomeOf(exchange);
  if (exchange.response) load.answered += 1;
}
