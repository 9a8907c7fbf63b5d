import { findFieldRequirement } from '../../../spec/requirements/index.ts';
import { hasForm, parseTimestamp } from '../../../spec/forms.ts';
import { isObject, isSet, type JsonObject } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, resultKindOf } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** Successful answers that the envelope is due on. Streams and `/health` are none of them. */
export const results = (view: HistoryView): Call[] =>
  view.calls.filter(
    (call) =>
      call.ok &&
      call.endpoint !== undefined &&
      call.endpoint !== 'health.read' &&
      resultKindOf(call) !== 'stream',
  );

/** Whether the endpoint's answer is not shown (4.5), so that it may have no content at all. */
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
      const { id, body } = call;
      const evidence = [id];
      const name = call.endpoint ?? '';
      const wrapped = isObject(body) && body['data'] !== undefined && isObject(body['meta']);
      if (isOpen(call)) {
        // 1.5 wraps every result, 4.5 shows no answer here: a departure cannot be proven wrong.
        if (!hasContent(call)) continue;
        if (wrapped) findings.pass('envelope.wraps-every-success', id);
        else {
          const message = `${name} answered a success outside the envelope`;
          findings.warn('envelope.wraps-every-success', { message, actual: body, evidence });
        }
        if (!isObject(body)) continue;
      } else {
        findings.assert('envelope.wraps-every-success', wrapped, id, () => ({
          message: `${name} answered a success without data and meta around it`,
          expected: { data: '...', meta: '...' },
          actual: body ?? call.exchange.response?.text ?? null,
          evidence,
        }));
        const data = isObject(body) ? body['data'] : undefined;
        findings.assert('envelope.data-present', isSet(data), id, () => ({
          message: `${name} answered without data`,
          actual: body ?? null,
          evidence,
        }));
        findings.assert(
          'envelope.meta-present',
          isObject(body) && isObject(body['meta']),
          id,
          () => ({
            message: `${name} answered without a meta object`,
            actual: isObject(body) ? body['meta'] : body,
            evidence,
          }),
        );
        if (isSet(data)) {
          const either = isObject(data) || Array.isArray(data);
          findings.assert('envelope.data-object-or-array', either, id, () => ({
            message: `${name} answered data that is neither object nor array`,
            actual: data,
            evidence,
          }));
          const list = resultKindOf(call) === 'list';
          findings.assert(
            list ? 'envelope.list-data-is-array' : 'envelope.item-data-is-object',
            list ? Array.isArray(data) : isObject(data),
            id,
            () => ({
              message: `${name} answered data of the wrong kind`,
              expected: list ? 'an array' : 'an object',
              actual: data,
              evidence,
            }),
          );
        }
      }
      const pagination = isObject(body) ? body['pagination'] : undefined;
      if (resultKindOf(call) === 'list') {
        findings.assert('envelope.pagination-on-lists', isObject(pagination), id, () => ({
          message: `${name} answered a list without pagination`,
          actual: pagination ?? null,
          evidence,
        }));
      } else {
        findings.assert('envelope.pagination-on-lists-only', !isSet(pagination), id, () => ({
          message: `${name} answered no list, and yet pagination`,
          actual: pagination,
          evidence,
        }));
      }
    }
  },
});

const metaOf = (call: Call): JsonObject | undefined => {
  const meta = isObject(call.body) ? call.body['meta'] : undefined;
  return isObject(meta) ? meta : undefined;
};

const holds = {
  request_id: (value: unknown) => typeof value === 'string',
  timestamp: (value: unknown) => hasForm('timestamp', value),
} as const;

export const meta = defineRule({
  id: 'meta',
  title: 'Every meta tells the request apart and the time of the response',
  requirements: [
    'meta.request-id.present',
    'meta.request-id.form',
    'meta.request-id.not-empty',
    'meta.request-id.distinct',
    'meta.timestamp.present',
    'meta.timestamp.form',
    'meta.timestamp.time-of-response',
  ],
  judge(view, findings) {
    const seen = new Map<string, string>();
    const { least, most } = view.context.offset;
    for (const call of view.once(results)) {
      const found = metaOf(call);
      if (!found) continue;
      const evidence = [call.id];
      for (const field of ['request_id', 'timestamp'] as const) {
        const value = found[field];
        const kebab = field === 'request_id' ? 'request-id' : 'timestamp';
        const present = findings.assert(`meta.${kebab}.present`, isSet(value), call.id, () => ({
          message: `meta.${field} was missing`,
          evidence,
        }));
        if (!present) continue;
        findings.assert(`meta.${kebab}.form`, holds[field](value), call.id, () => ({
          message: `meta.${field} did not have its form`,
          expected: field === 'timestamp' ? 'an ISO 8601 UTC time with milliseconds' : 'a string',
          actual: value,
          evidence,
        }));
      }
      const id = found['request_id'];
      if (typeof id === 'string') {
        findings.assert('meta.request-id.not-empty', id.trim() !== '', call.id, () => ({
          message: 'meta.request_id was empty',
          evidence,
        }));
        // Each party has a backend of its own, and may count from one.
        const key = `${call.party} ${id}`;
        const before = seen.get(key);
        findings.assert('meta.request-id.distinct', before === undefined, call.id, () => ({
          message: 'two answers of one backend had the same meta.request_id',
          actual: id,
          evidence: [before ?? '', call.id],
        }));
        seen.set(key, call.id);
      }
      const at = parseTimestamp(found['timestamp']);
      if (at === undefined) continue;
      const { sent, received } = call.exchange;
      const timely =
        at >= sent + least - tolerance.stamp && at <= received + most + tolerance.stamp;
      findings.assert('meta.timestamp.time-of-response', timely, call.id, () => ({
        message: 'meta.timestamp was not the time of the response',
        expected: `between ${new Date(sent + least).toISOString()} and ${new Date(received + most).toISOString()}`,
        actual: found['timestamp'],
        evidence,
      }));
    }
  },
});

const pageFields = ['page', 'page_size', 'total_items', 'total_pages'] as const;
const paginationFacet = (field: string, facet: 'present' | 'form') => {
  const id = findFieldRequirement('pagination', field, facet);
  if (!id) throw new Error(`the catalogue has no ${facet} of pagination.${field}`);
  return id;
};
const facets = pageFields.map((field) => ({
  field,
  present: paginationFacet(field, 'present'),
  form: paginationFacet(field, 'form'),
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
        const value = pagination[field];
        const there = findings.assert(present, isSet(value), call.id, () => ({
          message: `pagination.${field} was missing`,
          evidence: [call.id],
        }));
        if (!there) continue;
        const integer = Number.isInteger(value) && (value as number) >= 0;
        findings.assert(form, integer, call.id, () => ({
          message: `pagination.${field} was no integer from zero up`,
          actual: value,
          evidence: [call.id],
        }));
      }
    }
  },
});
