import { writeFileSync } from 'node:fs';
import { createServer, type Server as ControlServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canaryNamed } from '../../mutants/canaries/index.ts';
import { runProgram } from '../../src/cli/program.ts';
import { buildServer, createApp, type Server } from '../../src/reference/http/index.ts';
import { playOnReference } from '../../src/run/play-embedded.ts';
import { loadWritten } from '../../src/run/try-reproduction.ts';
import { Disk } from '../../src/simulation/play/disk.ts';
import {
  createReference,
  referenceHead,
  referenceStartMs,
} from '../../src/target/embedded/create-reference.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import { recordingTerminal } from './recording-terminal.ts';
import { testDirectory } from '../support/test-directory.ts';

const settling = `scenario: A settlement goes on
parties: [sender, maker_a]
steps:
  - sender: create order
    save: order
  - maker_a: submit quote
    for: $order
    save: quote
  - sender: accept quote
    quote: $quote
  - wait: 2s
  - fault: restart
  - maker_a: resume stream
  - expect: maker_a sees
    of: $order
    in_order: [settlement_completed]
`;
const flow = (steps: string): string =>
  `scenario: A flow\nsteps:\n  - sender: create order\n    answered: 201\n    save: order\n${steps}`;

async function playedOn(text: string, planted?: string) {
  const canary = planted === undefined ? undefined : canaryNamed(planted);
  const { played, rules } = await playOnReference(loadWritten(text), {
    seed: 1n,
    keepsRecords: false,
    ...(canary && { tamper: () => canary.tamper() }),
  });
  const told = rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  return { ...played, told };
}

describe('a scenario that restarts the reference', () => {
  it('goes on where it was', async () => {
    const { verdict, reason, told, log } = await playedOn(settling);
    expect([verdict, reason, told]).toEqual(['pass', undefined, []]);
    expect(log.at(-1)?.atMs).toBeLessThan(6_000);
  });

  it('finds what a broken recovery lost, at the latest at its end', async () => {
    expect((await playedOn(settling, 'legs-forgotten-in-recovery')).told).toContain(
      'restart.orders',
    );
    const struckLater = flow('  - fault: restart\n  - fault: revert leg 1\n    of: $order\n');
    expect((await playedOn(struckLater)).told).toEqual([]);
    expect((await playedOn(struckLater, 'fault-forgotten-in-recovery')).told).toEqual([
      'restart.orders',
    ]);
  });

  it('is out of scope where a defect has a memory of its own, which no journal holds', async () => {
    const played = await playedOn(settling, 'fields-in-another-order-for-some-senders');
    expect([played.verdict, played.reason]).toEqual([
      'out_of_scope',
      'this reference cannot "restart"',
    ]);
  });

  it('may leave a request unanswered if no later step needs its answer', async () => {
    const struck = '  - fault: restart in the next write after 200ms\n  - sender: create order\n';
    expect((await playedOn(flow(struck))).verdict).toBe('pass');
    const rests = await playedOn(flow(`${struck}    save: second\n`));
    expect([rests.verdict, rests.reason]).toEqual([
      'inconclusive',
      'a fault of the scenario left it without an answer, and more rests on the answer',
    ]);
  });

  it('is out of scope if the restart takes so long that rules would fail it', async () => {
    const played = await playedOn(flow('  - fault: restart after 3s\n'));
    expect(played.verdict).toBe('out_of_scope');
    expect(played.reason).toContain('it may not be away for so long');
  });

  it('tells a full disk from one with room', async () => {
    const cancel = '  - sender: cancel order\n    of: $order\n';
    const full = `  - fault: fill disk for 1s\n${cancel}    refused: 503\n`;
    const { verdict, told } = await playedOn(flow(`${full}  - wait: 1s\n${cancel}`));
    expect([verdict, told]).toEqual(['pass', []]);
    expect((await playedOn(flow(`${full}${cancel}`))).verdict).toBe('fail');
    expect((await playedOn(flow(`${cancel}    refused: 503\n`))).verdict).toBe('fail');
  });

  it('finds defects of the internal state, with and without a restart', async () => {
    const held = '  - sender: read order\n    of: $order\n';
    expect((await playedOn(flow(held))).told).toEqual([]);
    const lost = await playedOn(settling, 'hold-lost-in-recovery');
    expect(lost.told).toContain('inside.value-conserved');
  });
});

describe('a scenario that restarts a target over HTTP', () => {
  const folder = testDirectory();
  const app = createApp('prefix');
  const clock = virtualClock(referenceStartMs);
  const disk = new Disk(referenceHead({ seed: 1n, clock: 'virtual', startedAt: clock.now() }));
  let server: Server;
  let control: ControlServer;
  let lives = 0;
  const file = join(folder, 'target.yaml');
  const scenario = join(folder, 'flow.yaml');

  function begin(): void {
    const journal = disk.open(clock.now());
    if (!journal) throw new Error('the disk is full');
    server = buildServer(createReference({ clock, seed: 1n, journal }), { app });
    lives += 1;
  }

  beforeAll(async () => {
    begin();
    const origin = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
    control = createServer((_, response) => {
      disk.cutOff(0);
      server.kill();
      begin();
      response.end('{}');
    });
    await new Promise<void>((resolve) => {
      control.listen(0, '127.0.0.1', resolve);
    });
    const parties = server.sites.map(
      ({ party, basePath }) =>
        `  ${party.name}: { role: ${party.role}, base_url: "${origin}${basePath}" }`,
    );
    const text = [
      'name: served',
      'participants:',
      ...parties,
      'clock:',
      '  kind: controlled',
      `  now: { get: "${origin}/_sim/clock", at: /now_ms }`,
      `  advance: { post: "${origin}/_sim/clock/advance", body: { expected_now: $now, ms: $ms } }`,
      '',
    ].join('\n');
    const { port } = control.address() as AddressInfo;
    writeFileSync(file, `${text}controls:\n  restart: { post: "http://127.0.0.1:${port}/" }\n`);
    writeFileSync(join(folder, 'without.yaml'), text);
    writeFileSync(scenario, settling);
  });
  afterAll(async () => {
    await server.close();
    await app.fastify.close();
    control.close();
  });

  async function played(target: string): Promise<readonly [number, string]> {
    const terminal = recordingTerminal();
    const code = await runProgram(['play', scenario, '--target', target], terminal);
    return [code, terminal.text()];
  }

  it('does it through the control of the target file', async () => {
    const before = lives;
    const [code, text] = await played(file);
    expect(text).toMatch(/^pass /m);
    expect([code, lives - before]).toEqual([0, 1]);
  });

  it('does it alone, so that the streams of other scenarios stay open', async () => {
    const other = join(folder, 'other.yaml');
    const steps = settling.split('\n').filter((line) => !/restart|resume/.test(line));
    writeFileSync(other, steps.join('\n'));
    const terminal = recordingTerminal();
    const code = await runProgram(['play', scenario, other, '--target', file], terminal);
    expect(terminal.text().match(/^pass /gm)).toHaveLength(2);
    expect(code).toBe(0);
  });

  it('is out of scope where the file has none', async () => {
    const [code, text] = await played(join(folder, 'without.yaml'));
    expect(text).toContain('the target offers no control restart');
    expect(code).toBe(3);
  });

  it('is out of scope if only the reference offers the fault', async () => {
    writeFileSync(scenario, flow('  - fault: restart in the next write\n'));
    const [, text] = await played(file);
    expect(text).toContain('nothing on this target can "restart in the next write"');
  });
});
