import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../../bin/assay.js', import.meta.url));

/** The commands are tested as they are shipped, so the bundle must be there: `npm run build`. */
export const isBuilt = existsSync(fileURLToPath(new URL('../../dist/assay.js', import.meta.url)));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the shipped command in a directory of its own. */
export function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  if (!isBuilt) throw new Error('run `npm run build` first');
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seen = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (seen.err += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...seen }));
  });
  return { child, seen, ended };
}

export const run = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  start(args, cwd, env).ended;

/** Waits until a line of a served reference tells the base URL of its last party. */
export async function served(process: ReturnType<typeof start>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (process.seen.out.includes('target file:')) resolve();
    };
    process.child.stdout.on('data', look);
    process.ended.then(({ err }) => reject(new Error(`it ended: ${err}`)), reject);
    look();
  });
}

export const stop = (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): boolean =>
  child.kill(signal);

export function workDirectory(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'assay-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
