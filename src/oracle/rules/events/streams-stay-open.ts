import { tolerance } from '../../../protocol/tolerances.ts';
import { eventKinds, type EventName, heartbeat } from '../../../spec/events.ts';
import { limits } from '../../../spec/limits.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { isTerminal } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import { makersOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { certainSelection } from '../../trace/selections.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import type { StreamTrace } from '../../trace/streams.ts';
import { type OrderTrace, showsTerminal } from '../../trace/traces.ts';
import { issuedTokens } from '../auth/tokens-and-their-claims.ts';
import { type Change, changesOf } from './order-updated.ts';
import { losersOf } from './selection-events.ts';

const most = limits.heartbeatIntervalMs + tolerance.heartbeat;
const least = limits.heartbeatIntervalMs - tolerance.heartbeat;

/** True if the target may have had a reason to end the stream. */
export function isExcused(view: HistoryView, stream: StreamTrace): boolean {
  return (
    isDisplaced(view, stream) ||
    hasDeliveredAll(view, stream) ||
    hasOutlivedToken(view, stream) ||
    isRestarted(view, stream)
  );
}

/** A target ends its streams when it restarts. */
const isRestarted = (
  { context: { restarts = [] } }: HistoryView,
  { openUntilMs, endedMs }: StreamTrace,
): boolean =>
  restarts.some(({ from, to }) => endedMs >= from && openUntilMs <= to + tolerance.stamp);

/** A stream may end with the token that it was opened with (gap `stream.closing`). */
function hasOutlivedToken(
  view: HistoryView,
  { call, party, openedMs, endedMs }: StreamTrace,
): boolean {
  const { least, most: latest } = view.context.offset;
  const [from, to] = [openedMs + least - tolerance.stamp, endedMs + latest + tolerance.stamp];
  return view.once(issuedTokens).some(([token, { exp }]) => {
    if (token.party !== party || token.close >= call.open) return false;
    // A token that had expired before cannot have opened the stream.
    return typeof exp === 'number' && exp * 1_000 >= from && exp * 1_000 <= to;
  });
}

/** Of one order that has ended there is nothing left to tell (gap `stream.closing`). */
function hasDeliveredAll(view: HistoryView, { filter, party, endedMs }: StreamTrace): boolean {
  const snapshots = view.order(filter)?.snapshots ?? [];
  if (!snapshots.some(showsTerminal)) return false;
  const settledAt = timestampIn(snapshots, 'settled_at') ?? Number.NEGATIVE_INFINITY;
  if (settledAt - view.context.offset.most - tolerance.stamp > endedMs) return false;
  // An event may have been under way for a while; a party's read of its own backend is current.
  return !snapshots.some((seen) => {
    const lag = seen.party === party ? 0 : tolerance.replicationLagMs;
    return !seen.frame && seen.from > endedMs + lag && !showsTerminal(seen);
  });
}

/** One party may be granted one stream only, the newer closing the older (gap `stream.per_party`). */
function isDisplaced(view: HistoryView, stream: StreamTrace): boolean {
  return view.streams.some(
    (other) =>
      other !== stream &&
      other.party === stream.party &&
      other.call.close > stream.call.open &&
      other.call.open < stream.end,
  );
}

const streamStaysOpen = defineRule({
  id: 'stream.stays-open',
  title: 'A stream stays open at least from one heartbeat to the next',
  requirements: ['stream.stays-open'],
  judge(view, findings) {
    for (const stream of view.streams) {
      if (!stream.call.own) continue;
      const lasted = stream.endedMs - stream.openedMs;
      if (lasted > most) findings.pass('stream.stays-open', stream.id);
      else if (stream.ended?.cause === 'target' && lasted < least && !isExcused(view, stream)) {
        findings.fail('stream.stays-open', {
          message: `the target ended a stream ${lasted / 1000} s after it had opened`,
          must: { words: 'an open stream' },
          evidence: [stream.id],
        });
      }
    }
  },
});

/** Number of streams, all broken off at the same event, that is no accident of the network. */
const tooMany = 5;

/** An occurrence whose event is due to some parties. It happened within a span of our milliseconds. */
interface Occasion {
  readonly audience: readonly (string | undefined)[];
  /** Place before which a stream must have been open. */
  readonly since: number;
  readonly fromMs: number;
  readonly byMs: number;
}

type OccasionsOf = (view: HistoryView, trace: OrderTrace) => readonly Occasion[];

const occasions = {
  order_updated: [
    'event.order-updated.sent',
    (view, trace) =>
      changesOf(trace)
        .filter(({ state }) => isTerminal(state))
        .map((change) => atChange(view, trace, change, orderSide(view, trace))),
  ],
  quote_received: [
    'event.quote-received.sent',
    (view, trace) =>
      trace.submissions.filter(({ ok }) => ok).map((call) => atCall(call, orderSide(view, trace))),
  ],
  quote_request_new: [
    'event.quote-request-new.sent',
    (view, { creation }) => (creation?.ok ? [atCall(creation, makersOf(view))] : []),
  ],
  quote_accepted: [
    'event.quote-accepted.sent',
    (view, trace) => {
      const selected = certainSelection(view, trace);
      return selected ? [atCall(selected[0], [selected[1].maker])] : [];
    },
  ],
  quote_rejected: [
    'event.quote-rejected.sent',
    (view, trace) => {
      const selected = certainSelection(view, trace);
      return selected ? [atCall(selected[0], losersOf(view, trace, selected[1], selected[0]))] : [];
    },
  ],
  settlement_completed: [
    'event.settlement-completed.sent',
    (view, trace) => {
      const selected = certainSelection(view, trace);
      const settled = changesOf(trace).find(({ state }) => state === 'SETTLED');
      return selected && settled ? [atChange(view, trace, settled, [selected[1].maker])] : [];
    },
  ],
} as const satisfies Partial<Record<EventName, readonly [RequirementId, OccasionsOf]>>;

const orderSide = (view: HistoryView, { creation, senderCustodianId }: OrderTrace) => [
  creation?.party,
  view.nameOf(senderCustodianId),
];

const atCall = ({ open, exchange }: Call, audience: Occasion['audience']): Occasion => ({
  audience,
  since: open,
  fromMs: exchange.sent,
  byMs: exchange.received,
});

/** A settlement has a timestamp. Other changes have only the time of their proof, which may be a little later. */
function atChange(
  { context: { offset } }: HistoryView,
  { snapshots }: OrderTrace,
  { state, since, byMs }: Change,
  audience: Occasion['audience'],
): Occasion {
  const settledMs = state === 'SETTLED' ? timestampIn(snapshots, 'settled_at') : undefined;
  if (settledMs === undefined)
    return { audience, since, fromMs: byMs - tolerance.eventDeliveryMs, byMs };
  return {
    audience,
    since,
    fromMs: settledMs - offset.most - tolerance.deadlineEarlyMs,
    byMs: Math.min(byMs, settledMs - offset.least),
  };
}

/** True if the stream was open before the occasion, and ended before it must have carried the event. */
const isLostTo = (stream: StreamTrace, { audience, since, fromMs, byMs }: Occasion): boolean =>
  audience.includes(stream.party) &&
  stream.call.close < since &&
  stream.endedMs >= fromMs &&
  stream.openUntilMs <= byMs + tolerance.eventDeliveryMs;

function endedAtItsEvent({ frames, openUntilMs }: StreamTrace): boolean {
  const [first, ...more] = frames.filter(({ frame }) => frame.event !== heartbeat);
  if (!first || more.length > 0) return false;
  return openUntilMs <= first.frame.received + tolerance.eventDeliveryMs;
}

/**
 * A stream that breaks off may be the network's fault, and its missing events do not count. It is the target's fault if
 * all streams break off as soon as a certain event is due.
 */
const streamOutlivesEvents = defineRule({
  id: 'stream.outlives-events',
  title: 'A stream goes on after an event',
  requirements: ['stream.stays-open', ...Object.values(occasions).map(([sent]) => sent)],
  judge(view, findings) {
    for (const kind of ['order', 'maker'] as const) {
      const streams = view.streams.filter((stream) => stream.kind === kind && stream.call.own);
      const broken = streams.filter(
        (stream) => stream.ended && stream.ended.cause !== 'us' && !isExcused(view, stream),
      );
      if (broken.length < tooMany) continue;
      const violation = (lost: readonly StreamTrace[], message: string) => ({
        message: `${lost.length} streams broke off, and ${message}`,
        must: { words: 'a stream that stays open' },
        actual: lost[0]?.ended?.message ?? 'ended by the target',
        evidence: lost.slice(0, tooMany).map(({ id }) => id),
      });
      const delivered = streams.map(eventsOf);
      const atTheirFirst = broken.filter(endedAtItsEvent);
      if (atTheirFirst.length >= tooMany && delivered.every((events) => events.length < 2))
        findings.fail(
          'stream.stays-open',
          violation(atTheirFirst, 'none carried more than one event'),
        );
      const known = new Set(delivered.flat());
      for (const [event, [sent, occasionsOf]] of Object.entries(occasions)) {
        if (eventKinds[event as EventName].stream !== kind || known.has(event)) continue;
        const all = [...view.orders.values()].flatMap((trace) =>
          occasionsOf(view, trace).map((occasion) => ({ id: trace.id, occasion })),
        );
        const lost = broken.filter((stream) =>
          all.some(
            ({ id, occasion }) =>
              (stream.filter === undefined || stream.filter === id) && isLostTo(stream, occasion),
          ),
        );
        if (lost.length >= tooMany) findings.fail(sent, violation(lost, `${event} never came`));
      }
    }
  },
});

const eventsOf = ({ frames }: StreamTrace): readonly string[] =>
  frames.map(({ frame }) => frame.event).filter((event) => event !== heartbeat);

export const streamLifeRules = [streamStaysOpen, streamOutlivesEvents];
