import type { CheckContext, Evidence } from '../engine/check.ts';
import type { Exchange, Span } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { isRefusal, textOf } from '../../protocol/answers.ts';
import { equalValues } from '../../protocol/equality.ts';
import { type CastName, castNames, type RequirementId } from '../../spec/requirements/index.ts';
import type { Target } from '../../client/contract.ts';

/** Context that an action needs from its caller: a check, or discovery. */
export type ActionContext = Pick<CheckContext, 'target' | 'random' | 'party' | 'notExercised'> &
  Partial<Pick<CheckContext, 'draws'>>;

type Bodies = readonly (() => Promise<unknown>)[];
/** Result of each body, at the same index. */
type Answers<B extends Bodies> = { -readonly [Place in keyof B]: Awaited<ReturnType<B[Place]>> };

/**
 * Runs independent bodies side by side, so that a slow target takes only as long as for the longest one. Begins in the
 * order given, and ends once all have ended.
 */
export async function concurrently<const B extends Bodies>(
  { target: { timeline } }: Pick<ActionContext, 'target'>,
  bodies: B,
): Promise<Answers<B>> {
  const named = bodies.map((body, place) => [`${place + 1}`, body] as const);
  return (await timeline.together<unknown>(named)) as Answers<B>;
}

/** Does the same with each item, side by side. */
export const concurrentlyEach = async <Item, Answer>(
  t: Pick<ActionContext, 'target'>,
  items: readonly Item[],
  act: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> =>
  concurrently(
    t,
    items.map((item) => () => act(item)),
  );

const firstPauseMs = 100;
const longestPauseMs = 500;

/**
 * Reads with a growing pause until the result is accepted. Backends may be eventually consistent: a party may not
 * see its own write yet, or that of another party (gap `views.lag`). After the longest tolerated lag, it returns
 * the last read, accepted or not.
 */
export async function pollUntil<T>(
  t: ActionContext,
  read: () => Promise<T>,
  isAccepted: (seen: T) => boolean,
): Promise<T> {
  const { timeline } = t.target;
  const end = timeline.now() + tolerance.replicationLagMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const seen = await read();
    if (isAccepted(seen) || timeline.now() >= end) return seen;
    await timeline.until(Math.min(end, timeline.now() + pauseMs));
  }
}

/** Repeats a call while it is refused, as it may be by a backend that does not know the order or the quote yet. */
export const retryWhileRefused = (
  t: ActionContext,
  call: () => Promise<Exchange>,
): Promise<Exchange> => pollUntil(t, call, (exchange) => !isRefusal(exchange));

/** The declared party with this identifier; undefined if the target file declares none. */
export const declaredParty = (
  t: Pick<ActionContext, 'target' | 'party'>,
  partyId: unknown,
): CastName | undefined =>
  castNames.find(
    (name) => t.target.parties[name] && equalValues('party_id', t.party(name).partyId, partyId),
  );

/**
 * True if a quote, or an event about one, is by a maker that the target file does not declare. A backend may serve
 * other clients beside the suite, and their makers may quote any open order at any time.
 */
export function isByUndeclaredMaker(t: ActionContext, shown: unknown): boolean {
  const maker = textOf(shown, 'market_maker_party_id');
  return maker !== undefined && declaredParty(t, maker) === undefined;
}

/** A moment of the target's clock, known no better than this. Milliseconds since the epoch, both ends included. */
export interface Interval {
  readonly earliest: number;
  readonly latest: number;
}

type HasTarget = { readonly target: Pick<Target, 'clock' | 'timeline'> };

/** Interval of the target's clock in which it handled a request: between our sending and our receiving. */
export function targetTime({ target }: HasTarget, span: Span): Interval {
  const { least, most } = target.clock.offset;
  return { earliest: span.sent + least, latest: span.received + most };
}

/** Current time on the target's clock. */
export function targetNow(t: HasTarget): Interval {
  const now = t.target.timeline.now();
  return targetTime(t, { sent: now, received: now });
}

/**
 * True if something happened before a moment of the target's clock. `undefined`: the interval holds the moment, and
 * either may be true. The very moment belongs to neither side (gap `time.boundary`).
 */
export function isBefore(when: Interval, moment: number): boolean | undefined {
  if (when.latest < moment) return true;
  return when.earliest > moment ? false : undefined;
}

/** True if a timestamp of the target lies in an interval, give or take some milliseconds. */
export function liesWithin(moment: number, when: Interval, slackMs = 0): boolean {
  return moment >= when.earliest - slackMs && moment <= when.latest + slackMs;
}

/** Waits until the target's clock is certainly past a moment, and then for `extraMs` more. */
export async function untilPast(t: CheckContext, moment: number, extraMs = 0): Promise<void> {
  const { timeline, clock } = t.target;
  await timeline.until(moment - clock.offset.least + 1 + extraMs);
}

/** Judges an outcome that may be undecidable: `undefined` is inconclusive, with `undecidable` as the reason. */
export function assertOrInconclusive(
  t: CheckContext,
  requirement: RequirementId,
  holds: boolean | undefined,
  otherwise: Evidence & { readonly undecidable: string },
): boolean | undefined {
  if (holds === undefined) t.inconclusive(requirement, otherwise.undecidable);
  else t.assert(requirement, holds, otherwise);
  return holds;
}
