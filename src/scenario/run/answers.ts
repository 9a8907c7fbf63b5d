import type { GapAnswers } from '../../client/contract.ts';
import { isObject } from '../../history/json.ts';
import type { Exchange } from '../../history/records.ts';
import { succeeded } from '../../protocol/answers.ts';
import { failureReasonIn, reasonFieldOf } from '../../protocol/failure-reason.ts';
import { failureReasonField, type Type } from '../language/types.ts';
import { fromJson, shown, type Value } from './values.ts';

/** Adds the failure reason of an order under the language's own name for it. */
export function withReason(json: unknown, answers: GapAnswers): unknown {
  if (!isObject(json)) return json;
  const known = reasonFieldOf(json, answers.get('order.failure_reason_field'));
  const reason = typeof known === 'string' ? known : failureReasonIn(json);
  if (reason === undefined || json[failureReasonField] === reason) return json;
  return { ...json, [failureReasonField]: reason };
}

const hasReason = (type: Type): boolean =>
  type.kind === 'object' && failureReasonField in type.fields;

/** Value that the `expect` of an action checks and its `save` stores. */
export function answerValue(exchange: Exchange, type: Type, answers: GapAnswers): Value {
  const body = exchange.response?.body;
  if (type.kind === 'object' && type.name === 'answer') {
    const { status, headers = {} } = exchange.response ?? {};
    return { kind: 'json', type, json: { status, headers, body: body ?? exchange.response?.text } };
  }
  const data = isObject(body) && 'data' in body ? body['data'] : body;
  if (type.kind === 'object' && type.name.startsWith('list of ')) {
    const items = type.fields['items'];
    const ofOrders = items?.kind === 'list' && hasReason(items.item);
    const list =
      ofOrders && Array.isArray(data) ? data.map((one) => withReason(one, answers)) : data;
    const pagination = isObject(body) ? body['pagination'] : undefined;
    return { kind: 'json', type, json: { items: list, pagination } };
  }
  const json = hasReason(type) || type.kind === 'unknown' ? withReason(data, answers) : data;
  return json === undefined ? { kind: 'json', json: undefined, type } : fromJson(json, type);
}

/** Short text of an answer for the log: `201 PENDING`, `no answer: reset`. */
export function answerText(exchange: Exchange): string {
  if (exchange.error) return `no answer: ${exchange.error.code}`;
  const body = exchange.response?.body;
  const data = isObject(body) ? body['data'] : undefined;
  const status = isObject(data) && typeof data['status'] === 'string' ? ` ${data['status']}` : '';
  const listed = Array.isArray(data) ? ` ${data.length} item${data.length === 1 ? '' : 's'}` : '';
  const code = isObject(body) && typeof body['code'] === 'string' ? ` ${body['code']}` : '';
  return `${exchange.response?.status ?? '?'}${status}${listed}${code}`;
}

/** Text of an answer in addition to its status, without the ids that differ in each run on a real target. */
export function refusalBody(exchange: Exchange): string {
  const { body, text } = exchange.response ?? {};
  if (succeeded(exchange) || (body === undefined && text === undefined)) return '';
  const details = isObject(body) && isObject(body['error']) ? body['error'] : body;
  if (!isObject(details)) return ` ${shown(body ?? text)}`;
  const words = ['code', 'detail', 'message', 'title'].flatMap((key) => {
    const value = details[key];
    return typeof value === 'string' ? [value] : [];
  });
  return words.length > 0 ? ` ${words.slice(0, 2).join(': ')}` : ` ${shown(body)}`;
}

/** Any 4xx: a scenario may expect a 429 by its status. */
export const isRefusal = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 400 && response.status <= 499;
