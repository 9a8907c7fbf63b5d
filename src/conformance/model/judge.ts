import { isRefusal, said } from '../moves/index.ts';
import { mayChange, type Operation, overlap, type Story } from './operations.ts';
import { keptBy } from './kept.ts';
import { explain, type Explanation } from './search.ts';
import { type Blamed, readers, trespass } from './sentences.ts';
import type { Possible } from './state.ts';

/** The sentence that a reply breaks, when nothing that came before explains it. */
function broken(
  operation: Operation,
  before: readonly Operation[],
  story: Story,
  possible: Possible | undefined,
): Blamed {
  const { kind, reply, relation } = operation;
  const forbidden = reply === 'yes' ? trespass(operation) : undefined;
  if (forbidden) return forbidden;
  const others = before.filter((other) => other.kind !== 'create' && mayChange(other));
  const raced = others.some((other) => overlap(other, operation));
  const cancelled = before.some((other) => other.kind === 'cancel' && other.reply === 'yes');
  switch (kind) {
    case 'accept':
      return reply === 'yes'
        ? wronglyAccepted(operation, others, story, possible)
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
      if (reply !== 'yes') return readers[relation] ?? 'order.state.listed-transitions-only';
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
  possible: Possible | undefined,
): boolean {
  const refused = (kind: Operation['kind']): boolean =>
    before.some((other) => other.kind === kind && isRefusal(other.exchange));
  if (status === 'EXPIRED' || status === 'FAILED') return refused('cancel');
  return possible?.status === 'PENDING' && refused('accept');
}

function wronglyAccepted(
  operation: Operation,
  others: readonly Operation[],
  story: Story,
  possible: Possible | undefined,
): Blamed {
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
  const validUntil = story.quotes.get(operation.quote ?? '')?.validUntil;
  return validUntil !== undefined && operation.from > validUntil
    ? 'order.accept.expired-quote-refused'
    : 'order.accept.expired-order-refused';
}

function wronglyListed({ shown = [] }: Operation, possible: Possible | undefined): Blamed {
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
export type Judgement =
  | { readonly kind: 'kept'; readonly exercised: readonly Blamed[] }
  | { readonly kind: 'undecided' }
  | {
      readonly kind: 'broken';
      readonly requirement: Blamed;
      /** The reply that nothing explains, and all that came before it. */
      readonly culprit: Operation;
      readonly before: readonly Operation[];
      /** What the order must have been instead, where one possibility is known. */
      readonly possible: Possible | undefined;
    };

const unanswered = (operation: Operation): Operation => ({
  ...operation,
  reply: 'lost',
  to: Number.POSITIVE_INFINITY,
});

/** Finds the first reply that contradicts all that was answered before it. */
function blame(story: Story): Judgement {
  let possible: Possible | undefined;
  for (const [index, culprit] of story.operations.entries()) {
    // What was under way when it was answered may have taken effect before it, or not.
    const known = story.operations
      .filter(({ begin }) => begin < culprit.end)
      .map((other) => (other.end <= culprit.end ? other : unanswered(other)));
    const answer: Explanation = explain(story, known, { views: 'lagging' });
    if (answer.kind === 'unknown') return { kind: 'undecided' };
    if (answer.kind === 'legal') {
      [possible] = answer.ends;
      continue;
    }
    const before = story.operations.slice(0, index);
    const requirement = broken(culprit, before, story, possible);
    return { kind: 'broken', requirement, culprit, before, possible };
  }
  return { kind: 'undecided' };
}

/** Judges all that was done to one order against what the document lets it be. */
export function judgeStory(story: Story): Judgement {
  const answer = explain(story, story.operations, { views: 'lagging' });
  if (answer.kind === 'unknown') return { kind: 'undecided' };
  if (answer.kind === 'illegal') return blame(story);
  return {
    kind: 'kept',
    exercised: story.operations.flatMap((operation) => keptBy(operation, story)),
  };
}

/** The reply that was wrong, as a sentence. */
export const replyTold = ({ exchange, party, status }: Operation): string =>
  `${party}: ${said(exchange)}${status ? ` (${status})` : ''}`;
