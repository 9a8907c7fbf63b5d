import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Operation } from './operations.ts';

/** What the model may blame, and what it then says; also what it has seen kept where nothing is to blame. */
export const blameMessages = {
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
export type BlamedRequirement = keyof typeof blameMessages;

export const modelRequirements = Object.keys(blameMessages) as BlamedRequirement[];

/** The sentence that a success would break, of one who may not: by what it is to the order and what role it has. */
export function accessViolation({
  kind,
  relation,
  exchange,
}: Operation): BlamedRequirement | undefined {
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

/** The sentence by which each may read an order. */
export const readRequirements = {
  owner: 'access.order.read.institution-allowed',
  custodian: 'order.read.by-sender-custodian',
  receiver: 'order.read.by-receiver-custodian',
  stranger: undefined,
} as const;
