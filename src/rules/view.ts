import { grouped } from '../history/grouped.ts';
import type { History } from '../history/records.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { ResourceName } from '../spec/resources.ts';
import type { Role } from '../spec/words.ts';
import { textAt } from './json.ts';
import { firstAcceptances } from './view/again.ts';
import { type Call, callsOf } from './view/calls.ts';
import { withPlainIds } from './view/ids.ts';
import { withoutRepeats } from './view/repeats.ts';
import { type Sighting, sightingInFrame, sightingsIn } from './view/sightings.ts';
import { type OrderStory, type QuoteStory, storiesOf } from './view/stories.ts';
import { type StreamStory, streamsOf } from './view/streams.ts';

/** What the history alone does not tell. */
export interface JudgeContext {
  /** The target's clock less ours, in milliseconds, lies within these. */
  readonly offset: { readonly least: number; readonly most: number };
  /** The target's answers to gaps, as far as they are known. */
  readonly answers: (gap: GapId) => string | undefined;
  /** The declared parties. */
  readonly cast: Readonly<
    Record<string, { readonly role: Role; readonly partyId?: string; readonly baseUrl?: string }>
  >;
  /**
   * Whether an order was pushed off its path by a control (a settlement made to fail, a withdrawal): its ends and
   * times are then the control's doing. Absent: none was.
   */
  readonly disturbed?: (intentId: string) => boolean;
}

/** A history, indexed once for all rules. */
export interface HistoryView {
  readonly history: History;
  readonly context: JudgeContext;
  readonly calls: readonly Call[];
  readonly endpoint: (name: EndpointName) => readonly Call[];
  /** In the order of the history. */
  readonly sightings: readonly Sighting[];
  readonly sighted: (resource: ResourceName) => readonly Sighting[];
  readonly orders: ReadonlyMap<string, OrderStory>;
  readonly quotes: ReadonlyMap<string, QuoteStory>;
  readonly streams: readonly StreamStory[];
  /** Party identifier of a member of the cast, as far as it is known, and back. */
  readonly partyIdOf: (name: string) => string | undefined;
  readonly nameOf: (partyId: string | undefined) => string | undefined;
  /** The order whose settlement a transaction hash names. */
  readonly orderOfHash: (hash: string | undefined) => string | undefined;
  /** What a function makes of this view, made once however often it is asked for. */
  readonly once: <T>(make: (view: HistoryView) => T) => T;
  /** The last moment that the history knows of. */
  readonly endMs: number;
  /**
   * Whether a text is one that a party sent. Where a target takes a malformed text and gives it back, taking it
   * was at most what was wrong.
   */
  readonly wasSent: (value: unknown) => boolean;
  /** Whether an order's fate may be a control's doing. */
  readonly disturbed: (intentId: string) => boolean;
}

function endOf(history: History): number {
  let end = Number.NEGATIVE_INFINITY;
  for (const record of history.records) {
    end = Math.max(end, record.kind === 'end' ? record.at : record.received);
  }
  return end;
}

/** Party identifiers as declared, else as the backends' own tokens and identities tell them. */
function identitiesOf(context: JudgeContext, sightings: readonly Sighting[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [name, { partyId }] of Object.entries(context.cast)) {
    if (partyId !== undefined && partyId !== '') ids.set(name, partyId);
  }
  for (const { resource, party, value } of sightings) {
    if (ids.has(party)) continue;
    const id =
      resource === 'token'
        ? textAt(value, 'canton_party_id')
        : resource === 'identity'
          ? textAt(value, 'party_id')
          : undefined;
    if (id !== undefined) ids.set(party, id);
  }
  return ids;
}

/** Every sighting in the order of the history. */
function sightingsOf(calls: readonly Call[], streams: readonly StreamStory[]): Sighting[] {
  const told = streams
    .flatMap((stream) => stream.frames.flatMap((seen) => sightingInFrame(seen, stream) ?? []))
    .sort((a, b) => a.close - b.close);
  const firsts = firstAcceptances(calls);
  const merged: Sighting[] = [];
  let next = 0;
  for (const call of calls) {
    for (let frame = told[next]; frame && frame.close < call.close; frame = told[next]) {
      merged.push(frame);
      next += 1;
    }
    merged.push(...sightingsIn(call, firsts.get(call)));
  }
  return [...merged, ...told.slice(next)];
}

/** Linear in the size of the history. */
export function viewOf(history: History, context: JudgeContext): HistoryView {
  const records = withPlainIds(history.records);
  const endMs = endOf(history);
  const calls = callsOf(records);
  const streams = streamsOf(records, calls, endMs);
  const sightings = withoutRepeats(sightingsOf(calls, streams));
  const { orders, quotes } = storiesOf(calls, sightings, streams);
  const byEndpoint = grouped(calls, (call) => call.endpoint);
  const byResource = grouped(sightings, (sighting) => sighting.resource);
  const ids = identitiesOf(context, sightings);
  const sent = new Set<unknown>();
  for (const call of calls) {
    if (call.sent) for (const value of Object.values(call.sent)) sent.add(value);
  }
  const hashes = new Map<string, string>();
  for (const { value } of sightings) {
    const hash = textAt(value, 'transaction_hash');
    const id = textAt(value, 'intent_id');
    if (hash !== undefined && id !== undefined) hashes.set(hash, id);
  }
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const made = new Map<unknown, unknown>();
  const view: HistoryView = {
    history,
    context,
    calls,
    endpoint: (name) => byEndpoint.get(name) ?? [],
    sightings,
    sighted: (resource) => byResource.get(resource) ?? [],
    orders,
    quotes,
    streams,
    partyIdOf: (name) => ids.get(name),
    nameOf: (partyId) => (partyId === undefined ? undefined : names.get(partyId)),
    orderOfHash: (hash) => (hash === undefined ? undefined : hashes.get(hash)),
    once: <T>(make: (view: HistoryView) => T): T => {
      if (!made.has(make)) made.set(make, make(view));
      return made.get(make) as T;
    },
    endMs,
    wasSent: (value) => typeof value === 'string' && sent.has(value),
    disturbed: (intentId) => context.disturbed?.(intentId) ?? false,
  };
  return view;
}
