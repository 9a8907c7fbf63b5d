import { groupBy } from '../../../history/group-by.ts';
import { eventKind } from '../../../protocol/event-payload.ts';
import { isObject, isSet, textOf, visit } from '../../../protocol/json.ts';
import type { Must } from '../../../results/must.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { heartbeat } from '../../../spec/events.ts';
import { type Field, fieldsOf } from '../../../spec/fields.ts';
import { type FormName, hasForm } from '../../../spec/forms.ts';
import {
  type FacetId,
  fieldTables,
  findFieldRequirement,
  formOf,
  type RequirementId,
} from '../../../spec/requirements/index.ts';
import { namesOfForm, type ResourceName } from '../../../spec/resources.ts';
import { defineRule, type Findings } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { results } from './envelope.ts';

/** Judges objects that come again and again, as the items of lists do: each is looked at once, and counted. */
function oncePerObject<Id extends RequirementId>(findings: Findings<Id>) {
  interface Known {
    readonly passed: readonly Id[];
    readonly source: string;
    again: number;
  }
  const known = new Map<object, Known>();
  return {
    /** @param look judges the object, always with the same result; an object that failed is judged each time */
    judge(object: object, source: string, look: () => { passed: readonly Id[]; failed: boolean }) {
      const before = known.get(object);
      if (before) {
        before.again += 1;
        return;
      }
      const { passed, failed } = look();
      for (const id of passed) findings.pass(id, source);
      if (!failed) known.set(object, { passed, source, again: 0 });
    },
    /** To be called last: counts the repeated objects. */
    count() {
      for (const { passed, source, again } of known.values()) {
        if (again > 0) for (const id of passed) findings.pass(id, source, again);
      }
    },
  };
}

/** Tells if a value has a form. Equal values come over and over, and a calendar is slow: each value is tried once. */
export function formCache(): (form: FormName, value: unknown) => boolean {
  const byForm = new Map<FormName, Map<unknown, boolean>>();
  return (form, value) => {
    const known = byForm.get(form) ?? new Map<unknown, boolean>();
    byForm.set(form, known);
    const before = known.get(value);
    if (before !== undefined) return before;
    const has = hasForm(form, value);
    known.set(value, has);
    return has;
  };
}

export function describes(field: Field): Must {
  if (field.values) return { one_of: field.values };
  return field.form === 'enum' || field.form === 'integer'
    ? { words: formOf(field) }
    : { form: field.form };
}

type Holds = (form: FormName, value: unknown) => boolean;

export function fits(field: Field, value: unknown, has: Holds = hasForm): boolean {
  if (field.values) return typeof value === 'string' && field.values.includes(value);
  if (field.form === 'integer') return Number.isInteger(value) && (value as number) >= 0;
  return field.form !== 'enum' && has(field.form, value);
}

const snapshotsOf = [
  'order',
  'quote',
  'own-quote',
  'rfq',
  'settlement',
  'custodian-acceptance',
  'token',
  'identity',
] as const satisfies readonly ResourceName[];

type ResourceFacetId = FacetId<(typeof snapshotsOf)[number], 'present' | 'form'>;

const facetsOf = (table: (typeof snapshotsOf)[number]) =>
  fieldsOf(fieldTables[table]).map((field) => ({
    field,
    present: findFieldRequirement(table, field.name, 'present'),
    form: findFieldRequirement(table, field.name, 'form'),
  }));

/** A missing field that was not sent: it is open which fields a creation must have (gap `order.required_fields`). */
function leftOut(view: HistoryView, snapshot: Snapshot, field: Field): boolean {
  const { resource, value } = snapshot;
  // An acceptance above the maximum may fail the order (gap `quote.above_max`): then there is no accepted quote.
  if (resource === 'custodian-acceptance')
    return value['status'] === 'FAILED' && field.name !== 'intent_id';
  if (resource !== 'order' || field.moment !== 'sent') return false;
  return !isSet(view.order(textOf(value, 'intent_id'))?.sent?.[field.name]);
}

const ruleFor = (resource: (typeof snapshotsOf)[number]) => {
  const facets = facetsOf(resource);
  return defineRule({
    id: `fields.${resource}`,
    title: `Every field of ${resource} is there and has its form, wherever it shows`,
    requirements: facets.flatMap(({ present, form }) =>
      [present, form].filter((id) => id !== undefined),
    ),
    judge(view, findings) {
      const has = view.once(formCache);
      const seen = { whole: oncePerObject(findings), inPart: oncePerObject(findings) };
      for (const snapshot of view.snapshotsOf(resource)) {
        const alike = seen[snapshot.whole ? 'whole' : 'inPart'];
        alike.judge(snapshot.value, snapshot.source, () => look(snapshot));
      }
      seen.whole.count();
      seen.inPart.count();

      function look(snapshot: Snapshot) {
        const { value, whole, source, path } = snapshot;
        const passed: ResourceFacetId[] = [];
        let failed = false;
        for (const { field, present, form } of facets) {
          const found = value[field.name];
          if (!isSet(found)) {
            if (!whole || !present || leftOut(view, snapshot, field)) continue;
            failed = true;
            findings.fail(present, {
              message: `${path}.${field.name} was missing in ${snapshot.via}`,
              must: describes(field),
              evidence: [source],
            });
            continue;
          }
          if (present && whole) passed.push(present);
          if (!form) continue;
          if (fits(field, found, has)) passed.push(form);
          else if (view.answersForForm(field.name, snapshot)) {
            failed = true;
            findings.fail(form, {
              message: `${path}.${field.name} did not have its form in ${snapshot.via}`,
              must: describes(field),
              actual: found,
              evidence: [source],
            });
          }
        }
        return { passed, failed };
      }
    },
  });
};

const fieldRules = snapshotsOf.map(ruleFor);

const conventions = [
  ['convention.timestamps', 'timestamp', 'an ISO 8601 UTC time with milliseconds'],
  ['convention.amounts-as-strings', 'decimal', 'a decimal number in a string'],
  ['convention.ids-are-uuids', 'uuid', 'a UUID string'],
  ['convention.parties', 'party', '<Name>::<hex>'],
  ['convention.currencies', 'currency', 'a currency code in a string'],
] as const satisfies readonly (readonly [string, FormName, string])[];

/** The convention for each member name, at any depth. Only names that the document uses. */
const byName = new Map(
  conventions.flatMap((one) => namesOfForm(one[1]).map((name) => [name, one] as const)),
);

type Requirement = (typeof conventions)[number][0];

/** Parts of a message that are judged one by one: its envelope and each item of its data, or the whole message. */
function partsOf(message: unknown): readonly object[] {
  if (!isObject(message)) return typeof message === 'object' && message !== null ? [message] : [];
  const items = [message['data']].flat();
  return items.every(isObject) ? [{ ...message, data: undefined }, ...items] : [message];
}

/** The object that names the order of a part: itself, or one within it, as in an event that wraps an order. */
function namedWithin(part: object): object {
  let named: object | undefined;
  visit(part, (_, value) => {
    if (!named && isObject(value) && textOf(value, 'intent_id') !== undefined) named = value;
  });
  return named ?? part;
}

const valueFormats = defineRule({
  id: 'conventions',
  title:
    'Timestamps, amounts, ids, parties and currencies have their forms at any depth of any message',
  requirements: conventions.map(([requirement]) => requirement),
  judge(view, findings) {
    const fits = view.once(formCache);
    const parts = oncePerObject(findings);
    const look = (source: string, message: unknown, call?: Call): void => {
      for (const part of partsOf(message))
        parts.judge(part, source, () => lookInto(source, part, call));
    };
    const lookInto = (source: string, part: object, call: Call | undefined) => {
      const at = { value: namedWithin(part), call };
      const passed: Requirement[] = [];
      let failed = false;
      visit(part, (name, value) => {
        const convention = byName.get(name);
        if (!convention || !isSet(value) || Array.isArray(value)) return;
        const [requirement, form, words] = convention;
        if (fits(form, value)) passed.push(requirement);
        else if (view.answersForForm(name, at)) {
          failed = true;
          findings.fail(requirement, {
            message: `${name} did not keep the convention`,
            fields: [name],
            must: { words },
            actual: value,
            evidence: [source],
          });
        }
      });
      return { passed, failed };
    };
    for (const call of view.once(results)) look(call.id, call.body, call);
    for (const stream of view.streams) {
      for (const { frame } of stream.frames) {
        if (frame.event !== heartbeat && eventKind(frame.event)) look(frame.id, frame.data);
      }
    }
    parts.count();
  },
});

/** Number of timestamps that cannot all have fallen on a whole second by chance. */
const minSamples = 20;
const secondMs = 1_000;
/** Around a whole second: what a clock shows, and when it was asked, need not be quite the same. */
const marginMs = 10;

/** Fields in which a target records the time of a call's effect. */
const timestampFields: Partial<Record<EndpointName, string>> = {
  'order.create': 'created_at',
  'quote.submit': 'submitted_at',
  'quote.accept': 'quote_accepted_at',
};

/** The timestamps in the answer to a call, with their fields and their places, as "timestamp of order.list". */
function timestampsOf(call: Call) {
  const { endpoint, body, data } = call;
  const stamped = call.own && endpoint ? timestampFields[endpoint] : undefined;
  const timestamps = [
    ['timestamp', textOf(isObject(body) ? body['meta'] : undefined, 'timestamp')],
    [stamped ?? '', stamped && textOf(data, stamped)],
  ] as const;
  return timestamps.flatMap(([field, text]) =>
    text === undefined ? [] : [{ place: `${field} of ${endpoint}`, field, text, call }],
  );
}

/** The form of a timestamp has milliseconds; if they are always zero, they were cut off. */
const timestampPrecision = defineRule({
  id: 'conventions.precision',
  title: 'The moment of a call is told to the millisecond, not cut to its second',
  requirements: ['convention.timestamps'],
  judge(view, findings) {
    const { least, most } = view.context.offset;
    const isWithinSecond = ({ exchange }: Call): boolean => {
      const [from, to] = [exchange.sent + least - marginMs, exchange.received + most + marginMs];
      return Math.floor(from / secondMs) === Math.floor(to / secondMs);
    };
    const shown = view.once(results).filter(isWithinSecond).flatMap(timestampsOf);
    for (const [place, timestamps] of groupBy(shown, (one) => one.place)) {
      const [first] = timestamps;
      if (!first || timestamps.length < minSamples) continue;
      const isCut = timestamps.every(({ text }) => text.endsWith('.000Z'));
      findings.assert('convention.timestamps', !isCut, first.call.id, () => ({
        message: `all of ${timestamps.length} moments fell on a whole second (${place})`,
        fields: [first.field],
        must: { words: 'milliseconds, as the calls were made between the seconds' },
        actual: first.text,
        evidence: timestamps.slice(0, 3).map(({ call }) => call.id),
      }));
    }
  },
});

export const formRules = [valueFormats, timestampPrecision, ...fieldRules];
