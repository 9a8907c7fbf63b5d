import { isTerminal } from '../../spec/states.ts';
import { failureReasons, type OrderState, orderStates } from '../../spec/words.ts';
import { isObject, type JsonObject, textAt } from '../json.ts';
import { type Call, mayHaveHappened } from './calls.ts';
import type { Sighting } from './sightings.ts';
import type { SeenFrame, StreamStory } from './streams.ts';

/** One quote, as far as the history knows it. */
export interface QuoteStory {
  readonly id: string;
  readonly intentId: string | undefined;
  /** The party that submitted it in this history. */
  readonly maker: string | undefined;
  readonly submission: Call | undefined;
  readonly sent: JsonObject | undefined;
  /** As the order side and as its maker saw it, and in `quote_received`. */
  readonly sightings: readonly Sighting[];
  /** Attempts to accept it, whatever came of them. */
  readonly acceptances: readonly Call[];
}

/** One order, as far as the history knows it. Everything in the order of the history. */
export interface OrderStory {
  readonly id: string;
  readonly creation: Call | undefined;
  /** The body that created it. */
  readonly sent: JsonObject | undefined;
  /** Whole orders, answers to acceptances, and `order_updated`. */
  readonly sightings: readonly Sighting[];
  readonly rfqs: readonly Sighting[];
  readonly settlements: readonly Sighting[];
  readonly quotes: readonly QuoteStory[];
  /** Attempts, whoever made them and whatever came of them. */
  readonly acceptances: readonly Call[];
  readonly cancels: readonly Call[];
  readonly proposals: readonly Call[];
  readonly submissions: readonly Call[];
  readonly senderId: string | undefined;
  readonly senderCustodianId: string | undefined;
  readonly receiverId: string | undefined;
  readonly receiverCustodianId: string | undefined;
  /** Frames that name it, with their streams. */
  readonly frames: readonly { readonly stream: StreamStory; readonly seen: SeenFrame }[];
}

type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

const states: readonly string[] = orderStates;
/** The state that a sighting of an order shows, if it is one of the six. */
export const stateOf = (sighting: Sighting): OrderState | undefined => {
  const status = textAt(sighting.value, 'status');
  return status !== undefined && states.includes(status) ? (status as OrderState) : undefined;
};

const newOrder = (id: string): Growing<OrderStory> => ({
  id,
  creation: undefined,
  sent: undefined,
  sightings: [],
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

/** Whether a sighting shows its order in a state that nothing follows. */
export const showsEnd = (sighting: Sighting): boolean => isTerminal(stateOf(sighting) ?? 'PENDING');

/** Puts calls, sightings and frames under the orders and quotes that they speak of. */
export function storiesOf(
  calls: readonly Call[],
  sightings: readonly Sighting[],
  streams: readonly StreamStory[],
): { orders: Map<string, OrderStory>; quotes: Map<string, QuoteStory> } {
  const orders = new Map<string, Growing<OrderStory>>();
  const quotes = new Map<string, Growing<QuoteStory>>();

  const order = (id: string): Growing<OrderStory> => {
    const known = orders.get(id) ?? newOrder(id);
    orders.set(id, known);
    return known;
  };
  const quote = (id: string, intentId: string | undefined): Growing<QuoteStory> => {
    const known = quotes.get(id);
    if (known) {
      if (known.intentId === undefined && intentId !== undefined) {
        known.intentId = intentId;
        order(intentId).quotes.push(known);
      }
      return known;
    }
    const fresh: Growing<QuoteStory> = {
      id,
      intentId,
      maker: undefined,
      submission: undefined,
      sent: undefined,
      sightings: [],
      acceptances: [],
    };
    quotes.set(id, fresh);
    if (intentId !== undefined) order(intentId).quotes.push(fresh);
    return fresh;
  };

  for (const call of calls) file(call);
  for (const sighting of sightings) place(sighting);
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
      const id = textAt(call.data, 'intent_id');
      if (!call.ok || !call.own || id === undefined) return;
      const story = order(id);
      story.creation ??= call;
      story.sent ??= call.sent;
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
      const id = textAt(call.data, 'quote_id');
      if (!call.ok || id === undefined) return;
      const story = quote(id, intentId);
      story.maker ??= call.party;
      story.submission ??= call;
      story.sent ??= call.sent;
    }
  }

  function place(sighting: Sighting): void {
    const { resource, value } = sighting;
    const id = textAt(value, 'intent_id');
    if (resource === 'quote' || resource === 'own-quote') {
      const quoteId = textAt(value, 'quote_id');
      if (quoteId !== undefined) {
        const known = quote(quoteId, id ?? sighting.call?.exchange.params.intent_id);
        known.sightings.push(sighting);
      }
      return;
    }
    if (id === undefined) return;
    if (resource === 'rfq') order(id).rfqs.push(sighting);
    else if (resource === 'settlement') order(id).settlements.push(sighting);
    else if (resource === 'order' || resource === 'custodian-acceptance') {
      const story = order(id);
      story.sightings.push(sighting);
      learn(story, value);
    }
  }

  function learn(story: Growing<OrderStory>, value: JsonObject): void {
    story.senderId ??= textAt(value, 'sender_party_id');
    story.senderCustodianId ??=
      textAt(story.sent, 'sender_custodian_party_id') ?? textAt(value, 'sender_custodian_party_id');
    story.receiverId ??=
      textAt(story.sent, 'receiver_party_id') ?? textAt(value, 'receiver_party_id');
    story.receiverCustodianId ??=
      textAt(story.sent, 'receiver_custodian_party_id') ??
      textAt(value, 'receiver_custodian_party_id');
  }
}

/** Those of some calls that the target may have carried out. */
export const happened = (calls: readonly Call[]): readonly Call[] => calls.filter(mayHaveHappened);

const reasons: ReadonlySet<string> = new Set(failureReasons);
const sentFields = new Set(['memo', 'intent_signature', 'source_contract_id', 'status']);

/** Where an order shows a failure reason: the name of the field, and of the one within. */
export function reasonPathIn(order: JsonObject): readonly string[] | undefined {
  for (const name in order) {
    const value = order[name];
    if (typeof value === 'string' && reasons.has(value) && !sentFields.has(name)) return [name];
    if (!isObject(value)) continue;
    for (const key in value) {
      const inner = value[key];
      if (typeof inner === 'string' && reasons.has(inner)) return [name, key];
    }
  }
  return undefined;
}

/** The failure reason that an order shows, under whatever name and up to two levels deep. */
export function reasonIn(order: JsonObject): string | undefined {
  const [name = '', key] = reasonPathIn(order) ?? [];
  return key === undefined ? textAt(order, name) : textAt(order[name], key);
}
