import { readFileSync, writeFileSync } from 'node:fs';
import { schemaFiles } from '../src/cli/schema-files.ts';
import { tolerancesPage } from '../src/rules/tolerances.ts';
import { withTables } from '../src/scenario/tables.ts';
import { generatedDocuments } from '../src/spec/documents.ts';

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);

for (const [path, render] of Object.entries(generatedDocuments)) writeFileSync(at(path), render());
writeFileSync(at('docs/tolerances.md'), tolerancesPage());
for (const [file, text] of Object.entries(schemaFiles()))
  writeFileSync(at(`schemas/${file}`), text);
const page = at('docs/scenarios.md');
writeFileSync(page, withTables(readFileSync(page, 'utf8')));
