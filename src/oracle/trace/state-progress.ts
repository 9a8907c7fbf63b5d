import { endpoints } from '../../spec/endpoints.ts';
import { tolerance } from '../../protocol/tolerances.ts';
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

/** Of each state the sighting that was over first: by where an answer showed it, and of events. */
type Seen<State extends string> = readonly [
  answers: Map<string, Noted<State>>,
  events: Map<string, Noted<State>>,
];

const nothing = <State extends string>(): Seen<State> => [new Map(), new Map()];

/** What comes surely after one sighting of a state comes after the first that was over. */
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

/** Answers first: where both an answer and an event show what went wrong, the answer says it plainer. */
const all = <State extends string>([answers, events]: Seen<State>): Noted<State>[] => [
  ...answers.values(),
  ...events.values(),
];

export interface Progress<State extends string> {
  /** Sightings that followed another of the same observer and kept to the way; `stayed`: one of the same state. */
  readonly kept: readonly {
    readonly state: State;
    readonly stayed: boolean;
    readonly snapshot: Snapshot;
  }[];
  /** Of one observer: in the order of its own calls. */
  readonly own: readonly StateConflict<State>[];
  /** Between observers: with room for the lag between their backends. */
  readonly across: readonly StateConflict<State>[];
  /** Sightings that followed another observer's with that room, and agreed. */
  readonly agreed: readonly Snapshot[];
}

/**
 * Whether what was seen must show in a later sighting: at once where the same place is looked at again, where something
 * is done, and where an event told of it, whose cause can be read by then; else what is read may follow a while after,
 * and lists after everything (gap `views.lag`).
 */
function mustShow(later: Snapshot, seen: Snapshot): boolean {
  const endpoint = later.frame ? undefined : later.call?.endpoint;
  if (endpoint === undefined || later.via === seen.via) return true;
  const { method, result } = endpoints[endpoint];
  if (method === 'POST' || (seen.frame && result !== 'list')) return true;
  return seen.to + tolerance.replicationLagMs < later.from;
}

/**
 * Holds what was seen of one thing against the ways that its state may take. Only sightings that surely followed
 * each other are compared; those in between may have been missed, so `reaches` is over whole ways.
 */
export function progressOf<State extends string>(
  snapshots: readonly Snapshot[],
  orderStateOf: (snapshot: Snapshot) => State | undefined,
  reaches: (from: State, to: State) => boolean,
): Progress<State> {
  const byParty = new Map<string, Seen<State>>();
  const everybody = nothing<State>();
  const states = snapshots.flatMap((snapshot) => {
    const state = orderStateOf(snapshot);
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
