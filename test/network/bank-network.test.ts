import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRelay } from '../../src/proxy/relay.ts';
import { createTap } from '../../src/proxy/tap.ts';
import { systemClock } from '../../src/timeline/clock/system-clock.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import type { OpenResult } from '../../src/target/opened-target.ts';
import { beginHere } from '../cli/command-here.ts';
import {
  type BankNetwork,
  bankNetwork,
  certificates,
  gatewayHost,
  gatewayKey,
} from '../support/network/bank-network.ts';
import { targetOf } from '../support/network/served-reference.ts';
import { type RunningBackend, startSmallBackend } from '../support/network/small-backend.ts';

let backend: RunningBackend;
let network: BankNetwork;
beforeAll(async () => {
  backend = await startSmallBackend();
  network = await bankNetwork(backend.origin);
});
afterAll(async () => {
  await network.close();
  await backend.stop();
});

const files: Readonly<Record<string, string>> = {
  'ca.pem': certificates.ca,
  'client.pem': certificates.client,
  'client.key.pem': certificates.clientKey,
};

const route = `headers: { x-api-key: { env: GATEWAY_KEY } }
tls:
  ca: { file: ca.pem }
  cert: { file: client.pem }
  key: { file: client.key.pem }
`;

async function open(lines: string, env: Readonly<Record<string, string>>): Promise<OpenResult> {
  const text = `name: behind a gateway
participants:
  sender:  { role: institution,  base_url: "${network.gateway}/bank-a" }
  maker_a: { role: market-maker, base_url: "${network.gateway}/mm-1" }
${lines}`;
  const readText = (path: string) => files[path.split('/').at(-1) ?? ''];
  const target = targetOf(text, { env: { GATEWAY_KEY: gatewayKey, ...env }, readText });
  return openRemote(target, { source: text, listening: false });
}

describe('a backend behind the network of a bank', () => {
  it('is reached through the proxy that the environment names, with certificate and key', async () => {
    const opening = await open(route, { HTTPS_PROXY: network.proxy });
    if (!opening.ok) throw new Error(opening.problems.join('\n'));
    const { target } = opening;
    expect(target.notes).toEqual([
      `fx.bank.test:${network.port}: reached through the proxy ${network.proxy} (HTTPS_PROXY)`,
    ]);
    const listed = await target.party('sender', 'test').call('order.list');
    expect(listed.response?.status).toBe(200);
    expect(network.tunnels()).toBeGreaterThan(0);
    expect(target.history.secrets.maskText(`${gatewayKey} ${certificates.clientKey}`)).not.toMatch(
      /7f31|PRIVATE KEY-----\nMI/,
    );
    await target.close();
  });

  it('is reached through the proxy of the target file', async () => {
    const opening = await open(`${route}proxy: "${network.proxy}"\n`, {});
    expect(opening.ok && opening.target.notes[0]).toContain('(the target file)');
    if (opening.ok) await opening.target.close();
  });

  it('is not reached without it: the name is unknown', async () => {
    const opening = await open(`${route}proxy: none\n`, { HTTPS_PROXY: network.proxy });
    expect(opening.ok).toBe(false);
  });
});

describe('the proxy in front of a gateway', () => {
  it('shows the certificate of the target file; the header is the own one of each client', async () => {
    const clock = systemClock();
    const relay = await startRelay({
      party: 'sender',
      baseUrl: `https://127.0.0.1:${network.port}/bank-a`,
      listen: { host: '127.0.0.1', port: 0 },
      tap: createTap(clock, () => {}),
      route: {
        tls: {
          ca: certificates.ca,
          cert: certificates.client,
          key: certificates.clientKey,
          servername: gatewayHost,
        },
      },
    });
    const health = (headers: Record<string, string>) =>
      fetch(`${relay.baseUrl}/health`, { headers });
    expect((await health({ 'x-api-key': gatewayKey })).status).toBe(200);
    expect((await health({})).status).toBe(403);
    await relay.close();
  });

  it('answers for itself where the proxy on the way is not there, or opens no tunnel', async () => {
    for (const url of ['http://127.0.0.1:1', network.gateway.replace(gatewayHost, '127.0.0.1')]) {
      const relay = await startRelay({
        party: 'sender',
        baseUrl: 'https://elsewhere.test/bank-a',
        listen: { host: '127.0.0.1', port: 0 },
        tap: createTap(systemClock(), () => {}),
        route: { proxy: { url, source: 'the target file' } },
      });
      const answer = await fetch(`${relay.baseUrl}/health`);
      expect([answer.status, await answer.text()]).toEqual([502, expect.any(String)]);
      await relay.close();
    }
  });
});

describe('assay init behind a gateway', () => {
  it('reaches it with the keys of a file, which the target file then has', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'assay-bank-'));
    for (const [name, text] of Object.entries({ ...files, 'bank.yaml': route }))
      writeFileSync(join(directory, name), text);
    const env = { GATEWAY_KEY: gatewayKey, HTTPS_PROXY: network.proxy };
    const words = ['init', '--network', 'bank.yaml', '--base-url', `${network.gateway}/bank-a`];
    const { code, out, err } = await beginHere(words, directory, env).ended;
    expect([code, err]).toEqual([0, expect.stringContaining('trying each party')]);
    expect(out).toContain('health 200');
    const written = readFileSync(join(directory, 'target.yaml'), 'utf8');
    expect(written).toContain('headers: { x-api-key: { env: GATEWAY_KEY } }');
    for (const text of [written, out, err]) expect(text).not.toContain(gatewayKey);
    const probed = beginHere(['check', '--target', 'target.yaml', '--dry-run'], directory, env);
    expect((await probed.ended).code).toBe(0);
    const none = await beginHere(
      [...words, '--network', 'none.yaml', '--out', 'b.yaml'],
      directory,
      env,
    ).ended;
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('--network none.yaml: ')]);
  });
});

it.each([
  ['insecure: true\n', /insecure, though sender is on another machine/],
  ['proxy: "socks://a"\n', /is not the address of an HTTP proxy/],
  ['headers: { Authorization: x }\n', /the header authorization is set by the suite/],
  ['tls: { cert: { file: client.pem } }\n', /a client certificate needs its key/],
  ['tls: { ca: { file: none.pem } }\n', /the certificate file .*none.pem.* cannot be read/],
])('a target file that says %j is refused', async (lines, problem) => {
  await expect(open(lines, {})).rejects.toThrow(problem);
});
