import type { Party } from '../../client/contract.ts';
import type { Frame } from '../../history/records.ts';
import { terminalOrderStates } from '../../spec/states.ts';
import type { EventDelay } from '../../target/clock/event-delay.ts';
import { callAs, type ProbeContext } from './probe-context.ts';
import { succeeded } from '../../protocol/exchange-queries.ts';

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
async function delaysOf(context: ProbeContext, eventDelay: EventDelay): Promise<readonly number[]> {
  const order = await context.order();
  if (!order) return [];
  const [maker, sender] = [context.party('maker_a'), context.party('sender')];
  // Until it is known, the clock stays where it is.
  const delayOf = (party: Party | undefined, isIt: (frame: Frame) => boolean) => {
    const announces = (frame: Frame): boolean => isIt(frame) && names(frame, order.id);
    const hasArrived = (): boolean => party?.events.frames.some(announces) ?? false;
    return context.target.timeline.turn(() => eventDelay.delayOf(hasArrived));
  };
  const created = await delayOf(maker, isNew);
  const cancel = await callAs(context, 'sender', 'order.cancel', {
    params: { intent_id: order.id },
  });
  if (!cancel || !succeeded(cancel)) return [created ?? 0];
  return [created ?? 0, (await delayOf(sender, isEnd)) ?? 0];
}

/**
 * A target whose clock is driven may do in host time what follows from an answer: its events come from a queue, an
 * order ends a moment after its cancellation was taken. The clock is then moved on no sooner than that.
 */
export async function probeEventDelay(
  context: ProbeContext,
  eventDelay: EventDelay,
): Promise<void> {
  const seen: (readonly number[])[] = [];
  while (seen.length < attempts) {
    const found = await delaysOf(context, eventDelay);
    if (found.every((ms) => ms <= onTimeMs)) return;
    seen.push(found);
  }
  const most = [0, 1].map((which) => mostOf(seen.map((found) => found[which] ?? 0)));
  eventDelay.allow(Math.max(...most));
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
