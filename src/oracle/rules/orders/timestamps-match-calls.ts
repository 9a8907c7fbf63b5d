import { parseTimestamp } from '../../../spec/forms.ts';
import { isSet } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';

/** The first value of a moment that an order showed, and where. */
function shown(
  trace: OrderTrace,
  field: string,
): { readonly at: number; readonly source: string } | undefined {
  for (const { value, source } of trace.snapshots) {
    if (!isSet(value[field])) continue;
    const at = parseTimestamp(value[field]);
    return at === undefined ? undefined : { at, source };
  }
  return undefined;
}

export const timestampsMatchCalls = defineRule({
  id: 'stamps',
  title: 'Each moment that a backend writes down is the moment at which it happened',
  requirements: [
    'order.created-at.at-creation',
    'order.expires-at.after-creation',
    'order.quote-accepted-at.at-acceptance',
    'order.settled-at.at-settlement',
    'quote.submitted-at.at-submission',
  ],
  judge(view, findings) {
    const { least, most } = view.context.offset;

    /** Whether a moment on the target's clock may lie within an exchange. */
    const during = (at: number, { exchange }: Call): boolean =>
      at >= exchange.sent + least - tolerance.stamp &&
      at <= exchange.received + most + tolerance.stamp;

    for (const trace of view.orders.values()) {
      judgeCreation(trace);
      judgeAcceptance(trace);
      judgeSettlement(trace);
    }
    for (const { submission, snapshots } of view.quotes.values()) {
      if (!submission) continue;
      for (const { value, source } of snapshots) {
        const at = parseTimestamp(value['submitted_at']);
        if (at === undefined) continue;
        findings.assert('quote.submitted-at.at-submission', during(at, submission), source, () => ({
          message: 'submitted_at was not the moment of the submission',
          expected: within(submission),
          actual: value['submitted_at'],
          evidence: [submission.id, source],
        }));
      }
    }

    function within({ exchange }: Call): string {
      const from = new Date(exchange.sent + least).toISOString();
      return `between ${from} and ${new Date(exchange.received + most).toISOString()}`;
    }

    function judgeCreation(trace: OrderTrace): void {
      for (const { value, source, resource } of trace.snapshots) {
        if (resource !== 'order') continue;
        const created = parseTimestamp(value['created_at']);
        const expires = parseTimestamp(value['expires_at']);
        if (created === undefined) continue;
        const { creation } = trace;
        if (creation) {
          findings.assert(
            'order.created-at.at-creation',
            during(created, creation),
            source,
            () => ({
              message: 'created_at was not the moment of the creation',
              expected: within(creation),
              actual: value['created_at'],
              evidence: [creation.id, source],
            }),
          );
        }
        if (expires === undefined) continue;
        findings.assert('order.expires-at.after-creation', expires > created, source, () => ({
          message: 'expires_at did not lie after created_at',
          actual: { created_at: value['created_at'], expires_at: value['expires_at'] },
          evidence: [source],
        }));
      }
    }

    function judgeAcceptance(trace: OrderTrace): void {
      // Two acceptances may both have had effect (gap `accept.again`): then neither is surely the moment.
      const took = trace.acceptances.filter((call) => call.ok || call.status === undefined);
      const [call] = took;
      const accepted = shown(trace, 'quote_accepted_at');
      if (!call || took.length > 1 || !accepted) return;
      const holds = during(accepted.at, call);
      findings.assert('order.quote-accepted-at.at-acceptance', holds, accepted.source, () => ({
        message: 'quote_accepted_at was not the moment of the acceptance',
        expected: within(call),
        actual: new Date(accepted.at).toISOString(),
        evidence: [call.id, accepted.source],
      }));
    }

    function judgeSettlement(trace: OrderTrace): void {
      const settled = shown(trace, 'settled_at');
      const first = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
      if (!settled || !first) return;
      const accepted = shown(trace, 'quote_accepted_at');
      const late = settled.at > first.to + most + tolerance.stamp;
      const early = accepted !== undefined && settled.at < accepted.at;
      findings.assert('order.settled-at.at-settlement', !late && !early, settled.source, () => ({
        message: early
          ? 'settled_at lay before quote_accepted_at'
          : 'settled_at lay after the moment at which the order was seen SETTLED',
        expected: early
          ? `after ${new Date(accepted.at).toISOString()}`
          : `by ${new Date(first.to + most).toISOString()}`,
        actual: new Date(settled.at).toISOString(),
        evidence: [first.source, settled.source],
      }));
    }
  },
});
