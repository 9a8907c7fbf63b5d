import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/reference/http/index.ts';
import { served } from '../scenario/served-reference.ts';
import { beginHere } from './command-here.ts';
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

describe('a check that is stopped', () => {
  it.each([
    ['on a clock of its own', () => ['--target', files.system]],
    ['in one world of the reference', () => []],
  ])('%s keeps what it knows, and exits 3', async (name, flags) => {
    const folder = name.replaceAll(' ', '-');
    const seen = `${folder}.ndjson`;
    // Some that end at once, and some that wait.
    const only = ['--only', 'health.*,auth.self.*,access.relation.reads.usual.*'];
    const args = ['check', ...flags(), ...only, '--out', folder, '--events', seen];
    const { ended, stop } = beginHere(args, work);
    await until(() => textOf(seen).includes('"verdict":"pass"'));
    stop();
    const { code, err, out } = await ended;
    expect(err).toContain('assay: stopped by SIGINT: what was judged so far is being written');
    expect([code, out.includes('incomplete: the run ended early')]).toEqual([3, true]);
    const report = expectPartial(work, folder);
    const { pass, not_exercised } = report.totals.checks;
    expect([pass > 0, not_exercised > 0]).toEqual([true, true]);
    expect(textOf(seen)).toContain('"exit_code":3');
  });

  it('while the gaps are found has judged no check, and says so', async () => {
    const args = ['check', '--target', files.system, '--out', 'early', '--events', 'early.ndjson'];
    const { ended, stop } = beginHere(args, work);
    await until(() => textOf('early.ndjson').includes('finding how the target answers'));
    stop();
    expect((await ended).code).toBe(3);
    expect(expectPartial(work, 'early').totals.checks.pass).toBe(0);
  });
});

describe('a target that never answers', () => {
  let silent: NetServer;
  beforeAll(async () => {
    silent = createServer(() => {});
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { readonly port: number };
    writeFileSync(
      join(work, 'silent.yaml'),
      `name: silent\nparticipants:\n  sender: { role: institution, base_url: "http://127.0.0.1:${port}" }\n`,
    );
  });
  afterAll(() => silent.close());

  it.each([['check'], ['probe'], ['replay', 'health.sender'], ['simulate']])(
    'does not keep %s waiting after it is stopped',
    async (...words) => {
      const args = [...words, '--target', 'silent.yaml'];
      const { ended, ready, stop } = beginHere(args, work);
      await ready;
      stop();
      const { code, err } = await ended;
      expect([code, err]).toEqual([
        3,
        expect.stringContaining(
          'stopped by SIGINT: nothing was judged yet, and no report was written',
        ),
      ]);
    },
  );
});

/** Histories that are being written. */
const partialIn = (folder: string): readonly string[] =>
  readdirSync(join(work, folder)).filter((name) => name.endsWith('.partial.jsonl'));

describe('a play that is stopped', () => {
  const scenario = (title: string, steps: string): string =>
    `scenario: ${title}\nsteps:\n  - sender: create order\n    save: order\n    expect: { status: PENDING }\n${steps}`;

  it('reports the finished scenarios, and the unfinished ones as such', async () => {
    writeFileSync(join(work, 'quick.yaml'), scenario('Quick', ''));
    writeFileSync(join(work, 'slow.yaml'), scenario('Slow', '  - wait: 60s\n'));
    const files = ['quick.yaml', 'slow.yaml', '--target', 'system.yaml'];
    const { ended, said, stop } = beginHere(['play', ...files, '--out', 'played'], work);
    await until(() => said().includes('quick: Quick') && partialIn('played').length > 0);
    stop();
    const { code, out } = await ended;
    expect([code, out]).toEqual([3, expect.stringContaining('the run ended early')]);
    const report = expectPartial(work, 'played');
    expect(partialIn('played')).toEqual([]);
    expect(report.scenarios?.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['quick', 'pass'],
      ['slow', 'inconclusive'],
    ]);
    expect(report.scenarios?.[1]?.timeline.length).toBeGreaterThan(0);
  });
});
