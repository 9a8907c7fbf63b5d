import { writeFileSync } from 'node:fs';
import { generatedDocuments } from '../src/spec/documents.ts';

for (const [path, render] of Object.entries(generatedDocuments)) {
  writeFileSync(new URL(`../${path}`, import.meta.url), render());
}
