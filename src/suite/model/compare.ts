import { isRefusal, describeExchange } from '../actions/index.ts';
import { mayChange, type Operation, overlap, type OrderHistory } from './operations.ts';
import { requirementsShown } from './requirements-shown.ts';
import { linearize, type Linearization } from './linearize.ts';
import {
  type BlamedRequirement,
  readRequirements,
  accessViolation,
} from './blamed-requirements.ts';
import type { ModelState } from './order-model.ts';

/** The sentence that a reply breaks, when nothing that came before explains it. */
function broken(
  operation: Operation,
  before: readonly Operation[],
  history: OrderHistory,
  possible: ModelState | undefined,
): BlamedRequirement {
  const { kind, reply, relation } = operation;
  const forbidden = reply === 'yes' ? accessViolation(operation) : undefined;
  if (forbidden) return forbidden;
  const others = before.filter((other) => other.kind !== 'create' && mayChange(other));
  const raced = others.some((other) => overlap(other, operation));
  const cancelled = before.some((other) => other.kind === 'cancel' && other.reply === 'yes');
  switch (kind) {
    case 'accept':
      return reply === 'yes'
        ? wronglyAccepted(operation, others, history, possible)
        : 'quote.state.usable-until-deadline';
    case 'cancel': {
      if (reply === 'yes') {
        const settled = possible?.status === 'SETTLED';
        return settled ? 'order.cancel.settled-refused' : 'order.cancel.executing-refused';
      }
      const quoted = before.some((other) => other.kind === 'submit' && other.reply === 'yes');
      return quoted ? 'order.cancel.pending-with-quotes' : 'order.cancel.pending';
    }
    case 'quotes':
      return wronglyListed(operation, possible);
    case 'read': {
      if (reply !== 'yes')
        return readRequirements[relation] ?? 'order.state.listed-transitions-only';
      const races = others.some((one) => others.some((other) => overlap(one, other)));
      if (operation.blamesCancel && cancelled) return 'order.cancel.executing-refused';
      if (raced || races) return 'order.state.legal-under-race';
      if (cancelled) return 'order.cancel.never-settles';
      return undone(operation, before, possible)
        ? 'error.refusal-changes-nothing'
        : 'order.state.listed-transitions-only';
    }
    case 'create':
    case 'submit':
    case 'propose':
      return 'order.state.legal-under-race';
  }
}

/** Whether what is seen looks like the work of a request that was refused. */
function undone(
  { status }: Operation,
  before: readonly Operation[],
  possible: ModelState | undefined,
): boolean {
  const refused = (kind: Operation['kind']): boolean =>
    before.some((other) => other.kind === kind && isRefusal(other.exchange));
  if (status === 'EXPIRED' || status === 'FAILED') return refused('cancel');
  return possible?.status === 'PENDING' && refused('accept');
}

function wronglyAccepted(
  operation: Operation,
  others: readonly Operation[],
  history: OrderHistory,
  possible: ModelState | undefined,
): BlamedRequirement {
  const rivals = others.filter(
    ({ kind, reply, quote }) => kind === 'accept' && reply === 'yes' && quote !== operation.quote,
  );
  if (rivals.some((rival) => overlap(rival, operation)))
    return 'quote.state.one-accepted-under-race';
  if (rivals.length > 0) {
    return possible?.status === 'SETTLED'
      ? 'order.accept.settled-order-refused'
      : 'order.accept.second-quote-refused';
  }
  if (others.some(({ kind, reply }) => kind === 'cancel' && reply === 'yes')) {
    return 'order.accept.cancelled-order-refused';
  }
  const validUntil = history.quotes.get(operation.quote ?? '')?.validUntil;
  return validUntil !== undefined && operation.from > validUntil
    ? 'order.accept.expired-quote-refused'
    : 'order.accept.expired-order-refused';
}

function wronglyListed(
  { shown = [] }: Operation,
  possible: ModelState | undefined,
): BlamedRequirement {
  const accepted = possible?.accepted;
  for (const [id, state] of shown) {
    const mark = possible?.quotes[id];
    if (state === 'ACCEPTED' && mark !== 'ACCEPTED' && mark !== 'released') {
      return 'quote.state.one-accepted-per-order';
    }
    if (accepted !== undefined && mark === 'REJECTED' && state !== 'REJECTED') {
      return 'quote.state.pending-to-rejected';
    }
  }
  return 'quote.state.listed-transitions-only';
}

/** What the model makes of one order. */
export type Comparison =
  | { readonly kind: 'kept'; readonly exercised: readonly BlamedRequirement[] }
  | { readonly kind: 'undecided' }
  | {
      readonly kind: 'broken';
      readonly requirement: BlamedRequirement;
      /** The reply that nothing explains, and all that came before it. */
      readonly culprit: Operation;
      readonly before: readonly Operation[];
      /** What the order must have been instead, where one possibility is known. */
      readonly possible: ModelState | undefined;
    };

const unanswered = (operation: Operation): Operation => ({
  ...operation,
  reply: 'lost',
  to: Number.POSITIVE_INFINITY,
});

/** Finds the first reply that contradicts all that was answered before it. */
function blame(history: OrderHistory): Comparison {
  let possible: ModelState | undefined;
  for (const [index, culprit] of history.operations.entries()) {
    // What was under way when it was answered may have taken effect before it, or not.
    const known = history.operations
      .filter(({ begin }) => begin < culprit.end)
      .map((other) => (other.end <= culprit.end ? other : unanswered(other)));
    const answer: Linearization = linearize(history, known, { views: 'lagging' });
    if (answer.kind === 'unknown') return { kind: 'undecided' };
    if (answer.kind === 'legal') {
      [possible] = answer.ends;
      continue;
    }
    const before = history.operations.slice(0, index);
    const requirement = broken(culprit, before, history, possible);
    return { kind: 'broken', requirement, culprit, before, possible };
  }
  return { kind: 'undecided' };
}

/** Judges all that was done to one order against what the document lets it be. */
export function compareWithModel(history: OrderHistory): Comparison {
  const answer = linearize(history, history.operations, { views: 'lagging' });
  if (answer.kind === 'unknown') return { kind: 'undecided' };
  if (answer.kind === 'illegal') return blame(history);
  return {
    kind: 'kept',
    exercised: history.operations.flatMap((operation) => requirementsShown(operation, history)),
  };
}

/** The reply that was wrong, as a sentence. */
export const describeReply = ({ exchange, party, status }: Operation): string =>
  `${party}: ${describeExchange(exchange)}${status ? ` (${status})` : ''}`;
