import { endpoints } from '../spec/endpoints.ts';
import { patience } from './patience.ts';
import type { Sighting } from './view/sightings.ts';

/** A state that somebody saw, and the state that it should have led to but did not. */
export interface Clash<State extends string> {
  readonly earlier: { readonly state: State; readonly sighting: Sighting };
  readonly later: { readonly state: State; readonly sighting: Sighting };
}

/** What shows a state: what a read or a list shows may be older than what was answered or told before. */
type Kind = 'read' | 'list' | 'deed' | 'event';

function kindOf({ call, frame }: Sighting): Kind {
  if (frame || call?.endpoint === undefined) return 'event';
  const { method, result } = endpoints[call.endpoint];
  return method === 'POST' ? 'deed' : result === 'list' ? 'list' : 'read';
}

/** Of each state the sighting that was over first, by what shows it and where. */
type Seen<State extends string> = Map<
  string,
  { readonly state: State; readonly kind: Kind; sighting: Sighting }
>;

/** What comes surely after one sighting of a state comes after the first that was over. */
function note<State extends string>(
  seen: Seen<State>,
  state: State,
  sighting: Sighting,
  key: 'close' | 'to',
): void {
  const kind = kindOf(sighting);
  const place = `${state} ${kind === 'event' ? kind : sighting.via}`;
  const known = seen.get(place);
  if (!known) seen.set(place, { state, kind, sighting });
  else if (sighting[key] < known.sighting[key]) known.sighting = sighting;
}

/** Answers first: where both an answer and an event show what went wrong, the answer says it plainer. */
const all = <State extends string>(seen: Seen<State> | undefined): [State, Sighting][] =>
  [...(seen?.values() ?? [])]
    .toSorted((one, other) => Number(one.kind === 'event') - Number(other.kind === 'event'))
    .map(({ state, sighting }) => [state, sighting]);

export interface Progress<State extends string> {
  /** Sightings that followed another of the same observer and kept to the way; `stayed`: one of the same state. */
  readonly kept: readonly {
    readonly state: State;
    readonly stayed: boolean;
    readonly sighting: Sighting;
  }[];
  /** Of one observer: in the order of its own calls. */
  readonly own: readonly Clash<State>[];
  /** Between observers: with room for the lag between their backends. */
  readonly across: readonly Clash<State>[];
  /** Sightings that followed another observer's with that room, and agreed. */
  readonly agreed: readonly Sighting[];
}

/**
 * Whether what was seen must show in a later sighting: at once where the same place is looked at again, where something
 * is done, and where an event told of it, whose cause can be read by then; else what is read may follow a while after,
 * and lists after everything (gap `views.lag`).
 */
function mustShow(later: Sighting, seen: Sighting): boolean {
  const [kind, before] = [kindOf(later), kindOf(seen)];
  if (later.via === seen.via || kind === 'deed' || kind === 'event') return true;
  if (kind === 'read' && before === 'event') return true;
  return seen.to + patience.betweenParties < later.from;
}

/**
 * Holds what was seen of one thing against the ways that its state may take. Only sightings that surely followed
 * each other are compared; those in between may have been missed, so `reaches` is over whole ways.
 */
export function progressOf<State extends string>(
  sightings: readonly Sighting[],
  stateOf: (sighting: Sighting) => State | undefined,
  reaches: (from: State, to: State) => boolean,
): Progress<State> {
  const byParty = new Map<string, Seen<State>>();
  const everybody: Seen<State> = new Map();
  const states = sightings.flatMap((sighting) => {
    const state = stateOf(sighting);
    if (state === undefined) return [];
    const seen: Seen<State> = byParty.get(sighting.party) ?? new Map();
    byParty.set(sighting.party, seen);
    note(seen, state, sighting, 'close');
    note(everybody, state, sighting, 'to');
    return [{ state, sighting }];
  });

  const kept: { state: State; stayed: boolean; sighting: Sighting }[] = [];
  const agreed: Sighting[] = [];
  const own: Clash<State>[] = [];
  const across: Clash<State>[] = [];
  for (const later of states) {
    const { sighting } = later;
    const before = all(byParty.get(sighting.party)).filter(
      ([, seen]) => seen !== sighting && seen.close < sighting.open && mustShow(sighting, seen),
    );
    const wrong = before.find(([state]) => !reaches(state, later.state));
    if (wrong) own.push({ earlier: { state: wrong[0], sighting: wrong[1] }, later });
    else if (before.length > 0) {
      const stayed = before.some(([state]) => state === later.state);
      kept.push({ state: later.state, stayed, sighting });
    }

    const elsewhere = all(everybody).filter(
      ([, seen]) =>
        seen.party !== sighting.party && seen.to + patience.betweenParties < sighting.from,
    );
    const apart = elsewhere.find(([state]) => !reaches(state, later.state));
    if (apart && !wrong) across.push({ earlier: { state: apart[0], sighting: apart[1] }, later });
    else if (elsewhere.length > 0) agreed.push(sighting);
  }
  return { kept, own, across, agreed };
}
