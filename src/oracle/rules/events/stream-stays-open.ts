import { limits } from '../../../spec/limits.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { issuedTokens } from '../auth/token-claims.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { showsTerminal } from '../../trace/traces.ts';
import type { StreamTrace } from '../../trace/streams.ts';
import type { HistoryView } from '../../trace/history-view.ts';

const most = limits.heartbeatIntervalMs + tolerance.heartbeat;
const least = limits.heartbeatIntervalMs - tolerance.heartbeat;

/** True if the target may have had a reason to end the stream. */
export function isExcused(view: HistoryView, stream: StreamTrace): boolean {
  return (
    isDisplaced(view, stream) || hasDeliveredAll(view, stream) || hasOutlivedToken(view, stream)
  );
}

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
  const snapshots = view.orders.get(filter ?? '')?.snapshots ?? [];
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
      other.call.close > stream.call.close &&
      other.call.open < stream.end,
  );
}

export const streamStaysOpen = defineRule({
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
