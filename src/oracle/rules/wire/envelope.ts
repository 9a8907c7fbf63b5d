import { fieldRequirement } from '../../../spec/requirements/index.ts';
import { isObject, isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { type Call, resultKindOf } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** Successful answers that come in the envelope: streams and `/health` do not. */
export const results = (view: HistoryView): Call[] =>
  view.calls.filter(
    (call) =>
      call.ok &&
      call.endpoint !== undefined &&
      call.endpoint !== 'health.read' &&
      resultKindOf(call) !== 'stream',
  );

/** True if the document does not show the endpoint's answer (4.5), so that it may have no content at all. */
const isOpen = (call: Call): boolean => resultKindOf(call) === 'open';
const hasContent = (call: Call): boolean =>
  call.body !== undefined || (call.exchange.response?.text ?? '') !== '';

export const resultEnvelope = defineRule({
  id: 'envelope',
  title: 'Every successful result comes as data and meta, a list with pagination besides',
  requirements: [
    'envelope.wraps-every-success',
    'envelope.data-present',
    'envelope.data-object-or-array',
    'envelope.item-data-is-object',
    'envelope.list-data-is-array',
    'envelope.meta-present',
    'envelope.pagination-on-lists',
    'envelope.pagination-on-lists-only',
  ],
  judge(view, findings) {
    for (const call of view.once(results)) {
      const { id } = call;
      const body = isObject(call.body) ? call.body : undefined;
      const { data, meta, pagination } = body ?? {};
      const violation = (what: string, actual: unknown, fields: readonly string[] = []) => ({
        message: `${call.endpoint} answered ${what}`,
        fields,
        actual: actual ?? call.body ?? call.exchange.response?.text ?? null,
        evidence: [id],
      });
      const assert = (
        requirement: Parameters<typeof findings.assert>[0],
        holds: boolean,
        otherwise: string,
        actual?: unknown,
        fields?: readonly string[],
      ): void => {
        findings.assert(requirement, holds, id, () => violation(otherwise, actual, fields));
      };
      const missing = data === undefined ? ['data'] : [];
      if (!isObject(meta)) missing.push('meta');
      const isWrapped = missing.length === 0;
      const isList = resultKindOf(call) === 'list';
      if (isOpen(call)) {
        // 1.5 wraps every result, 4.5 shows no answer here: a departure cannot be proven wrong.
        if (!hasContent(call)) continue;
        const circumstances = call.endpoint;
        if (isWrapped) findings.pass('envelope.wraps-every-success', id, 1, circumstances);
        else
          findings.warn('envelope.wraps-every-success', {
            ...violation('outside the envelope', body, missing),
            departure: 'open-answer-unwrapped',
            circumstances,
          });
        if (!body) continue;
      } else {
        const bare = 'a success without data and meta around it';
        assert('envelope.wraps-every-success', isWrapped, bare, undefined, missing);
        assert('envelope.data-present', isSet(data), 'without data');
        assert('envelope.meta-present', isObject(meta), 'without a meta object', meta);
      }
      if (!isOpen(call) && isSet(data)) {
        const either = isObject(data) || Array.isArray(data);
        const neither = 'data that is neither object nor array';
        assert('envelope.data-object-or-array', either, neither, data);
        if (isList) {
          const isArray = Array.isArray(data);
          assert('envelope.list-data-is-array', isArray, 'a list that is no array', data);
        } else {
          const wrong = 'one result that is no object';
          assert('envelope.item-data-is-object', isObject(data), wrong, data);
        }
      }
      if (isList) {
        const holds = isObject(pagination);
        assert('envelope.pagination-on-lists', holds, 'a list without pagination', pagination);
      } else {
        const none = !isSet(pagination);
        const wrong = 'no list, and yet pagination';
        assert('envelope.pagination-on-lists-only', none, wrong, pagination);
      }
    }
  },
});

const facets = (['page', 'page_size', 'total_items', 'total_pages'] as const).map((field) => ({
  field,
  present: fieldRequirement('pagination', field, 'present'),
  form: fieldRequirement('pagination', field, 'form'),
}));

export const paginationFields = defineRule({
  id: 'pagination.fields',
  title: 'Every pagination has its four integers',
  requirements: facets.flatMap(({ present, form }) => [present, form]),
  judge(view, findings) {
    for (const call of view.once(results)) {
      const pagination = isObject(call.body) ? call.body['pagination'] : undefined;
      if (resultKindOf(call) !== 'list' || !isObject(pagination)) continue;
      for (const { field, present, form } of facets) {
        const actual = pagination[field];
        const violation = (message: string) => () => ({ message, actual, evidence: [call.id] });
        const missing = violation(`pagination.${field} was missing`);
        if (!findings.assert(present, isSet(actual), call.id, missing)) continue;
        const holds = Number.isInteger(actual) && (actual as number) >= 0;
        const wrong = violation(`pagination.${field} was no integer from zero up`);
        findings.assert(form, holds, call.id, wrong);
      }
    }
  },
});
