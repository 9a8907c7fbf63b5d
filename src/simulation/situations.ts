import { groupBy } from '../history/group-by.ts';
import { tokenOf } from '../history/token-label.ts';
import type { HistoryView } from '../oracle/index.ts';
import { type Call, isRefusal, resultKindOf } from '../oracle/trace/calls.ts';
import type { StreamTrace } from '../oracle/trace/streams.ts';
import { type OrderTrace, orderStateOf, quoteStateOf } from '../oracle/trace/traces.ts';
import { failureReasonIn } from '../protocol/failure-reason.ts';
import { endpoints } from '../spec/endpoints.ts';
import { eventKinds, heartbeat } from '../spec/events.ts';
import { parseTimestamp } from '../spec/forms.ts';
import { gapIds, gaps } from '../spec/gaps/index.ts';
import { orderTransitions, terminalOrderStates } from '../spec/states.ts';
import { edges } from './catalogue.ts';
import { encountersIn } from './encounters.ts';
import { isFault } from './plan.ts';
import type { WorldRun } from './run-plan.ts';

/**
 * Number of times each situation of the catalogue came about in a world. It counts events of the history, not planned
 * steps.
 */
export function situationsOf(run: WorldRun, view: HistoryView): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const reach = (name: string, times = 1): void => {
    if (times > 0) counts[name] = (counts[name] ?? 0) + times;
  };
  for (const order of view.orders.values()) reachedByOrder(order, reach);
  for (const quote of view.quotes.values()) {
    const states = quote.snapshots.flatMap((seen) => quoteStateOf(seen) ?? []);
    const last = states.find((state) => state !== 'PENDING');
    if (last !== undefined) reach(`quote: PENDING to ${last}`);
  }
  for (const { endpoint, ok, exchange } of view.calls) {
    if (endpoint === undefined) continue;
    const call = { ok, endpoint, role: exchange.role };
    const roleOf: readonly string[] = endpoints[endpoint].roles;
    if (ok && roleOf.includes(call.role)) reach(`granted: ${endpoint} to ${call.role}`);
  }
  for (const call of view.calls) {
    if (!isRefusal(call)) continue;
    if (tokenOf(call.exchange.auth).kind === 'expired') reach('refused: expired token');
    else if (call.own && resultKindOf(call) !== 'stream') reach(`refused: ${call.exchange.role}`);
  }
  for (const name of encountersIn(view)) reach(name);
  for (const stream of view.streams) {
    if (stream.resumed) reach('stream: taken up again');
    if (stream.filter !== undefined) reach('stream: limited to one order');
    for (const { frame } of stream.frames) {
      if (frame.event === heartbeat || frame.event in eventKinds) reach(`event: ${frame.event}`);
    }
  }
  reachedBySteps(run, reach);
  reachedByRestarts(run, view, reach);
  reachedByTime(run, reach);
  reachedByGrowth(view, reach);
  for (const id of gapIds)
    if (gaps[id].values.length > 1) reach(`gap: ${id} is ${run.assignment[id]}`);
  return counts;
}

type Reach = (name: string, times?: number) => void;

function reachedByOrder(order: OrderTrace, reach: Reach): void {
  const states = order.snapshots
    .toSorted((one, other) => one.close - other.close)
    .flatMap((seen) => orderStateOf(seen) ?? []);
  const passed = states.filter((state, index) => state !== states[index - 1]);
  for (const [index, to] of passed.entries()) {
    const from = passed[index - 1] ?? to;
    if (orderTransitions.some((one) => one.from === from && one.to === to))
      reach(`order: ${from} to ${to}`);
  }
  const last = states.find((state) => terminalOrderStates.includes(state));
  if (last !== undefined) reach(`end: ${last}`);
  const reason = order.snapshots.map(({ value }) => failureReasonIn(value)).find(Boolean);
  if (reason !== undefined) reach(`reason: ${reason}`);
  reachedByRaces(order, reach);
}

/** Requests that are this close may come in either order. */
const closeMs = 1;

function reachedByRaces(order: OrderTrace, reach: Reach): void {
  const { acceptances, cancels, submissions } = order;
  type Sent = { readonly exchange: { readonly sent: number; readonly received: number } };
  const meet = (one: Sent, other: Sent): boolean =>
    one !== other &&
    one.exchange.sent <= other.exchange.received + closeMs &&
    other.exchange.sent <= one.exchange.received + closeMs;
  const anyMeet = (some: readonly Sent[], others: readonly Sent[]): boolean =>
    some.some((one) => others.some((other) => meet(one, other)));
  const atMoment = (some: readonly Sent[], instant: number | undefined): boolean =>
    instant !== undefined &&
    some.some(
      ({ exchange }) =>
        exchange.sent - closeMs <= instant && instant <= exchange.received + closeMs,
    );
  const expiresAt = parseTimestamp(
    order.snapshots.map(({ value }) => value['expires_at']).find((value) => value !== undefined),
  );
  const races = {
    'accept and accept': anyMeet(acceptances, acceptances),
    'accept and cancel': anyMeet(acceptances, cancels),
    'quote and cancel': anyMeet(submissions, cancels),
    'accept and expires_at': atMoment(acceptances, expiresAt),
    'cancel and expires_at': atMoment(cancels, expiresAt),
    'accept and valid_until': order.quotes.some((one) =>
      atMoment(one.acceptances, parseTimestamp(one.sent?.['valid_until'])),
    ),
  };
  for (const [race, isRun] of Object.entries(races)) if (isRun) reach(`race: ${race}`);
}

function reachedBySteps({ plan, effects }: WorldRun, reach: Reach): void {
  for (const [index, step] of plan.steps.entries()) {
    if (!effects[index]?.took) continue;
    if (isFault(step)) reach(`fault: ${step.fault}`);
    if (!('near' in step.at)) continue;
    const edge = { 1: edges[0], 0: edges[1], '-1': edges[2] }[String(step.at.leadMs)];
    if (edge !== undefined) reach(`edge: ${edge} ${step.at.near.of}`);
  }
}

function reachedByRestarts({ restarts }: WorldRun, view: HistoryView, reach: Reach): void {
  for (const { at, killed, whileSettling, withDue } of restarts) {
    reach(`restart: ${killed}`);
    if (whileSettling) reach('restart: between two legs');
    if (withDue) reach('restart: with something due meanwhile');
    const cut = view.streams.filter(({ ended }) => ended?.cause === 'us' && ended.at === at);
    const isTakenUp = ({ party, resumed, openedMs }: StreamTrace): boolean =>
      resumed && openedMs >= at && cut.some((one) => one.party === party);
    if (view.streams.some(isTakenUp)) reach('restart: a stream taken up again');
  }
  const isFull = ({ exchange }: Call): boolean => exchange.error?.code === 'gateway';
  if (view.calls.some(isFull)) reach('disk full: something refused');
}

const dayMs = 86_400_000;

function reachedByTime({ startMs, endMs }: WorldRun, reach: Reach): void {
  for (let day = Math.ceil((startMs + 1) / dayMs) * dayMs; day <= endMs; day += dayMs) {
    reach('turn: day');
    const [before, after] = [day - 1, day].map((ms) => new Date(ms));
    if (after?.getUTCDate() === 1) reach('turn: month');
    if (after?.getUTCDate() === 1 && after.getUTCMonth() === 0) reach('turn: year');
    if (before?.getUTCMonth() !== 1) continue;
    if (before.getUTCDate() >= 28) reach(`turn: ${before.getUTCDate()} February`);
  }
}

function reachedByGrowth(view: HistoryView, reach: Reach): void {
  const created = [...view.orders.values()].filter(({ creation }) => creation?.ok);
  const by = groupBy(created, ({ creation }) => creation?.party ?? '');
  for (const own of by.values()) {
    if (own.length >= 5) reach('growth: fifth order of a party');
    const failed = own.findIndex(({ snapshots }) =>
      snapshots.some((seen) => orderStateOf(seen) === 'FAILED'),
    );
    if (failed >= 0 && failed < own.length - 1) reach('growth: order after a failed one');
  }
  if (created.length >= 20) reach('growth: twentieth order of a world');
  const streams = groupBy(view.streams, ({ party }) => party);
  if ([...streams.values()].some((own) => own.length >= 5))
    reach('growth: fifth stream of a party');
}
