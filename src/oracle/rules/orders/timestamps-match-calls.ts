import { tolerance } from '../../../protocol/tolerances.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { isIn, orderStateOf, type OrderTrace } from '../../trace/traces.ts';

/** Timestamps that a call causes, each with its requirement and the call in words. */
const ofCalls = {
  created_at: ['order.created-at.at-creation', 'the creation'],
  quote_accepted_at: ['order.quote-accepted-at.at-acceptance', 'the acceptance'],
  submitted_at: ['quote.submitted-at.at-submission', 'the submission'],
} as const;

const isOnItsWay = (seen: Snapshot): boolean =>
  !seen.frame && ['QUOTED', 'EXECUTING'].includes(orderStateOf(seen) ?? '');

export const timestampsMatchCalls = defineRule({
  id: 'stamps',
  title: 'Each timestamp that a backend writes down is the time at which it happened',
  requirements: [
    'order.created-at.at-creation',
    'order.expires-at.after-creation',
    'order.quote-accepted-at.at-acceptance',
    'order.settled-at.at-settlement',
    'quote.submitted-at.at-submission',
  ],
  judge(view, findings) {
    const { least, most } = view.context.offset;
    for (const trace of view.orders.values()) {
      // Two acceptances may both have had effect (gap `accept.again`): then neither is certainly the one that is shown.
      const took = trace.acceptances.filter((call) => call.ok || call.status === undefined);
      for (const snapshot of trace.snapshots) {
        if (snapshot.resource === 'order') judgeDuring('created_at', snapshot, trace.creation);
        judgeDuring('quote_accepted_at', snapshot, took.length === 1 ? took[0] : undefined);
        judgeLife(snapshot);
      }
      judgeSettlement(trace);
    }
    for (const { submission, snapshots } of view.quotes.values()) {
      for (const snapshot of snapshots) judgeDuring('submitted_at', snapshot, submission);
    }

    /** A timestamp on the target's clock must lie within the exchange that brought it about. */
    function judgeDuring(
      field: keyof typeof ofCalls,
      { value, source }: Snapshot,
      call: Call | undefined,
    ): void {
      const at = parseTimestamp(value[field]);
      if (at === undefined || !call) return;
      const [requirement, what] = ofCalls[field];
      const [from, to] = [call.exchange.sent + least, call.exchange.received + most];
      const holds = at >= from - tolerance.stamp && at <= to + tolerance.stamp;
      findings.assert(requirement, holds, source, () => ({
        message: `${field} was not the time of ${what}`,
        must: { at_least: new Date(from).toISOString(), at_most: new Date(to).toISOString() },
        actual: value[field],
        evidence: [call.id, source],
      }));
    }

    function judgeLife({ resource, value, source }: Snapshot): void {
      const created = parseTimestamp(value['created_at']);
      const expires = parseTimestamp(value['expires_at']);
      if (resource !== 'order' || created === undefined || expires === undefined) return;
      findings.assert('order.expires-at.after-creation', expires > created, source, () => ({
        message: 'expires_at did not lie after created_at',
        fields: ['created_at'],
        actual: { created_at: value['created_at'], expires_at: value['expires_at'] },
      }));
    }

    /** No read of an order on its way can have been answered after it had settled, save for what lags behind. */
    function judgeSettlement({ snapshots }: OrderTrace): void {
      const shown = snapshots.find(
        ({ value }) => parseTimestamp(value['settled_at']) !== undefined,
      );
      const first = snapshots.find(isIn('SETTLED'));
      if (!shown || !first) return;
      const settled = parseTimestamp(shown.value['settled_at']) ?? 0;
      const accepted = parseTimestamp(shown.value['quote_accepted_at']) ?? settled;
      const onItsWay = snapshots
        .filter((seen) => isOnItsWay(seen) && seen.close < first.close)
        .toSorted((a, b) => a.from - b.from)
        .at(-1);
      const lag = tolerance.stamp + tolerance.replicationLagMs;
      const time = (ms: number) => new Date(ms).toISOString();
      const departures = [
        {
          is: settled > first.to + most + tolerance.stamp,
          message: 'settled_at lay after the order was seen SETTLED',
          fields: ['status'],
          must: { at_most: time(first.to + most) },
          seen: first,
        },
        {
          is: settled < accepted,
          message: 'settled_at lay before quote_accepted_at',
          fields: ['quote_accepted_at'],
          must: { at_least: time(accepted) },
          seen: first,
        },
        ...(onItsWay
          ? [
              {
                is: settled < onItsWay.from + least - lag,
                message: 'settled_at lay before the order was last seen on its way',
                fields: [],
                must: { at_least: time(onItsWay.from + least) },
                seen: onItsWay,
              },
            ]
          : []),
      ];
      const departure = departures.find(({ is }) => is);
      findings.assert('order.settled-at.at-settlement', !departure, shown.source, () => ({
        message: departure?.message ?? '',
        fields: departure?.fields ?? [],
        ...(departure && { must: departure.must }),
        actual: shown.value['settled_at'],
        evidence: [departure?.seen.source ?? first.source, shown.source],
      }));
    }
  },
});
