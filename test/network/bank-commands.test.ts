import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Begun, beginHere } from '../cli/command-here.ts';
import {
  assertionKey,
  type BankNetwork,
  bankNetwork,
  certificates,
  gatewayKey,
} from '../support/network/bank-network.ts';
import { type RunningBackend, startSmallBackend } from '../support/network/small-backend.ts';

// Every command that calls a target works behind a bank network, and prints and writes no secret.
let backend: RunningBackend;
let network: BankNetwork;
let directory: string;
const said: string[] = [];

/** Settings of the way to a bank's network: a header, certificates and keys. */
const more = `headers: { x-api-key: { env: GATEWAY_KEY } }
tls:
  ca: { file: ca.pem }
  cert: { file: client.pem }
  key: { file: client.key.pem }
`;

const parties = {
  'bank-a': ['sender', 'institution'],
  'custodian-a': ['sender_custodian', 'custodian'],
  'mm-1': ['maker_a', 'market-maker'],
} as const;

beforeAll(async () => {
  backend = await startSmallBackend();
  network = await bankNetwork(backend.origin);
  directory = mkdtempSync(join(tmpdir(), 'assay-bank-'));
  const token = `token_url: "${network.gateway}/oauth/token", key: { file: jwt.key.pem }`;
  const participants = Object.entries(parties).map(
    ([path, [name, role]]) =>
      `  ${name}: { role: ${role}, base_url: "${network.gateway}/${path}", token: { client_credentials: { ${token}, client_id: ${path} } } }`,
  );
  const files = {
    'ca.pem': certificates.ca,
    'client.pem': certificates.client,
    'client.key.pem': certificates.clientKey,
    'jwt.key.pem': assertionKey,
    'bank.yaml': ['name: a bank', 'participants:', ...participants, more].join('\n'),
    'who.yaml': `scenario: A bank is told who it is
parties: [sender]
steps:
- sender: who am I
  expect: { role: institution }
`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
});
afterAll(async () => {
  await network.close();
  await backend.stop();
  rmSync(directory, { recursive: true });
});

const env = () => ({ GATEWAY_KEY: gatewayKey, HTTPS_PROXY: network.proxy });

function begin(...words: readonly string[]): Begun {
  const begun = beginHere(words, directory, env());
  void begun.ended.then(({ out, err }) => said.push(out, err));
  return begun;
}

/** Runs a command that must succeed. */
async function succeeds(...words: readonly string[]): Promise<void> {
  const { code, out, err } = await begin(...words).ended;
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${out}\n${err}`);
}

test.each([
  ['check', '--target', 'bank.yaml', '--only', 'order.create.usual', '--out', 'run'],
  ['play', 'who.yaml', '--target', 'bank.yaml', '--out', 'played'],
])('%s reaches a backend behind the network of a bank', async (...words) => {
  const before = network.tunnels();
  await succeeds(...words);
  expect(network.tunnels()).toBeGreaterThan(before);
});

test('the proxy does, for clients that know nothing of it', async () => {
  const words = ['--target', 'bank.yaml', '--port', '0', '--write-target', 'through.yaml'];
  const session = begin('proxy', ...words, '--out', 'session');
  await session.ready;
  const through = ['--target', 'through.yaml', '--only', 'order.create.usual'];
  await succeeds('check', ...through);
  session.stop();
  expect((await session.ended).code).toBe(0);
});

test('the cockpit does', async () => {
  const cockpit = begin('cockpit', '--target', 'bank.yaml');
  const url = (await cockpit.ready).match(/http:\/\/\S+/g)?.at(-1) ?? '';
  expect((await fetch(url)).status).toBe(200);
  cockpit.stop();
  expect((await cockpit.ended).code).toBe(0);
});

test('no secret stands in anything that they said or wrote', () => {
  const written = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/|through/.test(name))
    .flatMap((name) => {
      try {
        return [readFileSync(join(directory, name), 'utf8')];
      } catch {
        return [];
      }
    });
  expect(written.length).toBeGreaterThan(8);
  const all = [...said, ...written].join('\n');
  const bodyOf = (pem: string): string => pem.split('\n')[1] ?? '';
  for (const secret of [gatewayKey, bodyOf(certificates.clientKey), bodyOf(assertionKey)])
    expect(all).not.toContain(secret);
  expect(all).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}/);
});
