import { type Field, fieldsOf } from '../../spec/fields.ts';
import { fieldTables, type RequirementId } from '../../spec/requirements/index.ts';
import { accessMends } from './access.ts';
import { answerMends } from './answers.ts';
import { fieldMends, mendsOfForms } from './fields.ts';
import type { Mend } from './mend.ts';
import { stateMends } from './states.ts';

/** What is about few requirements comes before what is about many. */
export const mends: readonly Mend[] = [
  ...accessMends,
  ...stateMends,
  ...answerMends,
  ...fieldMends,
];

const formId = /^(.+)\.([\w-]+)\.form$/;

/** The form of the field whose form a requirement is about. */
function formOf(id: string): Field['form'] | undefined {
  const [, table = '', name = ''] = formId.exec(id) ?? [];
  const schema = Object.entries(fieldTables).find(([key]) => key === table)?.[1];
  const fields = schema === undefined ? [] : fieldsOf(schema);
  return fields.find((field) => field.name.replaceAll('_', '-') === name)?.form;
}

/** How a departure from a requirement is usually mended; undefined where there is nothing to say but the clause. */
export function mendOf(id: RequirementId): string | undefined {
  const form = formOf(id);
  if (form !== undefined) return mendsOfForms[form];
  return mends.find(([ids]) => ids.test(id))?.[1];
}
