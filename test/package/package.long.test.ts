import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt } from '../cli/shipped-command.ts';
import { programOf, type Project, projectFromTarball } from './project.ts';

let project: Project;
beforeAll(async () => {
  if (!isBuilt) throw new Error('run `npm run build` first');
  project = await projectFromTarball();
});
afterAll(() => project?.remove());

describe.concurrent('the packed package', () => {
  it('has nothing that publint finds', async () => {
    const inside = join(project.path, 'node_modules/assay');
    const { code, said } = await project.node([
      programOf('publint', 'publint'),
      'run',
      inside,
      '--strict',
    ]);
    expect(said).toContain('All good');
    expect(code).toBe(0);
  });

  it('has types that are there for every way of resolving them', async () => {
    const attw = programOf('@arethetypeswrong/cli', 'attw');
    const { code, said } = await project.node([
      attw,
      project.tarball,
      '--profile',
      'esm-only',
      '-f',
      'ascii',
    ]);
    expect(said).toContain('assay/vitest');
    expect(code).toBe(0);
  });
});
