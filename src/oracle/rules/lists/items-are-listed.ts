import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { type EndpointName, endpoints } from '../../../spec/endpoints.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { isTerminal } from '../../../spec/states.ts';
import { type OrderState, orderStates, quoteStates } from '../../../spec/vocabulary.ts';
import { defineRule, type Findings } from '../../findings.ts';
import { type Call, countBelow, precedes } from '../../trace/calls.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { mayHaveGivenWay } from '../../trace/selections.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import {
  isIn,
  mayHaveChanged,
  type OrderTrace,
  possiblyEffective,
  quoteStateOf,
  touchesOf,
} from '../../trace/traces.ts';
import { type Walk, walksOf } from './page-walks.ts';
import { statusAsked } from './pages.ts';

/** A list as it was shown while nothing moved, with every page that can hold things that the history created. */
interface WholeList {
  readonly walk: Walk;
  readonly party: string;
  readonly ids: ReadonlySet<string>;
}

/** True if the endpoint is for the role that asked it. Answers to other roles are judged elsewhere. */
export function isForRole({ endpoint, exchange }: Call): boolean {
  const roles: readonly string[] = endpoint ? endpoints[endpoint].roles : [];
  return roles.includes(exchange.role);
}

/** An item that must be on a list, by its id and the record that shows it. */
interface DueItem<Id> {
  readonly id: string;
  readonly cause: string;
  readonly requirements: readonly (Id | false)[];
}

/** Judges the whole lists of an endpoint that were shown to roles that it is for. */
function assertListed<Id extends RequirementId>(
  view: HistoryView,
  findings: Findings<Id>,
  endpoint: EndpointName,
  dueOn: (list: WholeList) => readonly DueItem<Id>[],
): void {
  for (const walk of view.once(walksOf)) {
    const { first, holdsOwn, stable, pages } = walk;
    if (first.endpoint !== endpoint || !holdsOwn || !stable || !isForRole(first)) continue;
    const ids = new Set(walk.ids);
    for (const { id, cause, requirements } of dueOn({ walk, party: first.party, ids })) {
      findings.assert(requirements, ids.has(id), first.id, () => ({
        message: `${endpoint} of ${first.party} left out an item that must be there`,
        expected: id,
        actual: `${ids.size} others`,
        evidence: [cause, ...pages.map(({ call }) => call.id)],
      }));
    }
  }
}

type Look = Pick<Walk, 'first' | 'last'>;

/** True if the effect of a call can be expected on a list of the same party or of another (gap `views.lag`). */
const isPastLag = (cause: Call, { first }: Look): boolean =>
  precedes(cause, first) &&
  first.exchange.sent >= cause.exchange.received + tolerance.replicationLagMs;

/** Number of latest orders that a list is compared with: enough for any page, and linear in the history. */
const maxOrders = 1_000;

/** The orders that had been created before a list was looked at, the latest of them. */
function latestOrders(view: HistoryView): (look: Look) => readonly (OrderTrace & Created)[] {
  const created = [...view.orders.values()]
    .filter((trace): trace is OrderTrace & Created => trace.creation !== undefined)
    .toSorted((a, b) => a.creation.close - b.creation.close);
  const closes = created.map(({ creation }) => creation.close);
  return ({ first }) => {
    const end = countBelow(closes, first.open);
    return created.slice(Math.max(0, end - maxOrders), end);
  };
}

interface Created {
  readonly creation: Call;
}

/**
 * True if a party saw a thing in one state before and after it read the list of that state; before is enough if the
 * state lasts. A sighting on the same list without a filter counts at once; one from elsewhere after the replication
 * lag.
 */
function stayedIn(
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

/** A receiver's list is open (gap `access.receiver_lists`). Its filter is not, for an order that the list has shown. */
const wasListed = (snapshots: readonly Snapshot[], { first }: Walk, status: OrderState): boolean =>
  snapshots.some(
    (seen) =>
      seen.party === first.party &&
      seen.via === first.endpoint &&
      isIn(status)(seen) &&
      precedes(seen, first),
  );

const ordersAreListed = defineRule({
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
    assertListed(view, findings, 'order.list', ({ walk, party }) => {
      const asked = statusAsked(walk.first);
      const status = orderStates.find((state) => state === asked);
      if (status !== asked) return [];
      return latest(walk).flatMap((trace) => {
        const { id, creation, snapshots } = trace;
        const relation = relationOf(view, trace, party);
        const isSender = relation === 'sender';
        const isDue =
          isSender ||
          relation === 'sender-custodian' ||
          (relation === 'receiver-custodian' && status && wasListed(snapshots, walk, status));
        if (!isDue || !isPastLag(creation, walk)) return [];
        if (status && !stayedIn(snapshots, walk, isIn(status), isTerminal(status))) return [];
        const whole = isSender
          ? (['order.list.complete', 'order.create.listed-afterwards'] as const)
          : (['order.list.sender-custodian-included'] as const);
        const filtered = isSender
          ? ('order.list.status-filter.complete' as const)
          : ('order.list.custodian-status-filter' as const);
        return [{ id, cause: creation.id, requirements: status ? [filtered] : whole }];
      });
    });
  },
});

const quotesAreListed = defineRule({
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
    /** The quotes of an order that stand, and were submitted before the list was looked at. */
    const standing = (trace: OrderTrace | undefined, walk: Walk) =>
      (trace?.quotes ?? []).flatMap((quote) => {
        const { id, submission } = quote;
        // A maker may keep on its own list a quote that the order side is no longer shown.
        const snapshots = quote.snapshots.filter(({ via }) => via === 'order.quotes');
        return submission &&
          isPastLag(submission, walk) &&
          !mayHaveGivenWay(view, { ...quote, snapshots }, trace)
          ? [{ quote, id, cause: submission.id }]
          : [];
      });
    const orderOf = ({ first }: Walk) => view.order(first.exchange.params.intent_id);

    assertListed(view, findings, 'order.quotes', ({ walk, party }) => {
      const trace = orderOf(walk);
      const relation = trace && relationOf(view, trace, party);
      if (relation !== 'sender' && relation !== 'sender-custodian') return [];
      const side =
        relation === 'sender'
          ? 'quote.submit.shown-to-order-side'
          : 'order.quotes.custodian-sees-same';
      const requirements = ['order.quotes.complete', side] as const;
      return standing(trace, walk).map((due) => ({ ...due, requirements }));
    });
    assertListed(view, findings, 'rfq.quotes', ({ walk, party }) =>
      standing(orderOf(walk), walk)
        .filter(({ quote }) => quote.maker === party)
        .map((due) => ({ ...due, requirements: ['rfq.quotes.complete'] })),
    );
    const latest = latestOrders(view);
    assertListed(view, findings, 'quote.list', ({ walk, party }) => {
      const asked = statusAsked(walk.first);
      if (asked !== undefined && !quoteStates.some((state) => state === asked)) return [];
      // An accepted quote may change once more when its order ends (gap `cancel.accepted_quote`).
      const lasts = asked === 'REJECTED' || asked === 'EXPIRED';
      const isAsked = (seen: Snapshot): boolean => quoteStateOf(seen) === asked;
      const requirement = asked ? 'quote.list.status-filter.complete' : 'quote.list.complete';
      return latest(walk)
        .flatMap((trace) => standing(trace, walk))
        .filter(
          ({ quote: { maker, snapshots } }) =>
            maker === party && (!asked || stayedIn(snapshots, walk, isAsked, lasts)),
        )
        .map((due) => ({ ...due, requirements: [requirement] }));
    });
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
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  return (
    expiry !== undefined &&
    view.clock.before(last, expiry) &&
    !mayHaveChanged(touchesOf(trace), last) &&
    !view.disturbed(trace.id) &&
    !trace.snapshots.some(isIn('FAILED'))
  );
}

/** A request that must be on the list of a maker, with the calls that prove it. */
interface DueRequest {
  readonly id: string;
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
      const { id, creation, submissions, rfqs } = trace;
      if (!isPastLag(creation, look) || !isSurelyActive(view, trace, look)) return [];
      // It is open if a request stays active for a maker that has quoted it (gap `rfq.active`).
      const { party } = look.first;
      if (possiblyEffective(submissions).some((call) => call.party === party)) return [];
      const seen = rfqs.find((rfq) => rfq.call && isPastLag(rfq.call, look))?.call;
      const quoted = submissions.find((call) => call.ok && isPastLag(call, look));
      return waits && !seen && !quoted ? [] : [{ id, creation, seen, quoted }];
    });
}

const requestsAreListed = defineRule({
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
    assertListed(view, findings, 'rfq.list', ({ walk, party }) =>
      due(walk).map(({ id, creation, seen, quoted }) => ({
        id,
        cause: creation.id,
        requirements: [
          'rfq.list.complete',
          'rfq.list.holds-new-request',
          seen !== undefined && seen.party !== party && 'rfq.list.same-for-every-maker',
          quoted !== undefined && 'rfq.list.still-listed-once-quoted',
        ],
      })),
    );
  },
});

/** The orders that were seen SETTLED: the first snapshot that shows it, and the makers that the order names. */
const tradesOf = (view: HistoryView) =>
  new Map(
    [...view.orders.values()].flatMap((trace) => {
      const settled = trace.snapshots.find(isIn('SETTLED'));
      const makers = trace.snapshots.map(({ value }) => textOf(value, 'market_maker_party_id'));
      return settled ? [[trace.id, { settled, makers: new Set(makers) }] as const] : [];
    }),
  );

const settlementsAreListed = defineRule({
  id: 'list.completeness.settlements',
  title: 'A trade that has settled is on the list of settlements of the maker that won it',
  requirements: ['settlement.list.holds-won'],
  judge(view, findings) {
    const latest = latestOrders(view);
    // There are as many lists as there are orders.
    const trades = tradesOf(view);
    assertListed(view, findings, 'settlement.list', ({ walk, party }) => {
      const self = view.partyIdOf(party);
      const latestEnd = walk.first.exchange.sent - tolerance.replicationLagMs;
      return latest(walk).flatMap(({ id }) => {
        const trade = trades.get(id);
        return self !== undefined && trade?.makers.has(self) && trade.settled.to <= latestEnd
          ? [{ id, cause: trade.settled.source, requirements: ['settlement.list.holds-won'] }]
          : [];
      });
    });
  },
});

export const completenessRules = [
  ordersAreListed,
  quotesAreListed,
  requestsAreListed,
  settlementsAreListed,
];
