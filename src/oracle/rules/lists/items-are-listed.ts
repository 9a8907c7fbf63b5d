import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { type EndpointName, endpoints } from '../../../spec/endpoints.ts';
import { isTerminal } from '../../../spec/states.ts';
import { orderStates, quoteStates } from '../../../spec/vocabulary.ts';
import { defineRule, type Violation } from '../../findings.ts';
import { type Call, countBelow, mayHaveTakenEffect, precedes } from '../../trace/calls.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import {
  orderStateOf,
  type OrderTrace,
  possiblyEffective,
  quoteStateOf,
  type QuoteTrace,
} from '../../trace/traces.ts';
import { statusAsked } from './pages.ts';
import { type Walk, walksOf } from './page-walks.ts';

/** A list as it was shown while nothing moved, with every page that can hold things that the history created. */
export interface WholeList {
  readonly walk: Walk;
  readonly party: string;
  readonly ids: ReadonlySet<string>;
}

/** True if the endpoint is for the role that asked it. Answers to other roles are judged elsewhere. */
export function isForRole({ endpoint, exchange }: Call): boolean {
  const roles: readonly string[] = endpoint ? endpoints[endpoint].roles : [];
  return roles.includes(exchange.role);
}

/** The whole lists of an endpoint that were shown to roles that it is for. */
export const wholeLists = (view: HistoryView, endpoint: EndpointName): readonly WholeList[] =>
  view.once(walksOf).flatMap((walk) => {
    const { first, holdsOwn, stable } = walk;
    return first.endpoint === endpoint && holdsOwn && stable && isForRole(first)
      ? [{ walk, party: first.party, ids: new Set(walk.ids) }]
      : [];
  });

/** The answers that showed a list: one, or all of a walk. */
export type Look = Pick<Walk, 'first' | 'last'>;

/** True if the effect of a call can be expected on a list of the same party or of another (gap `views.lag`). */
export const isPastLag = (cause: Call, { first }: Look): boolean =>
  precedes(cause, first) &&
  first.exchange.sent >= cause.exchange.received + tolerance.replicationLagMs;

/** Number of latest orders that a list is compared with: enough for any page, and linear in the history. */
const maxOrders = 1_000;

/** The orders that had been created before a list was looked at, the latest of them. */
export function latestOrders(view: HistoryView): (look: Look) => readonly OrderTrace[] {
  const created = [...view.orders.values()]
    .filter((trace) => trace.creation !== undefined)
    .toSorted((a, b) => (a.creation?.close ?? 0) - (b.creation?.close ?? 0));
  const closes = created.map((trace) => trace.creation?.close ?? 0);
  return ({ first }) => {
    const end = countBelow(closes, first.open);
    return created.slice(Math.max(0, end - maxOrders), end);
  };
}

/**
 * True if a party saw a thing in one state before and after it read the list of that state; before is enough if the
 * state lasts. A sighting on the same list without a filter counts at once; one from elsewhere after the replication
 * lag.
 */
export function stayedIn(
  snapshots: readonly Snapshot[],
  { first, last }: Walk,
  isInState: (snapshot: Snapshot) => boolean,
  lasts: boolean,
): boolean {
  const since = first.exchange.sent - tolerance.replicationLagMs;
  const isOwn = (seen: Snapshot): boolean =>
    seen.party === first.party && !seen.frame && isInState(seen);
  const before = (seen: Snapshot): boolean =>
    precedes(seen, first) && (seen.to <= since || seen.via === first.endpoint);
  // Cheap test first: most orders come after most walks.
  if (!snapshots.some((seen) => before(seen) && isOwn(seen))) return false;
  return lasts || snapshots.some((seen) => seen.open > last.close && isOwn(seen));
}

export const leftOut =
  ({ walk, party, ids }: WholeList, id: string, cause: string) =>
  (): Violation => ({
    message: `${walk.first.endpoint} of ${party} left out an item that must be there`,
    expected: id,
    actual: `${ids.size} others`,
    evidence: [cause, ...walk.pages.map(({ call }) => call.id)],
  });

/** Requirements on a list of orders: unfiltered, and filtered by a state. */
const requirements = {
  sender: {
    whole: ['order.list.complete', 'order.create.listed-afterwards'],
    filtered: ['order.list.status-filter.complete'],
  },
  'sender-custodian': {
    whole: ['order.list.sender-custodian-included'],
    filtered: ['order.list.custodian-status-filter'],
  },
} as const;

export const ordersAreListed = defineRule({
  id: 'list.completeness.orders',
  title: 'The list of its sender and of its custodian holds an order, also under its status',
  requirements: [
    'order.list.complete',
    'order.create.listed-afterwards',
    'order.list.status-filter.complete',
    'order.list.custodian-status-filter',
    'order.list.sender-custodian-included',
  ],
  judge(view, findings) {
    const latest = latestOrders(view);
    for (const list of wholeLists(view, 'order.list')) {
      const status = orderStates.find((state) => state === statusAsked(list.walk.first));
      if (status === undefined && statusAsked(list.walk.first) !== undefined) continue;
      for (const trace of latest(list.walk)) {
        const { creation, snapshots } = trace;
        if (!creation || !isPastLag(creation, list.walk)) continue;
        const relation = relationOf(view, trace, list.party);
        if (relation !== 'sender' && relation !== 'sender-custodian') continue;
        const isInState = (seen: (typeof snapshots)[number]) => orderStateOf(seen) === status;
        if (status && !stayedIn(snapshots, list.walk, isInState, isTerminal(status))) continue;
        const isListed = list.ids.has(trace.id);
        const otherwise = leftOut(list, trace.id, creation.id);
        for (const requirement of requirements[relation][status ? 'filtered' : 'whole'])
          findings.assert(requirement, isListed, list.walk.first.id, otherwise);
      }
    }
  },
});

/**
 * True if a later quote of the same maker may have replaced the quote (gap `quote.twice`). False if the order side is
 * shown the earlier one, PENDING, after the later one was taken.
 */
function mayBeReplaced(quote: QuoteTrace, { submissions }: OrderTrace): boolean {
  const { submission, maker, snapshots } = quote;
  const later = submissions.filter(
    (call) =>
      call.party === maker && mayHaveTakenEffect(call) && call.close > (submission?.close ?? 0),
  );
  if (later.length === 0) return false;
  const taken = Math.max(...later.map(({ exchange }) => exchange.received));
  return !snapshots.some(
    (seen) =>
      seen.via === 'order.quotes' &&
      quoteStateOf(seen) === 'PENDING' &&
      seen.from >= taken + tolerance.replicationLagMs,
  );
}

export const quotesAreListed = defineRule({
  id: 'list.completeness.quotes',
  title: "A quote is on its order's list, on its maker's under the request, and on that of all",
  requirements: [
    'order.quotes.complete',
    'order.quotes.custodian-sees-same',
    'quote.submit.shown-to-order-side',
    'rfq.quotes.complete',
    'quote.list.complete',
    'quote.list.status-filter.complete',
  ],
  judge(view, findings) {
    type Requirement = Parameters<typeof findings.assert>[0];
    const expectListed = (
      requirements: readonly Requirement[],
      list: WholeList,
      trace: OrderTrace,
      isDue: (quote: QuoteTrace) => boolean = () => true,
    ): void => {
      for (const quote of trace.quotes) {
        const { submission, id } = quote;
        if (!submission || !isPastLag(submission, list.walk) || !isDue(quote)) continue;
        if (mayBeReplaced(quote, trace)) continue;
        for (const requirement of requirements) {
          const source = list.walk.first.id;
          findings.assert(requirement, list.ids.has(id), source, leftOut(list, id, submission.id));
        }
      }
    };
    const orderOf = ({ walk }: WholeList): OrderTrace | undefined =>
      view.order(walk.first.exchange.params.intent_id);

    for (const list of wholeLists(view, 'order.quotes')) {
      const trace = orderOf(list);
      if (!trace) continue;
      const relation = relationOf(view, trace, list.party);
      const side =
        relation === 'sender'
          ? 'quote.submit.shown-to-order-side'
          : 'order.quotes.custodian-sees-same';
      if (relation !== 'sender' && relation !== 'sender-custodian') continue;
      expectListed(['order.quotes.complete', side], list, trace);
    }
    for (const list of wholeLists(view, 'rfq.quotes')) {
      const trace = orderOf(list);
      const isOwn = (quote: QuoteTrace): boolean => quote.maker === list.party;
      if (trace) expectListed(['rfq.quotes.complete'], list, trace, isOwn);
    }
    const latest = latestOrders(view);
    for (const list of wholeLists(view, 'quote.list')) {
      const asked = statusAsked(list.walk.first);
      if (asked !== undefined && !quoteStates.some((state) => state === asked)) continue;
      // An accepted quote may change once more when its order ends (gap `cancel.accepted_quote`).
      const lasts = asked === 'REJECTED' || asked === 'EXPIRED';
      const isDue = ({ maker, snapshots }: QuoteTrace): boolean =>
        maker === list.party &&
        (asked === undefined ||
          stayedIn(snapshots, list.walk, (seen) => quoteStateOf(seen) === asked, lasts));
      const requirement = asked ? 'quote.list.status-filter.complete' : 'quote.list.complete';
      for (const trace of latest(list.walk)) expectListed([requirement], list, trace, isDue);
    }
  },
});

/** True if makers are told of an order only once its proposal was accepted (gap `proposal.effect`), or may be. */
function mayAwaitProposal(view: HistoryView): boolean {
  const effect = view.context.answers('proposal.effect');
  if (effect !== undefined) return effect === 'opens-quoting';
  const opened = ({ proposals, rfqs, submissions }: OrderTrace): boolean =>
    possiblyEffective(proposals).length === 0 &&
    (rfqs.length > 0 || submissions.some(({ ok }) => ok));
  return ![...view.orders.values()].some(opened);
}

/** True if the order was PENDING, well before its deadline, until the list had been shown to its end. */
function isSurelyActive(view: HistoryView, trace: OrderTrace, { last }: Look): boolean {
  const { acceptances, cancels, snapshots } = trace;
  const isTouched = possiblyEffective([...acceptances, ...cancels]).some(
    (call) => call.open < last.close,
  );
  if (isTouched || view.disturbed(trace.id)) return false;
  if (snapshots.some((seen) => orderStateOf(seen) === 'FAILED')) return false;
  const expiry = timestampIn(snapshots, 'expires_at');
  return expiry !== undefined && view.clock.before(last, expiry);
}

/** A request that must be on the list of a maker, with the calls that prove it. */
export interface DueRequest {
  readonly trace: OrderTrace;
  readonly creation: Call;
  /** The first answer that showed the request, long enough ago. */
  readonly seen: Call | undefined;
  readonly quoted: Call | undefined;
}

/** The requests that must be on the list of active ones, for the maker who looked at it. */
export function requestsDue(view: HistoryView): (look: Look) => readonly DueRequest[] {
  const latest = latestOrders(view);
  const waits = mayAwaitProposal(view);
  return (look) =>
    latest(look).flatMap((trace) => {
      const { creation } = trace;
      if (!creation || !isPastLag(creation, look) || !isSurelyActive(view, trace, look)) return [];
      // It is open if a request stays active for a maker that has quoted it (gap `rfq.active`).
      const { party } = look.first;
      if (possiblyEffective(trace.submissions).some((call) => call.party === party)) return [];
      const seen = trace.rfqs.find((rfq) => rfq.call && isPastLag(rfq.call, look))?.call;
      const quoted = trace.submissions.find((call) => call.ok && isPastLag(call, look));
      return waits && !seen && !quoted ? [] : [{ trace, creation, seen, quoted }];
    });
}

export const requestsAreListed = defineRule({
  id: 'list.completeness.requests',
  title: 'A request is on the list of every maker for as long as its order is PENDING',
  requirements: [
    'rfq.list.complete',
    'rfq.list.holds-new-request',
    'rfq.list.same-for-every-maker',
    'rfq.list.still-listed-once-quoted',
  ],
  judge(view, findings) {
    const due = requestsDue(view);
    for (const list of wholeLists(view, 'rfq.list')) {
      for (const { trace, creation, seen, quoted } of due(list.walk)) {
        const requirements = [
          'rfq.list.complete',
          'rfq.list.holds-new-request',
          ...(seen && seen.party !== list.party
            ? (['rfq.list.same-for-every-maker'] as const)
            : []),
          ...(quoted ? (['rfq.list.still-listed-once-quoted'] as const) : []),
        ] as const;
        for (const requirement of requirements) {
          const violation = leftOut(list, trace.id, creation.id);
          findings.assert(requirement, list.ids.has(trace.id), list.walk.first.id, violation);
        }
      }
    }
  },
});

/** An order that was seen SETTLED, with the first snapshot that shows it and the makers that it names. */
interface Trade {
  readonly settled: Snapshot;
  readonly makers: ReadonlySet<string | undefined>;
}

/** Made once: there are as many lists as there are orders. */
const tradesOf = (view: HistoryView): ReadonlyMap<OrderTrace, Trade> =>
  new Map(
    [...view.orders.values()].flatMap((trace) => {
      const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
      if (!settled) return [];
      const makers = trace.snapshots.map(({ value }) => textOf(value, 'market_maker_party_id'));
      return [[trace, { settled, makers: new Set(makers) }] as const];
    }),
  );

export const settlementsAreListed = defineRule({
  id: 'list.completeness.settlements',
  title: 'A trade that has settled is on the list of settlements of the maker that won it',
  requirements: ['settlement.list.holds-won'],
  judge(view, findings) {
    const trades = tradesOf(view);
    const latest = latestOrders(view);
    for (const list of wholeLists(view, 'settlement.list')) {
      const self = view.partyIdOf(list.party);
      if (self === undefined) continue;
      const { first } = list.walk;
      for (const trace of latest(list.walk)) {
        const trade = trades.get(trace);
        if (!trade?.makers.has(self)) continue;
        const { settled } = trade;
        if (settled.to + tolerance.replicationLagMs > first.exchange.sent) continue;
        const holds = list.ids.has(trace.id);
        const violation = leftOut(list, trace.id, settled.source);
        findings.assert('settlement.list.holds-won', holds, first.id, violation);
      }
    }
  },
});
