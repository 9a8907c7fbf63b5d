import type { Trial } from '../../src/conformance/check.ts';
import type { PlacedOrder } from '../../src/conformance/moves/index.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { stateTold } from '../3-states/told.ts';
import { isOf, told } from './listening.ts';

export const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/**
 * Whether a party's stream was open all the while, so that what it did not tell was not sent. Where time stands still,
 * one that was opened again at that very moment may have been so too late.
 */
export const heardSince = (trial: Trial, by: CastName, moment: number): boolean => {
  const { isOpen, opened } = trial.party(by).events;
  if (!isOpen || opened.received > moment) return false;
  if (opened.received < moment) return true;
  return !trial.target.history.records.some((one) => one.kind === 'end' && one.by === opened.by);
};

interface Due {
  readonly by: CastName;
  readonly requirement: RequirementId;
  readonly event: string;
  readonly match?: (frame: Frame) => boolean;
}

/** Judges that a party was told of an order, once what was sent has had its time to arrive. */
export function judgeTold(
  trial: Trial,
  order: PlacedOrder,
  { by, requirement, event, match }: Due,
): void {
  if (!heardSince(trial, by, order.exchange.sent)) return;
  const { events } = trial.party(by);
  const frame = events.frames.find((one) => isOf(order, event)(one) && (match?.(one) ?? true));
  trial.judge(requirement, frame !== undefined, {
    message: `${by} was not told ${event}.`,
    expected: { event, intent_id: order.intentId },
    seen: [order.exchange, events.opened],
  });
}

/** Judges that a party was not told of an order. */
export function judgeSpared(
  trial: Trial,
  order: PlacedOrder,
  { by, requirement, event, match }: Due,
): void {
  if (!heardSince(trial, by, order.exchange.sent)) return;
  const frame = trial
    .party(by)
    .events.frames.find((one) => isOf(order, event)(one) && (match?.(one) ?? true));
  trial.judge(requirement, frame === undefined, {
    message: `${by} was told ${event} of an order, and must not be.`,
    expected: 'no such event',
    actual: frame?.data,
    seen: frame ? [order.exchange, frame] : [order.exchange],
  });
}

/** A payload may have the named fields only: then no event of a quote names its order (gap `event.payload`). */
export const namesOrders = (trial: Trial, among: readonly CastName[], event: string): boolean =>
  among.some((by) =>
    trial
      .party(by)
      .events.frames.some(
        (frame) => frame.event === event && told(frame, 'intent_id') !== undefined,
      ),
  );

export const tellsState =
  (order: PlacedOrder, ...states: readonly string[]) =>
  (frame: Frame): boolean =>
    states.includes(stateTold(frame, order) ?? '');

/** Frames of one event of one order on the shared stream of a party. */
export const framesOf = (
  trial: Trial,
  by: CastName,
  order: PlacedOrder,
  event: string,
): readonly Frame[] => trial.party(by).events.frames.filter(isOf(order, event));
