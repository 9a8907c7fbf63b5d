import { readFileSync, writeFileSync } from 'node:fs';
import { schemaFiles } from '../src/cli/schema-files.ts';
import { tolerancesPage } from '../src/handbook/tolerances-page.ts';
import { withDocsTables } from './docs-tables.ts';
import { generatedDocuments } from './generated-docs.ts';
import { withLayersTable } from '../test/architecture/layers.ts';
import { withExamples } from './examples-in-docs.ts';

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);

for (const [path, render] of Object.entries(generatedDocuments)) writeFileSync(at(path), render());
writeFileSync(at('docs/tolerances.md'), tolerancesPage());
for (const [file, text] of Object.entries(schemaFiles()))
  writeFileSync(at(`schemas/${file}`), text);
const architecture = at('ARCHITECTURE.md');
writeFileSync(architecture, withLayersTable(readFileSync(architecture, 'utf8')));
const page = at('docs/scenarios.md');
writeFileSync(page, withDocsTables(readFileSync(page, 'utf8')));
const library = at('docs/library.md');
writeFileSync(library, withExamples(readFileSync(library, 'utf8')));
