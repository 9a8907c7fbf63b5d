import type { Exchange, HistoryRecord } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { tradeAwaitsProposal } from '../../spec/gaps/proposals.ts';
import type { ActionContext } from './action-context.ts';
import { declaredParty } from './declared-parties.ts';
import { fieldsOf, isRefusal, sentBody, succeeded, textOf } from '../../protocol/answers.ts';

/** Operations that nobody can do on an order before its request is open to makers. */
const waiting: readonly (EndpointName | undefined)[] = [
  'rfq.read',
  'rfq.quotes',
  'quote.submit',
  'quote.accept',
];

/**
 * Excuse for an order that may wait for its proposal to be accepted (gap `proposal.effect`): its custodian, who could
 * accept it, is no party of this target. Undefined if it is one, or if a request was open without an acceptance.
 */
export function proposalExcuseFor(t: ActionContext, intentId: string): string | undefined {
  const { answers, history } = t.target;
  const effect = answers.get('proposal.effect');
  if (effect !== undefined && !tradeAwaitsProposal(effect)) return undefined;
  const isLeft = (record: HistoryRecord): record is Exchange =>
    record.kind === 'exchange' &&
    record.endpoint === 'order.create' &&
    declaredParty(t, sentBody(record)['sender_custodian_party_id']) === undefined;
  const left = history.records.filter(isLeft).map((one) => textOf(fieldsOf(one), 'intent_id'));
  if (!left.includes(intentId)) return undefined;
  const opened = history.records.some(
    (record) =>
      record.kind === 'exchange' &&
      waiting.includes(record.endpoint) &&
      succeeded(record) &&
      left.includes(record.params.intent_id),
  );
  return opened ? undefined : 'it may wait for its proposal, whose custodian is no party here';
}

/** Excuse for a refusal of an operation that may wait for the order's proposal. */
export const proposalExcuse = (t: ActionContext, exchange: Exchange): string | undefined => {
  const { intent_id: intentId } = exchange.params;
  if (intentId === undefined || !isRefusal(exchange)) return undefined;
  return waiting.includes(exchange.endpoint) ? proposalExcuseFor(t, intentId) : undefined;
};
