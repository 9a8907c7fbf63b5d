import { groupBy } from '../../../history/group-by.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { parseDecimal, significantScale } from '../../../protocol/decimal.ts';
import { textOf } from '../../../protocol/json.ts';
import { eventKinds } from '../../../spec/events.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal } from '../../trace/calls.ts';
import { causedBy, makersOf, mustDeliver, streamsByParty } from '../../trace/event-delivery.ts';
import { mayFailOrder, splitRequests } from '../../trace/refused-requests.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { isCaughtUp } from '../../trace/streams.ts';
import { possiblyEffective, type OrderTrace } from '../../trace/traces.ts';
import type { Delivered } from './delivery.ts';
import { decimalKey } from './quote-received.ts';

const sentMs = ({ seen }: Delivered): number => seen.frame.after ?? seen.frame.received;

/** True if the call had been answered so long before that its events had all come (gap `event.latency`). */
const isLongPast = ({ exchange }: Call, ms: number): boolean =>
  exchange.received + tolerance.eventDeliveryMs < ms;

const refusalsSendNoEvent = defineRule({
  id: 'refusal.no-event',
  title: 'No event comes of an order of which nothing but refused requests was asked',
  requirements: ['error.refusal-sends-no-event'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (!trace.creation || view.disturbed(trace.id)) continue;
      const requests = splitRequests(view, trace);
      const failing = requests.refused.filter((call) => mayFailOrder(trace, call));
      const refused = requests.refused.filter((call) => !failing.includes(call));
      if (refused.length === 0) continue;
      const causes = [trace.creation, ...requests.effective, ...failing];
      const isQuietAt = (ms: number): boolean =>
        !mayMoveByItself(trace, ms) &&
        causes.every((call) => isLongPast(call, ms) || call.exchange.sent > ms);
      // Nothing else may have caused it, at any moment between its earliest sending and its arrival.
      const unexpected = trace.frames.filter(
        (one) => isUnexpected(one) && isQuietAt(sentMs(one)) && isQuietAt(one.seen.frame.received),
      );
      for (const call of refused) {
        const { sent, received } = call.exchange;
        const until = received + tolerance.eventDeliveryMs;
        // A stream that opened later, or caught up, may tell what happened before the call.
        const found = unexpected.find(
          (one) =>
            one.seen.at > call.open &&
            sentMs(one) >= sent &&
            sentMs(one) <= until &&
            mustDeliver(one.stream, causedBy(call)) &&
            !isCaughtUp(one.stream, one.seen),
        );
        if (found) report(call, found);
        else if (isQuietAt(sent) && isQuietAt(until) && isListenedTo(trace, call))
          findings.pass('error.refusal-sends-no-event', call.id);
      }
    }

    /** An order moves on once a quote is accepted, and at its deadline. */
    function mayMoveByItself({ acceptances, snapshots }: OrderTrace, ms: number): boolean {
      const expiry = timestampIn(snapshots, 'expires_at');
      return (
        expiry === undefined ||
        !view.clock.before({ from: ms, to: ms }, expiry) ||
        possiblyEffective(acceptances).some(({ exchange }) => exchange.sent <= ms)
      );
    }

    /** Makers that the suite does not drive may quote at any time; events beside those of part 6 are open. */
    function isUnexpected({ seen }: Delivered): boolean {
      const { event } = seen.frame;
      if (event !== 'quote_received') return Object.hasOwn(eventKinds, event);
      return view.quote(textOf(seen.payload, 'quote_id'))?.submission !== undefined;
    }

    function isListenedTo(trace: OrderTrace, call: Call): boolean {
      return view
        .once(streamsByParty)(trace.creation?.party ?? '')
        .some((stream) => mustDeliver(stream, causedBy(call)));
    }

    function report(call: Call, { stream, seen }: Delivered): void {
      findings.fail('error.refusal-sends-no-event', {
        message: `${seen.frame.event} went to ${stream.party} though every request on the order was refused`,
        must: { absent: true },
        actual: seen.frame.data,
        evidence: [call.id, seen.id],
      });
    }
  },
});

/** Number of digits that makes an amount unusual: nobody else asks for it by chance. */
const unusualDigits = 6;

function isUnusual(amount: unknown): boolean {
  const number = parseDecimal(amount);
  if (!number) return false;
  const scale = significantScale(number);
  const digits = String(number.digits / 10n ** BigInt(number.scale - scale));
  return scale > 0 && digits.length >= unusualDigits;
}

const refusedCreationsUnannounced = defineRule({
  id: 'refusal.no-request',
  title: 'A creation that was refused announces no request',
  requirements: ['error.refusal-sends-no-event'],
  judge(view, findings) {
    const amountOf = (body: unknown): string => decimalKey(textOf(body, 'target_amount'));
    const creations = groupBy(view.endpoint('order.create'), ({ sent }) => amountOf(sent));
    const announced = groupBy(
      view.streams.flatMap(({ frames }) =>
        frames.filter(({ frame }) => frame.event === 'quote_request_new'),
      ),
      ({ payload }) => amountOf(payload),
    );
    for (const [amount, calls] of creations) {
      const [call] = calls;
      if (!call || !isUnusual(call.sent?.['target_amount']) || !calls.every(isRefusal)) continue;
      const seen = announced.get(amount)?.find(({ at }) => at > call.open);
      const cause = causedBy(call);
      const isHeard = view.once(makersOf).some((maker) =>
        view
          .once(streamsByParty)(maker)
          .some((one) => mustDeliver(one, cause)),
      );
      if (!seen && !isHeard) continue;
      findings.assert('error.refusal-sends-no-event', !seen, call.id, () => ({
        message: 'quote_request_new announced an order whose creation was refused',
        must: { absent: true },
        actual: seen?.frame.data,
        evidence: [call.id, seen?.id ?? ''],
      }));
    }
  },
});

export const silentRefusalRules = [refusalsSendNoEvent, refusedCreationsUnannounced];
