import { Type } from 'typebox';
import { type FormName, forms } from './forms.ts';

/**
 * Stage from which a field of an order is due (2.2): creation; creation if its sender sent it; acceptance of a quote;
 * settlement. In other resources every field is due from creation on.
 */
export type FieldStage = 'creation' | 'sent' | 'acceptance' | 'settlement';

/** Data of one field from the tables of part 2, carried on its schema so that there is one place to read it. */
export interface FieldAnnotation {
  readonly form: FormName | 'enum' | 'integer';
  readonly moment: FieldStage;
}

const described = (form: FormName, moment: FieldStage) => ({
  form,
  moment,
  description: forms[form].describes,
});

/** A string field of the given form. */
export const text = (form: FormName, moment: FieldStage = 'creation') =>
  Type.String({ pattern: forms[form].pattern, ...described(form, moment) });

/** A field whose value is one of a closed list. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Enum([...values] as [...T], { form: 'enum', moment: 'creation' });

export const count = (minimum = 0) =>
  Type.Integer({ minimum, form: 'integer', moment: 'creation' });

/** A field that is due only later, or only in some views. */
export const optionalField = Type.Optional;

export interface Field extends FieldAnnotation {
  readonly name: string;
  readonly required: boolean;
  /** The admissible values of an enum. */
  readonly values?: readonly string[];
}

interface ObjectLike {
  readonly properties: Record<string, unknown>;
  readonly required?: readonly string[];
}

const known = new WeakMap<ObjectLike, readonly Field[]>();

/** The fields of a resource in the document's order, read back from its schema, once. */
export function fieldsOf(schema: ObjectLike): readonly Field[] {
  const fields = known.get(schema) ?? readFields(schema);
  known.set(schema, fields);
  return fields;
}

function readFields(schema: ObjectLike): readonly Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const notes = property as Partial<FieldAnnotation> & { enum?: readonly string[] };
    if (notes.form === undefined || notes.moment === undefined) return [];
    return [
      {
        name,
        form: notes.form,
        moment: notes.moment,
        required: required.has(name),
        ...(notes.enum && { values: notes.enum }),
      },
    ];
  });
}
