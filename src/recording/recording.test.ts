import { createSecrets } from '../history/secrets/secrets.ts';
import { describe, expect, it } from 'vitest';
import { readRecordings } from './index.ts';

const sender = 'https://fx.example/bank-a';
const known = [{ name: 'sender', baseUrl: sender, role: 'institution' as const }];

const entry = (more: object = {}, request: object = {}, response: object = {}) => ({
  startedDateTime: '2026-03-01T12:00:00.250Z',
  time: 12.4,
  request: { method: 'GET', url: `${sender}/api/v1/orders?page=2`, headers: [], ...request },
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { mimeType: 'application/json', text: '{"data":[]}' },
    ...response,
  },
  ...more,
});
const har = (...entries: readonly object[]): string => JSON.stringify({ log: { entries } });

function read(text: string, parties = known) {
  const result = readRecordings([{ name: 'a.har', text }], parties);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  const [recording] = result.recordings;
  if (!recording) throw new Error('nothing was read');
  return recording;
}
const problemIn = (text: string) => {
  const result = readRecordings([{ name: 'a.har', text }], known);
  return result.ok ? undefined : result.problems[0];
};

describe('an HTTP archive', () => {
  it('is read as exchanges, with endpoint, query, body and times in whole milliseconds', () => {
    const { records, parties } = read(har(entry()));
    expect(records[0]).toMatchObject({
      kind: 'exchange',
      party: 'sender',
      role: 'institution',
      endpoint: 'order.list',
      query: { page: '2' },
      sent: Date.parse('2026-03-01T12:00:00.250Z'),
      received: Date.parse('2026-03-01T12:00:00.263Z'),
      request: { path: '/api/v1/orders?page=2' },
      response: { status: 200, body: { data: [] } },
    });
    expect(parties).toEqual({ sender: { role: 'institution', base_url: sender } });
  });

  it('needs no names: a base URL is what stands before an endpoint, and answers tell the role', () => {
    const identity = entry(
      {},
      { url: 'https://fx.example/mm-1/api/v1/whoami' },
      { content: { text: '{"data":{"role":"market-maker"}}' } },
    );
    const rfqs = entry({}, { url: 'https://fx.example/mm-2/api/v1/quote-requests' });
    const { parties } = read(har(identity, rfqs), []);
    expect(parties).toEqual({
      'mm-1': { role: 'market-maker', base_url: 'https://fx.example/mm-1' },
      'mm-2': { role: 'market-maker', base_url: 'https://fx.example/mm-2' },
    });
  });

  it('says whose role it cannot tell, and what to do', () => {
    const { records, limits } = read(
      har(entry({}, { url: 'https://fx.example/x/api/v1/whoami' })),
      [],
    );
    expect(records).toEqual([]);
    expect(limits.join('\n')).toContain('name it: --base-url sender=https://fx.example/x');
  });

  it('leaves out pages and preflights, and answers whose body was not kept; it says so', () => {
    const page = entry({}, { url: 'https://fx.example/index.html' });
    const preflight = entry({}, { method: 'OPTIONS' });
    const bodiless = entry({}, {}, { content: {} });
    const { records, limits } = read(har(page, preflight, bodiless, entry()));
    expect(records).toHaveLength(1);
    expect(limits.join('\n')).toMatch(
      /1 request went to no known party[^]*1 answer came without a body/,
    );
  });

  it('takes a request as authorized where the whole recording holds no tokens, and never writes one', () => {
    const bearer = { headers: [{ name: 'Authorization', value: 'Bearer s3cret' }] };
    const auth = (...entries: readonly object[]) =>
      read(har(...entries)).records.map((one) => (one.kind === 'exchange' ? one.auth : ''));
    expect(auth(entry())).toEqual(['own']);
    expect(auth(entry(), entry({}, bearer))).toEqual(['none', 'own']);
    expect(auth(entry({}, bearer, { status: 401 }))).toEqual(['one that was refused']);
    const written = createSecrets().maskHistory(read(har(entry({}, bearer))));
    expect(JSON.stringify(written)).not.toContain('s3cret');
  });

  it('reads the messages of a stream, each between the opening and the end', () => {
    const stream = entry(
      { time: 60_000 },
      { url: `${sender}/api/v1/orders/events` },
      {
        headers: [{ name: 'content-type', value: 'text/event-stream' }],
        content: {
          text: 'event: heartbeat\ndata: {}\n\nid: 7\nevent: order_updated\ndata: {"intent_id":"a"}\n\n',
        },
      },
    );
    const { records } = read(har(stream, entry()));
    expect(records.map(({ kind }) => kind)).toEqual([
      'exchange',
      'exchange',
      'frame',
      'frame',
      'end',
    ]);
    expect(records[3]).toMatchObject({
      event: 'order_updated',
      eventId: '7',
      data: { intent_id: 'a' },
    });
    const [opened, , frame] = records;
    expect(frame).toMatchObject({ after: opened?.kind === 'exchange' && opened.sent });
  });

  it('is refused with the place in it where something is missing', () => {
    expect(problemIn('{"log":{}}')).toBe('a.har: log.entries: expected a list');
    expect(problemIn(har(entry(), entry({ startedDateTime: 'noon' })))).toBe(
      'a.har: log.entries[1].startedDateTime: expected an ISO 8601 moment',
    );
    expect(problemIn('nothing')).toMatch(/^a\.har:1: /);
  });
});
