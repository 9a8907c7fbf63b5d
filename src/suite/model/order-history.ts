import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import {
  type OrderState,
  type QuoteState,
  orderStates,
  quoteStates,
} from '../../spec/vocabulary.ts';
import { compare, multiply, parseDecimal } from '../../protocol/decimal.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { CastName } from '../../spec/requirements/index.ts';
import {
  fieldsOf,
  isObject,
  isRefusal,
  itemsOf,
  succeeded,
  textOf,
  noAnswerReason,
} from '../../protocol/answers.ts';
import { grantedUntil } from '../actions/quotes.ts';

/** An exchange with its place among those of one driver: sent as its `begin`th step, answered as its `end`th. */
export interface OrderedExchange {
  readonly begin: number;
  readonly end: number;
  readonly exchange: Exchange;
}

/** Relation of a party to one order. Only the first two may change it; the third may read it. */
export type Relation = 'owner' | 'custodian' | 'receiver' | 'unrelated';

/** `lost`: its effect is unknown (no answer, or one of 5xx). `void`: it had no effect (429). */
export type ReplyKind = 'yes' | 'no' | 'lost' | 'void';

export type OperationKind =
  | 'create'
  | 'submit'
  | 'accept'
  | 'cancel'
  | 'propose'
  | 'read'
  | 'quotes';

/** One command on one order and its reply, as the model sees it. */
export interface Operation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly party: string;
  readonly relation: Relation;
  readonly reply: ReplyKind;
  readonly begin: number;
  readonly end: number;
  /** Interval of the target's clock in which it took effect or read the order. */
  readonly from: number;
  readonly to: number;
  /** The quote that it submits or accepts. */
  readonly quote?: string;
  /** The state and the accepted quote that the answer shows of the order. */
  readonly status?: OrderState;
  readonly names?: string;
  /** True if the answer gives the sender's cancel as the reason of the order's end. */
  readonly blamesCancel?: boolean;
  /** The states that the answer shows of quotes. */
  readonly shown?: readonly (readonly [quote: string, state: QuoteState])[];
  readonly exchange: Exchange;
}

/** Facts about a quote from its submission. */
export interface QuoteFacts {
  readonly maker: string;
  readonly validUntil: number;
  /** `surely`: the order's maximum covers it under every reading of rates and amounts; `no`: under none. */
  readonly payable: 'surely' | 'maybe' | 'no';
}

/** Everything that was done to one order. */
export interface OrderHistory {
  readonly intentId: string;
  readonly expiresAt: number;
  readonly quotes: ReadonlyMap<string, QuoteFacts>;
  /** States that any answer showed, except ends whose reason is the sender's cancel. */
  readonly seen: ReadonlySet<OrderState>;
  /** In the order in which they were answered. */
  readonly operations: readonly Operation[];
}

const changing: readonly OperationKind[] = ['create', 'submit', 'accept', 'cancel'];

/** True if it may have changed the order. */
export const mayChange = ({ kind, reply }: Operation): boolean =>
  changing.includes(kind) && (reply === 'yes' || reply === 'lost');

/** Relations that may do an operation. An absent operation, such as listing quotes, is not restricted. */
const permitted: Readonly<Partial<Record<OperationKind, readonly Relation[]>>> = {
  accept: ['owner', 'custodian'],
  cancel: ['owner'],
  propose: ['custodian'],
  read: ['owner', 'custodian', 'receiver'],
};
export const isPermitted = ({ kind, relation }: Operation): boolean =>
  permitted[kind]?.includes(relation) ?? true;

const looks: readonly OperationKind[] = ['read', 'quotes'];

/** True if its view may be some moments old: backends need not be in step (gap `views.lag`). */
const mayBeStale = (operation: Operation): boolean => !mayChange(operation);

/** Lag of views: `lagging` as in the rules; `fresh` without lag, to decide if a retry is needed. */
export type Views = 'lagging' | 'fresh';

/** The step by which it is over. A command without an answer may take effect at any time. */
const over = ({ reply, end }: Operation): number =>
  reply === 'lost' ? Number.POSITIVE_INFINITY : end;

/** True if one certainly came before the other. */
export function precedes(one: Operation, other: Operation, views: Views): boolean {
  if (over(one) >= other.begin) return false;
  if (views === 'fresh' || !mayBeStale(other)) return true;
  // A party's own reads of one kind follow each other. Its own write may show a while later.
  const inOrder = !looks.includes(other.kind) || one.kind === other.kind;
  if (one.party === other.party && inOrder) return true;
  return one.to < other.from - tolerance.replicationLagMs;
}

/** True if two overlap, so that either may have come first. */
export const overlap = (one: Operation, other: Operation): boolean =>
  one !== other && over(one) >= other.begin && over(other) >= one.begin;

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

function relationsOf(
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
