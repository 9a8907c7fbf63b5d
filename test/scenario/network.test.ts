import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { systemClock } from '../../src/timeline/clock/system-clock.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import { type Address, buildServer, type Server } from '../../src/reference/http/index.ts';
import {
  createReference,
  referenceMemos,
  referenceStartMs,
} from '../../src/target/embedded/create-reference.ts';
import { recordingTerminal } from './recording-terminal.ts';

const targetFile = (kind: 'system' | 'virtual', addresses: readonly Address[]): string => {
  const { origin } = new URL(addresses[0]?.baseUrl ?? '');
  const participants = addresses.map(
    ({ party, baseUrl }) => `  ${party.name}: { role: ${party.role}, base_url: "${baseUrl}" }`,
  );
  const clock = `clock:
  kind: controlled
  now: { get: "${origin}/_sim/clock", at: /now_ms }
  advance: { post: "${origin}/_sim/clock/advance", body: { expected_now: $now, ms: $ms } }`;
  const controls = Object.entries(referenceMemos).map(
    ([name, memo]) => `  ${name}: { order: { memo: "${memo}" } }`,
  );
  return [
    'name: served',
    'participants:',
    ...participants,
    ...(kind === 'virtual' ? [clock] : []),
    'controls:',
    ...controls,
    '',
  ].join('\n');
};

/** A reference behind real sockets, and the target file of it. */
async function served(
  kind: 'system' | 'virtual',
  folder: string,
): Promise<{ readonly server: Server; readonly file: string }> {
  const clock = kind === 'system' ? systemClock() : virtualClock(referenceStartMs);
  const server = buildServer(createReference({ clock, seed: 1n }));
  const addresses = await server.serve({ port: 0 });
  const file = join(folder, `${kind}.yaml`);
  writeFileSync(file, targetFile(kind, addresses));
  return { server, file };
}

async function played(
  ...args: string[]
): Promise<{ readonly code: number; readonly text: string }> {
  const terminal = recordingTerminal();
  const code = await runProgram(['play', ...args], terminal);
  return { code, text: terminal.text() };
}

describe('over real HTTP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-play-'));
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
    rmSync(folder, { recursive: true });
  });

  it('the same files pass on a clock that is driven', async () => {
    const { code, text } = await played(
      'scenarios/happy',
      'scenarios/expiry',
      'scenarios/makers',
      'scenarios/failure',
      '--target',
      files.virtual ?? '',
    );
    expect(text).not.toMatch(/^(FAIL|ERROR|inconclusive)/m);
    expect(text).toMatch(/^pass +scenarios\/expiry\/to-the-millisecond:/m);
    expect(text).toMatch(
      /^out of scope +scenarios\/failure\/leg-1-reverts: .*\n +the target's ledger cannot be seen$/m,
    );
    expect(code).toBe(0);
  });

  it.each([
    'expiry/no-quote',
    'expiry/quoted-but-not-accepted',
    'expiry/quote-while-executing',
    'failure/slippage',
    'cancel/quoted',
    'streams/resumes-without-loss',
  ])('finds the answer that %s is written for, however long it takes to show', async (name) => {
    const { code, text } = await played(`scenarios/${name}.yaml`, '--target', files.virtual ?? '');
    expect(text).toMatch(new RegExp(`^pass +scenarios/${name}:`, 'm'));
    expect(code).toBe(0);
  });

  it('says what the answer is where it is another, and what to do where nobody can wait for it', async () => {
    const name = 'scenarios/expiry/quote-after-acceptance.yaml';
    const driven = await played(name, '--target', files.virtual ?? '');
    expect(driven.text).toContain(`to gap settlement.steps, the target's is "500ms-4000ms"`);
    const late = await played('scenarios/expiry/no-quote.yaml', '--target', files.system ?? '');
    expect(late.text).toContain(
      "the target's is not known: declare it under gaps in the target file",
    );
  });

  it('and on the system clock, where what takes long is out of scope with its reason', async () => {
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
