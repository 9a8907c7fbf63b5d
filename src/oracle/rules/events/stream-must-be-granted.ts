import { tolerance } from '../../../protocol/tolerances.ts';
import { allowedRequirement, allowedRequirements } from '../../../spec/requirements/index.ts';
import { isTerminal } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, sentOnly, wronglyRefused } from '../../trace/calls.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { orderStateOf, type OrderTrace } from '../../trace/traces.ts';

const plainHeaders = ['accept', 'authorization', 'cache-control'];

/** Asked for one order, or for no single one, and for nothing else that could be refused. */
const isPlain = ({ exchange: { query, request } }: Call, limit: 'intent_id' | ''): boolean =>
  Object.keys(query).join() === limit && sentOnly(request, plainHeaders);

/** True if the caller knows the order and it has not ended: else there is nothing to tell (gap `stream.closing`). */
function isKnownOpen({ creation, snapshots }: OrderTrace, { exchange, close }: Call): boolean {
  const since = creation?.ok ? creation.exchange.received : Number.POSITIVE_INFINITY;
  const isRead = snapshots.some((seen) => {
    const state = orderStateOf(seen);
    return !seen.frame && seen.open > close && state !== undefined && !isTerminal(state);
  });
  return isRead && exchange.sent >= since + tolerance.replicationLagMs;
}

/** A stream that its client has left may count until its next heartbeat finds nobody there. */
const lingeringMs = 45_000;

/** Number of streams that a party may have had open, as its backend sees it, when it asked for one more. */
const concurrentStreams = (
  view: HistoryView,
  { party, exchange: { sent, received } }: Call,
): number =>
  view.streams.filter(
    (one) => one.party === party && one.openedMs <= received && one.endedMs + lingeringMs >= sent,
  ).length;

/** Number of streams that a party is known to be granted at once (gap `stream.per_party`). */
const grantedTo = (view: HistoryView, party: string): number => {
  const own = view.streams.filter((one) => one.party === party);
  const counts = own.map(
    ({ call, openedMs }) =>
      own.filter((one) => one.call.close < call.open && one.openUntilMs >= openedMs).length + 1,
  );
  return Math.max(0, ...counts);
};

/** Checks take the refusal of a further stream for a limit; this rule checks if there can be one. */
const filteredStreamsMustBeGranted = defineRule({
  id: 'streams.limited',
  title: 'Who is granted so many streams is granted one of them for one of its orders',
  requirements: ['access.order.events.institution-allowed', 'stream.intent-filter.for-custodian'],
  judge(view, findings) {
    for (const call of view.endpoint('order.events')) {
      if (!isDenied(call) || !isPlain(call, 'intent_id')) continue;
      const trace = view.order(call.exchange.query['intent_id']?.toLowerCase());
      if (!trace || !isKnownOpen(trace, call)) continue;
      const relation = relationOf(view, trace, call.party);
      if (relation !== 'sender' && relation !== 'sender-custodian') continue;
      if (concurrentStreams(view, call) >= grantedTo(view, call.party)) continue;
      const requirement =
        relation === 'sender'
          ? 'access.order.events.institution-allowed'
          : 'stream.intent-filter.for-custodian';
      findings.fail(requirement, {
        message: `${call.party} could not limit a stream to an order of its own, though it had more streams at other times`,
        ...wronglyRefused(call),
        evidence: [call.id],
      });
    }
  },
});

/** Requests of one shape, with a token or without, as the target wants it (gap `stream.auth`). */
const shapeOf = ({ exchange: { query, request, role } }: Call): string =>
  JSON.stringify([role, Object.keys(query).sort(), Object.keys(request.headers).sort()]);

const streams = ['order.events', 'maker.events'] as const;

/** Part 6 gives streams to roles: to all who have it, or, if part 1.4 is followed, to no custodian. */
const streamsMustBeGranted = defineRule({
  id: 'streams.equal',
  title: 'Who has a role and no stream open gets the stream that others of the role get',
  requirements: allowedRequirements(streams),
  judge(view, findings) {
    for (const endpoint of streams) {
      const calls = view.endpoint(endpoint);
      const granted = new Set(calls.filter(({ ok, own }) => ok && own).map(shapeOf));
      for (const call of calls) {
        if (!isDenied(call) || !isPlain(call, '') || !granted.has(shapeOf(call))) continue;
        if (concurrentStreams(view, call) > 0) continue;
        // If the stream is not for the role, the only fault is that others of the role were given it.
        const requirement = allowedRequirement(endpoint, call.exchange.role);
        if (requirement === undefined) continue;
        findings.fail(requirement, {
          message: `${call.party} was refused the stream that others of its role were given`,
          ...wronglyRefused(call),
          evidence: [call.id],
        });
      }
    }
  },
});

export const streamGrantRules = [filteredStreamsMustBeGranted, streamsMustBeGranted];
