import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { schemaFiles } from '../../src/cli/schema-files.ts';
import { root } from '../architecture/source.ts';
import { editor, yamlFilesIn } from './language-server.ts';

const scenario = editor(JSON.parse(schemaFiles()['scenario.schema.json'] ?? ''));
const good = yamlFilesIn('scenarios').filter((file) => !file.includes('/failing/'));

it('no scenario of the library is marked in an editor', async () => {
  for (const file of good) {
    const found = await scenario.validate(file, readFileSync(join(root, file), 'utf8'));
    expect({ file, found }).toEqual({ file, found: [] });
  }
});
