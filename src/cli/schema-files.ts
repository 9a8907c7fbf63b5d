import { scenarioSchema } from '../scenario/language/scenario-file.ts';
import { targetSchema } from '../target/file/read-target-file.ts';

const text = (schema: unknown): string => `${JSON.stringify(schema, null, 2)}\n`;

/** The schemas that editors use, as text, by the file they are shipped as under `schemas/`. */
export const schemaFiles = (): Readonly<Record<string, string>> => ({
  'scenario.schema.json': text(scenarioSchema()),
  'target.schema.json': text(targetSchema),
});
