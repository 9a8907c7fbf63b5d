import type { Exchange } from '../../history/records.ts';
import { compare, parseDecimal, multiply } from '../../protocol/decimal.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { CastName } from '../../spec/requirements/index.ts';
import {
  type OrderState,
  orderStates,
  type QuoteState,
  quoteStates,
} from '../../spec/vocabulary.ts';
import {
  fieldsOf,
  grantedUntil,
  isFields,
  isRefusal,
  itemsOf,
  succeeded,
  textOf,
} from '../actions/index.ts';

/** An exchange with its place among those of one driver: sent as its `begin`th step, answered as its `end`th. */
export interface OrderedExchange {
  readonly begin: number;
  readonly end: number;
  readonly exchange: Exchange;
}

/** What a party is to one order. Only the first two may change it; the third may look. */
export type Relation = 'owner' | 'custodian' | 'receiver' | 'stranger';

/** `lost`: nothing tells whether it took effect (no answer, or one of 5xx). `void`: it had none (429). */
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
  /** It took effect, or was looked up, within these moments of the target's clock. */
  readonly from: number;
  readonly to: number;
  /** The quote that it submits or accepts. */
  readonly quote?: string;
  /** The state and the accepted quote that the answer shows of the order. */
  readonly status?: OrderState;
  readonly names?: string;
  /** Whether the answer gives the sender's cancel as the reason of the order's end. */
  readonly blamesCancel?: boolean;
  /** The states that the answer shows of quotes. */
  readonly shown?: readonly (readonly [quote: string, state: QuoteState])[];
  readonly exchange: Exchange;
}

/** What is known of a quote from its submission. */
export interface QuoteFacts {
  readonly maker: string;
  readonly validUntil: number;
  /** Whether the order's maximum covers it, under every reading of rates and amounts. */
  readonly payable: 'surely' | 'maybe' | 'no';
}

/** Everything that was done to one order. */
export interface OrderHistory {
  readonly intentId: string;
  readonly expiresAt: number;
  readonly quotes: ReadonlyMap<string, QuoteFacts>;
  /** The states in which anybody ever saw it, but for ends that the sender's cancel is given as the reason of. */
  readonly seen: ReadonlySet<OrderState>;
  /** In the order in which they were answered. */
  readonly operations: readonly Operation[];
}

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
  if (succeeded(exchange)) return 'yes';
  if (isRefusal(exchange)) return 'no';
  const untold = exchange.error?.code === 'refused' || exchange.response?.status === 429;
  return untold ? 'void' : 'lost';
};

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text);

/** UUIDs are the same in either case. */
const idIn = (fields: unknown, name: string): string | undefined =>
  textOf(fields, name)?.toLowerCase();

/** Whether a quote can be paid, taking rate and amount in every way in which they can be meant. */
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

/** What parties are to an order, by the identifiers that its creation named. */
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
    return named('receiver_custodian_party_id', party) ? 'receiver' : 'stranger';
  };
}

/** Whether a reason stands anywhere in an order, whatever its field is called (gap `order.failure_reason_field`). */
const carries = (order: unknown, reason: string): boolean =>
  isFields(order) &&
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

/** Where a target wants a body for a cancel, a bare one is refused and sent again with one (gap `cancel.request`). */
const isTrial = (entry: OrderedExchange, next: OrderedExchange | undefined): boolean =>
  entry.exchange.endpoint === 'order.cancel' &&
  next?.exchange.endpoint === 'order.cancel' &&
  next.exchange.party === entry.exchange.party &&
  isRefusal(entry.exchange) &&
  isFields(next.exchange.request.body) &&
  !isFields(entry.exchange.request.body);

const withoutTrials = (entries: readonly OrderedExchange[]): OrderedExchange[] =>
  entries.filter((entry) => {
    const next = entries.find(
      ({ begin, exchange }) => begin > entry.end && exchange.party === entry.exchange.party,
    );
    return !isTrial(entry, next);
  });

/** The history of an order, from whatever was done to it; undefined where it does not begin with its creation. */
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
          from: exchange.sent + offset.least,
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

const changing: readonly OperationKind[] = ['create', 'submit', 'accept', 'cancel'];

/** Whether it may have changed the order. */
export const mayChange = ({ kind, reply }: Operation): boolean =>
  changing.includes(kind) && (reply === 'yes' || reply === 'lost');

/** Who may do what, by relation; each lists quotes as far as they are its own business. */
const permitted: Readonly<Partial<Record<OperationKind, readonly Relation[]>>> = {
  accept: ['owner', 'custodian'],
  cancel: ['owner'],
  propose: ['custodian'],
  read: ['owner', 'custodian', 'receiver'],
};
export const isPermitted = ({ kind, relation }: Operation): boolean =>
  permitted[kind]?.includes(relation) ?? true;

const looks: readonly OperationKind[] = ['read', 'quotes'];

/** Whether what it saw may be some moments old: backends need not be in step (gap `views.lag`). */
const mayBeStale = (operation: Operation): boolean => !mayChange(operation);

/** How far views may lag: `lagging` as the rules have it; `fresh` for who wants to know whether to look again. */
export type Views = 'lagging' | 'fresh';

/** By which step it is over: what was never answered may take effect at any time. */
const over = ({ reply, end }: Operation): number =>
  reply === 'lost' ? Number.POSITIVE_INFINITY : end;

/** Whether one certainly came before another. */
export function precedes(one: Operation, other: Operation, views: Views): boolean {
  if (over(one) >= other.begin) return false;
  if (views === 'fresh' || !mayBeStale(other)) return true;
  // A party's own looks of one kind follow each other; what it did itself it may find a while later.
  const inOrder = !looks.includes(other.kind) || one.kind === other.kind;
  if (one.party === other.party && inOrder) return true;
  return one.to < other.from - tolerance.replicationLagMs;
}

/** Whether two overlap, so that either may have come first. */
export const overlap = (one: Operation, other: Operation): boolean =>
  one !== other && over(one) >= other.begin && over(other) >= one.begin;
