import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import type { Server } from '../../src/reference/http/index.ts';
import type { CampaignSummary } from '../../src/simulation/outcome.ts';
import { token, tokenBehaviours } from '../hostile/behaviours/tokens.ts';
import { type Behaviour, startHostileProxy } from '../hostile/proxy.ts';
import { lantern } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { served } from '../scenario/served-reference.ts';
import { beginHere, runHere } from './command-here.ts';
import { until } from './stopped-run.ts';
import { run, start } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let server: Server;
const here = (...names: readonly string[]): string => join(work, ...names);
const json = <T>(...names: readonly string[]): T =>
  JSON.parse(readFileSync(here(...names), 'utf8')) as T;

/** Nobody listens on port 1. */
const nobody = 'http://127.0.0.1:1';
const party = `participants:\n  sender: { role: institution, base_url: "${nobody}/bank" }\n`;
const drivenClock = `clock: { kind: controlled, now: { get: "${nobody}/clock", at: /now }, advance: { post: "${nobody}/clock", body: { ms: $ms } } }\n`;

beforeAll(async () => {
  writeFileSync(here('gone.yaml'), `name: gone\n${party}`);
  writeFileSync(here('no-clock.yaml'), `name: gone\n${party}${drivenClock}`);
  writeFileSync(
    here('flow.yaml'),
    'scenario: One order\nsteps:\n  - sender: create order\n    expect: { status: PENDING }\n',
  );
  server = (await served('system', work)).server;
});
afterAll(async () => {
  await server.close();
});

describe('of a target that nobody can reach', () => {
  it.each([
    ['check', ['check', '--target', 'gone.yaml', '--only', 'health.*']],
    ['check, by its addresses', ['check', '--base-url', `sender=${nobody}`, '--only', 'health.*']],
    ['check, by its clock', ['check', '--target', 'no-clock.yaml', '--only', 'health.*']],
    ['play', ['play', 'flow.yaml', '--target', 'gone.yaml']],
  ])('%s writes a report in place of an older one, and exits 3', async (name, words) => {
    mkdirSync(here(name));
    writeFileSync(here(name, 'report.json'), '{"outcome":"conformant"}');
    const { code, err } = await runHere([...words, '--out', name], work);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('could not judge, since the target could not be reached'),
    ]);
    const report = json<RunReport>(name, 'report.json');
    expect(report.outcome).toBe('incomplete');
    expect(report.run.ended_early).toMatchObject({
      reason: 'target_gone',
      detail: 'the target could not be reached',
    });
    expect(report.preflight?.join()).toContain('ECONNREFUSED');
    const judged = [...report.requirements, ...report.checks, ...report.rules];
    expect(judged.filter(({ verdict }) => /pass|fail|error/.test(verdict))).toEqual([]);
    for (const file of ['junit.xml', 'summary.md', 'report.html', 'history.jsonl'])
      expect(existsSync(here(name, file))).toBe(true);
    if (!name.startsWith('check')) return;
    // A missing answer makes nothing out of scope.
    expect(report.checks.map(({ verdict }) => verdict)).toContain('not_exercised');
  });

  it('simulate writes a summary of no world, and exits 3', async () => {
    const words = ['simulate', '--target', 'gone.yaml', '--out', 'worlds'];
    expect((await run(words, work)).code).toBe(3);
    expect(json<CampaignSummary>('worlds', 'simulation.json')).toMatchObject({
      worlds: 0,
      ended_early: { reason: 'target_gone' },
    });
  });

  it('simulate does the same if no party gets a token', async () => {
    const behaviour = token((data) => ({ ...data, token: null }));
    const peer = await startPeer({ dialect: lantern, clock: 'host' });
    const front = await startHostileProxy(peer.origin, behaviour, peer.now);
    const text = targetFile(peer, 'tokens', 'host').replaceAll(peer.origin, front.origin);
    writeFileSync(here('tokens.yaml'), text);
    const words = ['simulate', '--target', 'tokens.yaml', '--seeds', '1', '--out', 'tokens'];
    const { code, err } = await run(words, work);
    await front.close();
    await peer.close();
    expect(code).toBe(3);
    expect(err).toContain('could be asked');
    expect(json<CampaignSummary>('tokens', 'simulation.json')).toMatchObject({
      worlds: 0,
      ended_early: { reason: 'target_gone' },
    });
  });

  it('probe, which writes no report, says so and exits 3', async () => {
    const { code, err } = await runHere(['probe', '--target', 'gone.yaml'], work);
    expect([code, err]).toEqual([3, expect.stringContaining('ECONNREFUSED')]);
  });
});

describe('worlds on a target', () => {
  const partial = (folder: string): readonly string[] =>
    existsSync(here(folder))
      ? readdirSync(here(folder)).filter((name) => name.endsWith('.partial.jsonl'))
      : [];
  const bytes = (folder: string): number =>
    partial(folder).reduce((sum, name) => sum + readFileSync(here(folder, name)).length, 0);

  it('write their history as it comes, and keep it where they are stopped', async () => {
    const words = ['simulate', '--target', 'system.yaml', '--seeds', '3', '--out', 'stopped'];
    const { child, ended, seen } = start(words, work);
    await until(() => seen.out.includes('faults that can strike') && bytes('stopped') > 0);
    const { length } = partial('stopped');
    child.kill('SIGINT');
    expect([length, (await ended).code, partial('stopped')]).toEqual([1, 3, []]);
    expect(json('stopped', 'simulation.json')).toMatchObject({ ended_early: { reason: 'signal' } });
    expect(readFileSync(here('stopped', 'history.jsonl'), 'utf8')).toContain('"kind":"exchange"');
  });
});

it('one world of the reference that is stopped exits 3, and says that nothing was judged', async () => {
  const { ended, ready, stop } = beginHere(['simulate', '--seed', '5'], work);
  await ready;
  stop();
  const { code, err } = await ended;
  expect([code, err]).toEqual([3, expect.stringContaining('nothing was judged yet')]);
});

it('worlds in which no order came about judge nothing', async () => {
  const peer = await startPeer({ dialect: lantern, clock: 'hand' });
  const behaviour = tokenBehaviours['gives tokens that nobody accepts'] as Behaviour;
  const front = await startHostileProxy(peer.origin, behaviour, peer.now);
  const text = targetFile(peer, 'locked', 'hand').replaceAll(
    `base_url: "${peer.origin}`,
    `base_url: "${front.origin}`,
  );
  writeFileSync(here('locked.yaml'), text);
  const words = ['simulate', '--target', 'locked.yaml', '--seeds', '1', '--faults', 'none'];
  const { code, out } = await run(words, work);
  await front.close();
  await peer.close();
  expect(out).toContain('No order came about, so nothing is known.');
  expect(code).toBe(3);
});
