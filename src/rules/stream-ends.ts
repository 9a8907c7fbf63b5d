import { heartbeat } from '../spec/events.ts';
import { limits } from '../spec/limits.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import { issued } from './tokens.ts';
import { momentIn } from './view/sightings.ts';
import { showsEnd } from './view/stories.ts';
import type { StreamStory } from './view/streams.ts';
import type { HistoryView } from './view.ts';

const most = limits.heartbeatIntervalMs + patience.heartbeat;
const least = limits.heartbeatIntervalMs - patience.heartbeat;

/** Whether a target may have had a reason to end a stream. */
function isExcused(view: HistoryView, stream: StreamStory): boolean {
  return isDisplaced(view, stream) || hasToldAll(view, stream) || hasOutlivedToken(view, stream);
}

/** A stream may end with the token that it was opened with (gap `stream.closing`). */
function hasOutlivedToken(
  view: HistoryView,
  { call, party, openedMs, endedMs }: StreamStory,
): boolean {
  const { least, most: latest } = view.context.offset;
  const [from, to] = [openedMs + least - patience.stamp, endedMs + latest + patience.stamp];
  return view.once(issued).some(([token, { exp }]) => {
    if (token.party !== party || token.close >= call.open) return false;
    // What had expired before cannot have opened the stream.
    return typeof exp === 'number' && exp * 1_000 >= from && exp * 1_000 <= to;
  });
}

/** Of one order that has ended there is nothing left to tell (gap `stream.closing`). */
function hasToldAll(view: HistoryView, { filter, party, endedMs }: StreamStory): boolean {
  const sightings = view.orders.get(filter ?? '')?.sightings ?? [];
  if (!sightings.some(showsEnd)) return false;
  const settledAt = momentIn(sightings, 'settled_at') ?? Number.NEGATIVE_INFINITY;
  if (settledAt - view.context.offset.most - patience.stamp > endedMs) return false;
  // An event may have been under way for a while; what a party reads is so, of its own backend.
  return !sightings.some((seen) => {
    const lag = seen.party === party ? 0 : patience.betweenParties;
    return !seen.frame && seen.from > endedMs + lag && !showsEnd(seen);
  });
}

/** One party may be granted one stream only, the newer closing the older (gap `stream.per_party`). */
function isDisplaced(view: HistoryView, stream: StreamStory): boolean {
  return view.streams.some(
    (other) =>
      other !== stream &&
      other.party === stream.party &&
      other.call.close > stream.call.close &&
      other.call.open < stream.end,
  );
}

export const staysOpen = defineRule({
  id: 'stream.stays-open',
  title: 'A stream stays open at least from one heartbeat to the next',
  requirements: ['stream.stays-open'],
  judge(view, tally) {
    for (const stream of view.streams) {
      if (!stream.call.own) continue;
      const lasted = stream.endedMs - stream.openedMs;
      if (lasted > most) tally.pass('stream.stays-open', stream.id);
      else if (stream.ended?.cause === 'target' && lasted < least && !isExcused(view, stream)) {
        tally.fail('stream.stays-open', {
          message: `the target ended a stream ${lasted / 1000} s after it had opened`,
          expected: 'an open stream',
          evidence: [stream.id],
        });
      }
    }
  },
});

/** A network that cuts so many streams, each at its first event or its second, cuts them for what they carry. */
const tooMany = 5;

/**
 * A stream that breaks off may be the network's fault, and what it would have told is not missed: but not where all of
 * them do as soon as they have something to tell.
 */
export const outlivesEvents = defineRule({
  id: 'stream.outlives-events',
  title: 'A stream goes on after it has told something',
  requirements: ['stream.stays-open'],
  judge(view, tally) {
    for (const kind of ['order', 'maker'] as const) {
      const streams = view.streams.filter((stream) => stream.kind === kind && stream.call.own);
      const told = ({ frames }: StreamStory): number =>
        frames.filter(({ frame }) => frame.event !== heartbeat).length;
      const broken = streams.filter(
        (stream) =>
          stream.ended !== undefined &&
          stream.ended.cause !== 'us' &&
          told(stream) <= 1 &&
          !isExcused(view, stream),
      );
      const goesOn = streams.some((stream) => told(stream) > 1);
      const [stream] = broken;
      if (!stream || broken.length < tooMany || goesOn) continue;
      tally.fail('stream.stays-open', {
        message: `${broken.length} streams broke off, and none told more than one event`,
        expected: 'a stream that stays open',
        actual: stream.ended?.message ?? 'ended by the target',
        evidence: broken.slice(0, tooMany).map(({ id }) => id),
      });
    }
  },
});
