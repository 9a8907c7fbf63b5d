import { groupBy } from '../../history/group-by.ts';
import {
  compare,
  type ExactDecimal,
  multiply,
  parseDecimal,
  subtract,
} from '../../protocol/decimal.ts';
import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { textOf } from '../../protocol/json.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import {
  type OrderState,
  type QuoteState,
  orderStates,
  quoteStates,
} from '../../spec/vocabulary.ts';
import { type Call, isDenied, isRefusal } from '../trace/calls.ts';
import { relationOf, type Relation } from '../trace/event-delivery.ts';
import type { HistoryView } from '../trace/history-view.ts';
import { isReplacedInPlace, mayBeWithdrawn } from '../trace/selections.ts';
import { listIn, timestampIn } from '../trace/snapshots.ts';
import { orderStateOf, type OrderTrace, type QuoteTrace } from '../trace/traces.ts';

/** `lost`: its effect is unknown (no answer, or one of 5xx). `void`: it says nothing about the order, and did nothing. */
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
  readonly reply: ReplyKind;
  /** Places in the history between which it was sent and answered. */
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
  readonly call: Call;
}

/** Facts about a quote from its submission. */
export interface QuoteFacts {
  readonly maker: string;
  readonly validUntil: number;
  /** True if the order's maximum covers it under every reading of rates and amounts. */
  readonly isPayable: boolean;
}

/** Everything that was done to one order. */
export interface OrderHistory {
  readonly expiresAt: number;
  readonly quotes: ReadonlyMap<string, QuoteFacts>;
  /** States that were seen, except ends whose reason is the sender's cancel. */
  readonly seen: ReadonlySet<OrderState>;
  /** In the order in which they were answered. */
  readonly operations: readonly Operation[];
}

const changing: readonly OperationKind[] = ['create', 'submit', 'accept', 'cancel'];

/** True if it may have changed the order. */
export const mayChange = ({ kind, reply }: Pick<Operation, 'kind' | 'reply'>): boolean =>
  changing.includes(kind) && (reply === 'yes' || reply === 'lost');

/** Relations that may do an operation. An absent operation, such as listing quotes, is not restricted. */
const permitted: Readonly<Partial<Record<OperationKind, readonly Relation[]>>> = {
  accept: ['sender', 'sender-custodian'],
  cancel: ['sender'],
  read: ['sender', 'sender-custodian', 'receiver-custodian'],
};

export const isLook = (kind: OperationKind): boolean => kind === 'read' || kind === 'quotes';

/** True if its view may be some moments old: backends need not be in step (gap `views.lag`). */
const mayBeStale = (operation: Operation): boolean => !mayChange(operation);

/** Lag of views: `lagging` as in the rules; `fresh` without lag, to decide if a retry is needed. */
export type Views = 'lagging' | 'fresh';

/** The place by which it is over. A command without an answer may take effect at any time. */
const over = ({ reply, end }: Operation): number =>
  reply === 'lost' ? Number.POSITIVE_INFINITY : end;

/** True if one certainly came before the other. */
export function precedes(one: Operation, other: Operation, views: Views): boolean {
  if (over(one) >= other.begin) return false;
  if (views === 'fresh' || !mayBeStale(other)) return true;
  // A party's own reads of one kind follow each other. Its own write may show a while later.
  const inOrder = !isLook(other.kind) || one.kind === other.kind;
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

const unit: ExactDecimal = { digits: 1n, scale: 0 };

/** Tests if the order's maximum covers a quote under every reading of its rate and amount, rounded to whole units. */
function isPayable(order: unknown, quote: unknown): boolean {
  const [rate, amount] = [
    parseDecimal(textOf(quote, 'fx_rate')),
    parseDecimal(textOf(quote, 'target_amount')),
  ];
  const [wanted, most] = ['target_amount', 'source_amount_max'].map((name) =>
    parseDecimal(textOf(order, name)),
  );
  if (!rate || !amount || !wanted || !most) return false;
  const room = subtract(most, unit);
  return (
    compare(multiply(wanted, rate), room) <= 0 &&
    compare(wanted, multiply(room, rate)) <= 0 &&
    compare(amount, room) <= 0
  );
}

function factsOf({ sent: order }: OrderTrace, { maker, sent, snapshots }: QuoteTrace): QuoteFacts {
  // A target may cut a quote to its order's life (gap `quote.beyond_expiry`).
  const deadlines = [sent, ...snapshots.map(({ value }) => value)].flatMap(
    (quote) => parseTimestamp(quote?.['valid_until']) ?? [],
  );
  return {
    maker: maker ?? '',
    validUntil: Math.min(...deadlines),
    isPayable: isPayable(order, sent),
  };
}

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text);

const blamesCancel = (order: unknown): boolean => failureReasonIn(order) === 'USER_CANCELLED';

type Shown = Pick<Operation, 'status' | 'names' | 'shown' | 'blamesCancel'>;

function shownBy(kind: OperationKind, call: Call): Shown {
  if (kind === 'quotes') {
    const shown = (listIn(call)?.items ?? []).flatMap((item) => {
      const [id, state] = [textOf(item, 'quote_id'), oneOf(quoteStates, textOf(item, 'status'))];
      return id !== undefined && state !== undefined ? [[id, state] as const] : [];
    });
    return { shown };
  }
  if (kind !== 'read' && kind !== 'cancel') return {};
  const { data } = call;
  const [status, names] = [oneOf(orderStates, textOf(data, 'status')), textOf(data, 'quote_id')];
  return {
    ...(status && { status }),
    ...(kind === 'read' && names !== undefined && { names }),
    blamesCancel: blamesCancel(data),
  };
}

/** Requests of parties outside the history are those of the side that may make them. */
function relationIn(view: HistoryView, trace: OrderTrace, { party, exchange }: Call): Relation {
  if (exchange.by === 'unrecorded') {
    return exchange.role === 'custodian' ? 'sender-custodian' : 'sender';
  }
  const id = view.partyIdOf(party);
  const isSender = id !== undefined && id === view.partyIdOf(trace.creation?.party ?? '');
  return isSender ? 'sender' : relationOf(view, trace, party);
}

/** True if a refusal of an acceptance or of a cancel has no reason but the state of the order and its quotes. */
export type IsDue = (call: Call, trace: OrderTrace) => boolean;

function replyOf(call: Call, kind: OperationKind, isDue: () => boolean): ReplyKind {
  if (kind === 'propose') return 'void';
  if (call.ok) return 'yes';
  if (call.exchange.error?.code === 'refused' || call.status === 429) return 'void';
  if (!isRefusal(call)) return 'lost';
  const isCommand = kind === 'accept' || kind === 'cancel';
  return isCommand && isDenied(call) && isDue() ? 'no' : 'void';
}

/** The operation that a call is. `beyond`: what it did to the order, the model can't know. */
function operationOf(
  view: HistoryView,
  trace: OrderTrace,
  call: Call,
  isDue: IsDue,
): Operation | 'beyond' | undefined {
  const kind = kinds[call.endpoint ?? ''];
  if (!kind) return undefined;
  const { offset } = view.context;
  const { exchange } = call;
  const reply = replyOf(call, kind, () => isDue(call, trace));
  const quote = kind === 'submit' ? textOf(call.data, 'quote_id') : exchange.params.quote_id;
  const operation: Operation = {
    id: call.id,
    kind,
    party: call.party,
    reply,
    begin: call.open,
    end: call.close,
    from: exchange.sent + offset.least,
    to: reply === 'lost' ? Number.POSITIVE_INFINITY : exchange.received + offset.most,
    ...(quote !== undefined && { quote }),
    ...(reply === 'yes' && shownBy(kind, call)),
    call,
  };
  const may = permitted[kind];
  if (!call.own || (may && !may.includes(relationIn(view, trace, call)))) {
    // Other rules judge who may do what.
    const isUnknown = reply === 'yes' || relationIn(view, trace, call) === 'unknown';
    if (mayChange(operation) && isUnknown) return 'beyond';
    return { ...operation, reply: 'void' };
  }
  const isOfStranger = kind === 'accept' && !view.quote(quote)?.submission;
  return isOfStranger && mayChange(operation) ? 'beyond' : operation;
}

const callsByOrder = (view: HistoryView): ReadonlyMap<string | undefined, readonly Call[]> =>
  groupBy(
    view.calls.filter(({ endpoint = '' }) => kinds[endpoint]),
    ({ exchange }) => exchange.params.intent_id,
  );

/**
 * The history of an order. Undefined if it does not include its creation, or if more may have happened to the order than
 * the model knows of: a control or an operator, or a request of a party that may not make it.
 */
export function orderHistoryOf(
  view: HistoryView,
  trace: OrderTrace,
  isDue: IsDue,
): OrderHistory | undefined {
  const { creation, quotes, snapshots } = trace;
  const expiresAt = timestampIn(snapshots, 'expires_at');
  if (!creation || expiresAt === undefined) return undefined;
  const isControlled =
    mayBeWithdrawn(view, trace) || textOf(trace.sent, 'memo')?.startsWith('!') === true;
  if (isControlled || quotes.some((quote) => isReplacedInPlace(quote, trace))) return undefined;
  const calls = [creation, ...(view.once(callsByOrder).get(trace.id) ?? [])];
  const operations: Operation[] = [];
  for (const call of calls) {
    const operation = operationOf(view, trace, call, isDue);
    if (operation === 'beyond') return undefined;
    if (operation) operations.push(operation);
  }
  operations.sort((one, other) => one.end - other.end);
  const submitted = quotes
    .filter(({ submission }) => submission)
    .map((quote) => [quote.id, factsOf(trace, quote)] as const);
  if (submitted.some(([, { validUntil }]) => validUntil === Infinity)) return undefined;
  const seen = snapshots.flatMap((one) =>
    blamesCancel(one.value) ? [] : (orderStateOf(one) ?? []),
  );
  return {
    expiresAt,
    quotes: new Map(submitted),
    seen: new Set(seen),
    operations,
  };
}
