import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaFiles } from '../../src/cli/schema-files.ts';
import { root } from '../architecture/source.ts';
import { editor, yamlFilesIn } from './language-server.ts';

/** Errors that a schema cannot find: names, types of expressions, requirements, files. */
const beyondSchema = [
  'asserts-nothing',
  'asks-again-for-a-change',
  'bad-pattern',
  'broken-expression',
  'missing-import',
  'name-from-later',
  'name-of-a-meanwhile',
  'name-of-another-branch',
  'role-may-not',
  'unique-by-no-field',
  'sum-of-moments',
  'template-in-itself',
  'template-misused',
  'template-with-outer-name',
  'text-beside-a-value',
  'too-deep',
  'alias-bomb',
  'uneven-examples',
  'unknown-name',
  'unknown-requirement',
];

describe('the schemas for editors', () => {
  it.each(Object.entries(schemaFiles()))(
    'schemas/%s is up to date; `npm run docs` writes it',
    (name, text) => {
      expect(readFileSync(join(root, 'schemas', name), 'utf8')).toBe(text);
    },
  );

  describe("in an editor's own validator", () => {
    const schemas = schemaFiles();
    const scenario = editor(JSON.parse(schemas['scenario.schema.json'] ?? ''));
    const target = editor(JSON.parse(schemas['target.schema.json'] ?? ''));
    const bad = yamlFilesIn('scenarios/failing/files').filter(
      (file) => !beyondSchema.some((name) => file.endsWith(`/${name}.yaml`)),
    );

    it('good scenarios are not marked', async () => {
      const good = yamlFilesIn('scenarios').filter((file) => !file.includes('/failing/'));
      // Some: a schema that marks everything, or a whole kind of step, is found by them.
      for (const file of good.filter((_, place) => place % 4 === 0)) {
        const found = await scenario.validate(file, readFileSync(join(root, file), 'utf8'));
        expect({ file, found }).toEqual({ file, found: [] });
      }
    });

    it('files that break the form are marked', async () => {
      expect(bad.length).toBeGreaterThan(8);
      for (const file of bad) {
        const found = await scenario.validate(file, readFileSync(join(root, file), 'utf8'));
        expect({ file, marked: found.length > 0 }).toEqual({ file, marked: true });
      }
    });

    it.each([
      ['a key', 'name: x\nparticpants: {}\n'],
      ['a party', party('sendr', 'institution')],
      ['a role', party('sender', 'custodian')],
      ['a token in the file', `${party('sender', 'institution')}    token: abc\n`],
      ['a clock', `${party('sender', 'institution')}clock: { kind: sundial }\n`],
      ['a control', `${party('sender', 'institution')}controls: { explode: { order: {} } }\n`],
      ['a gap', `${party('sender', 'institution')}gaps: { list.pag: page }\n`],
    ])('a target file is marked for %s', async (_, text) => {
      expect(await target.validate('target.yaml', text)).not.toEqual([]);
    });

    it('a good target file is not', async () => {
      const text = `${party('sender', 'institution')}clock: { kind: system, max_wait: 90s }\ncontrols: { fail_settlement: { order: { memo: "!revert" } } }\ngaps: { list.page_param: page_no }\n`;
      expect(await target.validate('target.yaml', text)).toEqual([]);
    });
  });
});

function party(name: string, role: string): string {
  return `name: x\nparticipants:\n  ${name}:\n    role: ${role}\n    base_url: http://127.0.0.1:9000/a\n`;
}
