import type { Exchange, HistoryRecord } from '../../history/records.ts';
import { isDenied, itemsOf, fieldsOf, succeeded, textOf } from '../../protocol/answers.ts';
import { intentIdOf, payloadOf } from '../../protocol/event-payload.ts';
import { isObject } from '../../protocol/json.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { type EventName, eventKinds } from '../../spec/events.ts';
import { isTerminal, reaches } from '../../spec/states.ts';
import { type OrderState, orderStates } from '../../spec/vocabulary.ts';

/** Since when something has been known, in host milliseconds. */
interface Known {
  readonly state: string;
  readonly since: number;
}

export interface KnownStates {
  /** Takes note of what a record shows, which came at this moment. */
  note(record: HistoryRecord, moment: number): void;
  /** Since when something has been known that an answer is behind, of what was known by a moment; undefined: it is not. */
  olderThan(exchange: Exchange, by: number): number | undefined;
}

const asOrderState = (text: string | undefined): OrderState | undefined =>
  orderStates.find((state) => state === text);

/** Of a quote every state but the first lasts. */
const quoteLeads = (from: string, to: string): boolean => from === 'PENDING' || from === to;
const orderLeads = (from: string, to: string): boolean => {
  const [earlier, later] = [asOrderState(from), asOrderState(to)];
  return !earlier || !later || reaches(earlier, later);
};

interface Showing {
  readonly id: string;
  readonly state: string;
  readonly leads: (from: string, to: string) => boolean;
}

/** The state of the order or of the quote that an object is. */
function showingIn(value: unknown): Showing | undefined {
  const state = textOf(value, 'status');
  if (state === undefined) return undefined;
  const isOrder = textOf(value, 'sender_party_id') !== undefined || asOrderState(state) === state;
  const quoteId = textOf(value, 'quote_id');
  // An order names the quote that was accepted; a quote has nobody who sent it.
  const isQuote = quoteId !== undefined && textOf(value, 'valid_until') !== undefined;
  if (isQuote) return { id: quoteId.toLowerCase(), state, leads: quoteLeads };
  const id = textOf(value, 'intent_id')?.toLowerCase();
  return isOrder && id !== undefined ? { id, state, leads: orderLeads } : undefined;
}

const showingsOf = (exchange: Exchange): readonly Showing[] =>
  succeeded(exchange)
    ? [fieldsOf(exchange), ...itemsOf(exchange)].flatMap((value) => showingIn(value) ?? [])
    : [];

/** Market makers are told of orders too, and may not read them: their refusals show no lag. */
const isOfOrderSide = (event: string): boolean =>
  eventKinds[event as EventName]?.stream === 'order';
const isBelowOrders = (endpoint: EndpointName | undefined): boolean =>
  endpoint !== undefined && endpoints[endpoint].path.startsWith(endpoints['order.list'].path);

/** States of orders and quotes that a run knows, each with the moment since which it is known. */
export function createKnownStates(): KnownStates {
  const known = new Map<string, Known[]>();
  /** The orders that each party of the order side has been shown. */
  const shown = new Map<string, Map<string, number>>();

  function noteShowing({ id, state, leads }: Showing, moment: number): void {
    const before = known.get(id) ?? [];
    const last = before.at(-1);
    if (last && (last.state === state || !leads(last.state, state))) return;
    known.set(id, [...before, { state, since: moment }]);
  }
  function noteParty(party: string, id: string | undefined, moment: number): void {
    if (id === undefined) return;
    const own = shown.get(party) ?? new Map<string, number>();
    shown.set(party, own);
    if (!own.has(id.toLowerCase())) own.set(id.toLowerCase(), moment);
  }
  /** Since when an order has been known to be in a state from which it does not lead to another. */
  const leftSince = ({ id, state, leads }: Showing, by: number): number | undefined =>
    known.get(id)?.find((one) => one.since <= by && !leads(one.state, state))?.since;
  const endedSince = (id: string, by: number): number | undefined =>
    known.get(id)?.find(({ state, since }) => {
      const order = asOrderState(state);
      return since <= by && order !== undefined && isTerminal(order);
    })?.since;

  return {
    note(record, moment) {
      if (record.kind === 'end') return;
      if (record.kind === 'frame') {
        const payload = payloadOf(record);
        const showing = record.event === 'order_updated' ? showingIn(payload) : undefined;
        if (showing) noteShowing(showing, moment);
        if (isOfOrderSide(record.event))
          noteParty(record.party, intentIdOf(record, payload), moment);
        return;
      }
      if (record.auth !== 'own' || !succeeded(record)) return;
      for (const showing of showingsOf(record)) noteShowing(showing, moment);
      if (isBelowOrders(record.endpoint))
        noteParty(record.party, textOf(fieldsOf(record), 'intent_id'), moment);
    },
    olderThan(exchange, by) {
      if (exchange.auth !== 'own') return undefined;
      const { endpoint, party, params } = exchange;
      const left = showingsOf(exchange).flatMap((showing) => leftSince(showing, by) ?? []);
      // A request leaves the list with its order.
      const listed = endpoint === 'rfq.list' ? itemsOf(exchange) : [];
      const closed = listed.flatMap((item) => {
        const id = isObject(item) ? textOf(item, 'intent_id')?.toLowerCase() : undefined;
        return id === undefined ? [] : (endedSince(id, by) ?? []);
      });
      const id = params.intent_id?.toLowerCase() ?? '';
      const since = shown.get(party)?.get(id);
      const isMissing = endpoint === 'order.read' && isDenied(exchange) && since !== undefined;
      const all = [...left, ...closed, ...(isMissing && since <= by ? [since] : [])];
      return all.length === 0 ? undefined : Math.min(...all);
    },
  };
}
