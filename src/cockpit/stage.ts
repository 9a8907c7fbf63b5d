import type { Exchange } from '../history/records.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import type { LineEntry, What } from './line-entry.ts';
import type { FaultShown } from './view/messages.ts';
import type { Upcoming } from './view/board.ts';

/** A target that is open, as the cockpit acts on it. */
export interface Stage {
  readonly target: OpenedTarget;
  /** Whether its time is moved from here; else it passes by itself. */
  readonly isDriven: boolean;
  readonly faults: readonly FaultShown[];
  /** Does one thing now; answers with the exchange, where it was a call. */
  carryOut(what: What, driver: LineEntry['driver']): Promise<Exchange | undefined>;
  /** Lets time pass up to a moment, and all that is due by then happen. */
  passUntil(instant: number): Promise<void>;
  /** What is due next, in order of time; undefined where only the orders tell. */
  upcoming(): readonly Upcoming[] | undefined;
  holdings(): Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Faults that stand, in words. */
  standing(): readonly string[];
  /** Intent ids of orders that a fault may have pushed off their path; `all`: every one. */
  disturbed(): readonly string[];
  close(): Promise<void>;
}

/** Acts on a target as one actor of its timeline. */
export const acting = <T>(target: OpenedTarget, body: () => Promise<T>): Promise<T> =>
  target.timeline.act('cockpit', body);

export async function passUntil(target: OpenedTarget, instant: number): Promise<void> {
  const { timeline } = target;
  await acting(target, async () => {
    await timeline.until(instant);
    // What is due at that very moment may come after whoever slept until it.
    await timeline.sleep(0);
  });
}
