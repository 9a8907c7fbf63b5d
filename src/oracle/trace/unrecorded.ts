import type { Exchange, HistoryRecord, Span } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { textOf } from '../../protocol/json.ts';
import type { OrderState, Role } from '../../spec/vocabulary.ts';
import { type Call, countBelow, placesOfCompletion, precedes } from './calls.ts';
import type { Traces } from './provenance.ts';
import { timestampIn } from './snapshots.ts';
import { type OrderTrace, orderStateOf } from './traces.ts';

/** The part of a history view that the search for parties outside the history needs. */
export interface RecordedLife {
  readonly records: readonly HistoryRecord[];
  readonly orders: ReadonlyMap<string, OrderTrace>;
  readonly every: Traces;
  readonly endMs: number;
  readonly partyIdOf: (name: string) => string | undefined;
  readonly nameOf: (partyId: string | undefined) => string | undefined;
  readonly context: {
    readonly cast: Readonly<Record<string, { readonly role: Role }>>;
    readonly offset: { readonly least: number; readonly most: number };
    readonly alone?: boolean;
    readonly recorded?: (party: string) => readonly Span[];
  };
}

/** A party that could have acted, with the periods in which nobody recorded it. */
interface Outsider {
  readonly party: string;
  readonly role: Role;
  readonly unseen: readonly Span[];
}

const ever: Span = { sent: 0, received: Number.POSITIVE_INFINITY };

function between(spans: readonly Span[]): readonly Span[] {
  const gaps: Span[] = [];
  let from = ever.sent;
  for (const { sent, received } of spans.toSorted((one, other) => one.sent - other.sent)) {
    if (sent > from) gaps.push({ sent: from, received: sent });
    from = Math.max(from, received);
  }
  return [...gaps, { sent: from, received: ever.received }];
}

/** A party of the history, or one that is known by its identifier alone. */
function outsiderOf(
  { context, nameOf, partyIdOf }: RecordedLife,
  role: Role,
  name: string | undefined,
  partyId: string | undefined,
): Outsider | undefined {
  const party = name ?? nameOf(partyId);
  const { cast, recorded } = context;
  if (party !== undefined && recorded) {
    return { party, role, unseen: between(recorded(party)) };
  }
  if (party !== undefined || (partyId === undefined && !recorded)) return undefined;
  // In a run every party is known. A party whose identifier is not known may be the one in question.
  const mayBeInside = Object.entries(cast).some(
    ([one, known]) => known.role === role && partyIdOf(one) === undefined,
  );
  if (!recorded && mayBeInside) return undefined;
  return neverSeen(role);
}

/** True if makers that this history does not know quoted its orders. */
const isQuotedByOthers = ({ orders, nameOf, context }: RecordedLife): boolean =>
  !context.alone &&
  [...orders.values()].some(({ quotes }) =>
    quotes.some(({ snapshots }) =>
      snapshots.some(({ value }) => {
        const maker = textOf(value, 'market_maker_party_id');
        return maker !== undefined && nameOf(maker) === undefined;
      }),
    ),
  );

/** Makers who may have quoted unseen: a recording never holds the whole market. */
function makersOutside(life: RecordedLife): readonly Outsider[] {
  const { cast, recorded } = life.context;
  if (!recorded) return isQuotedByOthers(life) ? [neverSeen('market-maker')] : [];
  const known = Object.entries(cast).filter(([, { role }]) => role === 'market-maker');
  const within = known.flatMap(([name]) => outsiderOf(life, 'market-maker', name, undefined) ?? []);
  return [neverSeen('market-maker'), ...within];
}

const isPending = (snapshot: OrderTrace['snapshots'][number]): boolean =>
  !snapshot.frame && orderStateOf(snapshot) === 'PENDING';

/**
 * True if other clients used the target during the run: there is a new order that the run did not create, or an order
 * changed in a way that time alone does not explain. Changes by time alone to orders of earlier runs show no client.
 */
function isShared({ every, orders, records, context }: RecordedLife): boolean {
  const [first] = records;
  if (context.alone || first === undefined || first.kind === 'end') return false;
  const since = first.received + context.offset.most + tolerance.stamp;
  return [...every.orders.values()].some(({ id, snapshots, rfqs }) => {
    if (orders.has(id)) return false;
    const created = timestampIn([...snapshots, ...rfqs], 'created_at');
    const states = new Set(snapshots.map(orderStateOf));
    const hasMoved = states.has('PENDING') && [...states].some((state) => !byTime.has(state));
    return hasMoved || (created !== undefined && created > since);
  });
}

/** States that an order may be in, or come to, without a client. */
const byTime: ReadonlySet<OrderState | undefined> = new Set([undefined, 'PENDING', 'EXPIRED']);

/**
 * Requests that parties outside the history may have made, each as one whose answer was lost: it may have taken effect
 * at any moment of its span. No rule may report as unexplained what such a request can explain.
 */
export function unrecordedCalls(life: RecordedLife): readonly Call[] {
  const { records, endMs, context } = life;
  const completed = placesOfCompletion(records);
  const makers = makersOutside(life);
  const calls: Call[] = [];

  function add(
    { party, role, unseen }: Outsider,
    endpoint: EndpointName,
    since: number,
    params: Exchange['params'],
  ): void {
    for (const span of unseen) {
      const [sent, received] = [Math.max(span.sent, since), Math.min(span.received, endMs)];
      if (sent >= received) continue;
      const id = `unrecorded#${calls.length + 1}`;
      const exchange: Exchange = {
        kind: 'exchange',
        id,
        by: 'unrecorded',
        party,
        role,
        sent,
        received,
        endpoint,
        params,
        query: {},
        auth: 'own',
        request: { method: 'POST', path: '', headers: {} },
        error: { code: 'aborted', message: 'it is not in the recording' },
      };
      calls.push({
        exchange,
        id,
        party,
        endpoint,
        open: countBelow(completed, sent) - 0.75,
        close: span.received > endMs ? records.length : countBelow(completed, received + 1) - 0.75,
        status: undefined,
        ok: false,
        own: true,
        body: undefined,
        data: undefined,
        sent: undefined,
      });
    }
  }

  function addOfOrder(trace: OrderTrace): void {
    const { creation, snapshots, id: intent_id } = trace;
    const since = creation?.exchange.sent ?? ever.sent;
    // A cancel or an acceptance came after the last moment at which the order was still open.
    const stillOpen = snapshots
      .filter(isPending)
      .reduce((latest, { from }) => Math.max(latest, from - tolerance.replicationLagMs), since);
    const sender = outsiderOf(life, 'institution', creation?.party, trace.senderId);
    const custodian = outsiderOf(life, 'custodian', undefined, trace.senderCustodianId);
    for (const outsider of [sender, custodian]) {
      if (!outsider) continue;
      for (const taken of takenUnseen(trace)) {
        add(outsider, 'quote.accept', stillOpen, { intent_id, ...taken });
      }
    }
    if (sender) add(sender, 'order.cancel', stillOpen, { intent_id });
    if (custodian) add(custodian, 'proposal.accept', since, { intent_id });
    for (const maker of makers) add(maker, 'quote.submit', since, { intent_id });
  }

  /** Quotes that may have been accepted unseen: after a granted acceptance, only an earlier one counts. */
  function takenUnseen({ acceptances, quotes, snapshots }: OrderTrace): Exchange['params'][] {
    const granted = acceptances.find(({ ok }) => ok);
    if (!granted) return quotes.length > 0 ? quotes.map(({ id }) => ({ quote_id: id })) : [{}];
    const earliest = granted.exchange.sent + context.offset.least - tolerance.stamp;
    const isAgain = snapshots.some((seen) => {
      const at = parseTimestamp(seen.value['quote_accepted_at']);
      const isBound = precedes(seen, granted) && (orderStateOf(seen) ?? 'PENDING') !== 'PENDING';
      return isBound || (at !== undefined && at < earliest);
    });
    return isAgain ? [granted.exchange.params] : [];
  }

  for (const trace of life.orders.values()) addOfOrder(trace);
  if (context.recorded || isShared(life)) {
    add(neverSeen('institution'), 'order.create', ever.sent, {});
    add(neverSeen('institution'), 'quote.accept', ever.sent, {});
  }
  return calls.toSorted((one, other) => one.close - other.close);
}

const neverSeen = (role: Role): Outsider => ({ party: `unrecorded ${role}`, role, unseen: [ever] });
