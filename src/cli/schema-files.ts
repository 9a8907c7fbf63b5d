import { scenarioSchema } from '../scenario/language/file.ts';
import { targetSchema } from '../target/file/schema.ts';

/** The schemas that editors use, by the file they are shipped as under `schemas/`. */
export const schemaFiles = (): Readonly<Record<string, unknown>> => ({
  'scenario.schema.json': scenarioSchema(),
  'target.schema.json': targetSchema,
});
