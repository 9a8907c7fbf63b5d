import type { ViewCall, Views } from '../../client/views.ts';
import type { Exchange, HistoryRecord, ViewAge } from '../../history/records.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { flushPending } from '../../timeline/event-loop.ts';
import { createKnownStates } from './known-states.ts';
import { createSilentStreams } from './silent-streams.ts';

/** Longest lag, in host milliseconds, that a step waits for. */
export const mostLagMs = 2_000;
/** A host is busy now and then: what is late may be a little later than it was. */
const slack = { part: 0.1, ms: 4 } as const;
/**
 * Each step waits so much longer: little, since the pauses between two looks made what was measured longer already. A view
 * that is later yet is known to be as old as `slack` says.
 */
const waitSlack = { part: 0.002, ms: 0 } as const;
/** No later than a busy host reads what came in time, in host milliseconds. */
const onTimeMs = 3;
/** A host that was busy is waited for a little less with each step: its views stay known to be as old as they were. */
const fadingPart = 0.98;
/** Something new is looked for at most so long, with pauses of at least so much. */
const [measuredMs, pollMs] = [1_500, 2];
/**
 * The pause before a view is read again, as a part of the time so far; close to the lag of an earlier attempt, a shorter one.
 * A look at a stream costs no request.
 */
const readPause = { part: 0.1, closePart: 0.01, closeFrom: 0.9 } as const;
/**
 * A view that shows something old is asked again for so long: as long as three times its lag, and within these. One that
 * followed at once when it was measured may lag by now.
 */
const askAgain = { times: 3, leastMs: 1_500, mostMs: 3_000 } as const;
/** Between two such looks, in host milliseconds. */
const lookAgainMs = 20;
/** So many times views of a kind may stay wrong though they were asked again; after that they are known to be. */
const futileAllowed = 5;

/** Measures and remembers by how much each view follows. */
export interface ViewLags extends Views {
  /** The clock is told to go on by so many milliseconds. */
  moving(ms: number): void;
  /** The clock has been moved, and stands here. */
  moved(instant: number): void;
  /** Something was recorded. */
  readonly noted: (record: HistoryRecord) => void;
  /** Begins to measure: what follows is looked for, each by itself. */
  measuring(): Measuring;
  /** A view was seen to be so late, in host milliseconds; it is waited for as long unless told. */
  learn(party: string, view: View, mostMs: number, waitMs?: number): void;
  /** The parties that have a stream without the heartbeat that was due. */
  overdue(): readonly string[];
  /** Heartbeats that were overdue have come, later than anything that had been measured. */
  cameLate(parties: readonly string[]): void;
  /** Host milliseconds until the messages of the last step have come, by the lags of the open streams. */
  streamsLeftMs(): number;
  /** The clock goes on before the messages of the last step have come: they may come during any later one. */
  passing(): void;
  /** Nobody knows yet: what streams bring may be as old as anything ever is, and what is read is judged later. */
  setUnknown(isUnknown: boolean): void;
}

export type View = EndpointName | 'stream';

/** By how much a view is late, in host milliseconds: as old as it may be, and as long as a step waits for it. */
export interface Lateness {
  readonly mostMs: number;
  readonly waitMs: number;
}
type Purpose = keyof Lateness;
const onTime: Lateness = { mostMs: 0, waitMs: 0 };

/** Lets host time pass between two looks, and nothing else. */
type Rest = (pause: () => Promise<void>) => Promise<void>;
/**
 * Lateness of a view that must show a change. `mostMs` counts from before the request, so it is never less than the true
 * lag; `waitMs` counts from the answer, as after a step. Both are 0 if the first look shows the change. Undefined: the view
 * does not show it.
 * @param look true if the view shows the change; undefined if it never will
 * @param earlier lateness of the same view in an earlier attempt
 */
export type Measuring = (
  place: 'stream' | 'read',
  look: () => Promise<boolean | undefined>,
  rest: Rest,
  earlier?: Lateness,
) => Promise<Lateness | undefined>;

/** Host milliseconds until the next look at a read view. */
function pauseOfRead(lateMs: number, earlier: Lateness | undefined): number {
  const closeMs = (earlier?.mostMs ?? 0) * readPause.closeFrom;
  if (closeMs === 0) return Math.max(pollMs, lateMs * readPause.part);
  return Math.max(pollMs, closeMs - lateMs, lateMs * readPause.closePart);
}

export interface ViewLagsHost {
  /** Host milliseconds. */
  readonly now: () => number;
  /** In host milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Time of the clock at the beginning. */
  readonly instant: number;
}

const isList = (view: View): boolean => view !== 'stream' && endpoints[view].result === 'list';
/** Single reads are alike, and so are lists; a stream is like none of them. */
const isAlike = (one: View, other: View): boolean =>
  one !== 'stream' && other !== 'stream' && isList(one) === isList(other);

/** View that the answer to a call is read from. An action reads from the view of its single resource. */
function viewOf({ endpoint }: ViewCall): View | undefined {
  if (endpoint === undefined) return undefined;
  const { path, method } = endpoints[endpoint];
  if (!isList(endpoint) && !path.includes('{intent_id}')) return undefined;
  if (method === 'GET') return endpoint;
  return endpoint === 'quote.submit' ? 'rfq.read' : 'order.read';
}

/** Rising host moments, and what was reached at each. */
function createLog(first: number) {
  const moments: number[] = [];
  const values: number[] = [];
  return {
    add(moment: number, value: number): void {
      moments.push(moment);
      values.push(value);
    },
    at(moment: number): number {
      let [low, high] = [0, moments.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((moments[middle] ?? Number.POSITIVE_INFINITY) <= moment) low = middle + 1;
        else high = middle;
      }
      return values[low - 1] ?? first;
    },
    last: () => moments.at(-1),
  };
}

/** Lags of the views of a target whose clock is driven. */
export function createViewLags({ now, pause, instant }: ViewLagsHost): ViewLags {
  const lags = new Map<string, Map<View, Lateness>>();
  /** Later than was measured, for the first time: it may have been the network. */
  const seenOnce = new Map<string, number>();
  const moves = createLog(instant);
  const records = createLog(0);
  const states = createKnownStates();
  const streams = createSilentStreams(instant);
  const sentAt = new WeakMap<ViewAge, number>();
  const futile = new Map<View, number>();
  /** Questions that are asked again, each with the moment since which its answer is known to be old. */
  const asking = new Map<string, number>();
  let count = 0;
  /** A host that is busy holds up all views alike: by how much more than was measured, in milliseconds. */
  let extra = onTime;
  let isUnknown = false;
  /** Number of steps so far, and the instants at which the last three ended. */
  let step = 0;
  let ends: readonly [number, number, number] = [instant, instant, instant];
  /**
   * Steps that were passed in a row: a busy host reads late, so that each message may be of any of them, or of the one
   * before, also if it comes two steps later.
   */
  let passed: { readonly since: number; readonly untilStep: number } | undefined;

  const largest = (some: Iterable<number>): number => Math.max(0, ...some);
  /** As it was measured; of a view that nobody could see change, what the party's like it are late, or others' of the same. */
  function measured(party: string, view: View, purpose: Purpose = 'mostMs'): number {
    const own = lags.get(party);
    const known = own?.get(view);
    if (known) return known[purpose];
    const alike = [...(own ?? [])].filter(([other]) => isAlike(other, view));
    const same = [...lags.values()].flatMap((others) => others.get(view) ?? []);
    const isLate = [...(own?.values() ?? []), ...same].some(({ mostMs }) => mostMs > 0);
    // No event of an order shows how late this stream is: its party's other views show that it may be.
    if (view === 'stream' && purpose === 'mostMs' && isLate) return mostLagMs;
    return largest([...alike.map(([, one]) => one), ...same].map((one) => one[purpose]));
  }
  function allowed(
    party: string,
    view: View,
    purpose: Purpose = 'mostMs',
    { part, ms }: typeof slack | typeof waitSlack = slack,
  ): number {
    const lateMs = measured(party, view, purpose);
    if (lateMs <= 0) return 0;
    return Math.min(Math.ceil((lateMs + extra[purpose]) * (1 + part)) + ms, mostLagMs);
  }
  const grown = (known: Lateness, mostMs: number, waitMs: number): Lateness => ({
    mostMs: Math.max(known.mostMs, mostMs),
    waitMs: Math.max(known.waitMs, waitMs),
  });
  function learn(party: string, view: View, mostMs: number, waitMs = mostMs): void {
    const own = lags.get(party) ?? new Map<View, Lateness>();
    lags.set(party, own);
    own.set(view, grown(own.get(view) ?? onTime, mostMs, waitMs));
  }
  /**
   * A busy host delays all views that lag by the same time; a view that did not lag may begin to lag alone. Seen once,
   * it says how old an answer may be; seen twice, each step waits for it.
   */
  function outgrown(party: string, view: View, lateMs: number): void {
    const key = `${party} ${view}`;
    const waitMs = Math.min(seenOnce.get(key) ?? 0, lateMs);
    seenOnce.set(key, lateMs);
    const waited = measured(party, view, 'waitMs');
    // A stream may be later than since the last step, in which its heartbeat need not have been due.
    if (waited === 0) learn(party, view, view === 'stream' ? mostLagMs : lateMs, waitMs);
    else extra = grown(extra, lateMs - measured(party, view), waitMs - waited);
  }
  const passedSince = (): number | undefined =>
    passed && step <= passed.untilStep ? passed.since : undefined;
  const sinceMoveMs = (): number => now() - (moves.last() ?? Number.NEGATIVE_INFINITY);
  const waitUntil = async (moment: number): Promise<void> => {
    const leftMs = moment - now();
    if (leftMs > 0) await pause(leftMs);
  };

  return {
    async caughtUp(call) {
      const view = viewOf(call);
      const lagMs = view ? allowed(call.party, view, 'waitMs', waitSlack) : 0;
      if (lagMs > 0) await waitUntil((moves.last() ?? now() - lagMs) + lagMs);
    },
    ageOf(call) {
      const view = viewOf(call);
      if (!view) return undefined;
      const atLeast = allowed(call.party, view);
      const [moment, before, at] = [now(), count, moves.at(now())];
      // Computed when the answer is judged: the lag may turn out to have been longer.
      const seen = (): number => moment - Math.max(atLeast, allowed(call.party, view));
      const age: ViewAge = {
        get since() {
          return Math.min(at, moves.at(seen()));
        },
        get recordsAgo() {
          // Others may have been recorded in the same millisecond.
          return Math.max(0, before - records.at(seen()));
        },
      };
      sentAt.set(age, moment);
      return age;
    },
    streamSince(party) {
      const lagMs = isUnknown ? mostLagMs : allowed(party, 'stream');
      return Math.min(moves.at(now() - lagMs), passedSince() ?? Number.POSITIVE_INFINITY);
    },
    shouldAskAgain(exchange: Exchange) {
      const { shows, endpoint, party } = exchange;
      const view = viewOf(exchange);
      const moment = shows && sentAt.get(shows);
      if (moment === undefined || !view || view !== endpoint) return false;
      const lagMs = allowed(party, view, 'waitMs');
      if (isUnknown) return false;
      const question = `${exchange.by} ${party} ${exchange.request.path}`;
      const asked = asking.get(question);
      const since = states.olderThan(exchange, moment - Math.max(lagMs, 1));
      asking.delete(question);
      if (since === undefined) {
        // It has caught up: it was later than anything that had been measured.
        if (asked !== undefined) outgrown(party, view, now() - asked);
        return false;
      }
      const mostMs = Math.min(Math.max(askAgain.times * lagMs, askAgain.leastMs), askAgain.mostMs);
      // A view that has been wrong for longer than that does not lag: it is wrong.
      const isWrong = now() - since > lagMs + mostMs;
      if (isWrong && asked !== undefined) futile.set(view, (futile.get(view) ?? 0) + 1);
      if (isWrong || (futile.get(view) ?? 0) >= futileAllowed) return false;
      asking.set(question, since);
      return true;
    },
    rest: () => pause(lookAgainMs),
    moving: (ms) => streams.moving(ms),
    moved(where) {
      moves.add(now(), where);
      step += 1;
      ends = [ends[1], ends[2], where];
      streams.moved(where);
      extra = { ...extra, waitMs: extra.waitMs * fadingPart };
    },
    noted(record) {
      count += 1;
      const moment = now();
      records.add(moment, count);
      states.note(record, moment);
      streams.noted(record);
    },
    measuring() {
      const begun = now();
      return async (place, look, rest, earlier) => {
        // A change that comes right behind the answer is on time.
        await flushPending();
        const first = now();
        for (;;) {
          const looked = now();
          const lateMs = looked - begun;
          const isThere = await look();
          const sinceAnswer = looked - first;
          if (isThere === undefined) return undefined;
          if (isThere && sinceAnswer <= onTimeMs) return onTime;
          if (isThere) return { mostMs: lateMs, waitMs: sinceAnswer };
          if (lateMs >= measuredMs) return undefined;
          const pauseMs = place === 'read' ? pauseOfRead(lateMs, earlier) : pollMs;
          await rest(() => pause(pauseMs));
        }
      };
    },
    learn,
    overdue: () => streams.overdue(),
    cameLate(parties) {
      for (const party of new Set(parties)) outgrown(party, 'stream', sinceMoveMs());
    },
    streamsLeftMs() {
      const waits = Array.from(streams.parties(), (party) =>
        allowed(party, 'stream', 'waitMs', waitSlack),
      );
      return largest(waits) - sinceMoveMs();
    },
    passing() {
      passed = { since: passedSince() ?? ends[0], untilStep: step + 2 };
    },
    setUnknown(unknown) {
      isUnknown = unknown;
    },
  };
}
