import { groupBy } from '../../../history/group-by.ts';
import { pathOf } from '../../../spec/endpoints.ts';
import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { defineRule } from '../../findings.ts';
import {
  callsOf,
  compareWithModel,
  isLetThrough,
  type Contradiction,
  modelRequirements,
  violationOf,
} from '../../model/linearize.ts';
import { type IsDue, isLook, orderHistoryOf } from '../../model/order-history.ts';
import { type Call, precedes, sentOnly } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { mayBeReplaced, submissionsBy } from '../../trace/selections.ts';
import {
  orderStateOf,
  type OrderTrace,
  possiblyEffective,
  seenBefore,
} from '../../trace/traces.ts';
import { isAtLeast, isOpened, tradesSameCurrencies } from '../quotes/must-be-granted.ts';
import { manner } from './cancels.ts';

/** Bound of the search steps for each order: histories are long, and few orders need more. */
const mostSteps = 3_000;

const keyOf = (call: Call): string => `${call.endpoint} ${manner(call)}`;

const json = 'application/json';
const usualHeaders = ['accept', 'authorization', 'content-type', 'content-length'];

/** True for a request whose form can't be the reason of a refusal. */
const isUsual = ({ endpoint, exchange: { request, params, query } }: Call): boolean =>
  endpoint !== undefined &&
  request.path === pathOf(endpoint, params) &&
  Object.keys(query).length === 0 &&
  (request.headers['accept'] ?? json) === json &&
  sentOnly(request, usualHeaders);

/** True if the order was seen after the call, by the same party or once views had caught up (gap `views.lag`). */
const isSeenAfter = ({ snapshots }: OrderTrace, call: Call): boolean =>
  snapshots.some(
    (seen) =>
      !seen.frame &&
      orderStateOf(seen) !== undefined &&
      precedes(call, seen) &&
      (seen.party === call.party ||
        seen.from > call.exchange.received + tolerance.replicationLagMs),
  );

/**
 * True for a refusal that only the state of the order can be the reason of: the party was granted the same elsewhere,
 * on terms that were no smaller, and later, since what it holds may have been used up.
 */
function dueIn(view: HistoryView): IsDue {
  const granted = groupBy(
    [...view.endpoint('quote.accept'), ...view.endpoint('order.cancel')].filter(({ ok }) => ok),
    keyOf,
  );
  return (call: Call, trace: OrderTrace): boolean => {
    const isTrade = call.endpoint === 'quote.accept';
    // The effect of a proposal's acceptance may be under way while the order still shows PENDING.
    if (!isTrade && possiblyEffective(trace.proposals).length > 0) return false;
    if (isTrade && !isOpened(view, trace, [])) return false;
    if (!isSeenAfter(trace, call) || !isUsual(call)) return false;
    const later = (granted.get(keyOf(call)) ?? []).filter((one) => one.open > call.close);
    const orders = later.map((one) => view.order(one.exchange.params.intent_id));
    // A passing refusal, if the same succeeded later on.
    if (orders.includes(trace)) return false;
    return orders.some(
      (other) => other && tradesSameCurrencies(other, trace) && isAtLeast(other, trace),
    );
  };
}

/**
 * True for a command that other rules judge: its sender may be the reason, or an earlier answer shows that it had to be
 * refused.
 */
function isPlain(view: HistoryView, trace: OrderTrace, contradiction: Contradiction): boolean {
  const { requirement, culprit, possible } = contradiction;
  const { kind, call } = culprit;
  if (requirement === 'order.state.listed-transitions-only') return !isLook(kind);
  if (!isLetThrough(contradiction)) return false;
  if (requirement === 'order.accept.expired-quote-refused') {
    const quote = view.quote(call.exchange.params.quote_id);
    if (quote?.maker === undefined || !mayBeReplaced(view, quote, trace)) return true;
    // The id may stand for another quote of the maker: then that one decides.
    return submissionsBy(trace, quote.maker).some(({ data }) => {
      const until = parseTimestamp(textOf(data, 'valid_until'));
      return until === undefined || !view.clock.after(call, until);
    });
  }
  return (
    possible !== undefined &&
    possible !== 'NONE' &&
    seenBefore(trace, call, [possible]) !== undefined
  );
}

/**
 * Linearizability of each order: some order of the commands that were sent, which agrees with when each was sent and
 * answered, explains every answer. It sees what needs several answers at once; other rules look at one or two.
 */
export const effectsExplained = defineRule({
  id: 'order.effects',
  title: 'Some order of the commands on an order explains every answer about it and its quotes',
  requirements: modelRequirements,
  judge(view, findings) {
    const isDue = view.once(dueIn);
    for (const trace of view.orders.values()) {
      // If nobody asked for a change, two answers show at most what is wrong: that is for other rules.
      if (trace.acceptances.length + trace.cancels.length === 0) continue;
      const history = orderHistoryOf(view, trace, isDue);
      const comparison = history && compareWithModel(history, mostSteps);
      if (!comparison || comparison.kind === 'undecided') continue;
      if (comparison.kind === 'kept') {
        for (const [requirement, { id, kind }] of comparison.exercised) {
          // Other rules count what each look shows, and there are many.
          const isCounted = requirement === 'order.state.legal-under-race' || !isLook(kind);
          if (isCounted) findings.pass(requirement, id);
        }
        continue;
      }
      const { requirement } = comparison;
      if (isPlain(view, trace, comparison)) continue;
      const evidence = callsOf(comparison).map(({ id }) => id);
      findings.fail(requirement, { ...violationOf(comparison), evidence });
    }
  },
});
