import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryRecord } from '../../src/history/records.ts';
import type { RunReport } from '../../src/results/run-report.ts';
import { runHere } from '../cli/command-here.ts';
import { dialects } from '../peer/dialect.ts';
import { type Peer, startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { startGateway } from '../support/network/gateway.ts';

let peer: Peer;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let directory = '';
const unneeded = ['outsider_custodian', 'receiver_custodian', 'maker_b', 'maker_c'];
/** `x-request-id traceparent` of each request that arrived. */
const seen: string[] = [];
let refused: readonly string[] = [];

beforeAll(async () => {
  peer = await startPeer({ dialect: dialects.harbour, defect: 'whoami-v3', clock: 'hand' });
  directory = mkdtempSync(join(tmpdir(), 'assay-correlation-'));
  gateway = await startGateway(peer.origin, ({ url, headers }) => {
    if (url !== '/_clock')
      seen.push(`${String(headers['x-request-id'])} ${String(headers['traceparent'])}`);
    return url !== '/_clock' && refused.some((name) => name in headers)
      ? { status: 400, type: 'application/json', body: '{"error":"unknown header"}' }
      : undefined;
  });
});
afterAll(async () => {
  await gateway.close();
  await peer.close();
  rmSync(directory, { recursive: true });
});

async function check(name: string, more = '') {
  seen.length = 0;
  const text = targetFile(peer, name, 'hand', { without: unneeded }).replaceAll(
    peer.origin,
    gateway.origin,
  );
  writeFileSync(join(directory, `${name}.yaml`), `${text}${more}`);
  const words = ['--only', 'version.sender', '--target', `${name}.yaml`, '--run-id', 'night-7'];
  const ended = await runHere(['check', ...words, '--out', name], directory);
  return { ...ended, file: (one: string) => readFileSync(join(directory, name, one), 'utf8') };
}

const ids = (text: string): readonly string[] => [
  ...new Set(text.match(/night-7-[\da-f]{16}/g) ?? []),
];

describe('requests of a run against a target', () => {
  it('carry ids of their own, which stand beside each exchange in history and formats', async () => {
    refused = [];
    const { code, out, file } = await check('named');
    expect(code).toBe(1);
    expect(seen.length).toBeGreaterThan(20);
    expect(new Set(seen).size).toBe(seen.length);
    for (const one of seen) expect(one).toMatch(/^night-7-([\da-f]{16}) 00-[\da-f]{16}\1-\1-01$/);
    const runs = new Set(seen.map((one) => one.split(' ')[1]?.slice(3, 19)));
    expect(runs.size).toBe(1);

    const history = file('history.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as HistoryRecord);
    const exchanges = history.filter((record) => record.kind === 'exchange');
    for (const { request } of exchanges)
      expect(seen).toContain(
        `${request.headers['x-request-id']} ${request.headers['traceparent']}`,
      );

    const { rules, checks } = JSON.parse(file('report.json')) as RunReport;
    const [failure] = [...checks, ...rules].flatMap(({ failures }) => failures);
    const [carried] = failure?.correlation ?? [];
    expect(carried?.exchange).toBe(failure?.exchanges[0]);
    const { x_request_id = '', traceparent = '' } = carried ?? {};
    expect(seen).toContain(`${x_request_id} ${traceparent}`);
    const formats = [out, file('summary.md'), file('junit.xml')];
    const { out: more } = await runHere(
      ['report', 'named/report.json', '--format', 'ctrf,github,json'],
      directory,
    );
    for (const text of [...formats, more]) {
      expect(text).toContain(x_request_id);
      expect(text).toContain(traceparent);
    }
  });

  it('carry none with correlation: none, and no format speaks of them', async () => {
    const { code, file } = await check('unnamed', 'correlation: none\n');
    expect(code).toBe(1);
    expect(new Set(seen)).toEqual(new Set(['undefined undefined']));
    for (const name of ['report.json', 'summary.md', 'history.jsonl'])
      expect(ids(file(name))).toEqual([]);
  });
});

describe.each([['traceparent'], ['x-request-id']])('a target that refuses %s', (name) => {
  it('ends the run before any check, once, with the setting that helps', async () => {
    refused = [name];
    const { code, err } = await check(`refuses-${name}`);
    expect(code).toBe(2);
    expect(err.match(/refuses requests with the headers/g)).toHaveLength(1);
    expect(err).toContain('the same for: outsider, sender_custodian');
    expect(err).toContain('POST /auth/token answered 400, and 200 without them');
    expect(err).toContain('say correlation: none in the target file');
  });
});
