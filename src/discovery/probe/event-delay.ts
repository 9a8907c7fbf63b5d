import type { Exchange, Frame } from '../../history/records.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { terminalOrderStates } from '../../spec/states.ts';
import type { EventDelay } from '../../target/clock/event-delay.ts';
import { fieldsOf, succeeded, textOf } from '../../protocol/answers.ts';
import { cancelOptions, paramsOf, type PlacedOrder } from '../../suite/actions/index.ts';
import { discoveryActor, placeOrder, type ProbeContext } from './probe-context.ts';

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

/** Host milliseconds by which things came late, each in its place. */
interface Lateness {
  readonly events: readonly number[];
  readonly reads: readonly number[];
}

/** Who reads a new order, and where. */
const readers = [
  ['sender', 'order.read'],
  ['sender_custodian', 'order.read'],
  ['maker_a', 'rfq.read'],
  ['maker_b', 'rfq.read'],
  ['maker_c', 'rfq.read'],
] as const;

/** Who hears of a new order, and of its end. */
const listeners = {
  created: ['maker_a', 'maker_b', 'maker_c'],
  ended: ['sender', 'sender_custodian'],
} as const;

/** How late the events of one order's creation and of its cancellation come, and how late both can be read. */
async function delaysOf(t: ProbeContext, eventDelay: EventDelay): Promise<Lateness> {
  const { timeline } = t.target;
  const order = await placeOrder(t);
  // Until it is known, the clock stays where it is.
  const delayOf = async (party: CastName, isIt: (frame: Frame) => boolean): Promise<number> => {
    const announces = (frame: Frame): boolean => isIt(frame) && names(frame, order);
    const hasArrived = (): boolean => t.has(party) && t.party(party).events.frames.some(announces);
    return (await timeline.turn(() => eventDelay.delayOf(hasArrived))) ?? 0;
  };
  const delayOfReads = (
    by: readonly (typeof readers)[number][],
    shows: (exchange: Exchange) => boolean,
  ) =>
    timeline.together(
      by
        .filter(([party]) => t.has(party))
        .map(([party, endpoint]) => {
          const read = async (): Promise<boolean> =>
            shows(await t.party(party).call(endpoint, { params: paramsOf(order) }));
          const wait = async (): Promise<number> =>
            (await eventDelay.delayOfRead(read, (pause) => timeline.turn(pause))) ?? 0;
          return [`${discoveryActor} ${party}`, wait] as const;
        }),
    );
  const both = async (
    by: readonly CastName[],
    isIt: (frame: Frame) => boolean,
    reads: () => Promise<readonly number[]>,
  ): Promise<Lateness> => {
    const hearing = by.map(
      (party) => [`${discoveryActor} events of ${party}`, () => delayOf(party, isIt)] as const,
    );
    const [events = [], read = []] = await timeline.together<readonly number[]>([
      [`${discoveryActor} events`, () => timeline.together(hearing)],
      [`${discoveryActor} reads`, reads],
    ]);
    return { events, reads: read };
  };
  const created = await both(listeners.created, isNew, () => delayOfReads(readers, succeeded));
  const cancel = await t.party('sender').call('order.cancel', cancelOptions(t, order));
  if (!succeeded(cancel)) return created;
  const cancelled = await both(listeners.ended, isEnd, () =>
    delayOfReads(readers.slice(0, 2), showsEnd),
  );
  return {
    events: [...created.events, ...cancelled.events],
    reads: [...created.reads, ...cancelled.reads],
  };
}

const showsEnd = (exchange: Exchange): boolean =>
  terminalOrderStates.some((state) => state === textOf(fieldsOf(exchange), 'status'));

/**
 * A target whose clock is driven may do in host time what follows from an answer: its events come from a queue, an
 * order ends a moment after its cancellation was taken, a party reads it from a view that follows. The clock is then
 * moved on no sooner than that.
 */
export async function probeEventDelay(t: ProbeContext, eventDelay: EventDelay): Promise<void> {
  const seen: Lateness[] = [];
  while (seen.length < attempts) {
    const found = await delaysOf(t, eventDelay);
    if ([...found.events, ...found.reads].every((ms) => ms <= onTimeMs)) return;
    seen.push(found);
  }
  eventDelay.allow(mostOfAll(seen.map(({ events }) => events)));
  eventDelay.allowReads(mostOfAll(seen.map(({ reads }) => reads)));
}

/** The latest of several things, each of which was looked at several times. */
function mostOfAll(seen: readonly (readonly number[])[]): number {
  const places = Math.max(...seen.map(({ length }) => length));
  const each = Array.from({ length: places }, (_, place) =>
    mostOf(seen.map((found) => found[place] ?? 0)),
  );
  return Math.max(...each);
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
