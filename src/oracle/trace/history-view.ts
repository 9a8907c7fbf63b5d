import { groupBy } from '../../history/group-by.ts';
import type { History, Span } from '../../history/records.ts';
import { withCompleteAnswers } from '../../protocol/answers.ts';
import { plainParty } from '../../protocol/equality.ts';
import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { textOf } from '../../protocol/json.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import type { ResourceName } from '../../spec/resources.ts';
import type { Role } from '../../spec/vocabulary.ts';
import { type Call, callsOf, placesOfCompletion } from './calls.ts';
import { withLowerCaseIds } from './lower-case-ids.ts';
import { type Provenance, provenanceOf, type Traces } from './provenance.ts';
import { type Snapshot, snapshotIn, snapshotInFrame } from './snapshots.ts';
import { streamsOf, type StreamTrace } from './streams.ts';
import { type TargetClock, targetClock } from './target-clock.ts';
import { type OrderTrace, possiblyEffective, type QuoteTrace, tracesOf } from './traces.ts';
import { createSightings } from './unchanged-items.ts';
import { unrecordedCalls } from './unrecorded.ts';

/** Key of a request that stays the same when the request is repeated. */
const operationKey = ({ exchange: { endpoint, params } }: Call): string =>
  [endpoint, params.intent_id, params.quote_id].join(' ').toLowerCase();

/**
 * For every successful acceptance, the first call that may have caused it. A repeated acceptance may get the answer of
 * the first (gap `accept.again`): its content was true at some moment since then.
 */
function firstAcceptances(calls: readonly Call[]): ReadonlyMap<Call, Call> {
  const granted = calls.filter(({ endpoint, ok }) => endpoint === 'quote.accept' && ok);
  const firsts = new Map<Call, Call>();
  for (const same of groupBy(granted, operationKey).values()) {
    const first = same.reduce((one, other) => (other.open < one.open ? other : one));
    for (const call of same) firsts.set(call, first);
  }
  return firsts;
}

/** Facts about a run that its history does not contain. */
export interface OracleContext {
  /** The target's clock less ours, in milliseconds, lies within these. */
  readonly offset: { readonly least: number; readonly most: number };
  /** The target's answers to gaps, as far as they are known. */
  readonly answers: (gap: GapId) => string | undefined;
  /** The declared parties. */
  readonly cast: Readonly<
    Record<string, { readonly role: Role; readonly partyId?: string; readonly baseUrl?: string }>
  >;
  /**
   * True if a control pushed the order off its path (a settlement made to fail, a withdrawal): its ends and times are
   * then the control's doing. Absent: no order was disturbed.
   */
  readonly disturbed?: (intentId: string) => boolean;
  /** Restarts of the target that the run asked for. */
  readonly restarts?: readonly { readonly from: number; readonly to: number }[];
  /** Nobody else uses the target while the run is on. */
  readonly alone?: boolean;
  /**
   * The stretches of time in which all that a party did is in the history. Absent: the history is that of a run, and
   * holds all that the cast did.
   */
  readonly recorded?: (party: string) => readonly Span[];
}

/** A history, indexed once for all rules. */
export interface HistoryView {
  readonly history: History;
  readonly context: OracleContext;
  readonly calls: readonly Call[];
  readonly endpoint: (name: EndpointName) => readonly Call[];
  /** In the order of the history. */
  readonly snapshots: readonly Snapshot[];
  readonly snapshotsOf: (resource: ResourceName) => readonly Snapshot[];
  /** Orders and quotes that this history created. Others that it saw are no evidence of anything (see `Provenance`). */
  readonly orders: ReadonlyMap<string, OrderTrace>;
  readonly quotes: ReadonlyMap<string, QuoteTrace>;
  /** By an id that may be missing. */
  readonly order: (id: string | undefined) => OrderTrace | undefined;
  readonly quote: (id: string | undefined) => QuoteTrace | undefined;
  /** All orders and quotes, with those of earlier runs and of other clients. */
  readonly every: Traces;
  /** True if the service is responsible for the form of a field; false if its sender may have malformed it. */
  readonly answersForForm: Provenance['answersForForm'];
  readonly streams: readonly StreamTrace[];
  /** Party identifier of a member of the cast, as far as it is known, and back. */
  readonly partyIdOf: (name: string) => string | undefined;
  readonly nameOf: (partyId: string | undefined) => string | undefined;
  /** The order whose settlement a transaction hash names. */
  readonly orderOfHash: (hash: string | undefined) => string | undefined;
  /** Result of a function of this view, computed once and cached. */
  readonly once: <T>(make: (view: HistoryView) => T) => T;
  /** The last moment that the history knows of. */
  readonly endMs: number;
  readonly clock: TargetClock;
  /** True if the outcome of an order may be the doing of a control, or of the operator that withdrew it. */
  readonly disturbed: (intentId: string) => boolean;
  /**
   * This history with requests that parties outside it may have made, their answers lost. A requirement that is
   * violated here too is violated no matter who acted unseen. Undefined: nobody outside could have acted.
   */
  readonly withUnrecorded: () => HistoryView | undefined;
}

/** Party identifiers as declared, else as the backends' own tokens and identities tell them. */
function identitiesOf(context: OracleContext, snapshots: readonly Snapshot[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [name, { partyId }] of Object.entries(context.cast)) {
    if (partyId !== undefined && partyId !== '') ids.set(name, plainParty(partyId));
  }
  for (const { resource, party, value } of snapshots) {
    const field = { token: 'canton_party_id', identity: 'party_id' }[resource as string];
    const id = field && textOf(value, field);
    if (id !== undefined && !ids.has(party)) ids.set(party, id);
  }
  return ids;
}

/** Every sighting in the order of the history, but for items of lists that stay as they were. */
function allSnapshots(calls: readonly Call[], streams: readonly StreamTrace[]): Snapshot[] {
  const inFrames = streams
    .flatMap((stream) => stream.frames.flatMap((seen) => snapshotInFrame(seen, stream) ?? []))
    .sort((a, b) => a.close - b.close);
  const firsts = firstAcceptances(calls);
  const sightings = createSightings();
  let next = 0;
  for (const call of calls) {
    for (let frame = inFrames[next]; frame && frame.close < call.close; frame = inFrames[next]) {
      sightings.add(frame);
      next += 1;
    }
    const seen = snapshotIn(call, firsts.get(call));
    if (seen) sightings.add(seen);
    else sightings.addItems(call);
  }
  for (const frame of inFrames.slice(next)) sightings.add(frame);
  return sightings.all();
}

/** Orders that their operator withdrew, which it may do at any time, and not in place of a cancel. */
const withdrawnOrders = ({ orders }: HistoryView): ReadonlySet<string> =>
  new Set(
    [...orders.values()]
      .filter(({ cancels }) => possiblyEffective(cancels).length === 0)
      .filter(({ snapshots }) =>
        snapshots.some(({ value }) => failureReasonIn(value) === 'OPERATOR_WITHDRAWN'),
      )
      .map(({ id }) => id),
  );

/** Linear in the size of the history. */
export function viewOf(history: History, context: OracleContext): HistoryView {
  // Rules see only complete answers of the service.
  const records = withLowerCaseIds(withCompleteAnswers(history.records));
  const endMs = placesOfCompletion(history.records).at(-1) ?? Number.NEGATIVE_INFINITY;
  const calls = callsOf(records);
  const streams = streamsOf(records, calls, endMs, context.recorded);
  const snapshots = allSnapshots(calls, streams);
  const byResource = groupBy(snapshots, (snapshot) => snapshot.resource);
  const ids = identitiesOf(context, snapshots);
  const hashes = new Map<string, string>();
  for (const { value } of snapshots) {
    const hash = textOf(value, 'transaction_hash');
    const id = textOf(value, 'intent_id');
    if (hash !== undefined && id !== undefined) hashes.set(hash, id);
  }
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const indexed = {
    history,
    context,
    snapshots,
    snapshotsOf: (resource: ResourceName) => byResource.get(resource) ?? [],
    streams,
    partyIdOf: (name: string) => ids.get(name),
    nameOf: (partyId: string | undefined) =>
      partyId === undefined ? undefined : names.get(partyId),
    orderOfHash: (hash: string | undefined) => (hash === undefined ? undefined : hashes.get(hash)),
    endMs,
    clock: targetClock(context.offset),
    disturbed: (intentId: string) => context.disturbed?.(intentId) ?? false,
  };

  function viewWith(
    all: readonly Call[],
    withUnrecorded: (view: HistoryView) => HistoryView | undefined,
  ): HistoryView {
    const every = tracesOf(all, snapshots, streams);
    const creations = all.filter(({ endpoint }) => endpoint === 'order.create');
    const { own, answersForForm } = provenanceOf(every, creations, context.recorded !== undefined);
    const byEndpoint = groupBy(all, (call) => call.endpoint);
    const made = new Map<unknown, unknown>();
    const once = <T>(make: (view: HistoryView) => T): T => {
      if (!made.has(make)) made.set(make, make(view));
      return made.get(make) as T;
    };
    const view: HistoryView = {
      ...indexed,
      disturbed: (intentId) => indexed.disturbed(intentId) || once(withdrawnOrders).has(intentId),
      calls: all,
      endpoint: (name) => byEndpoint.get(name) ?? [],
      ...own,
      order: (id = '') => own.orders.get(id),
      quote: (id = '') => own.quotes.get(id),
      every,
      answersForForm,
      once,
      withUnrecorded: () => once(withUnrecorded),
    };
    return view;
  }

  function unrecordedView({ orders, every }: HistoryView): HistoryView | undefined {
    const unrecorded = unrecordedCalls({ ...indexed, records, orders, every });
    if (unrecorded.length === 0) return undefined;
    const all = [...calls, ...unrecorded].toSorted((one, other) => one.close - other.close);
    return viewWith(all, () => undefined);
  }

  return viewWith(calls, unrecordedView);
}
