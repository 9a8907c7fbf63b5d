import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt } from '../cli/shipped-command.ts';
import { root } from '../architecture/source.ts';
import { programOf, type Project, projectFromTarball } from './project.ts';

let project: Project;
beforeAll(async () => {
  if (!isBuilt) throw new Error('run `npm run build` first');
  project = await projectFromTarball();
});
afterAll(() => project?.remove());

const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=verbose',
  '--testTimeout=30000',
];
const assay = 'node_modules/assay/bin/assay.js';
/** Node loads TypeScript by itself from 22.18 on. */
const { typescript: loads } = process.features as { readonly typescript?: unknown };
const typescript = loads ? {} : { NODE_OPTIONS: '--import tsx' };

describe.concurrent('a project made from the tarball', () => {
  it('runs the examples: the reference, its own backend, a history and a scenario', async () => {
    const { code, said } = await project.node([...vitest, '--exclude=wrong.spec.ts']);
    expect(said).toMatch(/Test Files {2}4 passed/);
    expect(said).toMatch(/our backend > 2 .*comes back as it was sent\. \(acme\.memo\.emoji\)/);
    expect(said).toMatch(/over everything .*\(acme\.order\.that-order\)/);
    expect(said).toMatch(
      /↓ .*\(access\.order\.read\.settled\).*it waits 16 s, longer than max_wait/,
    );
    expect(code).toBe(0);
  });

  it('sees what is wrong in a test that fails: message, requirement, values and exchanges', async () => {
    project.write(
      'wrong.spec.ts',
      `import { conformance } from 'assay/vitest';
import { checks } from './own-checks.ts';
const [own] = checks;
const requirement = 'order.memo.echo';
conformance({
  only: 'wrong.*',
  checks: [
    { ...own, id: 'wrong.value', async run(t) {
      const seen = await t.party('sender').call('order.list');
      t.assert(requirement, false, { message: 'It was four.', expected: 3, actual: 4, seen: [seen] });
    } },
    { ...own, id: 'wrong.code', run: () => Promise.reject(new Error('oh')) },
  ],
});
`,
    );
    const { code, said } = await project.node([...vitest, 'wrong.spec.ts']);
    expect(code).toBe(1);
    expect(said).toMatch(/× .*\(wrong\.value\)/);
    expect(said).toContain('ConformanceFailure: It was four.');
    expect(said).toMatch(/requirement order\.memo\.echo: `memo` of an order is what its sender/);
    expect(said).toMatch(/expected {2}3\n\s*actual {4}4\n\s*sender {2}GET \/api\/v1\/orders ans/);
    expect(said).toMatch(/- 3\n\s*\+ 4/);
    expect(said).toMatch(/a fault of the suite or of a check of yours: the check itself broke/);
    expect(said).toMatch(/Tests {2}2 failed/);
  });

  it('adds a check and a rule of its own to the command', async () => {
    const args = [assay, 'check', '--checks', 'own-checks.ts', '--only', 'acme.*', '--out', 'out'];
    const { code, said } = await project.node(args, typescript);
    expect(said).toContain('1 pass');
    expect(code).toBe(0);
    const report = JSON.parse(readFileSync(join(project.path, 'out/report.json'), 'utf8'));
    expect(report.checks).toMatchObject([{ id: 'acme.memo.emoji', verdict: 'pass' }]);
    expect(report.rules.at(-1)).toMatchObject({ id: 'acme.order.that-order', verdict: 'pass' });
  });

  it('gets types, and every library is checked with them', async () => {
    cpSync(join(root, 'test/types/library.ts'), join(project.path, 'types.ts'));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ['node'],
      target: 'ES2023',
      lib: ['ES2023', 'DOM'],
      module: 'NodeNext',
    };
    const files = ['types.ts', 'own-checks.ts', 'reference.test.ts', 'conformance.test.ts'];
    project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const { said } = await project.node([programOf('typescript', 'tsc'), '-p', '.']);
    expect(said).toBe('');
  });
});

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
