import type { Party } from '../../client/contract.ts';
import type { Frame } from '../../history/records.ts';
import { terminalOrderStates } from '../../spec/states.ts';
import type { Arrivals } from '../arrivals.ts';
import { callAs, type Ground } from './ground.ts';
import { succeeded } from './look.ts';

/** No later than a busy host reads what came in time, in host milliseconds. */
const onTimeMs = 3;
/** A host is busy now and then, and hardly twice in so many times. */
const attempts = 5;

const isNew = ({ event }: Frame): boolean => event === 'quote_request_new';
/** Its creation may have been told by an `order_updated` as well (gap `event.creation`). */
const isEnd = ({ event, data }: Frame): boolean =>
  event === 'order_updated' &&
  terminalOrderStates.some((state) => JSON.stringify(data ?? null).includes(`"${state}"`));

const names = ({ data }: Frame, id: string): boolean =>
  JSON.stringify(data ?? null)
    .toLowerCase()
    .includes(id.toLowerCase());

/** How late one order's creation is told, and its cancellation; empty where nothing can be said of it. */
async function latenesses(ground: Ground, arrivals: Arrivals): Promise<readonly number[]> {
  const order = await ground.order();
  if (!order) return [];
  const [maker, sender] = [ground.party('maker_a'), ground.party('sender')];
  // Until it is known, the clock stays where it is.
  const lateness = (party: Party | undefined, isIt: (frame: Frame) => boolean) => {
    const isTold = (frame: Frame): boolean => isIt(frame) && names(frame, order.id);
    const hasHeard = (): boolean => party?.events.frames.some(isTold) ?? false;
    return ground.target.timeline.turn(() => arrivals.lateness(hasHeard));
  };
  const created = await lateness(maker, isNew);
  const cancel = await callAs(ground, 'sender', 'order.cancel', {
    params: { intent_id: order.id },
  });
  if (!cancel || !succeeded(cancel)) return [created ?? 0];
  return [created ?? 0, (await lateness(sender, isEnd)) ?? 0];
}

/**
 * A target whose clock is driven may do in host time what follows from an answer: its events come from a queue, an
 * order ends a moment after its cancellation was taken. The clock is then moved on no sooner than that.
 */
export async function probeLateness(ground: Ground, arrivals: Arrivals): Promise<void> {
  const seen: (readonly number[])[] = [];
  while (seen.length < attempts) {
    const found = await latenesses(ground, arrivals);
    if (found.every((ms) => ms <= onTimeMs)) return;
    seen.push(found);
  }
  const most = [0, 1].map((which) => mostOf(seen.map((found) => found[which] ?? 0)));
  arrivals.allow(Math.max(...most));
}

/**
 * How late it may be that was so late each time. What waits for a timer is as late each time; what a queue is asked for
 * now and then, is anything up to its pause. The least and the greatest say nothing, as long as a host may be busy.
 */
function mostOf(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (attempts - 1))] ?? 0;
  return at(0.5) + at(0.75) - at(0.25);
}
