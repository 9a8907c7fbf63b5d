import { mayChange, type Operation, overlap, type OrderHistory } from './operations.ts';
import {
  type BlamedRequirement,
  readRequirements,
  accessViolation,
} from './blamed-requirements.ts';

type When = readonly (readonly [when: boolean, kept: BlamedRequirement])[];

const chosen = (all: When): BlamedRequirement[] =>
  all.flatMap(([when, kept]) => (when ? [kept] : []));

/** What a refusal shows to be kept, by what was answered before it. */
function refusals(
  { kind, quote, from }: Operation,
  earlier: readonly Operation[],
  history: OrderHistory,
) {
  const done = (what: Operation['kind']): Operation[] =>
    earlier.filter((other) => other.kind === what && other.reply === 'yes');
  const last = earlier.findLast(({ kind: what, status }) => what === 'read' && status);
  if (kind === 'cancel') {
    return chosen([
      [last?.status === 'EXECUTING', 'order.cancel.executing-refused'],
      [last?.status === 'SETTLED', 'order.cancel.settled-refused'],
    ]);
  }
  if (kind !== 'accept') return [];
  const second = done('accept').some((other) => other.quote !== quote);
  const cancelled = done('cancel').length > 0;
  const validUntil = history.quotes.get(quote ?? '')?.validUntil ?? Number.POSITIVE_INFINITY;
  return chosen([
    [second, 'order.accept.second-quote-refused'],
    [second && last?.status === 'SETTLED', 'order.accept.settled-order-refused'],
    [cancelled && !second, 'order.accept.cancelled-order-refused'],
    [from > validUntil && !second && !cancelled, 'order.accept.expired-quote-refused'],
    [from > history.expiresAt && !second && !cancelled, 'order.accept.expired-order-refused'],
  ]);
}

/** What a success shows to be kept. */
function successes(operation: Operation, earlier: readonly Operation[]): BlamedRequirement[] {
  const { kind, relation, shown = [] } = operation;
  const isDone = (what: Operation['kind']): boolean =>
    earlier.some((other) => other.kind === what && other.reply === 'yes');
  const refused = earlier.some(({ kind: what, reply }) => reply === 'no' && what !== 'read');
  const allowed = readRequirements[relation];
  const rejected = shown.some(([, state]) => state === 'REJECTED');
  return chosen([
    [kind === 'accept', 'quote.state.usable-until-deadline'],
    [kind === 'cancel' && !isDone('submit'), 'order.cancel.pending'],
    [kind === 'cancel' && isDone('submit'), 'order.cancel.pending-with-quotes'],
    [kind === 'read', 'order.state.listed-transitions-only'],
    [kind === 'read' && isDone('cancel'), 'order.cancel.never-settles'],
    [kind === 'read' && refused, 'error.refusal-changes-nothing'],
    [kind === 'read' && operation.status === 'SETTLED', 'order.state.executing-to-settled'],
    [shown.length > 0, 'quote.state.listed-transitions-only'],
    [shown.length > 0, 'quote.state.one-accepted-per-order'],
    [rejected, 'quote.state.pending-to-rejected'],
    ...(kind === 'read' && allowed ? [[true, allowed] as const] : []),
  ]);
}

/** What a reply that the model explains shows to be kept. */
export function requirementsShown(
  operation: Operation,
  history: OrderHistory,
): BlamedRequirement[] {
  const { kind, reply, begin, quote } = operation;
  if (reply === 'void' || reply === 'lost' || kind === 'create') return [];
  const forbidden = accessViolation(operation);
  if (forbidden) return reply === 'no' ? [forbidden] : [];
  const rivals = history.operations.filter(
    (other) => other.kind !== 'create' && mayChange(other) && overlap(operation, other),
  );
  const raced =
    kind === 'accept' && rivals.some((one) => one.kind === 'accept' && one.quote !== quote);
  const earlier = history.operations.filter(({ end }) => end < begin);
  return [
    ...(reply === 'yes' ? successes(operation, earlier) : refusals(operation, earlier, history)),
    ...chosen([
      [rivals.length > 0, 'order.state.legal-under-race'],
      [raced, 'quote.state.one-accepted-under-race'],
    ]),
  ];
}
