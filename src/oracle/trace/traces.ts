import { terminalOrderStates, unsettledStates } from '../../spec/states.ts';
import {
  type OrderState,
  orderStates,
  type QuoteState,
  quoteStates,
} from '../../spec/vocabulary.ts';
import { type JsonObject, textOf } from '../../protocol/json.ts';
import { type Call, mayHaveTakenEffect, precedes } from './calls.ts';
import type { Snapshot } from './snapshots.ts';
import type { TraceFrame, StreamTrace } from './streams.ts';

export interface QuoteTrace {
  readonly id: string;
  readonly intentId: string | undefined;
  /** The party that submitted it in this history. */
  readonly maker: string | undefined;
  readonly submission: Call | undefined;
  readonly sent: JsonObject | undefined;
  /** As the order side and as its maker saw it, and in `quote_received`. */
  readonly snapshots: readonly Snapshot[];
  readonly acceptances: readonly Call[];
}

/** One order, as far as the history knows it. Everything in the order of the history. */
export interface OrderTrace {
  readonly id: string;
  readonly creation: Call | undefined;
  readonly sent: JsonObject | undefined;
  /** Whole orders, answers to acceptances, and `order_updated`. */
  readonly snapshots: readonly Snapshot[];
  readonly rfqs: readonly Snapshot[];
  readonly settlements: readonly Snapshot[];
  readonly quotes: readonly QuoteTrace[];
  readonly acceptances: readonly Call[];
  readonly cancels: readonly Call[];
  readonly proposals: readonly Call[];
  readonly submissions: readonly Call[];
  readonly senderId: string | undefined;
  readonly senderCustodianId: string | undefined;
  readonly receiverId: string | undefined;
  readonly receiverCustodianId: string | undefined;
  /** Frames that name it, with their streams. */
  readonly frames: readonly { readonly stream: StreamTrace; readonly seen: TraceFrame }[];
}

type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

export const orderStateOf = ({ value }: Snapshot): OrderState | undefined =>
  orderStates.find((state) => state === value['status']);

export const quoteStateOf = ({ value }: Snapshot): QuoteState | undefined =>
  quoteStates.find((state) => state === value['status']);

const newOrder = (id: string): Growing<OrderTrace> => ({
  id,
  creation: undefined,
  sent: undefined,
  snapshots: [],
  rfqs: [],
  settlements: [],
  quotes: [],
  acceptances: [],
  cancels: [],
  proposals: [],
  submissions: [],
  senderId: undefined,
  senderCustodianId: undefined,
  receiverId: undefined,
  receiverCustodianId: undefined,
  frames: [],
});

const newQuote = (id: string): Growing<QuoteTrace> => ({
  id,
  intentId: undefined,
  maker: undefined,
  submission: undefined,
  sent: undefined,
  snapshots: [],
  acceptances: [],
});

/** Tells if a snapshot shows its order in one of some states. */
export const isIn =
  (...states: readonly OrderState[]) =>
  (snapshot: Snapshot): boolean => {
    const state = orderStateOf(snapshot);
    return state !== undefined && states.includes(state);
  };

export const showsTerminal = isIn(...terminalOrderStates);

export const isUnsettled = isIn(...unsettledStates);

/** Puts calls, sightings and frames under the orders and quotes that they speak of. */
export function tracesOf(
  calls: readonly Call[],
  snapshots: readonly Snapshot[],
  streams: readonly StreamTrace[],
): { orders: Map<string, OrderTrace>; quotes: Map<string, QuoteTrace> } {
  const orders = new Map<string, Growing<OrderTrace>>();
  const quotes = new Map<string, Growing<QuoteTrace>>();

  const order = (id: string): Growing<OrderTrace> => {
    const known = orders.get(id) ?? newOrder(id);
    orders.set(id, known);
    return known;
  };
  const quote = (id: string, intentId: string | undefined): Growing<QuoteTrace> => {
    const known = quotes.get(id) ?? newQuote(id);
    quotes.set(id, known);
    if (known.intentId === undefined && intentId !== undefined) {
      known.intentId = intentId;
      order(intentId).quotes.push(known);
    }
    return known;
  };

  for (const call of calls) file(call);
  for (const snapshot of snapshots) place(snapshot);
  for (const stream of streams) {
    if (!stream.call.own) continue;
    for (const seen of stream.frames) {
      if (seen.intentId !== undefined) order(seen.intentId).frames.push({ stream, seen });
    }
  }
  return { orders, quotes };

  function file(call: Call): void {
    const intentId = call.exchange.params.intent_id;
    if (call.endpoint === 'order.create') {
      const id = textOf(call.data, 'intent_id');
      if (!call.ok || !call.own || id === undefined) return;
      const trace = order(id);
      trace.creation ??= call;
      trace.sent ??= call.sent;
      return;
    }
    if (intentId === undefined) return;
    if (call.endpoint === 'order.cancel') order(intentId).cancels.push(call);
    else if (call.endpoint === 'proposal.accept') order(intentId).proposals.push(call);
    else if (call.endpoint === 'quote.accept') {
      order(intentId).acceptances.push(call);
      const quoteId = call.exchange.params.quote_id;
      if (quoteId !== undefined) quote(quoteId, undefined).acceptances.push(call);
    } else if (call.endpoint === 'quote.submit') {
      order(intentId).submissions.push(call);
      const id = textOf(call.data, 'quote_id');
      if (!call.ok || id === undefined) return;
      const trace = quote(id, intentId);
      trace.maker ??= call.party;
      trace.submission ??= call;
      trace.sent ??= call.sent;
    }
  }

  function place(snapshot: Snapshot): void {
    const { resource, value } = snapshot;
    const id = textOf(value, 'intent_id');
    if (resource === 'quote' || resource === 'own-quote') {
      const quoteId = textOf(value, 'quote_id');
      if (quoteId !== undefined) {
        const known = quote(quoteId, id ?? snapshot.call?.exchange.params.intent_id);
        known.snapshots.push(snapshot);
      }
      return;
    }
    if (id === undefined) return;
    if (resource === 'rfq') order(id).rfqs.push(snapshot);
    else if (resource === 'settlement') order(id).settlements.push(snapshot);
    else if (resource === 'order' || resource === 'custodian-acceptance') {
      const trace = order(id);
      trace.snapshots.push(snapshot);
      learn(trace, value);
    }
  }

  function learn(trace: Growing<OrderTrace>, value: JsonObject): void {
    const known = (name: string) => textOf(trace.sent, name) ?? textOf(value, name);
    trace.senderId ??= textOf(value, 'sender_party_id');
    trace.senderCustodianId ??= known('sender_custodian_party_id');
    trace.receiverId ??= known('receiver_party_id');
    trace.receiverCustodianId ??= known('receiver_custodian_party_id');
  }
}

export const possiblyEffective = (calls: readonly Call[]): readonly Call[] =>
  calls.filter(mayHaveTakenEffect);

/** Acceptances and cancels that may have taken effect. Without one, only time and its validation move an order. */
export const touchesOf = ({ acceptances, cancels }: OrderTrace): readonly Call[] =>
  possiblyEffective([...acceptances, ...cancels]);

/** The call that was sent first of those that may have taken effect: lost and late answers stand in another order. */
export function firstPossiblyEffective(calls: readonly Call[]): Call | undefined {
  const [earliest] = possiblyEffective(calls).toSorted((one, other) => one.open - other.open);
  return earliest;
}

/** True if one of the calls may have taken effect by the time of the snapshot. */
export const mayHaveChanged = (
  calls: readonly Call[],
  { close }: Pick<Snapshot, 'close'>,
): boolean => calls.some((call) => mayHaveTakenEffect(call) && call.open < close);

/** The first snapshot that shows an order in one of some states before something was sent. */
export const seenBefore = (
  { snapshots }: OrderTrace,
  call: { readonly open: number },
  states: readonly OrderState[],
): Snapshot | undefined => snapshots.filter(isIn(...states)).find((seen) => precedes(seen, call));

/** Cancels that were answered with success when the order was not known to have ended before. */
export const effectiveCancels = (trace: OrderTrace): Call[] =>
  trace.cancels.filter((call) => call.ok && !seenBefore(trace, call, terminalOrderStates));
