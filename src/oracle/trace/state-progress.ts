import { tolerance } from '../../protocol/tolerances.ts';
import { endpoints } from '../../spec/endpoints.ts';
import type { Snapshot } from './snapshots.ts';

/** A state that somebody saw, and the state that it should have led to but did not. */
export interface StateConflict<State extends string> {
  readonly earlier: { readonly state: State; readonly snapshot: Snapshot };
  readonly later: { readonly state: State; readonly snapshot: Snapshot };
}

interface Noted<State extends string> {
  readonly state: State;
  snapshot: Snapshot;
}

/** For each state the sighting that ended first: of answers, by endpoint and state; of events, by state. */
type Seen<State extends string> = readonly [
  answers: Map<string, Noted<State>>,
  events: Map<string, Noted<State>>,
];

const nothing = <State extends string>(): Seen<State> => [new Map(), new Map()];

/** Keeps the sighting that ended first: whatever follows another one of the state also follows that one. */
function note<State extends string>(
  [answers, events]: Seen<State>,
  state: State,
  snapshot: Snapshot,
  key: 'close' | 'to',
): void {
  const [seen, place] = snapshot.frame
    ? [events, state]
    : ([answers, `${snapshot.via} ${state}`] as const);
  const known = seen.get(place);
  if (!known) seen.set(place, { state, snapshot });
  else if (snapshot[key] < known.snapshot[key]) known.snapshot = snapshot;
}

/** Answers come first: if an answer and an event show the same conflict, the answer is the clearer evidence. */
const all = <State extends string>([answers, events]: Seen<State>): Noted<State>[] => [
  ...answers.values(),
  ...events.values(),
];

export interface Progress<State extends string> {
  /** Sightings that followed one of the same observer along listed transitions; `stayed`: in the same state. */
  readonly kept: readonly {
    readonly state: State;
    readonly stayed: boolean;
    readonly snapshot: Snapshot;
  }[];
  /** Conflicts within one observer, by the order of its own calls. */
  readonly own: readonly StateConflict<State>[];
  /** Conflicts between observers, with room for the lag between their backends. */
  readonly across: readonly StateConflict<State>[];
  /** Sightings that followed another observer's with that room, and agreed. */
  readonly agreed: readonly Snapshot[];
}

/**
 * True if the later sighting must show what was seen. It must at once if it comes from the same endpoint, answers a
 * POST, or is an event. After an event a read must show it at once, since its cause can be read by then. Other reads
 * may follow a while after, and lists after everything (gap `views.lag`).
 */
function mustShow(later: Snapshot, seen: Snapshot): boolean {
  const endpoint = later.frame ? undefined : later.call?.endpoint;
  if (endpoint === undefined || later.via === seen.via) return true;
  const { method, result } = endpoints[endpoint];
  if (method === 'POST' || (seen.frame && result !== 'list')) return true;
  return seen.to + tolerance.replicationLagMs < later.from;
}

/**
 * Compares the sightings of one thing with the paths that its state may take. Only sightings that certainly followed
 * each other are compared. States in between may have been missed, so `reaches` is about whole paths.
 */
export function progressOf<State extends string>(
  snapshots: readonly Snapshot[],
  stateOf: (snapshot: Snapshot) => State | undefined,
  reaches: (from: State, to: State) => boolean,
): Progress<State> {
  const byParty = new Map<string, Seen<State>>();
  const everybody = nothing<State>();
  const states = snapshots.flatMap((snapshot) => {
    const state = stateOf(snapshot);
    if (state === undefined) return [];
    const seen = byParty.get(snapshot.party) ?? nothing<State>();
    byParty.set(snapshot.party, seen);
    note(seen, state, snapshot, 'close');
    note(everybody, state, snapshot, 'to');
    return [{ state, snapshot }];
  });

  const notedBy = new Map([...byParty].map(([party, seen]) => [party, all(seen)]));
  const notedByAll = all(everybody);
  const kept: { state: State; stayed: boolean; snapshot: Snapshot }[] = [];
  const agreed: Snapshot[] = [];
  const own: StateConflict<State>[] = [];
  const across: StateConflict<State>[] = [];
  for (const later of states) {
    const { snapshot } = later;
    const before = (notedBy.get(snapshot.party) ?? []).filter(
      ({ snapshot: seen }) =>
        seen !== snapshot && seen.close < snapshot.open && mustShow(snapshot, seen),
    );
    const wrong = before.find(({ state }) => !reaches(state, later.state));
    if (wrong) own.push({ earlier: wrong, later });
    else if (before.length > 0) {
      const stayed = before.some(({ state }) => state === later.state);
      kept.push({ state: later.state, stayed, snapshot });
    }

    const elsewhere = notedByAll.filter(
      ({ snapshot: seen }) =>
        seen.party !== snapshot.party && seen.to + tolerance.replicationLagMs < snapshot.from,
    );
    const apart = elsewhere.find(({ state }) => !reaches(state, later.state));
    if (apart && !wrong) across.push({ earlier: apart, later });
    else if (elsewhere.length > 0) agreed.push(snapshot);
  }
  return { kept, own, across, agreed };
}
