import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/source.ts';
import { blocksOf } from '../cli/followed-page.ts';
import { isBuilt } from '../cli/shipped-command.ts';

const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' };
const begun = performance.now();
let folder = '';
let port = 0;
let background: ChildProcess | undefined;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

beforeAll(async () => {
  if (!isBuilt) throw new Error('run `npm run build` first');
  folder = mkdtempSync(join(tmpdir(), 'assay-start-'));
  port = await freePort();
});
afterAll(() => {
  background?.kill();
  rmSync(folder, { recursive: true, force: true });
});

function must(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** Unpacks the tarball as `npm install` does, without a network. The bundles need no packages. */
function installed(): number {
  const outside = mkdtempSync(join(tmpdir(), 'assay-tarball-'));
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', outside];
  const name = must('npm', pack, root).trim().split('\n').pop() ?? '';
  const inside = join(folder, 'node_modules/assay');
  mkdirSync(inside, { recursive: true });
  mkdirSync(join(folder, 'node_modules/.bin'));
  must('tar', ['-xzf', join(outside, name), '-C', inside, '--strip-components=1'], folder);
  symlinkSync('../assay/bin/assay.js', join(folder, 'node_modules/.bin/assay'));
  rmSync(outside, { recursive: true });
  return 0;
}

/** Starts the background command of a line, and waits for its first output. */
function started(line: string): Promise<number> {
  const [command = '', ...args] = line.replace(/ &$/, '').split(' ');
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  background = child;
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve(0));
    child.once('close', () => reject(new Error(`${line} ended`)));
  });
}

function stopped(): Promise<number> {
  const child = background;
  return new Promise((resolve) => {
    child?.removeAllListeners('close').once('close', () => resolve(0));
    child?.kill();
  });
}

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

async function followed(written: string): Promise<Ended> {
  const line = written.replaceAll('9100', `${port}`);
  if (line.startsWith('npm install')) return { code: installed(), said: '' };
  if (line === 'kill %1') return { code: await stopped(), said: '' };
  if (line.endsWith(' &')) return { code: await started(line), said: '' };
  const ended = spawnSync('sh', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
  return { code: ended.status, said: ended.stdout + ended.stderr };
}

const commands = blocksOf('start').flatMap((block) =>
  block.kind === 'commands' ? block.commands : [],
);
/** Text that a reader looks for in the output of a line. */
function saidFor(line: string, code: number): RegExp {
  if (!line.includes('--target acme.yaml --profile smoke')) return /^/;
  return code === 0 ? /outcome +conformant as far as judged/ : /fx_rate[^]*outcome +nonconformant/;
}

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

describe('docs/start.md, from an empty folder', () => {
  it('shows commands', () => expect(commands.length).toBeGreaterThan(8));

  it.each(commands)(
    '$line ends with $code',
    async ({ line, code }) => {
      const since = performance.now();
      const ended = await followed(line);
      // oxlint-disable-next-line no-console -- how long it took is of interest to whoever runs this
      console.log(`${seconds(since)}, ${seconds(begun)} since the start: ${line}`);
      expect([ended.code, ended.said]).toEqual([code, expect.any(String)]);
      expect(ended.said).toMatch(saidFor(line, code));
    },
    300_000,
  );
});
