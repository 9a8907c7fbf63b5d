import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/source.ts';

let folder = '';
let executable = '';

function run(...args: readonly string[]) {
  const since = performance.now();
  // No Node and nothing else on the path.
  const env = { PATH: folder, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(executable, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  // oxlint-disable-next-line no-console -- how long it took is of interest to whoever runs this
  console.log(`${((performance.now() - since) / 1_000).toFixed(1)} s: assay ${args.join(' ')}`);
  return { code: status, out: stdout, err: stderr };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-executable-'));
  executable = join(folder, 'assay');
  const script = join(root, 'scripts/build-executable.js');
  const built = spawnSync(process.execPath, [script, executable], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the single executable, without Node on the path', () => {
  it('finds a defect, and makes other formats of the report', () => {
    const broken = ['check', '--mutation', 'winner-told-that-it-lost', '--only', 'order.life.*'];
    expect(run(...broken).code).toBe(1);
    const made = run(
      'report',
      'reports/report.json',
      '--format',
      'ctrf,badge,html',
      '--out',
      'site',
    );
    expect(made.code).toBe(1);
    expect(readFileSync(join(folder, 'site/badge.svg'), 'utf8')).toContain('nonconformant');
  });

  it('plays scenarios and worlds, on threads as well', () => {
    const scenario = readFileSync(join(root, 'scenarios/happy/institution.yaml'), 'utf8');
    writeFileSync(join(folder, 'one.yaml'), scenario);
    expect(run('play', 'one.yaml').code).toBe(0);
    expect(run('simulate', '--seeds', '4', '--workers', '2').code).toBe(0);
    expect(run('spec', 'schemas').out).toContain('$schema');
  });

  it('says what a campaign needs that it does not carry', () => {
    const { code, err } = run('campaign', '--queue', 'postgres://nobody@127.0.0.1:1/none');
    expect(code).toBe(2);
    expect(err).toContain('install the package of assay');
  });
});
