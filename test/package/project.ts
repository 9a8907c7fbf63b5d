import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../architecture/source.ts';

export interface Ended {
  readonly code: number | null;
  /** Both streams. */
  readonly said: string;
}

/** An empty project that has the packed package, and a test runner and a compiler beside it. */
export interface Project {
  readonly path: string;
  readonly tarball: string;
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  write(name: string, text: string): void;
  remove(): void;
}

function run(command: string, args: readonly string[], cwd: string, env = {}): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
  });
}

async function must(running: Promise<Ended>): Promise<void> {
  const { code, said } = await running;
  if (code !== 0) throw new Error(said);
}

/** Packages that a user of the library has installed beside it. */
const linked = ['vitest', 'fast-check', 'typescript', 'tsx', '@types/node'];

/** Packs the built tree and installs it without a network: nothing but the tarball and links. */
export async function projectFromTarball(): Promise<Project> {
  const path = mkdtempSync(join(tmpdir(), 'assay-package-'));
  await must(
    run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', path], root),
  );
  const tarball = join(path, 'assay-0.1.0.tgz');
  const modules = join(path, 'node_modules');
  mkdirSync(join(modules, 'assay'), { recursive: true });
  mkdirSync(join(modules, '@types'));
  await must(
    run('tar', ['-xzf', tarball, '-C', join(modules, 'assay'), '--strip-components=1'], path),
  );
  for (const name of linked) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  cpSync(join(modules, 'assay', 'examples'), path, { recursive: true });
  writeFileSync(join(path, 'package.json'), '{ "type": "module" }\n');
  return {
    path,
    tarball,
    node: (args, env) => run(process.execPath, args, path, env),
    write: (name, text) => writeFileSync(join(path, name), text),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The program of a package that is installed here. */
export function programOf(name: string, bin: string): string {
  const inside = join(root, 'node_modules', name);
  const { bin: bins } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8')) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  return join(inside, typeof bins === 'string' ? bins : (bins[bin] ?? ''));
}
