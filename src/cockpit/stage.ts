import type { Exchange } from '../history/records.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import type { LineEntry, What } from './line-entry.ts';
import { drivers } from './row-of.ts';
import type { FaultShown } from './view/messages.ts';
import type { Upcoming } from './view/board.ts';

/** An open target with the actions of the cockpit. */
export interface Stage {
  readonly target: OpenedTarget;
  /** True if the cockpit moves its time; otherwise it passes by itself. */
  readonly isDriven: boolean;
  readonly faults: readonly FaultShown[];
  /** Performs one action now; resolves to the exchange if it was a call. */
  carryOut(what: What, driver: LineEntry['driver']): Promise<Exchange | undefined>;
  /** Lets time pass up to a moment; everything due by then happens. */
  passUntil(instant: number): Promise<void>;
  /** Next deadlines, in order of time; undefined if only the orders show them. */
  upcoming(): readonly Upcoming[] | undefined;
  holdings(): Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Active faults, in words. */
  standing(): readonly string[];
  /** Intent ids of orders that a fault may have affected; `all`: every one. */
  disturbed(): readonly string[];
  close(): Promise<void>;
}

/** Runs a function as one actor of the target's timeline. */
export const acting = <T>(target: OpenedTarget, body: () => Promise<T>): Promise<T> =>
  target.timeline.act('cockpit', body);

/** Sends the request of an action. */
export const callOn = (
  target: OpenedTarget,
  { party, endpoint, params, query, body }: Extract<What, { readonly what: 'call' }>,
  driver: LineEntry['driver'],
): Promise<Exchange> =>
  target.party(party, drivers[driver]).call(endpoint, {
    params,
    ...(query && { query }),
    ...(body !== undefined && { body }),
  });

export async function passUntil(target: OpenedTarget, instant: number): Promise<void> {
  const { timeline } = target;
  await acting(target, async () => {
    await timeline.until(instant);
    // Events due at exactly this moment may come after an actor that slept until it.
    await timeline.sleep(0);
  });
}
