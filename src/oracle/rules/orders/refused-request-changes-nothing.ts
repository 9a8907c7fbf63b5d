import { equalValues } from '../../../protocol/equality.ts';
import { failureReasonIn } from '../../../protocol/failure-reason.ts';
import { isSet, type JsonObject, textOf } from '../../../protocol/json.ts';
import { acceptanceFields } from '../../../spec/requirements/index.ts';
import { Order } from '../../../spec/resources.ts';
import { isTerminal } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { mayFailOrder, type RequestsOnOrder, splitRequests } from '../../trace/refused-requests.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import { isIn, orderStateOf, type OrderTrace, type QuoteTrace } from '../../trace/traces.ts';

const orderFields = Object.keys(Order.properties).filter((name) => name !== 'status');
const failureReason = 'failure reason';
const quoteFields = ['fx_rate', 'target_amount', 'submitted_at', 'valid_until'] as const;

const isAcceptanceField = (name: string): boolean =>
  acceptanceFields.some((field) => field === name);

/** True if the request may change more than the quotes of its maker. */
const isAct = ({ endpoint }: Call): boolean => endpoint !== 'quote.submit';

/** Two reads of one resource, by one party at one endpoint, before and after a refused request. */
interface Around {
  readonly refused: Call;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** For each refused request, the last read before it and the first read after it, by one party at one endpoint. */
function readsAround(refused: readonly Call[], snapshots: readonly Snapshot[]): readonly Around[] {
  const reads = snapshots.filter(({ frame, whole }) => !frame && whole);
  return refused.flatMap((call) =>
    reads.flatMap((before, index) => {
      if (!precedes(before, call)) return [];
      const next = reads.slice(index + 1).find((one) => isAlike(before, one));
      return next && precedes(call, next) ? [{ refused: call, before, after: next }] : [];
    }),
  );
}

const isAlike = (a: Snapshot, b: Snapshot): boolean =>
  a.party === b.party && a.via === b.via && a.resource === b.resource;

const changedFields = (fields: readonly string[], a: JsonObject, b: JsonObject): string[] =>
  fields.filter((name) =>
    isSet(a[name]) && isSet(b[name])
      ? !equalValues(name, a[name], b[name])
      : isSet(a[name]) !== isSet(b[name]),
  );

export const refusedRequestsChangeNothing = defineRule({
  id: 'refusal.no-change',
  title: 'A request that was refused leaves its order and the quotes on it as they were',
  // Effects that show without a read before are judged by `order.acceptance-needed`, `order.unasked`, `quote.refused`.
  requirements: ['error.refusal-changes-nothing'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (view.disturbed(trace.id)) continue;
      const requests = splitRequests(view, trace);
      if (requests.refused.length === 0) continue;
      for (const one of readsAround(requests.refused, trace.snapshots)) {
        const changes = orderChanges(trace, requests, one);
        if (changes) report(one, changes, 'an order');
      }
      for (const quote of trace.quotes) {
        for (const one of readsAround(requests.refused, quote.snapshots)) {
          const changes = quoteChanges(trace, quote, requests, one);
          if (changes) report(one, changes, 'a quote');
        }
      }
    }

    function report({ refused, before, after }: Around, changes: readonly string[], what: string) {
      findings.assert('error.refusal-changes-nothing', changes.length === 0, refused.id, () => ({
        message: `the ${changes.join(', ')} of ${what} changed though every request on it was refused`,
        fields: changes.filter((name) => name !== failureReason),
        expected: changes.map((name) => before.value[name] ?? null),
        actual: changes.map((name) => after.value[name] ?? null),
        evidence: [before.source, refused.id, after.source],
      }));
    }

    /** Undefined if the order may have changed by itself, or by a request that was served. */
    function orderChanges(
      trace: OrderTrace,
      { effective, refused }: RequestsOnOrder,
      { before, after }: Around,
    ): readonly string[] | undefined {
      const [was, is] = [orderStateOf(before), orderStateOf(after)];
      const acts = effective.filter((call) => isAct(call) && call.open < after.close);
      if (!was || !is || acts.some((call) => !precedes(call, before))) return undefined;
      if (was !== is) {
        // The effect of an earlier request that was served may have been under way.
        const mayMove = acts.length > 0 || !isInTime(trace, after);
        const mayFail = is === 'FAILED' && refused.some((call) => mayFailOrder(trace, call));
        return was !== 'PENDING' || mayMove || mayFail ? undefined : ['status'];
      }
      // In these states only time moves an order on.
      if (was !== 'PENDING' && !isTerminal(was)) return undefined;
      // Once an order has ended unsettled, it is open what happens to the fields of its accepted quote, and when.
      const settled = was === 'PENDING' || was === 'SETTLED';
      const fields = settled ? orderFields : orderFields.filter((name) => !isAcceptanceField(name));
      const changed = changedFields(fields, before.value, after.value);
      const reasons = [before, after].map(({ value }) => failureReasonIn(value));
      return reasons[0] === reasons[1] ? changed : [...changed, failureReason];
    }

    function quoteChanges(
      trace: OrderTrace,
      { maker, sent }: QuoteTrace,
      { effective, refused }: RequestsOnOrder,
      { before, after }: Around,
    ): readonly string[] | undefined {
      if (textOf(before.value, 'status') !== 'PENDING') return undefined;
      // The order may have failed, and its quotes with it.
      const mayFail = refused.some((call) => call.open < after.close && mayFailOrder(trace, call));
      if (mayFail && trace.snapshots.some(isIn('FAILED'))) return undefined;
      const until = timestampIn([before, { ...before, value: sent ?? {} }], 'valid_until');
      // A second quote of a maker may take the place of the first (gap `quote.twice`).
      const own = effective.filter((call) => !isAct(call) && call.party === maker);
      const acts = effective.filter((call) => isAct(call) && call.open < after.close);
      if (acts.length > 0 || own.length > 1 || until === undefined) return undefined;
      if (!view.clock.before(after, until) || !isInTime(trace, after)) return undefined;
      return changedFields([...quoteFields, 'status'], before.value, after.value);
    }

    function isInTime({ snapshots }: OrderTrace, after: Snapshot): boolean {
      const expiry = timestampIn(snapshots, 'expires_at');
      return expiry !== undefined && view.clock.before(after, expiry);
    }
  },
});
