import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/reference/http/index.ts';
import { delayRequests } from '../support/network/slow-server.ts';
import { runProgram } from '../../src/cli/program.ts';
import { recordingTerminal } from './recording-terminal.ts';
import { played, served } from './served-reference.ts';
import { testDirectory } from '../support/test-directory.ts';

describe('over real HTTP', () => {
  const folder = testDirectory();
  const servers: Server[] = [];
  const files: Partial<Record<'system' | 'virtual', string>> = {};

  beforeAll(async () => {
    for (const kind of ['system', 'virtual'] as const) {
      const { server, file } = await served(kind, folder);
      servers.push(server);
      files[kind] = file;
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  // A few of each kind; all of them in network.long.test.ts.
  it('the same files pass on a clock that is driven', async () => {
    const { code, text } = await played(
      'scenarios/happy/institution.yaml',
      'scenarios/expiry/to-the-millisecond.yaml',
      'scenarios/makers/three-makers.yaml',
      'scenarios/failure/leg-1-reverts.yaml',
      'scenarios/failure/lost-answers.yaml',
      '--target',
      files.virtual ?? '',
    );
    expect(text).not.toMatch(/^(FAIL|ERROR|inconclusive)/m);
    expect(text).toMatch(/^pass +scenarios\/expiry\/to-the-millisecond:/m);
    expect(text).toMatch(/^pass +scenarios\/failure\/lost-answers:/m);
    expect(text).toMatch(
      /^out of scope +scenarios\/failure\/leg-1-reverts: .*\n +the target's ledger cannot be seen$/m,
    );
    expect(code).toBe(0);
  });

  it('they pass side by side on one that takes its time to answer, each at its own moments', async () => {
    const slow = await served('virtual', mkdtempSync(join(folder, 'slow-')));
    servers.push(slow.server);
    delayRequests(slow.server.app.server, ({ url = '' }) => (url.startsWith('/_sim/') ? 0 : 40));
    const { code, text } = await played(
      'scenarios/expiry/to-the-millisecond.yaml',
      'scenarios/expiry/quote-to-the-millisecond.yaml',
      'scenarios/makers/late-quote.yaml',
      'scenarios/makers/second-accept.yaml',
      'scenarios/happy/states-in-order.yaml',
      '--target',
      slow.file,
    );
    expect(text).not.toMatch(/^(FAIL|ERROR|inconclusive)/m);
    expect(text).toMatch(/^pass +scenarios\/expiry\/quote-to-the-millisecond:/m);
    expect(code).toBe(0);
  });

  it.each(['system', 'virtual'] as const)(
    'steps of a meanwhile are played beside the others, on the %s clock',
    async (kind) => {
      const flow = join(folder, 'meanwhile.yaml');
      writeFileSync(
        flow,
        `scenario: A cancel that waits for a quote
steps:
  - sender: create order
    save: order
  - meanwhile:
      - sender: list quotes
        of: $order
        eventually: 10s
        expect: { items: { length: 1 } }
      - sender: cancel order
        of: $order
  - maker_a: submit quote
    for: $order
  - sender: read order
    of: $order
    eventually: 10s
    expect: { status: FAILED }
`,
      );
      const { code, text } = await played(flow, '--target', files[kind] ?? '');
      expect(text).toMatch(/^pass /m);
      expect(code).toBe(0);
    },
  );

  // Five more in network.long.test.ts.
  it.each(['failure/slippage'])(
    'finds the answer that %s is written for, however long it takes to show',
    async (name) => {
      const { code, text } = await played(
        `scenarios/${name}.yaml`,
        '--target',
        files.virtual ?? '',
      );
      expect(text).toMatch(new RegExp(`^pass +scenarios/${name}:`, 'm'));
      expect(code).toBe(0);
    },
  );

  it('names the answer of the target if it differs, or says to declare it', async () => {
    const name = 'scenarios/expiry/quote-after-acceptance.yaml';
    const driven = await played(name, '--target', files.virtual ?? '');
    expect(driven.text).toContain(`to gap settlement.steps, the target's is "500ms-4000ms"`);
    const late = await played('scenarios/expiry/no-quote.yaml', '--target', files.system ?? '');
    expect(late.text).toContain(
      "the target's is not known: declare it under gaps in the target file",
    );
  });

  it('says on a terminal which scenario is still playing', async () => {
    const flow = join(folder, 'waits.yaml');
    const steps = '  - sender: list orders\n    answered: 200\n  - wait: 1500ms\n';
    writeFileSync(flow, `scenario: It waits\nsteps:\n${steps}`);
    const lines: string[] = [];
    const live = (text: string): void => void lines.push(text);
    const terminal = { ...recordingTerminal(), isLive: true, columns: 200, live };
    await runProgram(['play', flow, '--target', files.system ?? ''], terminal);
    expect(lines).toEqual([`0 of 1 scenarios · playing ${flow.slice(0, -'.yaml'.length)}`, '']);
  });

  it('compares counts only on a target that nobody else uses', async () => {
    const file = join(folder, 'alone.yaml');
    writeFileSync(file, `${readFileSync(files.virtual ?? '', 'utf8')}alone: true\n`);
    const flows = ['happy/institution', 'lists/pages', 'errors/bad-orders'];
    const names = flows.map((flow) => `scenarios/${flow}.yaml`);
    for (const _ of ['once', 'again']) {
      const { code, text } = await played(...names, '--target', file);
      expect(text).toMatch(
        /^pass +scenarios\/lists\/pages:.*\npass +scenarios\/errors\/bad-orders:/m,
      );
      expect(text).not.toMatch(/^(FAIL|ERROR|inconclusive|out of scope)/m);
      expect(code).toBe(0);
    }
    const shared = await played(...names, '--target', files.virtual ?? '');
    expect(shared.text).toMatch(
      /^out of scope +scenarios\/lists\/pages: .*\n +it needs a target that nobody else uses: say alone: true in the target file if that is so$/m,
    );
    expect(shared.code).toBe(0);
  });

  it('and on the system clock, where long waits are out of scope with a reason', async () => {
    const { code, text } = await played(
      'scenarios/access',
      'scenarios/errors',
      'scenarios/tokens',
      'scenarios/happy/two-days-later.yaml',
      '--max-wait',
      '2s',
      '--target',
      files.system ?? '',
    );
    expect(text).not.toMatch(/^(FAIL|ERROR|inconclusive)/m);
    expect(text).toMatch(/^pass +scenarios\/access\/strangers:/m);
    expect(text).toContain('it waits 48h, longer than max_wait 2s');
    expect(code).toBe(0);
  });

  it('a target that cannot be reached is not judged', async () => {
    const file = join(folder, 'nowhere.yaml');
    writeFileSync(
      file,
      'name: x\nparticipants:\n  sender: { role: institution, base_url: "http://127.0.0.1:9" }\n',
    );
    const { code, text } = await played('scenarios/access/identity.yaml', '--target', file);
    expect(text).toContain('nowhere.yaml:3');
    expect(code).toBe(3);
  });
});
