import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginHere, runHere } from './command-here.ts';
import { read, run, served, start, stop } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
const put = (name: string, text: string): string => {
  writeFileSync(join(work, name), text);
  return name;
};

const party = '{ role: institution, base_url: "http://127.0.0.1:1" }';
const only = 'order.state.pending-to-expired';

// Two errors are tried on the shipped command: one without a module of its own, and one with some.
const told = { 'as shipped': run, 'in this process': runHere } as const;

describe('usage', { concurrent: true }, () => {
  it.each<readonly [string, readonly string[], string, keyof typeof told]>([
    ['an unknown command', ['chek'], 'Did you mean check?', 'as shipped'],
    ['an unknown option', ['check', '--targt', 'x'], 'Did you mean --target?', 'in this process'],
    [
      'a target file that is not there',
      ['check', '--target', 'no.yaml'],
      'there is no such file',
      'as shipped',
    ],
    [
      'no duration',
      ['check', '--max-wait', '90'],
      'such as 500ms, 90s, 5m or 1h30m',
      'in this process',
    ],
    ['no seed', ['check', '--seed', 'abc'], 'Expected digits', 'in this process'],
    [
      'no address',
      ['check', '--base-url', 'sender=nowhere'],
      'is not an address',
      'in this process',
    ],
    [
      'a party that is none',
      ['check', '--base-url', 'sendr=http://h'],
      'did you mean "sender"?',
      'in this process',
    ],
    [
      'both ways to a target',
      ['check', '--target', 'a', '--base-url', 'b'],
      'exclude each other',
      'in this process',
    ],
    [
      'a pattern that selects nothing',
      ['check', '--only', 'no.such.*'],
      'selects no check',
      'in this process',
    ],
    ['a check that is none', ['replay', 'no.such.check'], 'there is no check', 'in this process'],
    [
      'waivers that are not there',
      ['check', '--waivers', 'no.yaml'],
      'there is no such file',
      'in this process',
    ],
    ['a thing that cannot be printed', ['spec', 'gap'], 'did you mean "gaps"?', 'in this process'],
    [
      'a mutation that is none',
      ['serve', '--mutation', 'no-such'],
      'no mutation is named',
      'in this process',
    ],
    [
      'a report that is not there',
      ['report', 'no.json'],
      'there is no such file',
      'in this process',
    ],
    [
      'probing to write without a file',
      ['probe', '--write'],
      'needs a target file',
      'in this process',
    ],
  ])('%s ends with 2 and says so, without a stack', async (_, args, words, how) => {
    const { code, err } = await told[how](args, work);
    expect(err).toContain(words);
    expect(err).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });

  it('shows help, with examples', async () => {
    const { code, out } = await runHere(['check', '--help'], work);
    expect(code).toBe(0);
    expect(out).toContain('$ assay check');
  });

  it('points into a bad target file', async () => {
    const file = put('bad.yaml', `name: x\nparticipants:\n  sendr: ${party}\n`);
    const { code, err } = await runHere(['check', '--target', file], work);
    expect(err).toContain('bad.yaml:3:3: unknown key "sendr" in the participants');
    expect(err).toContain('3 |   sendr:');
    expect(err).toContain('did you mean "sender"?');
    expect(code).toBe(2);
  });

  it('ends with 3 where a target is not reached, and points at its address', async () => {
    const file = put('down.yaml', `name: x\nparticipants:\n  sender: ${party}\n`);
    const { code, err } = await runHere(['check', '--target', file], work);
    expect(err).toMatch(
      /^down\.yaml:3:42: sender at http:\/\/127\.0\.0\.1:1: POST \/auth\/token: /m,
    );
    expect(code).toBe(3);
  });

  it('shows a plan without asking anybody', async () => {
    const file = put('plan.yaml', `name: x\nparticipants:\n  sender: ${party}\n`);
    const { code, out } = await runHere(['check', '--target', file, '--dry-run'], work);
    expect(out).toContain('party maker_a is not declared');
    expect(out).toMatch(/\d+ of \d+ checks would run/);
    expect(code).toBe(0);
  });
});

/** A report without host times, and without the version, which the source does not have. */
const untimed = (text: string): string =>
  text.replace(/"(started_at|finished_at|wall_ms|version)": [^\n]*/g, '"$1"');

describe('assay check, embedded', () => {
  it('is conformant, writes every report, and the same bytes each time', async () => {
    const args = ['check', '--only', only, '--seed', '7', '--out'];
    const one = await run([...args, 'one'], work);
    // From its source, in a process that has run other things: the bytes are the same all the same.
    const two = await runHere([...args, 'two'], work);
    expect(one.out).toMatch(/^seed 0x0000000000000007\n/);
    expect(one.out).toContain('conformant');
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(readdirSync(join(work, 'one')).toSorted()).toEqual([
      'history.jsonl',
      'junit.xml',
      'report.html',
      'report.json',
      'summary.md',
    ]);
    expect(read(work, 'two', 'history.jsonl')).toBe(read(work, 'one', 'history.jsonl'));
    const reports = ['one', 'two'].map((name) => untimed(read(work, name, 'report.json')));
    expect(reports[1]).toBe(reports[0]);
    const seeded = await runHere(['check', '--only', only, '--out', 'three'], work);
    expect(seeded.code).toBe(0);
    expect(read(work, 'three', 'history.jsonl')).not.toBe(read(work, 'one', 'history.jsonl'));
  });

  it('writes no token that would open anything', () => {
    const written = readdirSync(join(work, 'one')).map((name) => read(work, 'one', name));
    expect(written.join('\n')).not.toMatch(/\beyJ[\w-]+\.[\w-]+\.[\w-]{20,}/);
  });

  it('turns a report into other formats', async () => {
    const args = ['report', 'one/report.json', '--format', 'markdown,junit', '--out', 'formats'];
    const { code } = await runHere(args, work);
    expect(code).toBe(0);
    expect(read(work, 'formats', 'junit.xml')).toBe(read(work, 'one', 'junit.xml'));
    expect(read(work, 'formats', 'summary.md')).toBe(read(work, 'one', 'summary.md'));
  });
});

describe('assay check, over the network', () => {
  // On a system clock as well: cli.long.test.ts.
  it.concurrent.each([['virtual', 'order.state.pending-to-expired', '1h']] as const)(
    'judges a reference served on a %s clock, and the server stops at once with streams open',
    async (clock, requirement, wait) => {
      const file = `${clock}.yaml`;
      const args = ['serve', '--port', '0', '--clock', clock, '--write-target', file];
      const server = start(args, work);
      await served(server);
      try {
        const selected = ['--only', requirement, '--max-wait', wait, '--out', clock];
        const checked = await runHere(['check', '--target', file, ...selected], work);
        expect(checked.err).not.toContain('internal error');
        expect(checked.out).toContain('conformant');
        expect(checked.code).toBe(0);
        const probed = await runHere(['probe', '--target', file, '--write'], work);
        expect(probed.code).toBe(0);
        const text = read(work, file);
        expect(text).toContain('# What `assay check --target` judges.');
        expect(text).toContain('list.page_param: page');
        const again = await runHere(['check', '--target', file, '--dry-run'], work);
        expect(again.code).toBe(0);
        const sender = /sender:\s+\{ role: institution, base_url: "([^"]+)"/.exec(text)?.[1] ?? '';
        const init = ['init', '--base-url', sender, '--out', `${clock}-init.yaml`];
        expect((await runHere(init, work)).code).toBe(0);
        expect(read(work, `${clock}-init.yaml`)).toContain(`sender: { role: institution`);
        const asMaker = put(
          `${clock}-role.yaml`,
          `name: x\nparticipants:\n  maker_a: { role: market-maker, base_url: "${sender}" }\n`,
        );
        const refused = await runHere(['check', '--target', asMaker], work);
        expect(refused.err).toContain('maker_a calls itself institution');
        expect(refused.err).toContain(`${clock}-role.yaml:3:20`);
        expect(refused.code).toBe(2);
      } finally {
        stop(server.child);
      }
      expect((await server.ended).code).toBe(0);
    },
  );

  it.concurrent('a reference that is started again has a seed and a key of its own, unless it is told one', async () => {
    const keyOf = async (name: string, ...more: readonly string[]) => {
      const args = ['serve', '--port', '0', '--write-target', `${name}.yaml`, ...more];
      const server = beginHere(args, work);
      await server.ready;
      server.stop();
      const { out } = await server.ended;
      return { seed: /seed (0x\w+)/.exec(out)?.[1], key: read(work, `${name}.key.json`) };
    };
    const [one, other] = [await keyOf('start-1'), await keyOf('start-2')];
    expect(one.seed).toMatch(/^0x[0-9a-f]{16}$/);
    expect(other.seed).not.toBe(one.seed);
    expect(other.key).not.toBe(one.key);
    expect(await keyOf('start-3', '--seed', one.seed ?? '')).toEqual(one);
  });

  it('leaves no drafts behind', () => {
    const names = readdirSync(work, { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(existsSync(join(work, 'one', 'report.json'))).toBe(true);
  });
});
