import type { RequirementId } from '../../spec/requirements/index.ts';
import { isRefusal, said } from '../moves/index.ts';
import { mayChange, type Operation, overlap, type Story } from './operations.ts';
import { explain, type Explanation } from './search.ts';
import type { Possible } from './state.ts';

/** What the model may blame, and what it then says; also what it has seen kept where nothing is to blame. */
export const sentences = {
  'order.state.legal-under-race':
    'No order of effects explained what commands sent at once came to.',
  'order.state.listed-transitions-only':
    'An order was in a state that nothing done to it explains.',
  'order.cancel.never-settles': 'An order went on although its cancel had been acknowledged.',
  'error.refusal-changes-nothing': 'An order was in a state that only a refused request explains.',
  'quote.state.listed-transitions-only': 'A quote was in a state that nothing done to it explains.',
  'quote.state.one-accepted-per-order': 'A quote was ACCEPTED that was not the one selected.',
  'quote.state.pending-to-rejected': 'A quote was not REJECTED though another had been selected.',
  'quote.state.usable-until-deadline': 'A valid quote of an open order could not be accepted.',
  'quote.state.one-accepted-under-race':
    'Two quotes of one order were accepted by requests sent at once.',
  'order.accept.second-quote-refused': 'A second quote was accepted on one order.',
  'order.accept.cancelled-order-refused': 'A quote was accepted on a cancelled order.',
  'order.accept.settled-order-refused':
    'A quote was accepted on an order that had settled with another.',
  'order.accept.expired-order-refused': 'A quote was accepted on an order that had ended.',
  'order.accept.expired-quote-refused': 'A quote was accepted after its valid_until.',
  'quote.accept.foreign-institution-refused':
    'An institution accepted a quote on an order of another.',
  'quote.accept.foreign-custodian-refused':
    'A custodian accepted a quote on an order that is none of its own.',
  'quote.accept.by-receiver-custodian-refused': "The receiver's custodian accepted a quote.",
  'access.quote.accept.market-maker-refused': 'A market maker accepted a quote.',
  'order.cancel.pending': 'A PENDING order could not be cancelled.',
  'order.cancel.pending-with-quotes': 'A PENDING order that had quotes could not be cancelled.',
  'order.cancel.executing-refused': 'An order was cancelled whose settlement had begun.',
  'order.cancel.settled-refused': 'An order was cancelled that had settled.',
  'order.cancel.foreign-institution-refused': 'An institution cancelled an order of another.',
  'order.cancel.receiver-custodian-refused': "The receiver's custodian cancelled an order.",
  'access.order.cancel.custodian-refused': 'A custodian cancelled an order.',
  'access.order.cancel.market-maker-refused': 'A market maker cancelled an order.',
  'access.proposal.accept.institution-refused': 'An institution accepted the proposal of an order.',
  'proposal.accept.by-receiver-custodian-refused': "The receiver's custodian accepted a proposal.",
  'proposal.accept.foreign-custodian-refused':
    'A custodian accepted a proposal that is none of its own.',
  'order.read.foreign-institution-refused': 'An institution read an order of another.',
  'order.read.foreign-custodian-refused': 'A custodian read an order that is none of its own.',
  'access.order.read.institution-allowed': 'An institution could not read its own order.',
  'order.read.by-sender-custodian': "The sender's custodian could not read an order.",
  'order.read.by-receiver-custodian': "The receiver's custodian could not read an order.",
  'order.state.executing-to-settled': 'An order stayed on its way to settlement for 15 s.',
} as const satisfies { readonly [id in RequirementId]?: string };
export type Blamed = keyof typeof sentences;

export const modelRequirements = Object.keys(sentences) as Blamed[];

/** Who may not: by what it is to the order and what role it has. */
function trespass({ kind, relation, exchange }: Operation): Blamed | undefined {
  const { role } = exchange;
  if (kind === 'accept' && relation !== 'owner' && relation !== 'custodian') {
    if (relation === 'receiver') return 'quote.accept.by-receiver-custodian-refused';
    if (role === 'market-maker') return 'access.quote.accept.market-maker-refused';
    const isForeign = role === 'institution';
    return isForeign
      ? 'quote.accept.foreign-institution-refused'
      : 'quote.accept.foreign-custodian-refused';
  }
  if (kind === 'cancel' && relation !== 'owner') {
    if (relation === 'receiver') return 'order.cancel.receiver-custodian-refused';
    if (role === 'market-maker') return 'access.order.cancel.market-maker-refused';
    return role === 'institution'
      ? 'order.cancel.foreign-institution-refused'
      : 'access.order.cancel.custodian-refused';
  }
  if (kind === 'propose' && relation !== 'custodian') {
    if (role !== 'custodian') return 'access.proposal.accept.institution-refused';
    return relation === 'receiver'
      ? 'proposal.accept.by-receiver-custodian-refused'
      : 'proposal.accept.foreign-custodian-refused';
  }
  if (kind === 'read' && relation === 'stranger' && role !== 'market-maker') {
    return role === 'institution'
      ? 'order.read.foreign-institution-refused'
      : 'order.read.foreign-custodian-refused';
  }
  return undefined;
}

const readers = {
  owner: 'access.order.read.institution-allowed',
  custodian: 'order.read.by-sender-custodian',
  receiver: 'order.read.by-receiver-custodian',
  stranger: undefined,
} as const;

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
      if (raced || races) return 'order.state.legal-under-race';
      if (cancelled) return 'order.cancel.never-settles';
      return undone(operation, before, possible)
        ? 'error.refusal-changes-nothing'
        : 'order.state.listed-transitions-only';
    }
    default:
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

/** What a reply that is explained shows to be kept. */
function kept(operation: Operation, story: Story): Blamed[] {
  const { kind, reply, relation } = operation;
  const { operations } = story;
  if (reply === 'void' || reply === 'lost') return [];
  if (reply === 'no') {
    const forbidden = trespass(operation);
    if (forbidden) return [forbidden];
  }
  const earlier = operations.filter((other) => other.end < operation.begin);
  const raced =
    mayChange(operation) &&
    operations.some((other) => mayChange(other) && overlap(operation, other));
  const race: Blamed[] = raced && kind !== 'create' ? ['order.state.legal-under-race'] : [];
  if (kind === 'accept' && reply === 'no') {
    const second = earlier.some(
      (other) =>
        other.kind === 'accept' && other.reply === 'yes' && other.quote !== operation.quote,
    );
    return [...race, ...(second ? (['order.accept.second-quote-refused'] as const) : [])];
  }
  if (kind === 'read' && reply === 'yes') {
    const refused = earlier.some((other) => other.reply === 'no' && other.kind !== 'read');
    const allowed = readers[relation];
    return [
      'order.state.listed-transitions-only',
      ...(allowed ? [allowed] : []),
      ...(refused ? (['error.refusal-changes-nothing'] as const) : []),
    ];
  }
  if (kind === 'quotes' && reply === 'yes' && (operation.shown?.length ?? 0) > 0) {
    return ['quote.state.listed-transitions-only', 'quote.state.one-accepted-per-order'];
  }
  return race;
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

/** Finds the first reply that contradicts all that was answered before it. */
function blame(story: Story): Judgement {
  let possible: Possible | undefined;
  for (const [index, culprit] of story.operations.entries()) {
    // What was under way when it was answered may have taken effect before it.
    const begun = story.operations.filter(({ begin }) => begin < culprit.end);
    const known = begun.map((other) =>
      other.end <= culprit.end ? other : { ...other, to: Number.POSITIVE_INFINITY },
    );
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
    exercised: story.operations.flatMap((operation) => kept(operation, story)),
  };
}

/** The reply that was wrong, as a sentence. */
export const replyTold = ({ exchange, party, status }: Operation): string =>
  `${party}: ${said(exchange)}${status ? ` (${status})` : ''}`;
