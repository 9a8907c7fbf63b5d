import type { HistoryView } from '../oracle/trace/history-view.ts';
import { type Snapshot, timestampIn } from '../oracle/trace/snapshots.ts';
import {
  type OrderTrace,
  orderStateOf,
  effectiveCancels,
  type QuoteTrace,
} from '../oracle/trace/traces.ts';
import { isTerminal } from '../spec/states.ts';
import type { OrderState } from '../spec/vocabulary.ts';
import { groupBy } from '../history/group-by.ts';
import { manyOrders, type PartOfLife, nearness } from './factors.ts';
import { compare, parseDecimal } from '../protocol/decimal.ts';
import type { StreamTrace } from '../oracle/trace/streams.ts';
import { type Call, isDenied, precedes } from '../oracle/trace/calls.ts';

export interface End {
  readonly state: OrderState;
  /** Position in the history at which the end was first seen. */
  readonly at: number;
  readonly seen: Snapshot;
}

/** First sight of the end of each order; orders that did not end are absent. */
const endsIn = (view: HistoryView): ReadonlyMap<string, End> =>
  new Map(
    [...view.orders.values()].flatMap((trace) => {
      const end = endOf(trace);
      return end ? [[trace.id, end] as const] : [];
    }),
  );

function endOf({ snapshots }: OrderTrace): End | undefined {
  for (const seen of snapshots) {
    const state = orderStateOf(seen);
    if (state !== undefined && isTerminal(state)) return { state, at: seen.close, seen };
  }
  return undefined;
}

type Before = Pick<PartOfLife, 'before' | 'earlier'>;

/** By order id, earlier orders of its sender, as far as this history shows them. */
function historiesBefore(
  view: HistoryView,
  endings: ReadonlyMap<string, End>,
): ReadonlyMap<string, Before> {
  const created = [...view.orders.values()].flatMap((trace) =>
    trace.creation ? [{ id: trace.id, creation: trace.creation, end: endings.get(trace.id) }] : [],
  );
  const found = new Map<string, Before>();
  for (const own of groupBy(created, ({ creation }) => creation.party).values()) {
    const inOrder = own.toSorted((one, other) => one.creation.close - other.creation.close);
    const ends = own.flatMap(({ end }) => end ?? []).toSorted((one, other) => one.at - other.at);
    let ended = 0;
    for (const [place, { id, creation }] of inOrder.entries()) {
      while ((ends[ended]?.at ?? Number.POSITIVE_INFINITY) < creation.open) ended += 1;
      const last = ends[ended - 1];
      const ending = last?.state === 'SETTLED' ? 'settled' : 'unsettled';
      found.set(id, {
        before: place === 0 ? 'first' : last ? ending : 'none-ended',
        earlier: place < manyOrders ? 'few' : 'many',
      });
    }
  }
  return found;
}

/** ISO 4217 currencies in use without decimals. */
const withoutMinorUnit: ReadonlySet<unknown> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);

const one = parseDecimal('1');
const tenMillions = parseDecimal('10000000');

function moneyOf({ sent }: OrderTrace): PartOfLife['money'] {
  const currencies = [sent?.['source_currency'], sent?.['target_currency']];
  if (currencies.some((code) => withoutMinorUnit.has(code))) return 'no-minor-unit';
  const amount = parseDecimal(sent?.['target_amount']);
  if (amount === undefined || one === undefined || tenMillions === undefined) return undefined;
  if (compare(amount, one) < 0) return 'small';
  return compare(amount, tenMillions) >= 0 ? 'large' : 'usual';
}

/** Kind of event stream that the sender and its custodian had open during the order's life. */
function streamsIn(
  view: HistoryView,
  ends: ReadonlyMap<string, End>,
): (trace: OrderTrace) => PartOfLife['streams'] {
  const ofOrders = view.streams.filter(({ kind, call }) => kind === 'order' && call.own);
  const byFilter = groupBy(ofOrders, ({ filter }) => filter);
  const whole = groupBy(
    ofOrders.filter(({ filter }) => filter === undefined),
    ({ party }) => party,
  );
  return ({ id, creation, senderCustodianId }) => {
    const from = creation?.exchange.received ?? Number.NEGATIVE_INFINITY;
    const to = ends.get(id)?.seen.to ?? view.endMs;
    const side = [creation?.party ?? '', view.nameOf(senderCustodianId) ?? ''];
    const isOpen = ({ party, openedMs, openUntilMs }: StreamTrace): boolean =>
      side.includes(party) && openedMs <= to && openUntilMs >= from;
    const isResumed = ({ resumed, openedMs }: StreamTrace): boolean => resumed && openedMs >= from;
    const own = (byFilter.get(id) ?? []).filter(isOpen);
    if (own.length > 0) return own.some(isResumed) ? 'resumed' : 'limited';
    const open = side.flatMap((party) => whole.get(party)?.filter(isOpen) ?? []);
    if (open.length === 0) return 'none';
    // A party with one stream open all the time missed nothing, whatever its other streams did.
    const isSteady = open.some((one) => one.openedMs <= from && one.openUntilMs >= to);
    return !isSteady && open.some(isResumed) ? 'resumed' : 'whole';
  };
}

/** Positions in the history between which an order settled, or lived if nobody accepted it. */
interface Span {
  readonly id: string;
  readonly party: string;
  readonly from: number;
  readonly to: number;
}

function settlementOf({ id, creation, acceptances }: OrderTrace, end: End | undefined) {
  const accepted = acceptances.find(({ ok }) => ok);
  if (!creation || !accepted || !end) return undefined;
  return { id, party: creation.party, from: accepted.close, to: end.at };
}

/** Concurrent event while an order settled: a late quote on it, else the settlement of another order. */
function duringSettlementIn(
  view: HistoryView,
  ends: ReadonlyMap<string, End>,
): (trace: OrderTrace) => PartOfLife['beside'] {
  const spans = new Map(
    [...view.orders.values()].flatMap((trace) => {
      const span = settlementOf(trace, ends.get(trace.id));
      return span ? [[trace.id, span] as const] : [];
    }),
  );
  const byParty = [...groupBy([...spans.values()], ({ party }) => party)].map(
    ([party, own]) => [party, meetings(own)] as const,
  );
  return ({ id, creation, submissions }) => {
    const end = ends.get(id);
    if (!creation || !end) return undefined;
    const settlement = spans.get(id);
    const { party } = creation;
    const span = settlement ?? { id, party, from: creation.close, to: end.at };
    const isLate = submissions.some((call) => call.open > span.from && call.open < span.to);
    if (settlement && isLate) return 'late-quote';
    const meeting = byParty.filter(([, meets]) => meets(span)).map(([one]) => one);
    if (meeting.includes(party)) return 'own-order';
    return meeting.length > 0 ? 'others-order' : 'nothing';
  };
}

/** True if another one of the spans has a moment in common with the given one. In logarithmic time. */
function meetings(spans: readonly Span[]): (span: Span) => boolean {
  const inOrder = spans.toSorted((one, other) => one.from - other.from);
  // The two spans so far that end last. Two, because the last one may be the given span itself.
  const longest: (readonly [Span, Span | undefined])[] = [];
  for (const span of inOrder) {
    const [first, second] = longest.at(-1) ?? [];
    if (!first || span.to > first.to) longest.push([span, first]);
    else if (!second || span.to > second.to) longest.push([first, span]);
    else longest.push([first, second]);
  }
  return ({ id, from, to }) => {
    let low = 0;
    let high = inOrder.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((inOrder[middle]?.from ?? Number.POSITIVE_INFINITY) < to) low = middle + 1;
      else high = middle;
    }
    const [first, second] = longest[low - 1] ?? [];
    const other = first?.id === id ? second : first;
    return other !== undefined && other.to > from;
  };
}

type AcceptanceFactors = Pick<
  PartOfLife,
  'accepter' | 'rivals' | 'lapsed' | 'valid-until' | 'expires-at'
>;

/** A span of the target's clock in which something happened. */
interface When {
  readonly earliest: number;
  readonly latest: number;
}

/** The accepting party, the rivals of the quote, and the time to the deadlines. */
function acceptanceIn(view: HistoryView, trace: OrderTrace): AcceptanceFactors {
  const tried = trace.acceptances.filter((call) => accepterOf(view, trace, call) !== undefined);
  const call = tried.find(({ ok }) => ok) ?? tried.find(isDenied);
  if (!call) return tried.length > 0 ? {} : unaccepted(view, trace);
  const when = whenOf(view, call);
  const chosen = view.quotes.get(call.exchange.params.quote_id ?? '');
  const others = trace.quotes.filter(
    (quote) => quote !== chosen && quote.submission && precedes(quote.submission, call),
  );
  return {
    accepter: accepterOf(view, trace, call),
    ...(chosen?.maker !== undefined && { rivals: rivalsOf(others, chosen.maker) }),
    lapsed: lapsedIn(others, when),
    'valid-until': nearTo(when, chosen && timestampIn(chosen.snapshots, 'valid_until')),
    'expires-at': nearTo(when, timestampIn(trace.snapshots, 'expires_at')),
  };
}

/** For an order that nobody of its side tried to accept: the rivals of its last quote, until the order ended. */
function unaccepted(view: HistoryView, trace: OrderTrace): AcceptanceFactors {
  const submitted = trace.quotes.filter(({ submission }) => submission);
  const last = submitted.at(-1);
  const others = submitted.slice(0, -1);
  const [cancel] = effectiveCancels(trace);
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  const until = cancel
    ? whenOf(view, cancel)
    : expiry === undefined
      ? undefined
      : { earliest: expiry, latest: expiry };
  return {
    accepter: 'nobody',
    rivals: last?.maker === undefined ? 'none' : rivalsOf(others, last.maker),
    lapsed: lapsedIn(others, until),
    'valid-until': 'none',
    'expires-at': 'none',
  };
}

/** Undefined for any other party than the two who may accept: such a party is always refused. */
function accepterOf(
  view: HistoryView,
  { creation, senderCustodianId }: OrderTrace,
  { party, own }: Call,
): PartOfLife['accepter'] {
  if (!own) return undefined;
  if (party === creation?.party) return 'sender';
  const id = view.partyIdOf(party);
  return id !== undefined && id === senderCustodianId ? 'custodian' : undefined;
}

function rivalsOf(others: readonly QuoteTrace[], maker: string): PartOfLife['rivals'] {
  const makers = new Set(others.map((quote) => quote.maker));
  makers.delete(maker);
  if (makers.size > 0) return makers.size > 1 ? 'several' : 'one';
  return others.length > 0 ? 'own' : 'none';
}

function lapsedIn(others: readonly QuoteTrace[], when: When | undefined): PartOfLife['lapsed'] {
  if (others.length === 0) return 'no';
  const ends = others.map(({ snapshots }) => timestampIn(snapshots, 'valid_until'));
  if (!when) return undefined;
  if (ends.some((end) => end !== undefined && end < when.earliest)) return 'yes';
  return ends.every((end) => end !== undefined && end > when.latest) ? 'no' : undefined;
}

const whenOf = ({ context: { offset } }: HistoryView, { exchange }: Call): When => ({
  earliest: exchange.sent + offset.least,
  latest: exchange.received + offset.most,
});

/** Time left to a deadline; undefined if the event may have been on either side of it. */
function nearTo({ earliest, latest }: When, deadline: number | undefined) {
  if (deadline === undefined) return undefined;
  if (earliest > deadline) return 'after';
  if (latest >= deadline) return undefined;
  const leftMs = deadline - latest;
  if (leftMs > nearness.farFromMs) return 'far';
  return leftMs > nearness.lastFromMs ? 'seconds' : 'last';
}

/**
 * Factor values of each order that was created in a history, by order id, as far as the history shows them. It does
 * not matter what drove the order.
 */
export function factorsOf(view: HistoryView): ReadonlyMap<string, PartOfLife> {
  const ends = endsIn(view);
  const before = historiesBefore(view, ends);
  const beside = duringSettlementIn(view, ends);
  const streams = streamsIn(view, ends);
  return new Map(
    [...view.orders.values()]
      .filter(({ creation }) => creation !== undefined)
      .map((trace) => [
        trace.id,
        {
          ...acceptanceIn(view, trace),
          proposal: proposalOf(trace),
          streams: streams(trace),
          ...before.get(trace.id),
          money: moneyOf(trace),
          ending: endingOf(trace, ends.get(trace.id)),
          beside: beside(trace),
        },
      ]),
  );
}

const proposalOf = ({ proposals }: OrderTrace): PartOfLife['proposal'] =>
  proposals.some(({ ok }) => ok) ? 'accepted' : 'left';

function endingOf(trace: OrderTrace, end: End | undefined): PartOfLife['ending'] {
  if (!end) return undefined;
  if (end.state === 'SETTLED') return 'settled';
  if (effectiveCancels(trace).length > 0) return 'cancelled';
  return end.state === 'EXPIRED' ? 'expired' : 'failed';
}
