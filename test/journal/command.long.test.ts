import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type JournalClient, journalClient } from './journal-client.ts';
import { freePort, type ServedLife, serveLife } from './kills/served-life.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let life: ServedLife | undefined;
let client: JournalClient;
let port = 0;

beforeAll(async () => {
  port = await freePort();
});
afterEach(() => life?.kill());

async function begin(words: readonly string[], settings: object = {}, cwd = work) {
  life = serveLife({ cwd, port, words, settings });
  if ((await life.ready) === 'ended') throw new Error(life.said());
  client = journalClient(port);
  return life;
}

describe('a disk that is full, of a server that is killed', () => {
  async function filled(words: readonly string[], settings: object, cwd?: string) {
    await begin(words, settings, cwd);
    return client.fill();
  }

  it('by a quota of our own: nothing answered is lost, nothing invented', async () => {
    const { token, answered } = await filled(['--journal', 'five'], { capacity: 60_000 });
    expect((await client.listed(token)).toSorted()).toEqual(answered.toSorted());
    await life?.kill();
    await begin(['--journal', 'five']);
    expect((await client.listed(token)).toSorted()).toEqual(answered.toSorted());
    expect((await client.order(token)).status).toBe(201);
  });

  const mount = join(work, 'small');
  mkdirSync(mount);
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'none', mount]).status === 0;
  afterAll(() => {
    if (mounted) spawnSync('umount', [mount]);
  });

  it('for real, and then has room again: the server goes on by itself', async (context) => {
    if (!mounted) return context.skip('nobody may mount a small file system here');
    const { token, answered } = await filled(['--journal', 'journal'], {}, mount);
    expect(spawnSync('mount', ['-o', 'remount,size=1m', mount]).status).toBe(0);
    const more = await client.order(token);
    expect(more.status).toBe(201);
    answered.push(more.data['intent_id'] ?? '');
    expect((await client.listed(token)).toSorted()).toEqual(answered.toSorted());
    await life?.kill();
    const again = await begin(['--journal', 'journal'], {}, mount);
    expect(again.said()).not.toContain('breaks off');
    expect((await client.listed(token)).toSorted()).toEqual(answered.toSorted());
    await life?.kill();
    expect(readdirSync(mount)).toEqual(['journal']);
  });
});
