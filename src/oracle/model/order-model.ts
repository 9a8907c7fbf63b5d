import { tolerance } from '../../protocol/tolerances.ts';
import { isTerminal, acceptedStates } from '../../spec/states.ts';
import type { OrderState, QuoteState } from '../../spec/vocabulary.ts';
import type { Operation, OrderHistory } from './order-history.ts';

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

const { deadlineEarlyMs, deadlineLateMs, replicationLagMs } = tolerance;
const unsettled = ['EXPIRED', 'FAILED'] as const;

/** Quotes after the end of their order: 3.2 has no rule for them. */
const orphaned = (quotes: ModelState['quotes']): ModelState['quotes'] =>
  Object.fromEntries(
    Object.entries(quotes).map(([id, mark]): [string, QuoteMark] => {
      if (mark === 'PENDING') return [id, 'open'];
      return [id, mark === 'ACCEPTED' ? 'released' : mark];
    }),
  );

const ended = (state: ModelState, status: 'EXPIRED' | 'FAILED'): ModelState => ({
  ...state,
  status,
  quotes: orphaned(state.quotes),
});

const isPayable = (history: OrderHistory, quote = ''): boolean =>
  history.quotes.get(quote)?.isPayable === true;

/** States that follow without a request: the automatic rows of 3.1, each no earlier than its condition. */
function spontaneousSteps(
  { state, now }: TimedState,
  history: OrderHistory,
  until: number,
): readonly TimedState[] {
  const to = (status: OrderState): TimedState => ({ state: { ...state, status }, now });
  const end = (status: 'EXPIRED' | 'FAILED'): TimedState => ({ state: ended(state, status), now });
  const expired = (moment: number): readonly TimedState[] => {
    const at = Math.max(now, moment - deadlineEarlyMs);
    return at > until ? [] : [{ ...end('EXPIRED'), now: at }];
  };
  const cancelled = state.endsBy === undefined ? [] : unsettled.map(end);
  // A failure counts only if it was seen. Refusals count only if the order was seen after them.
  const failures = unsettled.filter((status) => history.seen.has(status)).map(end);
  const failed = failures.filter((at) => at.state.status === 'FAILED');
  const validUntil = history.quotes.get(state.accepted ?? '')?.validUntil ?? now;
  switch (state.status) {
    case 'PENDING':
      return [...cancelled, ...expired(history.expiresAt), ...failed];
    case 'QUOTED':
      return [
        ...cancelled,
        to('EXECUTING'),
        ...expired(validUntil),
        ...(isPayable(history, state.accepted) ? [] : failed),
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
const holds = ({ state, now }: TimedState, { expiresAt }: OrderHistory): boolean => {
  if (state.status === 'NONE' || isTerminal(state.status)) return true;
  if (state.endsBy !== undefined && now > state.endsBy) return false;
  return state.status !== 'PENDING' || now <= expiresAt + deadlineLateMs;
};

/** All states that an order can have reached by itself up to a moment, including its present state. */
function spontaneousStates(from: TimedState, history: OrderHistory, until: number): TimedState[] {
  const all = [from];
  for (const at of all) all.push(...spontaneousSteps(at, history, until));
  return all;
}

/** A text that two possibilities share only if they are the same. */
export function stateKey({ status, accepted: quote, endsBy, quotes }: ModelState): string {
  const marks = Object.keys(quotes)
    .toSorted()
    .map((id) => `${id}=${quotes[id]}`);
  return [status, quote ?? '', endsBy ?? '', ...marks].join(' ');
}

/** Effect of accepting a quote (3.1 and 3.2), at some moment up to `latest`. */
function accepted(
  state: ModelState,
  quote: string,
  history: OrderHistory,
  latest: number,
): ModelState {
  const maker = history.quotes.get(quote)?.maker;
  const quotes = Object.fromEntries(
    Object.entries(state.quotes).map(([id, mark]): [string, QuoteMark] => {
      if (id === quote) return [id, 'ACCEPTED'];
      if (mark !== 'PENDING') return [id, mark];
      // The state of the winner's other quotes is open (gap `quote.winner_others`).
      const other = history.quotes.get(id);
      if (!other || other.maker === maker) return [id, 'open'];
      // Rivals may be rejected a little later, and one may lapse before its turn comes.
      const mayLapse = latest + replicationLagMs >= other.validUntil - deadlineEarlyMs;
      return [id, mayLapse ? 'outlived' : 'REJECTED'];
    }),
  );
  return { ...state, status: 'QUOTED', accepted: quote, quotes };
}

/** Possible states after the answer to an acceptance by a party that may accept. */
function acceptance(
  at: TimedState,
  operation: Operation,
  history: OrderHistory,
  contended: () => boolean,
): TimedState[] {
  const { state, now } = at;
  const { quote = '', reply } = operation;
  const facts = history.quotes.get(quote);
  const mark = state.quotes[quote];
  const validUntil = facts?.validUntil ?? Number.NEGATIVE_INFINITY;
  const isOpen = state.status === 'PENDING' && (mark === 'PENDING' || mark === 'open');
  const inTime = now <= validUntil + deadlineEarlyMs;
  const taken =
    isOpen && inTime ? [{ state: accepted(state, quote, history, operation.to), now }] : [];
  // Accepting the accepted quote again is open (gap `accept.again`).
  const again = state.accepted === quote ? [at] : [];
  // Accepting a quote above the maximum may fail the order, and may select the quote or not (gap `quote.above_max`).
  const failing = isOpen && !isPayable(history, quote);
  const failed = failing ? [{ state: ended(state, 'FAILED'), now }] : [];
  if (reply === 'yes') return [...taken, ...again, ...failed];
  if (reply === 'lost') return [...taken, at];
  const deadline = Math.min(validUntil, history.expiresAt) - deadlineEarlyMs;
  const spared =
    !isOpen ||
    mark !== 'PENDING' ||
    state.endsBy !== undefined ||
    !isPayable(history, quote) ||
    contended();
  if (!spared) return [{ state, now: Math.max(now, deadline) }];
  return [at, ...failed];
}

/** Possible states after the answer to a cancel by the order's sender. */
function cancellation(
  at: TimedState,
  operation: Operation,
  contended: () => boolean,
): TimedState[] {
  const { state } = at;
  const { reply, status: shown } = operation;
  const cancellable = state.status === 'PENDING' || state.status === 'QUOTED';
  const endsBy = Math.max(state.endsBy ?? 0, operation.to + replicationLagMs);
  const done: TimedState[] = !cancellable
    ? []
    : shown === 'EXPIRED' || shown === 'FAILED'
      ? [{ ...at, state: ended({ ...state, endsBy }, shown) }]
      : [{ ...at, state: { ...state, endsBy } }];
  const over = state.status === 'EXPIRED' || state.status === 'FAILED';
  // The answer to a cancel of an order that ended unsettled is open (gap `cancel.again`).
  const again = over || state.endsBy !== undefined ? [at] : [];
  if (reply === 'yes') return [...done, ...again];
  if (reply === 'lost') return [...done, at];
  return !cancellable || state.endsBy !== undefined || contended() ? [at] : [];
}

function submission(at: TimedState, operation: Operation, history: OrderHistory): TimedState[] {
  const { state } = at;
  const { quote, reply, party } = operation;
  if (reply === 'no') return [at];
  const quotes = Object.fromEntries(
    Object.entries(state.quotes).map(([id, mark]): [string, QuoteMark] => {
      // A newer quote may replace an older one of its maker (gap `quote.twice`).
      const replaced = mark === 'PENDING' && history.quotes.get(id)?.maker === party;
      return [id, replaced ? 'open' : mark];
    }),
  );
  if (reply === 'lost' || quote === undefined) return [{ ...at, state: { ...state, quotes } }];
  // A quote that came too late is never selected; its state is open (gap `quote.late`).
  const isFresh = state.status === 'PENDING' && quotes[quote] === undefined;
  return [
    { ...at, state: { ...state, quotes: { ...quotes, [quote]: isFresh ? 'PENDING' : 'open' } } },
  ];
}

const marksOf: Readonly<Record<QuoteMark, readonly QuoteState[]>> = {
  PENDING: ['PENDING'],
  ACCEPTED: ['ACCEPTED'],
  REJECTED: ['REJECTED'],
  EXPIRED: ['EXPIRED'],
  open: ['PENDING', 'REJECTED', 'EXPIRED'],
  released: ['ACCEPTED', 'REJECTED', 'EXPIRED'],
  outlived: ['REJECTED', 'EXPIRED'],
};

/** Moment until which rivals of a selected quote may show their old state: their backends may lag. */
const followBy = ({ operations }: OrderHistory, selected: string): number =>
  Math.max(
    ...operations
      .filter(({ kind, quote, reply }) => kind === 'accept' && quote === selected && reply !== 'no')
      .map(({ to }) => to + replicationLagMs),
  );

/** Possible states after a list of quotes; empty if it contradicts them. A PENDING quote may have lapsed meanwhile. */
function listed(at: TimedState, operation: Operation, history: OrderHistory): TimedState[] {
  let { now } = at;
  let quotes = at.state.quotes;
  const { accepted: selected } = at.state;
  const mayLag = selected !== undefined && operation.from <= followBy(history, selected);
  for (const [id, shown] of operation.shown ?? []) {
    const mark = quotes[id];
    const validUntil = history.quotes.get(id)?.validUntil;
    // A quote of a maker outside of this sequence, or not submitted yet.
    if (mark === undefined || validUntil === undefined) {
      // A quote that is not submitted yet can't have been accepted or rejected.
      if (validUntil !== undefined && (shown === 'ACCEPTED' || shown === 'REJECTED')) return [];
      continue;
    }
    if (mark === 'PENDING' && shown === 'EXPIRED') {
      now = Math.max(now, validUntil - deadlineEarlyMs);
      quotes = { ...quotes, [id]: 'EXPIRED' };
    } else if (mayLag && shown === 'PENDING' && (mark === 'REJECTED' || mark === 'outlived'))
      continue;
    else if (!marksOf[mark].includes(shown)) return [];
    else if (mark === 'PENDING' && now > validUntil + deadlineLateMs) return [];
  }
  return [{ state: { ...at.state, quotes }, now }];
}

function looked(at: TimedState, operation: Operation): TimedState[] {
  const { state } = at;
  const { reply, status, names } = operation;
  if (reply !== 'yes') return [at];
  if (status !== undefined && status !== state.status) return [];
  // Validation may fail an order at any time, but not in the sender's name.
  if (operation.blamesCancel && state.endsBy === undefined) return [];
  const fits = names === undefined || names === state.accepted;
  // An order that ended unsettled may keep or drop its accepted quote; the rules judge that.
  return fits || !acceptedStates.includes(state.status as OrderState) ? [at] : [];
}

function reply(
  at: TimedState,
  operation: Operation,
  history: OrderHistory,
  contended: () => boolean,
): TimedState[] {
  const { kind } = operation;
  const isYes = operation.reply === 'yes';
  const exists = at.state.status !== 'NONE';
  switch (kind) {
    case 'create':
      return exists ? [] : [{ ...at, state: { ...at.state, status: 'PENDING' } }];
    case 'submit':
      return exists || !isYes ? submission(at, operation, history) : [];
    case 'accept':
      return exists || !isYes ? acceptance(at, operation, history, contended) : [];
    case 'cancel':
      return exists || !isYes ? cancellation(at, operation, contended) : [];
    case 'propose':
      // Its effect is open (gap `proposal.effect`), and outside of the model.
      return [at];
    case 'read':
      return looked(at, operation);
    case 'quotes':
      return isYes ? listed(at, operation, history) : [at];
  }
}

/**
 * Possible states of an order after one command, from one state before it; empty if the reply contradicts that state.
 * @param contended the command overlapped with another that changes the order, and may have lost to it
 */
export function successors(
  from: TimedState,
  operation: Operation,
  earliest: number,
  history: OrderHistory,
  contended: () => boolean,
): TimedState[] {
  const start = { state: from.state, now: Math.max(from.now, earliest) };
  return spontaneousStates(start, history, operation.to)
    .filter((at) => at.now <= operation.to && holds(at, history))
    .flatMap((at) => reply(at, operation, history, contended))
    .filter((at) => at.now <= operation.to);
}
