import type { Frame, History, HistoryRecord } from '../../../src/history/records.ts';
import { altered, edited, withExchanges } from './findings-and-edits.ts';
import type { Json } from './defects.ts';

const events = (
  history: History,
  edit: (frame: { -readonly [K in keyof Frame]: Frame[K] }) => void,
) =>
  altered(history, (record) => {
    if (record.kind === 'frame') edit(record as { -readonly [K in keyof Frame]: Frame[K] });
    return record;
  });

const only = (data: unknown, ...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, (data as Json)[name]]));

/** Allowed answers to gaps, each as a change of a life with another answer. */
export const variations: readonly (readonly [string, (history: History) => History])[] = [
  [
    'payloads with the named fields only',
    (history) =>
      events(history, (frame) => {
        if (frame.event === 'order_updated') frame.data = only(frame.data, 'intent_id', 'status');
        if (frame.event === 'quote_received')
          frame.data = only(frame.data, 'fx_rate', 'target_amount');
        if (frame.event === 'quote_accepted') frame.data = only(frame.data, 'intent_id', 'fx_rate');
        if (frame.event === 'settlement_completed')
          frame.data = only(frame.data, 'transaction_hash');
        if (frame.event === 'quote_request_expired') frame.data = {};
      }),
  ],
  [
    'payloads under a noun',
    (history) =>
      events(history, (frame) => {
        if (frame.event === 'order_updated') frame.data = { order: frame.data, sequence: 7 };
        if (frame.event === 'quote_received') frame.data = { quote: frame.data };
        if (frame.event === 'settlement_completed') frame.data = { settlement: frame.data };
      }),
  ],
  [
    'payloads in the envelope',
    (history) =>
      events(history, (frame) => {
        frame.data = { data: frame.data, meta: {} };
      }),
  ],
  [
    'amounts with eight decimals',
    (history) => {
      const padded = (value: unknown): unknown =>
        typeof value === 'string' && /^\d+\.\d\d$/.test(value) ? `${value}000000` : value;
      return altered(
        history,
        (record) =>
          JSON.parse(
            JSON.stringify(record, (key, value: unknown) =>
              key.includes('amount') ? padded(value) : value,
            ),
          ) as HistoryRecord,
      );
    },
  ],
  [
    'events beside those listed',
    ({ records }) => {
      const [last] = records.filter((record) => record.kind === 'frame').slice(-1);
      return { records: [...records, { ...(last as Frame), id: 'extra', event: 'connected' }] };
    },
  ],
  [
    'a cancel without content',
    (history) =>
      withExchanges(history, { at: 'order.cancel', status: 'FAILED' }, (exchange) => {
        exchange.response = { status: 204, headers: {} };
      }),
  ],
  [
    'created orders answered with 202',
    (history) =>
      withExchanges(history, { at: 'order.create' }, (exchange) => {
        if (exchange.response) exchange.response = { ...exchange.response, status: 202 };
      }),
  ],
  [
    'fields that the document does not list',
    (history) =>
      edited(history, { at: 'rfq.read' }, (request) => {
        request['priority'] = 'high';
        request['quotes'] = [{ n: 1 }];
      }),
  ],
  [
    'an empty text for a reason that is not shown',
    (history) =>
      edited(history, { at: 'order.read' }, (order) => {
        order['failure_reason'] ??= '';
      }),
  ],
  [
    'times written with an offset of zero',
    (history) =>
      edited(history, { at: 'order.read' }, (order) => {
        order['created_at'] = String(order['created_at']).replace('Z', '+00:00');
      }),
  ],
  [
    'ids in capitals',
    (history) =>
      altered(
        history,
        (record) =>
          JSON.parse(JSON.stringify(record).replaceAll('-8000-aa', '-8000-AA')) as HistoryRecord,
      ),
  ],
  [
    'ids in capitals here and there',
    (history) => {
      let nth = 0;
      return altered(history, (record) => {
        nth += 1;
        const text = JSON.stringify(record);
        const raised = text.replace(/-8000-[a-f]{2}/g, (digits) => digits.toUpperCase());
        return JSON.parse(nth % 2 === 0 ? raised : text) as HistoryRecord;
      });
    },
  ],
  [
    'parties with digits in capitals here and there',
    (history) => {
      let nth = 0;
      return altered(history, (record) => {
        nth += 1;
        const text = JSON.stringify(record);
        const raised = text.replace(/::[\da-f]+(?=")/g, (digits) => digits.toUpperCase());
        return JSON.parse(nth % 2 === 0 ? raised : text) as HistoryRecord;
      });
    },
  ],
  [
    'tokens that expire at a fraction of a second',
    (history) =>
      withExchanges(history, { at: 'token.create' }, (exchange) => {
        const { claims } = exchange;
        if (claims) exchange.claims = { ...claims, exp: Number(claims['exp']) + 0.25 };
      }),
  ],
];
