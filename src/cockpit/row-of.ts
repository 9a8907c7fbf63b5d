import type { Exchange, Frame, HistoryRecord } from '../history/records.ts';
import { isBySelf } from '../history/worlds.ts';
import { fieldsOf, isObject, itemsOf, textOf } from '../protocol/answers.ts';
import { failureReasonIn } from '../protocol/failure-reason.ts';
import { endpoints } from '../spec/endpoints.ts';
import type { ResourceName } from '../spec/resources.ts';
import type { Role } from '../spec/vocabulary.ts';
import {
  type Driver,
  type OrderFacts,
  orderFields,
  type QuoteFacts,
  quoteFields,
  type Row,
} from './view/row.ts';

/** Driver names in the history: for actions of the cockpit, of external clients, and of an opened recording. */
export const drivers = { you: 'cockpit', outside: 'outside', opened: 'opened' } as const;

const driverOf = (record: HistoryRecord): Driver => {
  const { by } = record;
  if (by === drivers.you) return 'you';
  if (by === drivers.outside) return 'outside';
  return isBySelf(record) ? 'itself' : 'opened';
};

/** Maximum length of a target's text in a row, in characters: the record holds the whole text. */
const longestText = 240;
const cut = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}…` : text;

function picked<Name extends string>(
  value: unknown,
  names: readonly Name[],
): { readonly [N in Name]?: string } {
  const found: { [N in Name]?: string } = {};
  for (const name of names) {
    const text = textOf(value, name);
    if (text !== undefined) found[name] = cut(text);
  }
  return found;
}

const idOf = (value: unknown, name: string): string | undefined =>
  textOf(value, name)?.toLowerCase().slice(0, longestText);

function orderFacts(value: unknown, more: Partial<OrderFacts> = {}): readonly OrderFacts[] {
  const id = idOf(value, 'intent_id');
  if (id === undefined) return [];
  const reason = failureReasonIn(value);
  return [
    {
      ...picked(value, orderFields),
      ...(reason !== undefined && { failure_reason: reason }),
      ...more,
      intent_id: id,
    },
  ];
}

function quoteFacts(
  value: unknown,
  { intentId, maker }: { readonly intentId?: string | undefined; readonly maker?: string },
): readonly QuoteFacts[] {
  const quote = idOf(value, 'quote_id');
  const order = idOf(value, 'intent_id') ?? intentId;
  if (quote === undefined || order === undefined) return [];
  const known = picked(value, quoteFields);
  return [{ ...known, intent_id: order, quote_id: quote, ...(maker !== undefined && { maker }) }];
}

type Facts = Pick<Row, 'orders' | 'quotes'>;

const resourceOf = ({ endpoint, role }: Exchange): ResourceName | undefined => {
  const entry = endpoint && endpoints[endpoint];
  if (!entry || !('resource' in entry)) return undefined;
  const { resource } = entry;
  return typeof resource === 'string'
    ? resource
    : (resource as Partial<Record<Role, ResourceName>>)[role];
};

function factsOfAnswer(exchange: Exchange): Facts {
  const intentId = exchange.params.intent_id?.toLowerCase();
  const data = fieldsOf(exchange);
  const values = [data, ...itemsOf(exchange)];
  const isMaker = exchange.role === 'market-maker';
  switch (resourceOf(exchange)) {
    case 'order':
    case 'custodian-acceptance':
      return { orders: values.flatMap((one) => orderFacts(one)) };
    case 'rfq':
      return { orders: values.flatMap((one) => orderFacts(withoutStatus(one))) };
    case 'settlement':
      return { orders: values.flatMap((one) => orderFacts(one, { status: 'SETTLED' })) };
    case 'quote':
    case 'own-quote': {
      const of = { intentId, ...(isMaker && { maker: exchange.party }) };
      return { quotes: values.flatMap((one) => quoteFacts(one, of)) };
    }
    case 'token':
    case 'identity':
    case 'meta':
    case 'pagination':
    case undefined:
      break;
  }
  // An answer of an open form may contain its order.
  const orders = [data, data['order']].flatMap((one) =>
    textOf(one, 'status') === undefined ? [] : orderFacts(one),
  );
  return { orders };
}

/** Removes the status: the maker's view of an order has its own state, if any. */
const withoutStatus = (value: unknown): unknown =>
  isObject(value) ? { ...value, status: undefined } : value;

function factsOfEvent({ event, data, party }: Frame): Facts {
  switch (event) {
    case 'order_updated':
      return { orders: orderFacts(data) };
    case 'quote_request_new':
      return { orders: orderFacts(withoutStatus(data)) };
    case 'settlement_completed':
      return { orders: orderFacts(data, { status: 'SETTLED' }) };
    case 'quote_received':
      return { quotes: quoteFacts(data, {}) };
    case 'quote_accepted':
      return { quotes: quoteFacts(data, { maker: party }).map(as('ACCEPTED')) };
    case 'quote_rejected':
      return { quotes: quoteFacts(data, { maker: party }).map(as('REJECTED')) };
    default:
      return {};
  }
}

const as =
  (status: string) =>
  (facts: QuoteFacts): QuoteFacts => ({ ...facts, status });

const some = ({ orders = [], quotes = [] }: Facts): Facts => ({
  ...(orders.length > 0 && { orders }),
  ...(quotes.length > 0 && { quotes }),
});

/** The row of a record, for the page. */
export function rowOf(record: HistoryRecord, place: number): Row {
  const { party } = record;
  const common = { place, party, driver: driverOf(record) };
  if (record.kind === 'end') {
    const trouble = record.cause === 'us' ? 'closed by the cockpit' : `ended: ${record.cause}`;
    const what = 'the stream ended';
    return { ...common, kind: 'end', id: record.stream, at: record.at, what, trouble };
  }
  if (record.kind === 'frame') {
    const facts = some(factsOfEvent(record));
    const intentId = idOf(record.data, 'intent_id');
    return {
      ...common,
      kind: 'frame',
      id: record.id,
      at: record.received,
      what: cut(record.event === '' ? '(no name)' : record.event),
      ...(intentId !== undefined && { intentId }),
      ...facts,
    };
  }
  const { response, error, request, endpoint } = record;
  const facts = some(factsOfAnswer(record));
  const created = endpoint === 'order.create' ? facts.orders?.[0]?.intent_id : undefined;
  const intentId = record.params.intent_id?.toLowerCase() ?? created;
  return {
    ...common,
    kind: 'exchange',
    id: record.id,
    at: record.received,
    what: endpoint ?? cut(`${request.method} ${request.path}`),
    status: response?.status ?? 0,
    ...(error && { trouble: cut(error.message) }),
    ...(intentId !== undefined && { intentId }),
    ...facts,
  };
}
