import { parseTimestamp } from '../../../spec/forms.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { certainSelection } from '../../trace/selected-quote.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';

/** Between an answer and an event there is the way of both; as a backend writes it down, there is none. */
const travelMs = 2_000;

export const settlementDuration = defineRule({
  id: 'settlement.duration',
  title: 'Settlement takes about four seconds from acceptance',
  requirements: ['limit.settlement-duration'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (view.disturbed(trace.id)) continue;
      judgeStamps(trace);
      judgeEvent(trace);
    }

    /** Judges by the timestamps of the order. */
    function judgeStamps({ snapshots }: OrderTrace): void {
      for (const { value, source } of snapshots) {
        const accepted = parseTimestamp(value['quote_accepted_at']);
        const settled = parseTimestamp(value['settled_at']);
        if (accepted === undefined || settled === undefined) continue;
        const tookMs = settled - accepted;
        const holds = tookMs >= tolerance.settlementMinMs && tookMs <= tolerance.settlementMaxMs;
        findings.assert('limit.settlement-duration', holds, source, () => ({
          message: `settlement took ${tookMs / 1000} s`,
          must: { words: 'about 4 s' },
          actual: tookMs / 1000,
          evidence: [source],
        }));
        return;
      }
    }

    /** Judges by the event to the sender, which a wrong clock or a wrong timestamp cannot hide. */
    function judgeEvent(trace: OrderTrace): void {
      const [call] = certainSelection(view, trace) ?? [];
      const announced = trace.snapshots.find(
        (seen) =>
          orderStateOf(seen) === 'SETTLED' && seen.frame && seen.party === trace.creation?.party,
      );
      const frame = announced?.frame?.frame;
      if (!call || !announced || !frame) return;
      const opened = trace.frames.find(({ seen }) => seen === announced.frame)?.stream.call;
      if (!opened || opened.close > call.open) return;
      const least = (frame.after ?? frame.received) - call.exchange.received;
      const most = frame.received - call.exchange.sent;
      const holds =
        least <= tolerance.settlementMaxMs + travelMs && most + 500 >= tolerance.settlementMinMs;
      findings.assert('limit.settlement-duration', holds, frame.id, () => ({
        message: `an order was announced SETTLED ${most / 1000} s after its quote was accepted`,
        fields: ['status'],
        must: { words: 'about 4 s' },
        actual: most / 1000,
        evidence: [call.id, frame.id],
      }));
    }
  },
});
