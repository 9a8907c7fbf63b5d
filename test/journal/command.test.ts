import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../cli/command-here.ts';
import { isBuilt, workDirectory } from '../cli/shipped-command.ts';
import { freePort, type ServedLife, serveLife } from './kills/served-life.ts';

const work = workDirectory();
let life: ServedLife | undefined;
let port = 0;
/** The ids of those whom orders name, asked once in each life. */
let others: Promise<readonly (string | undefined)[]> | undefined;

beforeAll(async () => {
  if (!isBuilt) throw new Error('run `npm run build` first');
  port = await freePort();
});
afterEach(() => life?.kill());
afterAll(work.remove);

async function begin(words: readonly string[], settings: object = {}, cwd = work.path) {
  life = serveLife({ cwd, port, words, settings });
  if ((await life.ready) === 'ended') throw new Error(life.said());
  others = undefined;
  return life;
}

const call = async (path: string, options: RequestInit & { readonly token?: string } = {}) => {
  const { token, ...rest } = options;
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(rest.body !== undefined && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...rest, headers });
  const json = (await answer.json()) as {
    readonly data: Record<string, string>;
    readonly code?: string;
  };
  return { status: answer.status, headers: answer.headers, ...json };
};

const tokenOf = async (prefix: string) =>
  (await call(`/${prefix}/auth/token`, { method: 'POST' })).data;
const partyIdOf = async (prefix: string) => (await tokenOf(prefix))['canton_party_id'];

let contracts = 0;
async function order(token: string) {
  others ??= Promise.all(['custodian-a', 'custodian-b'].map(partyIdOf));
  const [custodian, receiver] = await others;
  contracts += 1;
  return call('/bank-a/api/v1/orders', {
    method: 'POST',
    token,
    body: JSON.stringify({
      sender_custodian_party_id: custodian,
      intent_signature: 'ab12',
      receiver_party_id: 'Receiver::1234',
      receiver_custodian_party_id: receiver,
      source_contract_id: `00ff#${contracts}`,
      source_currency: 'USD',
      target_amount: '10.00',
      target_currency: 'EUR',
      source_amount_max: '12.00',
      memo: 'x',
    }),
  });
}

describe('assay serve --journal', () => {
  it('goes on after a kill, honours tokens of a key that no seed gives, and is read meanwhile', async () => {
    writeFileSync(join(work.path, 'gaps.yaml'), 'token.algorithm: RS256\n');
    await begin(['--journal', 'one', '--gaps', 'gaps.yaml']);
    const token = (await tokenOf('bank-a'))['token'] ?? '';
    const made = await order(token);
    expect(made.status).toBe(201);
    const read = await runHere(['replay', '--journal', 'one'], work.path);
    expect([read.code, read.err]).toEqual([0, '']);
    expect(read.out).toMatch(/^orders +1 +PENDING 1$/m);
    await life?.kill();
    const again = await begin(['--journal', 'one']);
    expect(again.said()).toContain('journal: one, start 2, 1 orders in it');
    const found = await call(`/bank-a/api/v1/orders/${made.data['intent_id']}`, { token });
    expect([found.status, found.data['status']]).toEqual([200, 'PENDING']);
  });

  it('refuses what contradicts it, a second writer, and what is no journal', async () => {
    await begin(['--journal', 'two', '--seed', '5']);
    const second = await runHere(['serve', '--port', '0', '--journal', 'two'], work.path);
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
    writeFileSync(join(work.path, 'other.yaml'), 'list.order: oldest-first\n');
    writeFileSync(join(work.path, 'file'), '{"format":"assay.journal/1","config":{}}\n');
    writeFileSync(join(work.path, 'text'), 'hello\n');
    for (const [words, message] of cases) {
      const { code, err } = await runHere(['serve', '--port', '0', ...words], work.path);
      expect([words, code, err]).toEqual([words, 2, expect.stringMatching(message)]);
      expect(err).toContain('next: ');
    }
    const read = await runHere(['replay', '--journal', 'file'], work.path);
    expect([read.code, read.err]).toEqual([2, expect.stringContaining('next: ')]);
  });

  it('refuses damage with file and offset, and changes nothing', async () => {
    await begin(['--journal', 'three']);
    await order((await tokenOf('bank-a'))['token'] ?? '');
    await life?.kill();
    const path = join(work.path, 'three', 'segment-00000001.log');
    const bytes = readFileSync(path);
    const place = bytes.length - 20;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const offset = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
    const message = `segment-00000001.log, byte ${offset}: the checksum is another one`;
    for (const command of [['serve', '--port', '0'], ['replay']]) {
      const { code, err } = await runHere([...command, '--journal', 'three'], work.path);
      expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    }
    expect(readFileSync(path).equals(bytes)).toBe(true);
    writeFileSync(path, bytes.subarray(0, bytes.length - 3));
    const cut = await begin(['--journal', 'three']);
    await cut.kill();
    expect(cut.said()).toMatch(new RegExp(`breaks off .* at byte ${offset}`));
  });

  it('takes a directory over from a process that has ended, whatever has its number now', async () => {
    mkdirSync(join(work.path, 'four'));
    const self = readFileSync('/proc/self/stat', 'utf8');
    expect(self).not.toBe('');
    // The number of this very process, and a start of another one.
    const claim = {
      pid: process.pid,
      started: '1',
      boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      space: readlinkSync('/proc/self/ns/pid'),
      host: hostname(),
    };
    const path = join(work.path, 'four', `writer-${process.pid}-1.claim`);
    writeFileSync(path, JSON.stringify(claim));
    await begin(['--journal', 'four']);
    expect(existsSync(path)).toBe(false);
    await life?.kill();
    writeFileSync(path, JSON.stringify({ ...claim, host: 'elsewhere' }));
    const { code, err } = await runHere(['serve', '--port', '0', '--journal', 'four'], work.path);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`remove writer-${process.pid}-1.claim`),
    ]);
  });
});

/** Writes until there is no room, and on after it; what was answered is all there after a restart. */
async function fill(words: readonly string[], settings: object, cwd?: string) {
  await begin(words, settings, cwd);
  const token = (await tokenOf('bank-a'))['token'] ?? '';
  const answered: string[] = [];
  const refusals: unknown[] = [];
  for (let n = 0; n < 600 && refusals.length < 5; n += 1) {
    const { status, headers, data, code } = await order(token);
    if (status === 201) answered.push(data['intent_id'] ?? '');
    else refusals.push([status, code, headers.get('retry-after')]);
  }
  expect(answered.length).toBeGreaterThan(3);
  expect(refusals).toEqual(Array.from({ length: 5 }, () => [503, 'unavailable', '1']));
  return { token, answered };
}

async function listed(token: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/bank-a/api/v1/orders?page=${page}&page_size=100`;
    const { data } = await call(path, { token });
    const orders = data as unknown as readonly { readonly intent_id: string }[];
    ids.push(...orders.map(({ intent_id }) => intent_id));
    if (orders.length < 100) return ids;
  }
}

describe('a disk that is full', () => {
  it('by a quota of our own: nothing answered is lost, nothing invented', async () => {
    const { token, answered } = await fill(['--journal', 'five'], { capacity: 60_000 });
    expect((await listed(token)).toSorted()).toEqual(answered.toSorted());
    await life?.kill();
    await begin(['--journal', 'five']);
    expect((await listed(token)).toSorted()).toEqual(answered.toSorted());
    expect((await order(token)).status).toBe(201);
  });

  const mount = join(work.path, 'small');
  mkdirSync(mount);
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'none', mount]).status === 0;
  afterAll(() => {
    if (mounted) spawnSync('umount', [mount]);
  });

  it('for real, and then has room again: the server goes on by itself', async (context) => {
    if (!mounted) return context.skip('nobody may mount a small file system here');
    const { token, answered } = await fill(['--journal', 'journal'], {}, mount);
    expect(spawnSync('mount', ['-o', 'remount,size=1m', mount]).status).toBe(0);
    const more = await order(token);
    expect(more.status).toBe(201);
    answered.push(more.data['intent_id'] ?? '');
    expect((await listed(token)).toSorted()).toEqual(answered.toSorted());
    await life?.kill();
    const again = await begin(['--journal', 'journal'], {}, mount);
    expect(again.said()).not.toContain('breaks off');
    expect((await listed(token)).toSorted()).toEqual(answered.toSorted());
    await life?.kill();
    expect(readdirSync(mount)).toEqual(['journal']);
  });
});
