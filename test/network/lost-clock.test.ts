import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../cli/command-here.ts';
import { served } from '../scenario/served-reference.ts';

/** Stands between a run and the clock of a reference, and answers as told from the so-manieth call on. */
async function clockProxy(origin: string) {
  let calls = 0;
  let goodCalls = 0;
  let bad = '';
  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '' } = request;
    const body = Buffer.concat(chunks);
    const answer = await fetch(origin + url, {
      method,
      ...(body.length > 0 && { body, headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    calls += 1;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(calls > goodCalls ? bad : text);
  };
  const server = createServer((request, response) => void relay(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breaksAfter(good: number, answer: string) {
      [calls, goodCalls, bad] = [0, good, answer];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a driven clock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-clock-'));
  let reference: Awaited<ReturnType<typeof served>>;
  let proxy: Awaited<ReturnType<typeof clockProxy>>;

  beforeAll(async () => {
    reference = await served('virtual', folder);
    const text = readFileSync(reference.file, 'utf8');
    const origin = /get: "(http:\/\/[^/]+)/.exec(text)?.[1] ?? '';
    proxy = await clockProxy(origin);
    writeFileSync(
      join(folder, 't.yaml'),
      text.replaceAll(`${origin}/_sim`, `${proxy.origin}/_sim`),
    );
    writeFileSync(
      join(folder, 'flow.yaml'),
      'scenario: waits\nparties: [sender]\nsteps:\n  - sender: create order\n    save: order\n  - wait: 30s\n  - sender: read order\n    of: $order\n    expect: { status: SETTLED }\n',
    );
  });
  afterAll(async () => {
    await proxy.close();
    await reference.server.close();
    rmSync(folder, { recursive: true });
  });

  const commands: readonly (readonly string[])[] = [
    ['play', 'flow.yaml'],
    ['probe'],
    ['check', '--only', 'order.expiry.*'],
    ['simulate', '--seeds', '2'],
    ['replay', 'order.cancel.pending'],
    ['cockpit', '--port', '0'],
  ];

  it.each(commands)('that is NaN ends %s before it begins', async (...args) => {
    proxy.breaksAfter(0, '{"now_ms":NaN}');
    const { code, out, err } = await runHere([...args, '--target', 't.yaml'], folder);
    expect(err + out).toMatch(
      /t\.yaml:\d+:\d+: clock\.now: GET \S+\/_sim\/clock answered with no moment at \/now_ms: \{"now_ms":NaN\}/,
    );
    expect(err + out).not.toMatch(/fault of assay|internal error/);
    expect(code).toBe(2);
  });

  // Two readings, the trial's three calls, and one where the timeline begins.
  it.each(commands.slice(0, 5))('that breaks later ends %s without a verdict', async (...args) => {
    proxy.breaksAfter(7, '{"now_ms":null}');
    const { code, out, err } = await runHere([...args, '--target', 't.yaml'], folder);
    expect(err + out).toMatch(/clock\.now: GET \S+ answered with no moment at \/now_ms/);
    expect(err + out).not.toMatch(/fault of assay|internal error/);
    expect(code).toBe(3);
  });
});
