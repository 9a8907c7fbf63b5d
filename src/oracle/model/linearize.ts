import { tolerance } from '../../protocol/tolerances.ts';
import {
  isLook,
  mayChange,
  type Operation,
  overlap,
  precedes,
  type OrderHistory,
  type Views,
} from './order-history.ts';
import {
  initialState,
  type ModelState,
  stateKey,
  type TimedState,
  successors,
} from './order-model.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { describeExchange } from '../../protocol/answers.ts';
import { type Call, letThrough } from '../trace/calls.ts';

export interface SearchOptions {
  readonly views: Views;
  /** Maximum number of steps of the search; beyond it, the result is `unknown`. */
  readonly mostSteps?: number | undefined;
}

/**
 * `legal`: some sequential order of the commands, consistent with when each was sent and answered, admits every reply;
 * `end` is the state after the first that was found. `illegal`: none does. `unknown`: not found out within bounds.
 */
export type Linearization =
  | { readonly kind: 'legal'; readonly end: ModelState }
  | { readonly kind: 'illegal' }
  | { readonly kind: 'unknown' };

const usualSteps = 20_000;
/** Maximum number of operations on one order: comparing each with each other takes long. */
const mostOperations = 200;

/** Operations that say something about the order, or may have changed it. */
const telling = (operations: readonly Operation[]): readonly Operation[] =>
  operations.filter(({ reply }) => reply !== 'void');

/** True if a command overlapped with another one that may have changed the same order: one may have lost. */
const isContended = (operation: Operation, all: readonly Operation[]): boolean =>
  all.some((other) => other.kind !== 'create' && mayChange(other) && overlap(operation, other));

/** The earliest moment at which a command can have been carried out, or answered from a view that lagged. */
const earliestOf = (operation: Operation, views: Views): number =>
  views === 'lagging' && !mayChange(operation)
    ? operation.from - tolerance.replicationLagMs
    : operation.from;

/**
 * Searches for a legal order of effects (linearizability, after Wing and Gong, with times and nondeterminism): depth
 * first, preferably in the order of the answers, each situation visited once.
 */
export function linearize(
  history: OrderHistory,
  all: readonly Operation[],
  { views, mostSteps = usualSteps }: SearchOptions,
): Linearization {
  const operations = telling(all);
  if (operations.length > mostOperations) return { kind: 'unknown' };
  const before = operations.map((operation) =>
    operations.reduce(
      (mask, other, index) =>
        precedes(other, operation, views) ? mask | (1n << BigInt(index)) : mask,
      0n,
    ),
  );
  const whole = (1n << BigInt(operations.length)) - 1n;
  const visited = new Map<string, number>();
  let end: ModelState | undefined;
  let steps = 0;

  /** True if the search may stop: an order was found, or the bound was reached. */
  function visit(done: bigint, at: TimedState): boolean {
    if (done === whole) {
      end = at.state;
      return true;
    }
    const key = `${done} ${stateKey(at.state)}`;
    const seen = visited.get(key);
    // An earlier time is never worse: everything that can happen later can still happen.
    if (seen !== undefined && seen <= at.now) return false;
    visited.set(key, at.now);
    for (const [index, operation] of operations.entries()) {
      const bit = 1n << BigInt(index);
      const needs = before[index] ?? 0n;
      if ((done & bit) !== 0n || (needs & done) !== needs) continue;
      steps += 1;
      if (steps > mostSteps) return true;
      const earliest = earliestOf(operation, views);
      const contended = (): boolean => isContended(operation, operations);
      for (const next of successors(at, operation, earliest, history, contended)) {
        if (visit(done | bit, next)) return true;
      }
    }
    return false;
  }

  const start = { state: initialState, now: Number.NEGATIVE_INFINITY };
  visit(0n, start);
  if (end) return { kind: 'legal', end };
  return { kind: steps > mostSteps ? 'unknown' : 'illegal' };
}

/** Requirements that an unexplained reply can break, with their messages. */
export const contradictions = {
  'order.state.legal-under-race':
    'No order of effects explained what commands sent at once came to.',
  'order.state.listed-transitions-only':
    'An order was in a state that nothing done to it explains.',
  'quote.state.listed-transitions-only': 'A quote was in a state that nothing done to it explains.',
  'quote.state.usable-until-deadline': 'A valid quote of an open order could not be accepted.',
  'order.cancel.pending': 'A PENDING order could not be cancelled.',
  'order.cancel.pending-with-quotes': 'A PENDING order that had quotes could not be cancelled.',
  'order.cancel.executing-refused': 'An order that was EXECUTING was cancelled.',
  'order.cancel.settled-refused': 'An order that was SETTLED was cancelled.',
  'order.accept.expired-quote-refused': 'A quote was accepted after its `valid_until`.',
  'order.accept.second-quote-refused':
    'A quote was accepted on an order that had another accepted.',
  'order.accept.settled-order-refused': 'A quote was accepted on an order that was SETTLED.',
  'order.accept.expired-order-refused': 'A quote was accepted on an order that was EXPIRED.',
} as const satisfies { readonly [id in RequirementId]?: string };
export type ModelRequirement = keyof typeof contradictions;

export const modelRequirements = Object.keys(contradictions) as ModelRequirement[];

/** Commands that may have changed an order after its creation. */
const changesIn = (operations: readonly Operation[]): readonly Operation[] =>
  operations.filter((one) => one.kind !== 'create' && mayChange(one));

const cancelOf = (earlier: readonly Operation[]) =>
  earlier.some(({ kind, reply }) => kind === 'submit' && reply === 'yes')
    ? 'order.cancel.pending-with-quotes'
    : 'order.cancel.pending';

type Status = ModelState['status'];
type States = Readonly<Partial<Record<Status, ModelRequirement>>>;

/** Requirements that a granted command breaks, by the state of its order. */
const refusedIn: Readonly<Partial<Record<Operation['kind'], States>>> = {
  cancel: {
    EXECUTING: 'order.cancel.executing-refused',
    SETTLED: 'order.cancel.settled-refused',
  },
  accept: {
    QUOTED: 'order.accept.second-quote-refused',
    EXECUTING: 'order.accept.second-quote-refused',
    SETTLED: 'order.accept.settled-order-refused',
    EXPIRED: 'order.accept.expired-order-refused',
  },
};

/** The requirement that a granted command breaks; undefined if the state of its order does not tell. */
function granted(
  { kind, quote, from }: Operation,
  { quotes }: OrderHistory,
  possible: Status | undefined,
): ModelRequirement | undefined {
  if (possible !== 'PENDING') return possible && refusedIn[kind]?.[possible];
  const validUntil = quotes.get(quote ?? '')?.validUntil;
  const isLate = kind === 'accept' && validUntil !== undefined && validUntil < from;
  return isLate ? 'order.accept.expired-quote-refused' : undefined;
}

/** The requirement that a reply breaks if no earlier operation explains it. */
function broken(
  operation: Operation,
  before: readonly Operation[],
  history: OrderHistory,
  possible: Status | undefined,
): ModelRequirement {
  const { kind, reply } = operation;
  if (kind === 'quotes') return 'quote.state.listed-transitions-only';
  if (reply === 'no' && kind === 'accept') return 'quote.state.usable-until-deadline';
  if (reply === 'no' && kind === 'cancel') return cancelOf(before);
  const changes = changesIn(before);
  const isRaced = [operation, ...changes].some((one) =>
    changes.some((other) => overlap(one, other)),
  );
  if (isRaced) return 'order.state.legal-under-race';
  return granted(operation, history, possible) ?? 'order.state.listed-transitions-only';
}

/** Requirements that an explained reply shows to be kept. */
function kept(
  operation: Operation,
  operations: readonly Operation[],
  changes: readonly Operation[],
): readonly ModelRequirement[] {
  const { kind, reply, begin, shown = [] } = operation;
  if (reply === 'void' || reply === 'lost' || kind === 'create') return [];
  const isRaced = changes.some((other) => overlap(operation, other));
  const raced = isRaced ? (['order.state.legal-under-race'] as const) : [];
  if (reply === 'no') return raced;
  if (kind === 'accept') return [...raced, 'quote.state.usable-until-deadline'];
  if (kind === 'cancel') {
    const earlier = operations.filter(({ end }) => end < begin);
    return [...raced, cancelOf(earlier)];
  }
  if (kind === 'read') return [...raced, 'order.state.listed-transitions-only'];
  return shown.length > 0 ? [...raced, 'quote.state.listed-transitions-only'] : raced;
}

/** Result of comparing one order with the model. */
export type Comparison =
  | {
      readonly kind: 'kept';
      readonly exercised: readonly (readonly [ModelRequirement, Operation])[];
    }
  | { readonly kind: 'undecided' }
  | Contradiction;

export interface Contradiction {
  readonly kind: 'broken';
  readonly requirement: ModelRequirement;
  readonly message: string;
  readonly fields: readonly string[];
  /** The reply that nothing explains, and all that came before it. */
  readonly culprit: Operation;
  readonly before: readonly Operation[];
  /** A state that the order can have had by all that came before. Undefined: nothing came before. */
  readonly possible: Status | undefined;
}

/** Number of commands that a violation shows before the reply that nothing explains. */
const mostShown = 11;

const unanswered = (operation: Operation): Operation => ({
  ...operation,
  reply: 'lost',
  to: Number.POSITIVE_INFINITY,
});

/** True if an unexplained reply would be explained without its quote id. */
function namesWrongQuote(
  history: OrderHistory,
  known: readonly Operation[],
  { id, names }: Operation,
  mostSteps: number | undefined,
): boolean {
  if (names === undefined) return false;
  const nameless = known.map((one): Operation => {
    const { names: _, ...rest } = one;
    return one.id === id ? rest : one;
  });
  return linearize(history, nameless, { views: 'lagging', mostSteps }).kind === 'legal';
}

/** The operations before an answer. Those that were under way may have taken effect before it, or not. */
const knownBy = (operations: readonly Operation[], { end }: Operation): readonly Operation[] =>
  operations
    .filter(({ begin }) => begin < end)
    .map((other) => (other.end <= end ? other : unanswered(other)));

/** Finds the first reply that contradicts all that was answered before it. All of them together do. */
function firstContradiction(history: OrderHistory, mostSteps?: number): Comparison {
  const operations = telling(history.operations);
  let [legal, illegal] = [-1, operations.length - 1];
  let possible: Status | undefined;
  while (illegal - legal > 1) {
    const middle = (legal + illegal) >> 1;
    const known = knownBy(operations, operations[middle] as Operation);
    const answer = linearize(history, known, { views: 'lagging', mostSteps });
    if (answer.kind === 'unknown') return { kind: 'undecided' };
    if (answer.kind === 'illegal') illegal = middle;
    else {
      legal = middle;
      possible = answer.end.status;
    }
  }
  const culprit = operations[illegal] as Operation;
  const before = history.operations.filter((one) => one.end < culprit.end);
  const requirement = broken(culprit, before, history, possible);
  const isOfQuote = namesWrongQuote(history, knownBy(operations, culprit), culprit, mostSteps);
  const fields = isOfQuote ? ['quote_id'] : [];
  const message = isOfQuote
    ? 'The `quote_id` of an order was that of a quote that nothing done to it explains.'
    : contradictions[requirement];
  return { kind: 'broken', requirement, message, fields, culprit, before, possible };
}

/**
 * Compares all operations on one order with the states that the document admits.
 * @param mostSteps maximum number of steps of each search; the usual bound by default
 */
export function compareWithModel(history: OrderHistory, mostSteps?: number): Comparison {
  const { operations } = history;
  const answer = linearize(history, operations, { views: 'lagging', mostSteps });
  if (answer.kind === 'unknown') return { kind: 'undecided' };
  if (answer.kind === 'illegal') return firstContradiction(history, mostSteps);
  const changes = changesIn(operations);
  return {
    kind: 'kept',
    exercised: operations.flatMap((one) =>
      kept(one, operations, changes).map((requirement) => [requirement, one] as const),
    ),
  };
}

/** The reply that was wrong, as a sentence, with the states that it showed. */
function describeReply({ call, party, status, shown = [] }: Operation): string {
  const states = status ? [status] : shown.map(([, state]) => state);
  return `${party}: ${describeExchange(call.exchange)}${states.length > 0 ? ` (${states.join(', ')})` : ''}`;
}

/** True if a command that had to be refused was granted. Commands sent at once are each admissible alone. */
export const isLetThrough = ({
  requirement,
  culprit: { kind, reply },
}: Pick<Contradiction, 'requirement' | 'culprit'>): boolean =>
  reply === 'yes' && !isLook(kind) && requirement !== 'order.state.legal-under-race';

/** The violation, without its evidence. */
export const violationOf = ({
  requirement,
  message,
  fields,
  culprit,
  possible,
}: Contradiction) => ({
  message,
  fields,
  ...(culprit.reply === 'no' && { deviation: 'refused' as const }),
  ...(possible && { must: { words: `what follows from an order that is ${possible}` } }),
  actual: describeReply(culprit),
  ...(isLetThrough({ requirement, culprit }) && letThrough(culprit.call)),
});

/** The commands that led to it, the last of them, and the reply that nothing explains. */
export const callsOf = ({ before, culprit }: Contradiction): readonly Call[] => [
  ...before
    .filter(({ kind, call }) => !isLook(kind) && call.exchange.by !== 'unrecorded')
    .slice(-mostShown)
    .map(({ call }) => call),
  culprit.call,
];
