import { eventKind } from '../../../protocol/event-payload.ts';
import { isObject, isSet } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import type { Must } from '../../../results/must.ts';
import { heartbeat } from '../../../spec/events.ts';
import { hasForm, parseTimestamp } from '../../../spec/forms.ts';
import { fieldRequirement } from '../../../spec/requirements/index.ts';
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

const resultEnvelope = defineRule({
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

const paginationFields = defineRule({
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

const fields = [
  {
    name: 'request_id',
    present: 'meta.request-id.present',
    form: 'meta.request-id.form',
    formName: 'text',
  },
  {
    name: 'timestamp',
    present: 'meta.timestamp.present',
    form: 'meta.timestamp.form',
    formName: 'timestamp',
  },
] as const;

const meta = defineRule({
  id: 'meta',
  title: 'Every answer has a request id that no other has, and the time of the response',
  requirements: [
    ...fields.flatMap(({ present, form }) => [present, form]),
    'meta.request-id.not-empty',
    'meta.request-id.distinct',
    'meta.timestamp.time-of-response',
  ],
  judge(view, findings) {
    const seen = new Map<string, string>();
    const { least, most } = view.context.offset;
    for (const call of view.once(results)) {
      const found = isObject(call.body) ? call.body['meta'] : undefined;
      if (!isObject(found)) continue;
      const assert = (
        requirement: Parameters<typeof findings.assert>[0],
        holds: boolean,
        message: string,
        detail: { readonly must?: Must; readonly actual?: unknown } = {},
        before: readonly string[] = [],
      ): boolean =>
        findings.assert(requirement, holds, call.id, () => ({
          message,
          ...detail,
          evidence: [...before, call.id],
        }));
      for (const { name, present, form, formName } of fields) {
        const actual = found[name];
        if (!assert(present, isSet(actual), `meta.${name} was missing`)) continue;
        const detail = { must: { form: formName }, actual };
        assert(form, hasForm(formName, actual), `meta.${name} did not have its form`, detail);
      }
      const { request_id: id, timestamp } = found;
      if (typeof id === 'string') {
        assert('meta.request-id.not-empty', id.trim() !== '', 'meta.request_id was empty');
        // Each party has a backend of its own, and may count from one.
        const key = `${call.party} ${id}`;
        const before = seen.get(key);
        const message = 'two answers of one backend had the same meta.request_id';
        const evidence = before === undefined ? [] : [before];
        assert('meta.request-id.distinct', !before, message, { actual: id }, evidence);
        seen.set(key, call.id);
      }
      const at = parseTimestamp(timestamp);
      if (at === undefined) continue;
      const [from, to] = [call.exchange.sent + least, call.exchange.received + most];
      const isTimely = at >= from - tolerance.stamp && at <= to + tolerance.stamp;
      const must = {
        at_least: new Date(from).toISOString(),
        at_most: new Date(to).toISOString(),
      };
      const message = 'meta.timestamp was not the time of the response';
      const detail = { must, actual: timestamp };
      assert('meta.timestamp.time-of-response', isTimely, message, detail);
    }
  },
});

const bodyTypes = defineRule({
  id: 'wire.bodies',
  title: 'Successful answers are JSON and say so, streams are event streams',
  requirements: ['body.json', 'body.content-type', 'stream.content-type'],
  judge(view, findings) {
    for (const call of view.once(results)) {
      const { response } = call.exchange;
      const text = response?.text ?? '';
      if (call.body === undefined && text === '') continue;
      const json = findings.assert('body.json', call.body !== undefined, call.id, () => ({
        message: `${call.endpoint} answered a success that is not JSON`,
        actual: text.slice(0, 80),
      }));
      if (!json) continue;
      const type = response?.headers['content-type'] ?? '';
      findings.assert('body.content-type', /[/+]json\b/i.test(type), call.id, () => ({
        message: `${call.endpoint} answered JSON under another content type`,
        expected: 'application/json',
        actual: type,
      }));
    }
    for (const call of view.calls) {
      if (!call.ok || resultKindOf(call) !== 'stream') continue;
      const type = call.exchange.response?.headers['content-type'] ?? '';
      findings.assert('stream.content-type', /^text\/event-stream\b/i.test(type), call.id, () => ({
        message: `${call.endpoint} opened a stream under another content type`,
        expected: 'text/event-stream',
        actual: type,
      }));
    }
  },
});

const streamMessages = defineRule({
  id: 'stream.messages',
  title: 'Each message has a name that belongs to its stream, and JSON in it',
  requirements: ['event.has-name', 'event.payload-json', 'event.own-stream-only'],
  judge(view, findings) {
    for (const stream of view.streams) {
      for (const { frame, id } of stream.frames) {
        const evidence = [stream.id, id];
        findings.assert('event.has-name', frame.event !== '', id, () => ({
          message: 'a message came without an event name',
          actual: frame.data ?? frame.text,
          evidence,
        }));
        const kind = eventKind(frame.event);
        // A message of another name that has no data line is none: no reader of the format tells of it.
        const isMessage = kind || frame.event === heartbeat || frame.text !== undefined;
        if (isMessage || frame.data !== undefined) {
          findings.assert('event.payload-json', frame.data !== undefined, id, () => ({
            message:
              frame.text === undefined
                ? `${frame.event} came without data`
                : `the data of ${frame.event || 'a message'} was not JSON`,
            must: { words: 'JSON' },
            actual: frame.text ?? null,
            evidence,
          }));
        }
        if (!kind) continue;
        findings.assert('event.own-stream-only', kind.stream === stream.kind, id, () => ({
          message: `${frame.event} came on the ${stream.kind} stream`,
          must: { words: `the ${kind.stream} stream` },
          evidence,
        }));
      }
    }
  },
});

export const envelopeRules = [bodyTypes, resultEnvelope, meta, paginationFields, streamMessages];
