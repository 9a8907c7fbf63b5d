import { type Field, fieldsOf } from '../../../spec/fields.ts';
import { type FormName, hasForm } from '../../../spec/forms.ts';
import {
  fieldTables,
  findFieldRequirement,
  formOf,
  type FacetId,
} from '../../../spec/requirements/index.ts';
import type { ResourceName } from '../../../spec/resources.ts';
import { isSet } from '../../../protocol/json.ts';
import type { Must } from '../../../results/must.ts';
import { oncePerObject } from '../../once-per-object.ts';
import { defineRule } from '../../findings.ts';
import { formCache } from './form-cache.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { OrderTrace } from '../../trace/traces.ts';
import type { HistoryView } from '../../trace/history-view.ts';

export const describes = (field: Field): Must =>
  field.values ? { one_of: field.values } : { words: formOf(field) };

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

/**
 * A field that its sender left out, or may have left out, is not missing when it does not come back: which fields a
 * creation must have is open (gap `order.required_fields`).
 */
function leftOut(view: HistoryView, snapshot: Snapshot, field: Field): boolean {
  if (snapshot.resource === 'custodian-acceptance') return failedInstead(snapshot, field);
  if (snapshot.resource !== 'order' || field.moment !== 'sent') return false;
  const id = snapshot.value['intent_id'];
  const trace: OrderTrace | undefined = typeof id === 'string' ? view.orders.get(id) : undefined;
  return !isSet(trace?.sent?.[field.name]);
}

/** An acceptance above the maximum may fail the order (gap `quote.above_max`): then there is no accepted quote. */
const failedInstead = ({ value }: Snapshot, { name }: Field): boolean =>
  value['status'] === 'FAILED' && name !== 'intent_id';

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

export const fieldRules = snapshotsOf.map(ruleFor);
