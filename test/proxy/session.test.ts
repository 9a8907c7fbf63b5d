import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHistory } from '../../src/history/jsonl.ts';
import type { RunReport } from '../../src/report/index.ts';
import { playOnReference } from '../../src/run/play-embedded.ts';
import { loadWritten } from '../../src/run/try-reproduction.ts';
import { playProxiedSession, type ProxiedSession } from './proxied-session.ts';

describe('a session through the proxy', () => {
  let session: ProxiedSession;
  beforeAll(async () => {
    session = await playProxiedSession({
      requests: 60,
      streams: 6,
      mutation: 'cancelled-is-a-state',
      command: 'here',
    });
  });
  afterAll(() => session.remove());

  it('passes every byte as it was', () => {
    expect(session.atClients.length).toBeGreaterThan(4);
    expect(session.atClients).toEqual(session.atBackends);
  });

  it('tells each violation once, with what shows it, and ends with 1', () => {
    const found = session.events.filter(({ event }) => event === 'violation');
    const keys = found.map(({ rule, requirement, message }) =>
      JSON.stringify([rule, requirement, message]),
    );
    expect(new Set(keys).size).toBe(keys.length);
    const [first] = found.filter(({ message }) => JSON.stringify(message).includes('status'));
    expect(JSON.stringify(first)).toContain('CANCELLED');
    expect(session.code).toBe(1);
  });

  it('counts what passed', () => {
    const [end] = session.events.filter(({ event }) => event === 'end');
    expect(end).toMatchObject({ exchanges: session.requests, streams: 6, unreachable: 0 });
  });

  it('writes a history, a report of it, and no token', () => {
    const text = session.written('history.jsonl');
    const history = readHistory(text);
    if (!history.ok) throw new Error(history.message);
    const exchanges = history.records.filter(({ kind }) => kind === 'exchange');
    expect(exchanges).toHaveLength(session.requests);
    expect(history.records.filter(({ kind }) => kind === 'end')).toHaveLength(6);
    const report = JSON.parse(session.written('report.json')) as RunReport;
    expect(report.outcome).toBe('nonconformant');
    const tokens = [...session.atClients.join('').matchAll(/Bearer (\S+)/g)].map(
      ([, token = '']) => token,
    );
    expect(tokens.length).toBeGreaterThan(0);
    const all = [text, session.written('report.html'), session.written('session.yaml')].join('');
    expect(tokens.filter((token) => all.includes(token))).toEqual([]);
  });

  it('writes a scenario that plays to the same answers', async () => {
    const scenario = loadWritten(session.written('session.yaml'));
    const { played } = await playOnReference(scenario, { seed: 1n, keepsRecords: false });
    expect(played.failures).toEqual([]);
    expect(played.verdict).toBe('pass');
  });
});
