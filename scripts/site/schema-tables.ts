import { table } from '../markdown-table.ts';

/** As much of a JSON Schema as the documents of the interface use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const code = (text: string): string => `\`${text}\``;

/** The heading of a schema, linked. */
export const linkTo = (ref: string): string => {
  const name = ref.split('/').at(-1) ?? ref;
  return `[${name}](#${name.replaceAll('_', '-')})`;
};

/** The type of a value as a short text. */
export function typeText(schema: Schema): string {
  const { $ref, items, enum: values, type, format } = schema;
  if ($ref !== undefined) return linkTo($ref);
  if (values !== undefined) return values.map((value) => code(String(value))).join(', ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  const several = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (several !== undefined) {
    return several.map(typeText).join(schema.allOf === undefined ? ' or ' : ' and ');
  }
  if (items !== undefined) return `list of ${typeText(items)}`;
  const types = typeof type === 'string' ? [type] : (type ?? ['any']);
  return `${types.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
}

/** The fields of an object, a row each. */
export function fieldTable({ properties = {}, required = [] }: Schema): readonly string[] {
  const rows = Object.entries(properties).map(([name, field]) => [
    code(name),
    typeText(field),
    required.includes(name) ? 'always' : 'may be absent',
    [field.description ?? '', field.pattern === undefined ? '' : code(field.pattern)]
      .filter((text) => text !== '')
      .join(' '),
  ]);
  return rows.length === 0 ? [] : table(['field', 'what it holds', 'there', 'form'], rows);
}
