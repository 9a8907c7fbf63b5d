import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { formatNames } from '../../src/cli/report.ts';
import { readDataBlock } from '../../src/report/html/data-block.ts';
import { beginHere } from '../cli/command-here.ts';
import { run as runShipped } from '../cli/shipped-command.ts';
import {
  brokenTargets,
  configured,
  harOf,
  type LeakyTarget,
  startLeakyTarget,
  targetOf,
  tracesOf,
} from './leaky-target.ts';
import { testDirectory } from '../support/test-directory.ts';

/** Files that a person keeps secrets in. */
const inputs: ReadonlySet<string> = new Set([
  'target.yaml',
  'traffic.har',
  'moved.yaml',
  ...Object.keys(brokenTargets),
]);

const only = 'order.quotes.empty,auth.self.sender';
const scenario = `scenario: it is as it says
steps:
  - let: { elsewhere: { aud: another-api } }
  - maker_a: list requests
    token: \${signed(maker_a.token, elsewhere)}
    refused: 4xx
  - sender: create order
    save: order
    expect: { status: PENDING }
`;
const queue = `http://me:${configured.password}@127.0.0.1:1/db`;

/** Command lines tried for each command, in this order. */
const runs: Readonly<Record<string, readonly (readonly string[])[]>> = {
  check: [
    [
      'check',
      '--target',
      'target.yaml',
      '--only',
      only,
      '--events',
      'events.ndjson',
      '--out',
      'reports',
    ],
    ['check', '--target', 'target.yaml', '--only', only, '--json', '--out', 'again'],
  ],
  report: [
    ...formatNames.map((format) => ['report', 'reports/report.json', '--format', format]),
    ['report', 'reports/report.json', '--format', formatNames.join(','), '--out', 'made'],
  ],
  replay: [
    ['replay', 'order.quotes.empty', '--target', 'target.yaml', '--explain'],
    [
      'replay',
      'auth.self.sender',
      '--target',
      'target.yaml',
      '--export',
      'scenario',
      '--to',
      'x.yaml',
    ],
    ['replay', 'auth.self.sender', '--target', 'target.yaml', '--export', 'sh', '--to', 'x.sh'],
  ],
  compare: [['compare', 'reports/report.json', 'again/report.json', '--markdown', 'compared.md']],
  play: [
    ['play', 'flow.yaml', '--target', 'target.yaml', '--out', 'played'],
    ['play', 'flow.yaml', '--target', 'target.yaml', '--json'],
  ],
  audit: [
    ['audit', 'traffic.har', '--out', 'audited'],
    ['audit', 'traffic.har', '--json'],
    ['audit', 'reports/history.jsonl', '--out', 'audited-again'],
  ],
  probe: [['probe', '--target', 'target.yaml', '--json']],
  simulate: [
    ['simulate', '--target', 'target.yaml', '--seeds', '1', '--steps', '3', '--out', 'worlds'],
  ],
  proxy: [
    [
      'proxy',
      '--target',
      'target.yaml',
      '--port',
      '0',
      '--out',
      'session',
      '--write-target',
      'moved.yaml',
    ],
  ],
  cockpit: [['cockpit', '--target', 'target.yaml', '--json']],
  init: [['init', '--base-url', 'sender=$ORIGIN/bank-a', '--out', 'drafted.yaml']],
  serve: [['serve', '--port', '0', '--json']],
  worker: [['worker', '--queue', queue]],
  campaign: [['campaign', '--queue', queue]],
  spec: [['spec', 'gaps']],
  completion: [['completion', 'bash']],
};

/** Commands that run until they are stopped. */
const goesOn: ReadonlySet<string | undefined> = new Set(['proxy', 'cockpit', 'serve']);

/** Commands that need the bundled code of their threads. */
const asShipped: ReadonlySet<string | undefined> = new Set(['simulate', 'worker']);

/** All that a file holds; what a page holds for its script is unpacked. */
const contentsOf = (path: string): string => {
  const text = readFileSync(path, 'utf8');
  if (!path.endsWith('.html')) return text;
  return [text, ...['report', 'history'].map((id) => readDataBlock(text, id) ?? '')].join('\n');
};

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).isFile() && !inputs.has(name),
  );

/** Runs commands against a target that leaks all its secrets, and searches all output for them. */
export function trySecrets(chosen: readonly string[]): void {
  const work = testDirectory();
  let target: LeakyTarget;
  let said = '';
  const env = { CLIENT_SECRET: configured.clientSecret, SIGNING_SECRET: configured.signingSecret };

  beforeAll(async () => {
    target = await startLeakyTarget();
    const write = (name: string, text: string): void => writeFileSync(join(work, name), text);
    write('target.yaml', targetOf(target.origin));
    write('flow.yaml', scenario);
    write('traffic.har', harOf(target.origin, target.planted));
    for (const [name, text] of Object.entries(brokenTargets)) write(name, text);
  });
  afterAll(async () => {
    await target?.close();
  });

  async function run(given: readonly string[], isRefused = false): Promise<string> {
    const words = given.map((word) => word.replace('$ORIGIN', target.origin));
    const { out, err } = await (asShipped.has(words[0])
      ? runShipped(words, work, env)
      : runFromSource(words, isRefused));
    const text = `${out}${err}`;
    said += text;
    return text;
  }

  async function runFromSource(words: readonly string[], isRefused: boolean) {
    const begun = beginHere(words, work, env);
    if (!isRefused && goesOn.has(words[0])) {
      const announced = await begun.ready;
      if (words[0] === 'proxy') await throughProxy(announced);
      if (words[0] === 'cockpit') said += await fromCockpit(announced);
      begun.stop();
    }
    return begun.ended;
  }

  /** Secrets that were found: the kind of each, and its place. */
  function found(texts: Readonly<Record<string, string>>): readonly string[] {
    return [...target.planted].flatMap(([what, secret]) =>
      tracesOf(secret).flatMap((trace) =>
        Object.entries(texts).flatMap(([name, text]) => {
          const at = text.indexOf(trace);
          return at < 0 ? [] : [`${what} in ${name}: ${text.slice(Math.max(0, at - 60), at + 60)}`];
        }),
      ),
    );
  }

  describe('no secret is written', () => {
    for (const name of chosen) {
      it(`by ${name}`, async () => {
        for (const words of runs[name] ?? []) {
          const text = await run(words);
          expect(text).not.toContain('internal error');
          expect(found({ [words.join(' ')]: text })).toEqual([]);
        }
      });
    }

    it('where a target file is wrong', async () => {
      for (const { name, options } of commands) {
        if (!chosen.includes(name) || !options.some(({ flags }) => flags.startsWith('--target ')))
          continue;
        for (const file of Object.keys(brokenTargets)) {
          const needed = {
            play: ['flow.yaml'],
            replay: ['auth.self.sender'],
            audit: ['traffic.har'],
          };
          const more = (needed as Record<string, string[]>)[name] ?? [];
          const text = await run([name, ...more, '--target', file], true);
          expect(text).toContain(`${file}:`);
          expect(found({ [`${name} ${file}`]: text })).toEqual([]);
        }
      }
    });

    if (chosen.includes('proxy')) {
      it('and a moved target file is for its owner alone', () => {
        expect(statSync(join(work, 'moved.yaml')).mode & 0o777).toBe(0o600);
      });
    }

    it('into any file, and something is where it was hidden', () => {
      const files = filesBelow(work);
      const texts = Object.fromEntries(files.map((file) => [file, contentsOf(join(work, file))]));
      expect(found(texts)).toEqual([]);
      expect(Object.values(texts).join('')).toMatch(/BAD \*{3}\d/);
      expect(said).toMatch(/\*{3}\d/);
    });
  });
}

async function throughProxy(announced: string): Promise<void> {
  const url = /http:\/\/127\.0\.0\.1:\d+\/bank-a/.exec(
    announced.split('\n').slice(1).join('\n'),
  )?.[0];
  if (url === undefined) throw new Error(`no address in ${announced}`);
  const said = (await (await fetch(`${url}/auth/token`, { method: 'POST' })).json()) as {
    data: { token: string };
  };
  const headers = { authorization: `Bearer ${said.data.token}`, 'x-own': said.data.token };
  await (await fetch(`${url}/api/v1/whoami?ref=${said.data.token}`, { headers })).text();
}

async function fromCockpit(announced: string): Promise<string> {
  const { cockpit } = JSON.parse(
    announced.split('\n').find((line) => line.startsWith('{')) ?? '{}',
  ) as {
    cockpit: string;
  };
  const { origin, searchParams } = new URL(cockpit);
  const headers = { 'x-assay-token': searchParams.get('token') ?? '' };
  const paths = ['/records/0', '/records/1', '/scenario', '/parties/sender/api/v1/whoami'];
  const texts = paths.map(async (path) => (await fetch(`${origin}${path}`, { headers })).text());
  return (await Promise.all(texts)).join('\n');
}

/** Every command has a run here. */
export const allCommands = Object.keys(runs);
export const known = commands.map(({ name }) => name);
