import { acceptanceFields } from '../../../spec/requirements/index.ts';
import { isObject, isSet, type JsonObject, textAt } from '../../../protocol/json.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';

const sameId = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a.toLowerCase() === b?.toLowerCase();

/** What an answer must be to be the result that its endpoint returns; its fields are judged one by one elsewhere. */
const returned = {
  'order.create': [
    'order.create.returns-order',
    (data: JsonObject) => isSet(data['intent_id']) && isSet(data['status']),
  ],
  'token.create': [
    'token.create.returns-token-result',
    (data: JsonObject) => isSet(data['token']) && isSet(data['role']),
  ],
  'identity.read': [
    'identity.read.returns-identity',
    (data: JsonObject) => isSet(data['party_id']) && isSet(data['role']),
  ],
  'stats.read': ['stats.read.returns-object', () => true],
} as const;

export const operationResults = defineRule({
  id: 'answers',
  title: 'Each operation returns what the endpoint tables say, for the order that was asked for',
  requirements: [
    'order.create.returns-order',
    'token.create.returns-token-result',
    'identity.read.returns-identity',
    'stats.read.returns-object',
    'quote.accept.returns-order',
    'quote.accept.custodian-answer-agrees',
    'quote.accept.no-body-needed',
    'order.intent-id.unchanged',
  ],
  judge(view, findings) {
    for (const endpoint of Object.keys(returned) as (keyof typeof returned)[]) {
      const [requirement, fits] = returned[endpoint];
      for (const call of view.endpoint(endpoint)) {
        if (!call.ok || !call.own) continue;
        const holds = isObject(call.data) && fits(call.data);
        findings.assert(requirement, holds, call.id, () => ({
          message: `${endpoint} did not return its result`,
          actual: call.data ?? null,
          evidence: [call.id],
        }));
      }
    }
    for (const call of view.endpoint('quote.accept')) {
      if (call.ok && call.own) judgeAcceptance(call);
    }
    for (const call of view.endpoint('order.read')) {
      const id = textAt(call.data, 'intent_id');
      if (!call.ok || !call.own || id === undefined) continue;
      findings.assert(
        'order.intent-id.unchanged',
        sameId(id, call.exchange.params.intent_id),
        call.id,
        () => ({
          message: 'an order showed another intent_id than it was read by',
          expected: call.exchange.params.intent_id,
          actual: id,
          evidence: [call.id],
        }),
      );
    }

    function judgeAcceptance(call: Call): void {
      if (call.exchange.request.body === undefined) {
        findings.pass('quote.accept.no-body-needed', call.id);
      }
      const { intent_id } = call.exchange.params;
      if (call.exchange.role === 'institution') {
        const holds = sameId(textAt(call.data, 'intent_id'), intent_id);
        findings.assert('quote.accept.returns-order', holds, call.id, () => ({
          message: 'the acceptance of a quote did not return its order',
          expected: intent_id,
          actual: textAt(call.data, 'intent_id') ?? null,
          evidence: [call.id],
        }));
      } else judgeCustodian(call, view.orders.get(intent_id ?? '')?.snapshots ?? []);
    }

    function judgeCustodian(
      call: Call,
      snapshots: readonly { value: JsonObject; whole: boolean; resource: string; source: string }[],
    ): void {
      for (const field of acceptanceFields) {
        const answered = isObject(call.data) ? call.data[field] : undefined;
        const read = snapshots.find(
          ({ resource, whole, value }) => resource === 'order' && whole && isSet(value[field]),
        );
        if (!isSet(answered) || !read) continue;
        const holds = equalValues(field, read.value[field], answered);
        findings.assert('quote.accept.custodian-answer-agrees', holds, call.id, () => ({
          message: `${field} in the answer to a custodian was not what the order shows`,
          expected: read.value[field],
          actual: answered,
          evidence: [call.id, read.source],
        }));
      }
    }
  },
});
