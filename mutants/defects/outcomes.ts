import type { Deadline, StepOutcome, OutgoingEvent } from '../../src/reference/core/index.ts';
import type { About, Asking, Make, Nothing, Where } from './context.ts';
import { about, asking, covers } from './context.ts';
import type { Json } from './values.ts';

/** Defects in the outcomes of requests and deadlines. */

type Change<C> = (outcome: StepOutcome, context: C) => Partial<StepOutcome> | Nothing;
type More<C> = (outcome: StepOutcome, context: C) => readonly OutgoingEvent[] | Nothing;

const adding =
  <C>(more: More<C>): Change<C> =>
  (outcome, context) => {
    const told = more(outcome, context);
    return told && { events: [...outcome.events, ...told] };
  };

/** Changes the outcome of a request; an empty result leaves it unchanged. The context has the state before. */
export const outcomes =
  (where: Where, change: Change<Asking>): Make =>
  () => ({
    outcome: (outcome, command, context) => {
      if (command.type !== 'request' || !covers(where, command.endpoint)) return outcome;
      const changed = change(outcome, asking(command, context));
      return changed ? { ...outcome, ...changed } : outcome;
    },
  });

/** Requests that are answered with success and not done. */
export const undone = (where: Where, when: (context: Asking) => unknown): Make =>
  outcomes(where, ({ reply }, context) => {
    const isUndone = reply?.ok && when(context);
    return isUndone ? { state: context.state, events: [], deadlines: [] } : undefined;
  });

/** A request that was refused is answered with success, and with this for its data. */
export const grant = (where: Where, data: (context: Asking) => unknown, status = 200): Make =>
  outcomes(where, ({ reply }, context) => {
    const granted = reply?.ok === false && data(context);
    return granted ? { reply: { ok: true, status, data: granted } } : undefined;
  });

/** Requests of which something is remembered, for `noted` to find. */
export const note = (
  where: Where,
  key: (context: Asking, outcome: StepOutcome) => string | Nothing,
): Make =>
  outcomes(where, (outcome, context) => {
    const noted = key(context, outcome);
    if (noted) context.memory.set(noted, true);
    return undefined;
  });

/** Events that are sent in addition when a request was handled. */
export const tellMore = (where: Where, more: More<Asking>): Make => outcomes(where, adding(more));

type Kind = Deadline['kind'];
type Due = About & { readonly deadline: Deadline };

const due = (deadline: Deadline, context: Parameters<typeof about>[0]): Due => {
  const ids: Json = { intent_id: deadline.intentId, quote_id: deadline.quoteId };
  return about({ ...context, deadline }, ids);
};

/** Deadlines of one kind that pass without effect. */
export const forget =
  (kind: Kind, isForgotten: (context: Due) => unknown): Make =>
  () => ({
    command: (command, context) => {
      if (command.type !== 'due' || command.deadline.kind !== kind) return command;
      if (!isForgotten(due(command.deadline, context))) return command;
      const aimless = kind === 'quote-expiry' ? { quoteId: 'none' } : { intentId: 'none' };
      return { ...command, deadline: { ...command.deadline, ...aimless } };
    },
  });

/** Deadlines of one kind that are never set. */
export const unplanned =
  (kind: Kind, isMissing: (context: Due) => unknown): Make =>
  () => ({
    deadline: (deadline, context) =>
      deadline.kind === kind && isMissing(due(deadline, context)) ? undefined : deadline,
  });

/** Deadlines of one kind that come later by `ms` milliseconds. */
export const delayed =
  (kind: Kind, ms: number, isLate: (context: Due) => unknown = () => true): Make =>
  () => ({
    deadline: (deadline, context) =>
      deadline.kind === kind && isLate(due(deadline, context))
        ? { ...deadline, at: deadline.at + ms }
        : deadline,
  });

/** Another outcome of a deadline that has passed; the context has the state after it. */
export const outcomesWhenDue =
  (kind: Kind, change: Change<Due>): Make =>
  () => ({
    outcome: (outcome, command, context) => {
      if (command.type !== 'due' || command.deadline.kind !== kind) return outcome;
      const after = { ...context, state: outcome.state };
      return { ...outcome, ...change(outcome, due(command.deadline, after)) };
    },
  });

/** Events that are sent in addition when a deadline has passed. */
export const tellMoreWhenDue = (kind: Kind, more: More<Due>): Make =>
  outcomesWhenDue(kind, adding(more));
