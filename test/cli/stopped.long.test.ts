import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/reference/http/index.ts';
import { served } from '../scenario/served-reference.ts';
import { isBuilt, start, stop } from './shipped-command.ts';
import { expectPartial, until } from './stopped-run.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
const servers: Server[] = [];
const files = { system: '', virtual: '' };
beforeAll(async () => {
  for (const kind of ['system', 'virtual'] as const) {
    const { server, file } = await served(kind, work);
    servers.push(server);
    files[kind] = file;
  }
});
afterAll(async () => {
  for (const server of servers) await server.close();
});

const textOf = (name: string): string => {
  const path = join(work, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

describe.runIf(isBuilt)('the shipped command', () => {
  it.each([
    ['SIGINT', 'system'],
    ['SIGTERM', 'virtual'],
    ['SIGHUP', 'system'],
  ] as const)('keeps what it knows on %s, on a %s clock', async (signal, kind) => {
    const seen = `${signal}.ndjson`;
    const args = ['check', '--target', files[kind], '--out', signal, '--events', seen];
    const { child, ended } = start(args, work);
    await until(() => textOf(seen).includes('"check_finished"'));
    // A process that read the output has ended together with the terminal.
    child.stdout.destroy();
    stop(child, signal);
    expect((await ended).code).toBe(3);
    expectPartial(work, signal, `stopped by ${signal}`);
  });

  it('stops both worlds of the reference, on whatever thread they are', async () => {
    const { child, seen, ended } = start(['check', '--out', 'worlds'], work);
    await until(() => seen.out.includes('seed'));
    stop(child, 'SIGINT');
    expect((await ended).code).toBe(3);
    const report = expectPartial(work, 'worlds');
    expect(report.totals.checks.not_exercised).toBeGreaterThan(0);
  });

  it('ends at once on the second signal, and leaves no half of a file', async () => {
    const { child, seen, ended } = start(['check', '--out', 'twice'], work);
    await until(() => seen.out.includes('seed'));
    stop(child, 'SIGINT');
    await until(() => seen.err.includes('once more ends at once'));
    stop(child, 'SIGINT');
    await ended;
    expect(child.signalCode).toBe('SIGINT');
    expect(existsSync(join(work, 'twice', 'report.json'))).toBe(false);
  });
});
