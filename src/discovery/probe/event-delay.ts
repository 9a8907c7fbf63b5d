import type { Frame } from '../../history/records.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { terminalOrderStates } from '../../spec/states.ts';
import type { EventDelay } from '../../target/clock/event-delay.ts';
import { succeeded } from '../../protocol/answers.ts';
import { cancelOptions, type PlacedOrder } from '../../suite/actions/index.ts';
import { placeOrder, type ProbeContext } from './probe-context.ts';

/** No later than a busy host reads what came in time, in host milliseconds. */
const onTimeMs = 3;
/** A host is busy now and then, and hardly twice in so many times. */
const attempts = 5;

const isNew = ({ event }: Frame): boolean => event === 'quote_request_new';
/** Its creation may have been told by an `order_updated` as well (gap `event.creation`). */
const isEnd = ({ event, data }: Frame): boolean =>
  event === 'order_updated' &&
  terminalOrderStates.some((state) => JSON.stringify(data ?? null).includes(`"${state}"`));

const names = ({ data }: Frame, { intentId }: PlacedOrder): boolean =>
  JSON.stringify(data ?? null)
    .toLowerCase()
    .includes(intentId.toLowerCase());

/** How late the events of one order's creation and of its cancellation come. */
async function delaysOf(t: ProbeContext, eventDelay: EventDelay): Promise<readonly number[]> {
  const order = await placeOrder(t);
  // Until it is known, the clock stays where it is.
  const delayOf = async (party: CastName, isIt: (frame: Frame) => boolean): Promise<number> => {
    const announces = (frame: Frame): boolean => isIt(frame) && names(frame, order);
    const hasArrived = (): boolean => t.has(party) && t.party(party).events.frames.some(announces);
    return (await t.target.timeline.turn(() => eventDelay.delayOf(hasArrived))) ?? 0;
  };
  const created = await delayOf('maker_a', isNew);
  const cancel = await t.party('sender').call('order.cancel', cancelOptions(t, order));
  return succeeded(cancel) ? [created, await delayOf('sender', isEnd)] : [created];
}

/**
 * A target whose clock is driven may do in host time what follows from an answer: its events come from a queue, an
 * order ends a moment after its cancellation was taken. The clock is then moved on no sooner than that.
 */
export async function probeEventDelay(t: ProbeContext, eventDelay: EventDelay): Promise<void> {
  const seen: (readonly number[])[] = [];
  while (seen.length < attempts) {
    const found = await delaysOf(t, eventDelay);
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
