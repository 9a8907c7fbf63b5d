import type { Target } from '../../client/contract.ts';
import type { Span } from '../../history/records.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Evidence, CheckContext } from '../engine/check.ts';

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
