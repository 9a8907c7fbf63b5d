import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt } from '../cli/shipped-command.ts';
import { type Project, projectFromTarball } from './project.ts';

// A user who installs the package has only the tarball, so it must be built: `npm run build`.
let project: Project;
beforeAll(async () => {
  if (!isBuilt) throw new Error('run `npm run build` first');
  project = await projectFromTarball();
});
afterAll(() => project?.remove());

describe.concurrent('a project made from the tarball', () => {
  it('needs no package to run but the test runner', async () => {
    const bundles = ['index', 'actions', 'reference', 'history', 'scenario', 'vitest'];
    const loaded = bundles.map(
      (name) => `await import('assay${name === 'index' ? '' : `/${name}`}')`,
    );
    // Outside of a test vitest refuses to be loaded, and says so.
    const script = `${loaded.slice(0, -1).join(';')}; console.log('loaded')`;
    const { said } = await project.node(['--input-type=module', '--eval', script]);
    expect(said).toBe('loaded\n');
  });
});

describe.concurrent('the packed package', () => {
  it('holds the bundles, their types and the examples, and no map of what is not there', async () => {
    const inside = join(project.path, 'node_modules/assay');
    const { exports } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
    for (const entry of Object.values<string | { types: string; default: string }>(exports)) {
      const files = typeof entry === 'string' ? [entry] : [entry.types, entry.default];
      for (const file of files)
        expect(existsSync(join(inside, file)) ? 'there' : file).toBe('there');
    }
    expect(existsSync(join(inside, 'dist/assay.js.map'))).toBe(false);
  });

  it('brings no other package along, and less than 15 MB with the notices of what is within', () => {
    const inside = join(project.path, 'node_modules/assay');
    const packed = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
    expect(packed.dependencies).toBeUndefined();
    const files = readdirSync(inside, { recursive: true, withFileTypes: true });
    const sizes = files
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15 * 1024 * 1024);
    expect(existsSync(join(inside, 'dist/THIRD-PARTY-NOTICES.txt'))).toBe(true);
  });
});
