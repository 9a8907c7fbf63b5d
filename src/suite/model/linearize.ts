import { tolerance } from '../../protocol/tolerances.ts';
import {
  mayChange,
  type Operation,
  overlap,
  precedes,
  type OrderHistory,
  type Views,
} from './operations.ts';
import { initialState, type ModelState, stateKey, type TimedState } from './model-state.ts';
import { successors } from './order-model.ts';

export interface SearchOptions {
  readonly views: Views;
  /** Maximum number of steps of the search; beyond it, the result is `unknown`. */
  readonly mostSteps?: number | undefined;
}

/**
 * `legal`: some sequential order of the commands, consistent with when each was sent and answered, admits every reply;
 * `ends` are the possibilities after the orders found. `illegal`: none does. `unknown`: not found out within bounds.
 */
export type Linearization =
  | { readonly kind: 'legal'; readonly ends: readonly ModelState[] }
  | { readonly kind: 'illegal' }
  | { readonly kind: 'unknown' };

const usualSteps = 20_000;

/** True if a command overlapped with another one that may have changed the same order: one may have lost. */
export const isContended = (operation: Operation, all: readonly Operation[]): boolean =>
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
  operations: readonly Operation[],
  { views, mostSteps = usualSteps }: SearchOptions,
): Linearization {
  const before = operations.map((operation) =>
    operations.reduce(
      (mask, other, index) =>
        precedes(other, operation, views) ? mask | (1n << BigInt(index)) : mask,
      0n,
    ),
  );
  const contended = operations.map((operation) => isContended(operation, operations));
  const whole = (1n << BigInt(operations.length)) - 1n;
  const visited = new Map<string, number>();
  const ends = new Map<string, ModelState>();
  let steps = 0;

  /** True if the search may stop: an order was found, or the bound was reached. */
  function visit(done: bigint, at: TimedState): boolean {
    if (done === whole) {
      ends.set(stateKey(at.state), at.state);
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
      for (const next of successors(at, operation, earliest, history, contended[index] ?? false)) {
        if (visit(done | bit, next)) return true;
      }
    }
    return false;
  }

  const start = { state: initialState, now: Number.NEGATIVE_INFINITY };
  visit(0n, start);
  if (ends.size > 0) return { kind: 'legal', ends: [...ends.values()] };
  return { kind: steps > mostSteps ? 'unknown' : 'illegal' };
}
