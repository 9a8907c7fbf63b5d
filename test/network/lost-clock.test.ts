import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../cli/command-here.ts';
import { served } from '../scenario/served-reference.ts';
import { closeServer, originOf, whole } from '../support/network/gateway.ts';
import { testDirectory } from '../support/test-directory.ts';

/** Replaces the true answer of a clock. */
type Lie = (truth: string) => string;

const honest: Lie = (truth) => truth;
const offBy =
  (ms: number): Lie =>
  (truth) =>
    JSON.stringify({
      now_ms: (JSON.parse(truth) as { readonly now_ms: number }).now_ms + ms,
    });
/** Stays where the clock was when it was lost. */
function stopped(): Lie {
  let stood: string | undefined;
  return (truth) => (stood ??= truth);
}

/** A proxy before the clock of a reference that lies from a given call on. */
async function clockProxy(origin: string) {
  let calls = 0;
  let goodCalls = 0;
  let bad = honest;
  let meanwhile = async (): Promise<unknown> => undefined;
  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '' } = request;
    const body = await whole(request);
    const answer = await fetch(origin + url, {
      method,
      ...(body.length > 0 && { body, headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    calls += 1;
    if (calls === goodCalls) await meanwhile();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(calls > goodCalls ? bad(text) : text);
  };
  const server = createServer((request, response) => void relay(request, response));
  return {
    origin: await originOf(server),
    breaksAfter(good: number, lie: Lie) {
      [calls, goodCalls, bad, meanwhile] = [0, good, lie, async () => undefined];
    },
    /** The clock is right, but another client moves it. */
    isMovedAfter(good: number, ms: number) {
      [calls, goodCalls, bad] = [0, good, honest];
      const body = JSON.stringify({ ms });
      const headers = { 'content-type': 'application/json' };
      meanwhile = () => fetch(`${origin}/_sim/clock/advance`, { method: 'POST', body, headers });
    },
    calls: () => calls,
    close: () => closeServer(server),
  };
}

/** Two readings before the trial, and its three calls. */
const trialCalls = 5;

describe('a driven clock', () => {
  const folder = testDirectory();
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
    proxy.breaksAfter(0, () => '{"now_ms":NaN}');
    const { code, out, err } = await runHere([...args, '--target', 't.yaml'], folder);
    expect(err + out).toMatch(
      /t\.yaml:\d+:\d+: clock\.now: GET \S+\/_sim\/clock answered with no moment at \/now_ms: \{"now_ms":NaN\}/,
    );
    expect(err + out).not.toMatch(/fault of assay|internal error/);
    expect(code).toBe(2);
  });

  it.each(commands.slice(0, 5))('that breaks later ends %s without a verdict', async (...args) => {
    proxy.breaksAfter(trialCalls + 1, () => '{"now_ms":null}');
    const { code, out, err } = await runHere([...args, '--target', 't.yaml'], folder);
    expect(err + out).toMatch(/clock\.now: GET \S+ answered with no moment at \/now_ms/);
    expect(err + out).not.toMatch(/fault of assay|internal error/);
    expect(code).toBe(3);
  });

  const hour = 3_600_000;
  type Case = readonly [
    command: string,
    how: string,
    after: number,
    breakIt: (good: number) => void,
  ];
  const cases: readonly Case[] = [
    ['check', 'stands still', 0, (good) => proxy.breaksAfter(good, stopped())],
    ['check', 'goes back', 0, (good) => proxy.breaksAfter(good, offBy(-hour))],
    ['check', 'leaps', 3, (good) => proxy.breaksAfter(good, offBy(hour))],
    ['check', 'is moved by somebody else', 7, (good) => proxy.isMovedAfter(good, hour)],
    ['play', 'is moved by somebody else', 31, (good) => proxy.isMovedAfter(good, hour)],
    ['probe', 'is moved by somebody else', 0, (good) => proxy.isMovedAfter(good, hour)],
    ['simulate', 'goes back', 40, (good) => proxy.breaksAfter(good, offBy(-hour))],
  ];

  it.each(cases)(
    'ends %s without a verdict if it %s after %i good answers since its trial',
    async (command, _, after, breakIt) => {
      breakIt(trialCalls + after);
      const args = commands.find(([name]) => name === command) ?? [];
      const { code, out, err } = await runHere([...args, '--target', 't.yaml'], folder);
      expect(proxy.calls()).toBeGreaterThan(trialCalls + after);
      expect(err + out).toContain("target's clock could not be driven any more: ");
      expect(code).toBe(3);
    },
  );
});
