import { describe, expect, it } from 'vitest';
import { endpointNames, endpoints } from './endpoints.ts';
import { eventKinds, streamEndpoint } from './events.ts';
import { type Field, fieldsOf } from './fields.ts';
import { limits } from './limits.ts';
import { OrderRequest, QuoteRequest, resources, TokenClaims } from './resources.ts';
import {
  acceptedStates,
  cancellableStates,
  isTerminal,
  orderTransitions,
  quoteTransitions,
  terminalOrderStates,
  terminalQuoteStates,
} from './states.ts';
import { orderStates, quoteStates, type Role } from './vocabulary.ts';

/**
 * The tables of the document, typed a second time by hand, so that a row missing in src/spec is
 * found. document-tables.test.ts compares them with the document itself if it is there.
 */
const tables: readonly (readonly [string, Parameters<typeof fieldsOf>[0], string])[] = [
  ['2.1 meta', resources.meta, 'request_id:text timestamp:timestamp'],
  [
    '2.1 pagination',
    resources.pagination,
    'page:integer page_size:integer total_items:integer total_pages:integer',
  ],
  [
    '2.2',
    resources.order,
    `intent_id:uuid status:enum sender_party_id:party sender_custodian_party_id:party receiver_party_id:party
     receiver_custodian_party_id:party source_contract_id:contract intent_signature:hex source_currency:currency
     target_currency:currency target_amount:decimal source_amount_max:decimal memo:text created_at:timestamp
     expires_at:timestamp quote_id:uuid market_maker_party_id:party fx_rate:decimal source_amount_actual:decimal
     quote_accepted_at:timestamp transaction_hash:hex settled_at:timestamp`,
  ],
  [
    '2.3',
    resources.quote,
    `quote_id:uuid intent_id:uuid market_maker_party_id:party fx_rate:decimal source_amount:decimal
     target_amount:decimal submitted_at:timestamp valid_until:timestamp status:enum`,
  ],
  [
    '2.3 echo',
    resources['own-quote'],
    `quote_id:uuid intent_id:uuid fx_rate:decimal target_amount:decimal submitted_at:timestamp
     valid_until:timestamp status:enum`,
  ],
  ['2.3 body', QuoteRequest, 'fx_rate:decimal target_amount:decimal valid_until:timestamp'],
  [
    '2.4',
    resources.rfq,
    `intent_id:uuid created_at:timestamp expires_at:timestamp source_currency:currency target_amount:decimal
     target_currency:currency`,
  ],
  [
    '2.5',
    resources.settlement,
    `intent_id:uuid source_currency:currency target_currency:currency target_amount:decimal
     source_amount_actual:decimal fx_rate:decimal quote_id:uuid mm_quoted_source_amount:decimal
     mm_delivered_target_amount:decimal transaction_hash:hex settled_at:timestamp`,
  ],
  ['2.6', resources.token, 'token:text expires_in:integer canton_party_id:party role:enum'],
  [
    '2.7',
    resources.identity,
    'party_id:party operator_party_id:party role:enum participant_id:text schema_version:text',
  ],
  [
    '4.2 body',
    OrderRequest,
    `sender_custodian_party_id:party intent_signature:hex receiver_party_id:party receiver_custodian_party_id:party
     source_contract_id:contract source_currency:currency target_amount:decimal target_currency:currency
     source_amount_max:decimal memo:text`,
  ],
  [
    '4.3 answer',
    resources['custodian-acceptance'],
    `intent_id:uuid status:enum quote_id:uuid fx_rate:decimal source_amount_actual:decimal
     quote_accepted_at:timestamp`,
  ],
  ['5.3', TokenClaims, 'sub:party canton_party_id:party role:enum iss:text aud:text exp:integer'],
];

const notation = ({ name, form }: Field): string => `${name}:${form}`;

describe('fields', () => {
  it.each(tables)('%s', (_, schema, text) => {
    expect(fieldsOf(schema).map(notation)).toEqual(text.split(/\s+/));
  });

  it('are required where they are due from the start', () => {
    const optional = fieldsOf(resources.order).filter((field) => !field.required);
    expect(optional.map(({ name }) => name)).toEqual([
      'memo',
      'quote_id',
      'market_maker_party_id',
      'fx_rate',
      'source_amount_actual',
      'quote_accepted_at',
      'transaction_hash',
      'settled_at',
    ]);
  });

  it('carry the values of an enum', () => {
    const status = fieldsOf(resources.order).find(({ name }) => name === 'status');
    expect(status?.values).toEqual(orderStates);
  });
});

describe('endpoints', () => {
  const of = (role: Role): string[] =>
    endpointNames
      .filter((name) => (endpoints[name].roles as readonly Role[]).includes(role))
      .map((name) => `${endpoints[name].method} ${endpoints[name].path}`)
      .toSorted((one, other) => (one < other ? -1 : 1));
  const common = ['GET /api/v1/dashboard/stats', 'GET /api/v1/whoami'];
  const orderSide = [
    ...common,
    'GET /api/v1/orders',
    'GET /api/v1/orders/events',
    'GET /api/v1/orders/{intent_id}',
    'GET /api/v1/orders/{intent_id}/quotes',
    'POST /api/v1/orders/{intent_id}/quotes/{quote_id}/accept',
  ];

  it.each<[Role, string[]]>([
    [
      'institution',
      [...orderSide, 'POST /api/v1/orders', 'POST /api/v1/orders/{intent_id}/cancel'],
    ],
    ['custodian', [...orderSide, 'POST /api/v1/orders/{intent_id}/accept']],
    [
      'market-maker',
      [
        ...common,
        'GET /api/v1/quote-requests',
        'GET /api/v1/quote-requests/{intent_id}',
        'POST /api/v1/quote-requests/{intent_id}/quotes',
        'GET /api/v1/quote-requests/{intent_id}/quotes',
        'GET /api/v1/quotes',
        'GET /api/v1/settlements',
        'GET /api/v1/settlements/{intent_id}',
        'GET /api/v1/events',
      ],
    ],
  ])('of the %s', (role, rows) => {
    expect(of(role)).toEqual(rows.toSorted((one, other) => (one < other ? -1 : 1)));
  });

  it('without a token: two', () => {
    const free = endpointNames.filter((name) => endpoints[name].roles.length === 0);
    expect(free).toEqual(['token.create', 'health.read']);
  });

  it('that list', () => {
    const lists = endpointNames.filter((name) => endpoints[name].result === 'list');
    expect(lists).toEqual([
      'order.list',
      'order.quotes',
      'rfq.list',
      'rfq.quotes',
      'quote.list',
      'settlement.list',
    ]);
  });
});

describe('states', () => {
  const arrow = ({ from, to }: { from: string; to: string }): string => `${from} ${to}`;

  it('move along the rows of part 3', () => {
    expect(orderTransitions.map(arrow)).toEqual([
      'PENDING QUOTED',
      'QUOTED EXECUTING',
      'EXECUTING SETTLED',
      'PENDING EXPIRED',
      'QUOTED EXPIRED',
      'PENDING FAILED',
      'EXECUTING FAILED',
    ]);
    expect(quoteTransitions.map(arrow)).toEqual([
      'PENDING ACCEPTED',
      'PENDING REJECTED',
      'PENDING EXPIRED',
    ]);
  });

  it('end where no row leaves', () => {
    const ends = (states: readonly string[], rows: readonly { from: string }[]): string[] =>
      states.filter((state) => !rows.some(({ from }) => from === state));
    expect(terminalOrderStates).toEqual(ends(orderStates, orderTransitions));
    expect(terminalQuoteStates).toEqual(ends(quoteStates, quoteTransitions));
    expect(orderStates.filter(isTerminal)).toEqual(terminalOrderStates);
  });

  it('are cancellable before execution, and accepted from QUOTED on', () => {
    expect(cancellableStates).toEqual(['PENDING', 'QUOTED']);
    expect(acceptedStates).toEqual(['QUOTED', 'EXECUTING', 'SETTLED']);
  });
});

describe('events and limits', () => {
  it('name the fields of part 6', () => {
    const rows = Object.entries(eventKinds).map(
      ([name, { stream, fields }]) => `${stream} ${name} ${fields.join()}`,
    );
    expect(rows).toEqual([
      'order order_updated intent_id,status',
      'order quote_received fx_rate,target_amount',
      'maker quote_request_new ',
      'maker quote_request_expired ',
      'maker quote_accepted intent_id,fx_rate',
      'maker quote_rejected intent_id',
      'maker settlement_completed transaction_hash',
    ]);
    expect(Object.values(streamEndpoint).map((name) => endpoints[name].result)).toEqual([
      'stream',
      'stream',
    ]);
  });

  it('are those of part 8', () => {
    expect(limits).toEqual({
      tokenLifetimeSeconds: 3600,
      heartbeatIntervalMs: 30_000,
      settlementDurationMs: 4000,
    });
  });
});
