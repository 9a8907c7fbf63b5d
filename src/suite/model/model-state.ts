import { tolerance } from '../../protocol/tolerances.ts';
import { isTerminal } from '../../spec/states.ts';
import type { OrderState, QuoteState } from '../../spec/vocabulary.ts';
import type { OrderHistory } from './operations.ts';

/**
 * Possible state of a quote. `open`: any state but ACCEPTED, because the document gives no rule. `released`: it was
 * accepted, and its order ended unsettled. `outlived`: another was selected near its deadline, or later.
 */
export type QuoteMark = QuoteState | 'open' | 'released' | 'outlived';

/** One state that an order may be in. If the document leaves something open, there are several. */
export interface ModelState {
  readonly status: OrderState | 'NONE';
  readonly accepted: string | undefined;
  /** A cancel was acknowledged that must have taken effect by this moment (gap `cancel.response`). */
  readonly endsBy: number | undefined;
  readonly quotes: Readonly<Record<string, QuoteMark>>;
}

/** A possible state, and its earliest moment on the target's clock. */
export interface TimedState {
  readonly state: ModelState;
  readonly now: number;
}

export const initialState: ModelState = {
  status: 'NONE',
  accepted: undefined,
  endsBy: undefined,
  quotes: {},
};

const { deadlineEarlyMs, deadlineLateMs } = tolerance;
const unsettled = ['EXPIRED', 'FAILED'] as const;

/** Quotes after the end of their order: 3.2 has no rule for them. */
const orphaned = (quotes: ModelState['quotes']): ModelState['quotes'] =>
  Object.fromEntries(
    Object.entries(quotes).map(([id, mark]): [string, QuoteMark] => {
      if (mark === 'PENDING') return [id, 'open'];
      return [id, mark === 'ACCEPTED' ? 'released' : mark];
    }),
  );

export const ended = (state: ModelState, status: 'EXPIRED' | 'FAILED'): ModelState => ({
  ...state,
  status,
  quotes: orphaned(state.quotes),
});

export const payableOf = (history: OrderHistory, quote: string | undefined) =>
  history.quotes.get(quote ?? '')?.payable ?? 'maybe';

/** States that follow without a request: the automatic rows of 3.1, each no earlier than its condition. */
function spontaneousSteps({ state, now }: TimedState, history: OrderHistory): TimedState[] {
  const later = (moment: number): number => Math.max(now, moment - deadlineEarlyMs);
  const to = (status: OrderState): TimedState => ({ state: { ...state, status }, now });
  const end = (status: 'EXPIRED' | 'FAILED', moment = now): TimedState => ({
    state: ended(state, status),
    now: Math.max(now, moment),
  });
  const cancelled = state.endsBy === undefined ? [] : unsettled.map((status) => end(status));
  // A failure counts only if it was seen: every order is read again at the end of a sequence.
  const failures = unsettled
    .filter((status) => history.seen.has(status))
    .map((status) => end(status));
  const failed = failures.filter((at) => at.state.status === 'FAILED');
  const validUntil = history.quotes.get(state.accepted ?? '')?.validUntil ?? now;
  switch (state.status) {
    case 'PENDING':
      return [...cancelled, end('EXPIRED', later(history.expiresAt)), ...failed];
    case 'QUOTED':
      return [
        ...cancelled,
        to('EXECUTING'),
        end('EXPIRED', later(validUntil)),
        ...(payableOf(history, state.accepted) === 'surely' ? [] : failed),
      ];
    case 'EXECUTING':
      // The next state after an exceeded window or a passed `valid_until` is open.
      return [...(state.endsBy === undefined ? [to('SETTLED')] : cancelled), ...failures];
    case 'NONE':
    case 'SETTLED':
    case 'EXPIRED':
    case 'FAILED':
      return [];
  }
}

/** True if an order can still be in this state at this moment. */
export const holds = ({ state, now }: TimedState, { expiresAt }: OrderHistory): boolean => {
  if (state.status === 'NONE' || isTerminal(state.status)) return true;
  if (state.endsBy !== undefined && now > state.endsBy) return false;
  return state.status !== 'PENDING' || now <= expiresAt + deadlineLateMs;
};

/** All states that an order can have reached by itself, including its present state. */
export function spontaneousStates(from: TimedState, history: OrderHistory): TimedState[] {
  const all = [from];
  for (const at of all) all.push(...spontaneousSteps(at, history));
  return all;
}

/** A text that two possibilities share only if they are the same. */
export function stateKey({ status, accepted: quote, endsBy, quotes }: ModelState): string {
  const marks = Object.keys(quotes)
    .toSorted()
    .map((id) => `${id}=${quotes[id]}`);
  return [status, quote ?? '', endsBy ?? '', ...marks].join(' ');
}
