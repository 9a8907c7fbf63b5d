import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { tiers } from '../tiers.ts';
import { root } from './source.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Foreign, generated, or run elsewhere: test/package runs the examples as a user does. */
const elsewhere = ['node_modules', 'dist', 'reports', 'coverage', '.git', 'examples'];

/** Every file whose name says that it is a test. */
const tests = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !elsewhere.includes(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(entry.name, name).split(sep).join('/'),
        )
      : [entry.name],
  )
  .filter((path) => /[.-](test|spec|long)\.[cm]?[jt]sx?$/.test(path));

/** Of the patterns of the tiers only this is needed: some folders, and how a name ends. */
function isOf(pattern: string, path: string): boolean {
  const [, folders = '', ending = ''] = /^\{([^}]+)\}\/\*\*\/\*(\..+)$/.exec(pattern) ?? [];
  return folders.split(',').includes(path.split('/')[0] ?? '') && path.endsWith(ending);
}

const long = tests.filter((path) => isOf(tiers.long, path));

it('every test is of one of the tiers', () => {
  expect(tests.length).toBeGreaterThan(200);
  expect(tests.filter((path) => !isOf(tiers.all, path))).toEqual([]);
  // A name that says `long` where nothing reads it would be quick by mistake, or not run at all.
  expect(tests.filter((path) => path.includes('.long.') && !long.includes(path))).toEqual([]);
});

it('what a long test proves has a quick test beside it', () => {
  expect(long.length).toBeGreaterThan(5);
  // A browser test needs no quick test of its name: unit tests beside the source cover the pages.
  const alone = long.filter(
    (path) =>
      !path.startsWith('test/browser/') &&
      !tests.includes(path.replace('.long.test.ts', '.test.ts')),
  );
  expect(alone).toEqual([]);
});

it('the long tests are run by a command of their own, and once by .ci/run', () => {
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts['test:long']).toBe('npm run build && vitest run --mode long');
  const lines = read('.ci/run').split('\n');
  // As the command does, on what `npm cit` has built.
  expect(lines.filter((line) => line === 'npx vitest run --mode long')).toHaveLength(1);
  expect(lines.filter((line) => line.trim() === 'npm cit')).toHaveLength(1);
});
