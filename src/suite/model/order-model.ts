import { tolerance } from '../../protocol/tolerances.ts';
import { acceptedStates, isTerminal } from '../../spec/states.ts';
import type { OrderState, QuoteState } from '../../spec/vocabulary.ts';
import { isPermitted, type Operation, type OrderHistory } from './operations.ts';

/**
 * What may have become of a quote. `open`: the document does not say, so anything but ACCEPTED. `released`: it was
 * accepted, and its order ended unsettled. `outlived`: another was selected about its deadline, or after.
 */
type QuoteMark = QuoteState | 'open' | 'released' | 'outlived';

/** What an order may be. All that the document leaves open is several of these, never one chosen by us. */
export interface ModelState {
  readonly status: OrderState | 'NONE';
  readonly accepted: string | undefined;
  /** A cancel was acknowledged that must have taken effect by this moment (gap `cancel.response`). */
  readonly endsBy: number | undefined;
  readonly quotes: Readonly<Record<string, QuoteMark>>;
}

/** A possibility, and the earliest moment of the target's clock at which it can have come about. */
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

/** What the end of an order does to its quotes: 3.2 has no rule for it. */
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

const payableOf = (history: OrderHistory, quote: string | undefined) =>
  history.quotes.get(quote ?? '')?.payable ?? 'maybe';

/** Where an order can go by itself: the rows of 3.1 that nobody asks for, each no earlier than its condition. */
function spontaneousSteps({ state, now }: TimedState, history: OrderHistory): TimedState[] {
  const later = (moment: number): number => Math.max(now, moment - deadlineEarlyMs);
  const to = (status: OrderState): TimedState => ({ state: { ...state, status }, now });
  const end = (status: 'EXPIRED' | 'FAILED', moment = now): TimedState => ({
    state: ended(state, status),
    now: Math.max(now, moment),
  });
  const cancelled = state.endsBy === undefined ? [] : unsettled.map((status) => end(status));
  // A failure that nobody ever saw explains nothing: whoever played looked again at the end.
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
      // Where an exceeded window and a passed `valid_until` lead from here is open.
      return [...(state.endsBy === undefined ? [to('SETTLED')] : cancelled), ...failures];
    case 'NONE':
    case 'SETTLED':
    case 'EXPIRED':
    case 'FAILED':
      return [];
  }
}

/** Whether an order can still be like this so late. */
const holds = ({ state, now }: TimedState, { expiresAt }: OrderHistory): boolean => {
  if (state.status === 'NONE' || isTerminal(state.status)) return true;
  if (state.endsBy !== undefined && now > state.endsBy) return false;
  return state.status !== 'PENDING' || now <= expiresAt + deadlineLateMs;
};

/** Everything that an order can have become by itself, this moment and what it is included. */
export function spontaneousStates(from: TimedState, history: OrderHistory): TimedState[] {
  const all = [from];
  for (const at of all) all.push(...spontaneousSteps(at, history));
  return all;
}

/** What accepting a quote does (3.1 and 3.2), at some moment up to the latest. */
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
      // What becomes of the winner's other quotes is open (gap `quote.winner_others`).
      const other = history.quotes.get(id);
      if (!other || other.maker === maker) return [id, 'open'];
      // Rivals may be rejected a little later, and one may lapse before its turn comes.
      const mayLapse = latest + replicationLagMs >= other.validUntil - deadlineEarlyMs;
      return [id, mayLapse ? 'outlived' : 'REJECTED'];
    }),
  );
  return { ...state, status: 'QUOTED', accepted: quote, quotes };
}

/** How an acceptance by somebody who may accept can have been answered. */
function acceptance(
  at: TimedState,
  operation: Operation,
  history: OrderHistory,
  contended: boolean,
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
  // Accepting what cannot be paid may fail the order, the quote being selected or not (gap `quote.above_max`).
  const failing = isOpen && payableOf(history, quote) !== 'surely';
  const failed = failing ? [{ state: ended(state, 'FAILED'), now }] : [];
  if (reply === 'yes') return [...taken, ...again, ...failed];
  if (reply === 'lost') return [...taken, at];
  const deadline = Math.min(validUntil, history.expiresAt) - deadlineEarlyMs;
  const spared =
    contended ||
    !isOpen ||
    mark !== 'PENDING' ||
    state.endsBy !== undefined ||
    payableOf(history, quote) !== 'surely';
  if (!spared) return [{ state, now: Math.max(now, deadline) }];
  return [at, ...failed];
}

/** How a cancel by the order's sender can have been answered. */
function cancellation(at: TimedState, operation: Operation, contended: boolean): TimedState[] {
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
  // The answer to a cancel of what has ended unsettled is open (gap `cancel.again`).
  const again = over || state.endsBy !== undefined ? [at] : [];
  if (reply === 'yes') return [...done, ...again];
  if (reply === 'lost') return [...done, at];
  return !cancellable || contended || state.endsBy !== undefined ? [at] : [];
}

function submission(at: TimedState, operation: Operation, history: OrderHistory): TimedState[] {
  const { state } = at;
  const { quote, reply } = operation;
  if (reply !== 'yes' || quote === undefined) return [at];
  const maker = history.quotes.get(quote)?.maker;
  const quotes = Object.fromEntries(
    Object.entries(state.quotes).map(([id, mark]): [string, QuoteMark] => {
      // A newer quote may replace an older one of its maker (gap `quote.twice`).
      const replaced = mark === 'PENDING' && history.quotes.get(id)?.maker === maker;
      return [id, replaced ? 'open' : mark];
    }),
  );
  // A quote that came too late is never selected; what it shows is open (gap `quote.late`).
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

/** How long the rivals of a selected quote may be shown as they were: their backends may follow a little later. */
const followBy = ({ operations }: OrderHistory, selected: string): number =>
  Math.max(
    ...operations
      .filter(({ kind, quote, reply }) => kind === 'accept' && quote === selected && reply !== 'no')
      .map(({ to }) => to + replicationLagMs),
  );

/** Whether quotes can have been listed like this: a PENDING one may have lapsed meanwhile. */
function listed(at: TimedState, operation: Operation, history: OrderHistory): TimedState[] {
  let { now } = at;
  let quotes = at.state.quotes;
  const { accepted: selected } = at.state;
  const mayLag = selected !== undefined && operation.from <= followBy(history, selected);
  for (const [id, shown] of operation.shown ?? []) {
    const mark = quotes[id];
    const validUntil = history.quotes.get(id)?.validUntil;
    // Somebody else's, or not yet known here.
    if (mark === undefined || validUntil === undefined) {
      // What nobody has submitted yet nobody has selected, or passed over.
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
  if (reply !== 'yes') return reply === 'no' && state.status !== 'NONE' ? [] : [at];
  if (status !== undefined && status !== state.status) return [];
  // Validation may fail an order at any time, but not in the sender's name.
  if (operation.blamesCancel && state.endsBy === undefined) return [];
  const fits = names === undefined || names === state.accepted;
  // Whatever ended unsettled may keep or drop what it had accepted; the rules look at that.
  return fits || !acceptedStates.includes(state.status as OrderState) ? [at] : [];
}

function reply(
  at: TimedState,
  operation: Operation,
  history: OrderHistory,
  contended: boolean,
): TimedState[] {
  const { kind } = operation;
  const isYes = operation.reply === 'yes';
  // Who may not do it is refused, or nothing is known.
  if (!isPermitted(operation)) return isYes ? [] : [at];
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
      // What it changes is open (gap `proposal.effect`); nothing that the model knows.
      return [at];
    case 'read':
      return looked(at, operation);
    case 'quotes':
      return isYes ? listed(at, operation, history) : [at];
  }
}

/**
 * What an order may be after one command, from what it was: empty where the reply contradicts that.
 * @param contended the command overlapped with another that changes the order, and may have lost to it
 */
export function successors(
  from: TimedState,
  operation: Operation,
  earliest: number,
  history: OrderHistory,
  contended: boolean,
): TimedState[] {
  if (operation.reply === 'void') return [from];
  const start = { state: from.state, now: Math.max(from.now, earliest) };
  return spontaneousStates(start, history)
    .filter((at) => at.now <= operation.to && holds(at, history))
    .flatMap((at) => reply(at, operation, history, contended))
    .filter((at) => at.now <= operation.to);
}

/** A text that two possibilities share only if they are the same. */
export function stateKey({ status, accepted: quote, endsBy, quotes }: ModelState): string {
  const marks = Object.keys(quotes)
    .toSorted()
    .map((id) => `${id}=${quotes[id]}`);
  return [status, quote ?? '', endsBy ?? '', ...marks].join(' ');
}
