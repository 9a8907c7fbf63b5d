import type { Exchange } from '../../history/records.ts';
import { compare, multiply, parseDecimal } from '../../protocol/decimal.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { CastName } from '../../spec/requirements/index.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import { noAnswerReason } from '../../protocol/answers.ts';
import {
  fieldsOf,
  grantedUntil,
  isObject,
  isRefusal,
  itemsOf,
  succeeded,
  textOf,
} from '../actions/index.ts';
import type {
  Operation,
  OperationKind,
  OrderedExchange,
  OrderHistory,
  QuoteFacts,
  Relation,
  ReplyKind,
} from './operations.ts';

const kinds: Readonly<Record<string, OperationKind>> = {
  'order.create': 'create',
  'quote.submit': 'submit',
  'quote.accept': 'accept',
  'order.cancel': 'cancel',
  'proposal.accept': 'propose',
  'order.read': 'read',
  'order.quotes': 'quotes',
  'rfq.quotes': 'quotes',
};

const replyOf = (exchange: Exchange): ReplyKind => {
  if (noAnswerReason(exchange) !== undefined) {
    return exchange.error?.code === 'refused' ? 'void' : 'lost';
  }
  if (succeeded(exchange)) return 'yes';
  if (isRefusal(exchange)) return 'no';
  return exchange.response?.status === 429 ? 'void' : 'lost';
};

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text);

/** UUIDs are the same in either case. */
const idIn = (fields: unknown, name: string): string | undefined =>
  textOf(fields, name)?.toLowerCase();

/** Tests if the order's maximum covers a quote, under every reading of its rate and amount. */
function payableOf(order: unknown, quote: unknown): QuoteFacts['payable'] {
  const [rate, amount] = [
    parseDecimal(textOf(quote, 'fx_rate')),
    parseDecimal(textOf(quote, 'target_amount')),
  ];
  const [wanted, most] = ['target_amount', 'source_amount_max'].map((name) =>
    parseDecimal(textOf(order, name)),
  );
  if (!rate || !amount || !wanted || !most) return 'maybe';
  const above = [
    compare(multiply(wanted, rate), most),
    compare(wanted, multiply(most, rate)),
    compare(amount, most),
  ];
  if (above.every((way) => way > 0)) return 'no';
  return above.every((way) => way < 0) ? 'surely' : 'maybe';
}

interface Offset {
  readonly least: number;
  readonly most: number;
}

/** Relation of each party to an order, by the identifiers in its creation. */
export type Relate = (party: string) => Relation;

export function relationsOf(
  creator: string,
  sent: unknown,
  partyIds: ReadonlyMap<string, string>,
): Relate {
  const named = (field: string, party: string): boolean => {
    const id = partyIds.get(party);
    return id !== undefined && textOf(sent, field) === id;
  };
  return (party) => {
    if (party === creator) return 'owner';
    if (named('sender_custodian_party_id', party)) return 'custodian';
    return named('receiver_custodian_party_id', party) ? 'receiver' : 'unrelated';
  };
}

/** True if any field of an order has the reason: the name of the field is open (gap `order.failure_reason_field`). */
const carries = (order: unknown, reason: string): boolean =>
  isObject(order) &&
  Object.entries(order).some(
    ([name, value]) => name !== 'memo' && (value === reason || carries(value, reason)),
  );

type Shown = Pick<Operation, 'status' | 'names' | 'shown' | 'blamesCancel'>;

function shownBy(kind: OperationKind, exchange: Exchange): Shown {
  if (kind === 'quotes') {
    const shown = itemsOf(exchange).flatMap((item) => {
      const [id, state] = [idIn(item, 'quote_id'), oneOf(quoteStates, textOf(item, 'status'))];
      return id !== undefined && state !== undefined ? [[id, state] as const] : [];
    });
    return { shown };
  }
  if (kind !== 'read' && kind !== 'cancel') return {};
  const data = fieldsOf(exchange);
  const [status, names] = [oneOf(orderStates, textOf(data, 'status')), idIn(data, 'quote_id')];
  return {
    ...(status && { status }),
    ...(kind === 'read' && names !== undefined && { names }),
    blamesCancel: carries(data, 'USER_CANCELLED'),
  };
}

/** True for a cancel that was refused without a body, and then sent again with one (gap `cancel.request`). */
const isTrial = (entry: OrderedExchange, next: OrderedExchange | undefined): boolean =>
  entry.exchange.endpoint === 'order.cancel' &&
  next?.exchange.endpoint === 'order.cancel' &&
  next.exchange.party === entry.exchange.party &&
  isRefusal(entry.exchange) &&
  isObject(next.exchange.request.body) &&
  !isObject(entry.exchange.request.body);

const withoutTrials = (entries: readonly OrderedExchange[]): OrderedExchange[] =>
  entries.filter((entry) => {
    const next = entries.find(
      ({ begin, exchange }) => begin > entry.end && exchange.party === entry.exchange.party,
    );
    return !isTrial(entry, next);
  });

/** The history of an order, from all exchanges about it; undefined if they do not include its creation. */
export function orderHistoryOf(
  entries: readonly OrderedExchange[],
  partyIds: ReadonlyMap<CastName, string>,
  offset: Offset,
): OrderHistory | undefined {
  const creation = entries.find(({ exchange }) => exchange.endpoint === 'order.create');
  if (!creation) return undefined;
  const created = fieldsOf(creation.exchange);
  const intentId = textOf(created, 'intent_id');
  const expiresAt = parseTimestamp(created['expires_at']);
  if (intentId === undefined || expiresAt === undefined) return undefined;
  const { party, request } = creation.exchange;
  const relate = relationsOf(party, request.body, partyIds);
  const quotes = new Map<string, QuoteFacts>();
  const operations = withoutTrials(entries)
    .toSorted((one, other) => one.end - other.end)
    .flatMap(({ begin, end, exchange }): Operation[] => {
      const kind = kinds[exchange.endpoint ?? ''];
      if (!kind) return [];
      const reply = replyOf(exchange);
      const quote =
        kind === 'submit'
          ? idIn(fieldsOf(exchange), 'quote_id')
          : exchange.params.quote_id?.toLowerCase();
      if (kind === 'submit' && quote !== undefined) {
        quotes.set(quote, {
          maker: exchange.party,
          validUntil: grantedUntil(exchange),
          payable: payableOf(request.body, exchange.request.body),
        });
      }
      return [
        {
          id: exchange.id,
          kind,
          party: exchange.party,
          relation: relate(exchange.party),
          reply,
          begin,
          end,
          from: (exchange.shows?.since ?? exchange.sent) + offset.least,
          to: reply === 'lost' ? Number.POSITIVE_INFINITY : exchange.received + offset.most,
          ...(quote !== undefined && { quote }),
          ...(reply === 'yes' && shownBy(kind, exchange)),
          exchange,
        },
      ];
    });
  const seen = new Set(
    operations.flatMap(({ status, blamesCancel }) => (status && !blamesCancel ? [status] : [])),
  );
  return { intentId, expiresAt, quotes, seen, operations };
}
