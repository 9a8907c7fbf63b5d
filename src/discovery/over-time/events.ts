import type { EventStream } from '../../client/contract.ts';
import type { Frame } from '../../history/records.ts';
import { heartbeat } from '../../spec/events.ts';
import { cancelOptions, type PlacedOrder, targetNow } from '../../suite/actions/index.ts';
import { type ProbeContext, submitQuote } from '../probe/probe-context.ts';
import { acceptQuote, openOrder } from '../probe/quotes.ts';
import { type ProbeOverTime, type Seen, soonMs } from './answer.ts';

const speaksOf =
  (event: string, { intentId }: PlacedOrder) =>
  (frame: Frame): boolean =>
    frame.event === event &&
    JSON.stringify(frame.data ?? null)
      .toLowerCase()
      .includes(intentId.toLowerCase());

const heard = (stream: EventStream, event: string, order: PlacedOrder): boolean =>
  stream.frames.some(speaksOf(event, order));

const cancel = async (t: ProbeContext, order: PlacedOrder): Promise<void> => {
  await t.party('sender').call('order.cancel', cancelOptions(t, order));
};

/** Listens while a request is cancelled, accepted and left to expire: one maker quoted it, another did not. */
export const closedRequestProbe: ProbeOverTime = {
  name: 'closed requests',
  gaps: ['event.rfq_closed', 'event.rfq_closed_to'],
  async run(t) {
    const quoting = await t.party('maker_a').listen();
    const silent = t.has('maker_b') ? await t.party('maker_b').listen() : undefined;
    const streams = [quoting, ...(silent ? [silent] : [])];
    try {
      return await closingsSeen(t, streams);
    } finally {
      for (const stream of streams) await stream.close();
    }
  },
};

async function closingsSeen(t: ProbeContext, streams: readonly EventStream[]): Promise<Seen> {
  const { timeline, clock } = t.target;
  const cancelled = await openOrder(t);
  await submitQuote(t, cancelled);
  await cancel(t, cancelled);
  const accepted = await openOrder(t);
  const { id } = await submitQuote(t, accepted);
  const expired = await openOrder(t);
  await submitQuote(t, expired);
  const { expiresAt } = expired;
  if (id === undefined || expiresAt === undefined) return [];
  await acceptQuote(t, accepted, id);
  if (expiresAt - targetNow(t).latest > clock.maxWaitMs) return [];
  await timeline.until(expiresAt - clock.offset.least + soonMs);
  const told = (order: PlacedOrder): readonly boolean[] =>
    streams.map((stream) => heard(stream, 'quote_request_expired', order));
  const onExpiry = told(expired);
  const closes = [cancelled, accepted].map((order) => told(order).includes(true));
  return onExpiry.includes(true) ? [...causesOf(closes), ...addresseesOf(onExpiry)] : [];
}

function causesOf([onCancel, onAccept]: readonly boolean[]): Seen {
  if (onCancel && onAccept) return [['event.rfq_closed', 'every-end']];
  if (onAccept) return [['event.rfq_closed', 'expiry and accept']];
  return [['event.rfq_closed', onCancel ? 'expiry-and-cancel' : 'expiry-only']];
}

/** Empty if only one maker is declared. */
function addresseesOf([quoting, silent]: readonly (boolean | undefined)[]): Seen {
  if (silent === undefined) return [];
  if (quoting && silent) return [['event.rfq_closed_to', 'all']];
  return [['event.rfq_closed_to', quoting ? 'quoted' : 'not-quoted']];
}

/** Listens while an order is created, and resumes after its end was missed. */
export const resumeProbe: ProbeOverTime = {
  name: 'resumed stream',
  gaps: ['stream.resume', 'event.creation'],
  async run(t) {
    const { timeline } = t.target;
    const sender = t.party('sender');
    const before = await sender.listen();
    // The observers tell from the first events of an order whether its creation was one (gap `event.creation`).
    const seen = await openOrder(t);
    const missed = await openOrder(t);
    await cancel(t, seen);
    await timeline.sleep(soonMs);
    await before.close();
    await cancel(t, missed);
    await timeline.sleep(soonMs);
    const lastEventId = before.frames.findLast(
      ({ eventId, event }) => eventId !== undefined && event !== heartbeat,
    )?.eventId;
    if (lastEventId === undefined) return [['stream.resume', 'none']];
    const after = await sender.listen({ lastEventId });
    await timeline.sleep(soonMs);
    await after.close();
    if (!heard(before, 'order_updated', seen)) return [];
    const resumed = heard(after, 'order_updated', missed);
    return [['stream.resume', resumed ? 'last-event-id' : 'none']];
  },
};
