import type { Exchange, HistoryRecord } from '../../history/records.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import { type ActionContext, targetTime, declaredParty } from './context.ts';
import {
  dataOf,
  fieldsOf,
  isRefusal,
  sentBody,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import { payloadOf } from '../../protocol/event-payload.ts';
import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { tradeAwaitsProposal } from '../../spec/gaps/proposals.ts';

/** A target may limit the open orders or quotes of one party. A lower limit than this leaves no room for a run. */
const many = 10;

/** Resources that may be limited: their name, the fields with their terms, and the field with their deadline. */
const bounded = {
  'order.create': {
    what: 'orders',
    terms: ['source_currency', 'target_currency', 'target_amount', 'source_amount_max'],
    deadline: 'expires_at',
  },
  'quote.submit': { what: 'quotes', terms: ['fx_rate'], deadline: 'valid_until' },
} as const;

const isBounded = (name: string | undefined): name is keyof typeof bounded =>
  name !== undefined && Object.hasOwn(bounded, name);

/** Terms of a request, without the fields that differ in each request. */
function termsOf(exchange: Exchange, terms: readonly string[]): string {
  const body = sentBody(exchange);
  return JSON.stringify([Object.keys(body).sort(), terms.map((name) => body[name])]);
}

/**
 * Excuse for a refused creation or submission: its party may have had too many orders or quotes open. The limit is not
 * documented (gap `limits.open_orders`). Undefined if the party had few open, or if none on the same terms was taken
 * before: then the terms themselves may be the reason.
 * @param least number from which they are many: lower if the creation is known to be like one that was taken.
 */
export function openLimitExcuse(
  t: ActionContext,
  exchange: Exchange,
  least = many,
): string | undefined {
  const { endpoint, party } = exchange;
  if (!isBounded(endpoint) || !isRefusal(exchange)) return undefined;
  const { what, terms, deadline } = bounded[endpoint];
  const { earliest } = targetTime(t, exchange);
  const isTaken = (record: HistoryRecord): record is Exchange =>
    record.kind === 'exchange' &&
    record.endpoint === endpoint &&
    record.party === party &&
    succeeded(record);
  const taken = t.target.history.records.filter(isTaken);
  // The current state is not read, so some that have ended may be counted as well.
  const open = taken.filter((one) => {
    const end = parseTimestamp(fieldsOf(one)[deadline]);
    return end === undefined || end > earliest;
  });
  const isUsual = taken.some((one) => termsOf(one, terms) === termsOf(exchange, terms));
  if (open.length < least || !isUsual) return undefined;
  return `${party} may have as many ${what} open as it may (gap limits.open_orders)`;
}

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
function proposalExcuseFor(t: ActionContext, intentId: string): string | undefined {
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

/** Requests that end a PENDING order, or take it on its way. */
const moving: readonly (EndpointName | undefined)[] = ['quote.accept', 'order.cancel'];

/**
 * Excuse for a refused operation on an order that has ended by itself. An operator may withdraw it at any time (2.2),
 * and its validation may fail while nobody has accepted a quote or cancelled it (gap `validation.when`).
 */
export function endedExcuse(t: ActionContext, exchange: Exchange): string | undefined {
  const { endpoint, params } = exchange;
  if (!isRefusal(exchange) || endpoint === undefined || endpoints[endpoint].method === 'GET')
    return undefined;
  const isThis = (id: string | undefined): boolean =>
    id !== undefined && id.toLowerCase() === params.intent_id?.toLowerCase();
  const { records } = t.target.history;
  const shown = records
    .flatMap((record): unknown => {
      if (record.kind === 'frame') return payloadOf(record);
      return record.kind === 'exchange' ? dataOf(record) : [];
    })
    .filter((one) => isThis(textOf(one, 'intent_id')));
  if (shown.some((one) => failureReasonIn(one) === 'OPERATOR_WITHDRAWN'))
    return 'the operator has withdrawn the order';
  const isMoved = records.some(
    (one) =>
      one.kind === 'exchange' &&
      moving.includes(one.endpoint) &&
      isThis(one.params.intent_id) &&
      !isRefusal(one),
  );
  const hasFailed = shown.some(
    (one) => textOf(one, 'status') === 'FAILED' && failureReasonIn(one) === undefined,
  );
  return hasFailed && !isMoved ? 'its validation may have failed (gap validation.when)' : undefined;
}
