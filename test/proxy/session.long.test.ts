import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playProxiedSession, type ProxiedSession } from './proxied-session.ts';

// Every cancelled order shows the mutation, so this session needs fewer requests.
describe.each([
  { mutation: 'cancelled-is-a-state', code: 1, requests: 500, streams: 10 },
  { mutation: undefined, code: 0, requests: 3_000, streams: 40 },
])('$requests exchanges and $streams streams, with the mutation $mutation', (given) => {
  const { mutation, code, requests, streams } = given;
  let session: ProxiedSession;
  beforeAll(async () => {
    const size = { requests, streams, command: 'shipped' } as const;
    session = await playProxiedSession({ ...size, ...(mutation && { mutation }) });
  });
  afterAll(() => session.remove());

  it('pass byte for byte', () => {
    // A single assertion over all would print every difference.
    const differing = session.atClients.filter(([asked, got], index) => {
      const [sent, received = ''] = session.atBackends[index] ?? [];
      // Of a stream that its client ends, the last bytes may still be on their way.
      const isWhole = /^GET \S*\/events[ ?]/.test(asked)
        ? received.startsWith(got) && got !== ''
        : received === got;
      return asked !== sent || !isWhole;
    });
    expect(differing.length).toBe(0);
    expect(session.atClients.length).toBe(session.atBackends.length);
    expect(session.requests).toBeGreaterThanOrEqual(requests);
  });

  it('are all recorded', () => {
    const [end] = session.events.filter(({ event }) => event === 'end');
    expect(end).toMatchObject({
      exchanges: session.requests,
      streams,
      // Nothing else was left out, least of all by the judge.
      notes: ['session.yaml leaves out whatever came after the first 400 requests'],
    });
  });

  it(code === 1 ? 'show what is planted, and end with 1' : 'show nothing, and end with 0', () => {
    const found = session.events.filter(
      ({ event, outcome }) => event === 'violation' && outcome === 'fail',
    );
    // The reference shares its process with all clients, so a busy host may delay its heartbeats.
    const others = found.filter(({ rule }) => rule !== 'stream.heartbeats');
    expect(others.some((one) => JSON.stringify(one).includes('CANCELLED'))).toBe(code === 1);
    expect(others.length > 0).toBe(code === 1);
    expect(session.code).toBe(found.length > 0 ? 1 : 0);
  });
});
