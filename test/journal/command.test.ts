import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Begun, beginHere, runHere } from '../cli/command-here.ts';
import { type JournalClient, journalClient } from './journal-client.ts';
import { freePort, type ServedLife, serveLife } from './kills/served-life.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let life: ServedLife | undefined;
let port = 0;
let here: Begun | undefined;
let client: JournalClient;

beforeAll(async () => {
  port = await freePort();
});
afterEach(async () => {
  await life?.kill();
  await stopHere();
});

/** As shipped, in a process that can be killed. */
async function begin(words: readonly string[]) {
  life = serveLife({ cwd: work, port, words });
  if ((await life.ready) === 'ended') throw new Error(life.said());
  client = journalClient(port);
  return life;
}

/** In this process, where it is no matter how it ends; answers with what it said. */
async function beginInHere(words: readonly string[], settings: object = {}): Promise<string> {
  const env = { ASSAY_TEST_JOURNAL: JSON.stringify(settings) };
  here = beginHere(['serve', '--port', '0', ...words], work, env);
  const said = await here.ready;
  client = journalClient(Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]));
  return said;
}

async function stopHere(): Promise<void> {
  here?.stop();
  await here?.ended;
  here = undefined;
}

describe('assay serve --journal', () => {
  it('goes on after a kill, honours tokens of a key that no seed gives, and is read meanwhile', async () => {
    writeFileSync(join(work, 'gaps.yaml'), 'token.algorithm: RS256\n');
    await begin(['--journal', 'one', '--gaps', 'gaps.yaml']);
    const token = (await client.tokenOf('bank-a'))['token'] ?? '';
    const made = await client.order(token);
    expect(made.status).toBe(201);
    const read = await runHere(['replay', '--journal', 'one'], work);
    expect([read.code, read.err]).toEqual([0, '']);
    expect(read.out).toMatch(/^orders +1 +PENDING 1$/m);
    await life?.kill();
    const again = await begin(['--journal', 'one']);
    expect(again.said()).toContain('journal: one, start 2, 1 orders in it');
    const found = await client.call(`/bank-a/api/v1/orders/${made.data['intent_id']}`, { token });
    expect([found.status, found.data['status']]).toEqual([200, 'PENDING']);
  });

  it('refuses what contradicts it, a second writer, and what is no journal', async () => {
    // Of another process: this one would not be refused what it holds itself.
    await begin(['--journal', 'two', '--seed', '5']);
    const second = await runHere(['serve', '--port', '0', '--journal', 'two'], work);
    expect([second.code, second.err]).toEqual([
      2,
      expect.stringMatching(/two: process \d+ writes it/),
    ]);
    await life?.kill();
    const cases = [
      [['--journal', 'two', '--seed', '6'], /--seed is 0x0*6, and the journal's 0x0*5/],
      [['--journal', 'two', '--clock', 'virtual'], /--clock is virtual, and the journal's system/],
      [['--journal', 'two', '--gaps', 'other.yaml'], /--gaps has list.order: oldest-first/],
      [
        ['--journal', 'two', '--mutation', 'rate-missing-in-list-once-settled'],
        /and the journal's none/,
      ],
      [['--journal', 'file'], /an earlier version of assay wrote; a journal is a directory now/],
      [['--journal', 'text'], /text: a file, and a journal is a directory/],
      [['--journal', '.'], /holds other files and no journal/],
    ] as const;
    writeFileSync(join(work, 'other.yaml'), 'list.order: oldest-first\n');
    writeFileSync(join(work, 'file'), '{"format":"assay.journal/1","config":{}}\n');
    writeFileSync(join(work, 'text'), 'hello\n');
    for (const [words, message] of cases) {
      const { code, err } = await runHere(['serve', '--port', '0', ...words], work);
      expect([words, code, err]).toEqual([words, 2, expect.stringMatching(message)]);
      expect(err).toContain('next: ');
    }
    const read = await runHere(['replay', '--journal', 'file'], work);
    expect([read.code, read.err]).toEqual([2, expect.stringContaining('next: ')]);
  });

  it('refuses damage with file and offset, and changes nothing', async () => {
    await beginInHere(['--journal', 'three']);
    await client.order((await client.tokenOf('bank-a'))['token'] ?? '');
    await stopHere();
    const path = join(work, 'three', 'segment-00000001.log');
    const bytes = readFileSync(path);
    const place = bytes.length - 20;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const offset = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
    const message = `segment-00000001.log, byte ${offset}: the checksum is another one`;
    for (const command of [['serve', '--port', '0'], ['replay']]) {
      const { code, err } = await runHere([...command, '--journal', 'three'], work);
      expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    }
    expect(readFileSync(path).equals(bytes)).toBe(true);
    writeFileSync(path, bytes.subarray(0, bytes.length - 3));
    const said = await beginInHere(['--journal', 'three']);
    expect(said).toMatch(new RegExp(`breaks off .* at byte ${offset}`));
  });

  it('takes a directory over from a process that has ended, whatever has its number now', async () => {
    mkdirSync(join(work, 'four'));
    const self = readFileSync('/proc/self/stat', 'utf8');
    expect(self).not.toBe('');
    // The id of this process, and the start time of another one.
    const claim = {
      pid: process.pid,
      started: '1',
      boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      space: readlinkSync('/proc/self/ns/pid'),
      host: hostname(),
    };
    const path = join(work, 'four', `writer-${process.pid}-1.claim`);
    writeFileSync(path, JSON.stringify(claim));
    await beginInHere(['--journal', 'four']);
    expect(existsSync(path)).toBe(false);
    await stopHere();
    writeFileSync(path, JSON.stringify({ ...claim, host: 'elsewhere' }));
    const { code, err } = await runHere(['serve', '--port', '0', '--journal', 'four'], work);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`remove writer-${process.pid}-1.claim`),
    ]);
  });
});

// As shipped, killed, and on a small file system of its own: command.long.test.ts.
it('a disk that is full, by a quota of our own: nothing answered is lost, nothing invented', async () => {
  await beginInHere(['--journal', 'five'], { capacity: 60_000 });
  const { token, answered } = await client.fill();
  expect((await client.listed(token)).toSorted()).toEqual(answered.toSorted());
  await stopHere();
  await beginInHere(['--journal', 'five']);
  expect((await client.listed(token)).toSorted()).toEqual(answered.toSorted());
  expect((await client.order(token)).status).toBe(201);
});

it.each([
  ['began before', ['--journal', 'filled'], ['--journal', 'filled']],
  ['is new', [], ['--journal', 'never-begun']],
])(
  'a journal that %s, on a disk that is full when it starts, is no fault of ours',
  async (_, before, words) => {
    if (before.length > 0) {
      await beginInHere(before);
      await stopHere();
    }
    const env = { ASSAY_TEST_JOURNAL: JSON.stringify({ capacity: 0 }) };
    const started = beginHere(['serve', '--port', '0', ...words], work, env);
    await started.ready;
    started.stop();
    const { code, err } = await started.ended;
    expect([code, err]).toEqual([3, expect.stringContaining('make room on that disk')]);
  },
);
