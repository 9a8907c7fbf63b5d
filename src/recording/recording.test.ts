import { createSecrets } from '../history/secrets/secrets.ts';
import { describe, expect, it } from 'vitest';
import { type KnownParty, readRecordings } from './index.ts';

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

function read(text: string, parties: readonly KnownParty[] = known) {
  const result = readRecordings([{ name: 'a.har', text }], parties);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  const [recording] = result.recordings;
  if (!recording) throw new Error('nothing was read');
  return recording;
}
const authsIn = ({ records }: ReturnType<typeof read>) =>
  records.flatMap((one) => (one.kind === 'exchange' ? [one.auth] : []));
const auths = (...entries: readonly object[]) => authsIn(read(har(...entries)));

const accept = { name: 'Accept', value: 'application/json' };
const withHeaders = { headers: [accept] };
const withToken = (token: string) => ({
  headers: [accept, { name: 'Authorization', value: `Bearer ${token}` }],
});
const jwtOf = (claims: object): string =>
  [{ alg: 'HS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
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
      received: Date.parse('2026-03-01T12:00:00.264Z'),
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

  it.each([
    ['https://FX.example:443/bank-a/', 'https://fx.example/bank-a'],
    ['http://[::1]:8080/bank-a', 'http://[0:0:0:0:0:0:0:1]:8080/bank-a'],
  ])('knows the base URL %s however it is written', (baseUrl, written) => {
    const order = entry({}, { url: `${written}/api/v1/orders` });
    const { records } = read(har(order), [{ name: 'sender', baseUrl, role: 'institution' }]);
    expect(records).toHaveLength(1);
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
    const bearer = withToken('s3cret');
    expect(auths(entry())).toEqual(['own']);
    expect(auths(entry({}, withHeaders), entry({}, bearer))).toEqual(['none', 'own']);
    expect(auths(entry({}, bearer, { status: 401 }))).toEqual(['one that was refused']);
    const written = createSecrets().maskHistory(read(har(entry({}, bearer))));
    expect(JSON.stringify(written)).not.toContain('s3cret');
  });

  const refused = { status: 403, content: { text: '{}' } };
  const unsigned = jwtOf({ sub: 'Alder::12' });
  const good = `${unsigned}.${'s'.repeat(43)}`;
  const issued = (token: string, at = sender) =>
    entry(
      {},
      { method: 'POST', url: `${at}/auth/token`, headers: withHeaders.headers },
      { content: { text: JSON.stringify({ data: { token } }) } },
    );

  it.each([
    ['was issued to it', [issued('t-1')], withToken('t-1')],
    ['was good for the same', [entry({}, withToken(good))], withToken(good)],
  ])("takes a refusal for one of a party's own token that %s", (_, before, request) => {
    expect(auths(...before, entry({}, request, refused)).at(-1)).toBe('own');
  });

  it.each([
    ['no tokens are exported', [entry({}, withHeaders)], withHeaders],
    ['no headers are exported', [issued('t-1'), entry({}, withToken('t-1'))], {}],
    ['nothing shows whose token it had', [], withToken(good)],
    [
      'its token was good for something else',
      [entry({}, { ...withToken(good), url: `${sender}/api/v1/whoami` })],
      withToken(good),
    ],
    [
      'all tokens were made the same',
      [entry({}, withToken('[redacted]'))],
      withToken('[redacted]'),
    ],
    [
      'all signatures were made the same',
      [entry({}, withToken(`${unsigned}.redacted`))],
      withToken(`${unsigned}.redacted`),
    ],
    [
      'its body is lost',
      [issued('t-1')],
      {
        ...withToken('t-1'),
        method: 'POST',
        bodySize: 12,
        url: `${sender}/api/v1/orders/a/cancel`,
      },
    ],
  ])('says nothing of a refusal where %s', (_, before, request) => {
    expect(auths(...before, entry({}, request, refused)).at(-1)).toBe('one that was refused');
  });

  it('knows the token of another party, and a file that has no tokens beside one that has', () => {
    const maker = 'https://fx.example/mm-1';
    const parties = [...known, { name: 'maker_a', baseUrl: maker, role: 'market-maker' as const }];
    const entries = [issued('t-1', maker), entry({}, withToken('t-1'))];
    expect(authsIn(read(har(...entries), parties))).toEqual(['own', 'of maker_a']);
    const files = [
      har(issued('t-1'), entry({}, withToken('t-1'))),
      har(entry({}, { ...withHeaders, url: `${sender}/health` })),
    ];
    const result = readRecordings(
      files.map((text, index) => ({ name: `${index}.har`, text })),
      known,
    );
    const [recording] = result.ok ? result.recordings : [];
    expect(recording && authsIn(recording)).toEqual(['none', 'own', 'own']);
  });

  it('reads the messages of a stream, each between the opening and the end', () => {
    const stream = entry(
      { time: 60_000 },
      { url: `${sender}/api/v1/orders/events` },
      {
        headers: [{ name: 'content-type', value: 'text/event-stream' }],
        content: {
          size: 40,
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
    expect(problemIn('nothing')).toMatch(/^a\.har:1: /);
    expect(problemIn('PK\u0003\u0004')).toContain('unpack it');
    const early = '{"log": {"version": "1.2", "ent';
    expect(problemIn(early)).toContain(`ends at byte ${early.length}, before any of its entries`);
  });

  it('is read up to where the file was cut off, and says so', () => {
    const later = entry({ startedDateTime: '2026-03-01T12:00:01.250Z' });
    const whole = har(entry(), later, entry({}, { url: `${sender}/health?n=\u00e9` }));
    for (const end of [whole.length * 0.7, whole.length * 0.9, whole.length - 3]) {
      const text = whole.slice(0, end);
      const { records, limits } = read(text);
      expect(records.length).toBeGreaterThan(0);
      expect(limits.join('\n')).toContain(
        `a.har: the file ends at byte ${Buffer.byteLength(text)}`,
      );
    }
  });

  it('is read without an entry in its middle that is no JSON', () => {
    const whole = har(entry(), entry({ startedDateTime: '2026-03-01T12:00:01.250Z' }), entry());
    const { records, limits } = read(whole.replace('"time":12.4', '"time":NaN'));
    expect(records).toHaveLength(2);
    expect(limits.join('\n')).toContain('log.entries[0] cannot be read, and was left out');
    expect(limits.join('\n')).not.toContain('the file ends');
  });

  it('is read with a byte order mark', () => {
    expect(read(`\ufeff${har(entry())}`).records).toHaveLength(1);
  });

  it.each([
    ['2026-03-01T14:00:00.2501234+02:00', 250],
    ['2026-03-01T12:00:00.250+0000', 250],
    ['2026-03-01T12:00:00.250', 250],
    ['2026-03-01 12:00:00,250Z', 250],
    [1_772_366_400.25, 250],
    [1_772_366_400_250, 250],
  ])('reads the moment %s', (startedDateTime, ms) => {
    const [record] = read(har(entry({ startedDateTime }))).records;
    const noon = Date.parse('2026-03-01T12:00:00.000Z');
    expect(record).toMatchObject({ sent: noon + ms });
  });

  it('takes unknown and coarse times for long spans', () => {
    const spans = (...entries: readonly object[]) =>
      read(har(...entries)).records.map((one) =>
        one.kind === 'exchange' ? [one.sent, one.received] : [],
      );
    const noon = Date.parse('2026-03-01T12:00:00.000Z');
    expect(spans(entry({ startedDateTime: '' }), entry())).toContainEqual([0, noon + 264]);
    for (const time of [-1, 0, null, 1e308, '12']) {
      const later = entry(
        { startedDateTime: '2026-03-01T12:00:09.001Z' },
        { url: `${sender}/health` },
      );
      const timings = { wait: 1 };
      expect(spans(entry({ time, timings }), later)).toContainEqual([noon + 250, noon + 9_015]);
      expect(spans(entry({ time }), later)).toContainEqual([0, noon + 9_015]);
    }
    expect(spans(entry({ startedDateTime: '2026-03-01T12:00:00Z', time: 1_000 }))).toEqual([
      [noon - 1_000, noon + 3_001],
    ]);
  });

  it.each([
    ['a status of 304', {}, { status: 304 }, '304'],
    ["Chrome's mark of its cache", { _fromCache: 'disk' }, {}, 'cache'],
    ["Safari's mark", { _fetchType: 'Memory Cache' }, {}, 'cache'],
    ["Puppeteer's mark", { cache: { beforeRequest: { hitCount: 0 } } }, {}, 'cache'],
    ['a service worker', {}, { _fetchedViaServiceWorker: true }, 'service worker'],
    ["an answer of Playwright's test itself", { _wasFulfilled: true }, {}, 'made up'],
  ])('leaves out what the service did not answer: %s', (_, more, response, reason) => {
    const { records, limits } = read(har(entry(more, {}, response), entry()));
    expect(records).toHaveLength(1);
    expect(limits.join('\n')).toContain(reason);
  });

  it('keeps a request whose answer is lost if it may have changed something', () => {
    const post = { method: 'POST' };
    const lost = [
      entry({}, post, { content: {} }),
      entry({}, post, { status: -1 }),
      entry({}, { ...post, url: `${sender}/api/v1/orders?a` }, { _error: 'net::ERR_ABORTED' }),
      entry({}, post, { content: { size: 900, text: '{"data":{"int' } }),
      entry({}, {}, { status: 0 }),
    ];
    const { records } = read(har(...lost));
    expect(records.map((one) => one.kind === 'exchange' && one.error?.code)).toEqual(
      Array.from({ length: records.length }, () => 'aborted'),
    );
    expect(records.length).toBeGreaterThanOrEqual(2);
  });

  it('knows an answer that came again from a cache without a mark', () => {
    const text = '{"data":[],"meta":{"request_id":"a"}}';
    const headers = [{ name: 'ETag', value: '"1"' }];
    const later = { startedDateTime: '2026-03-01T12:00:05.250Z' };
    const cached = { headers, content: { text } };
    expect(read(har(entry({}, {}, cached), entry(later, {}, cached))).records).toHaveLength(1);
    const sent = { headers: [], content: { text } };
    expect(read(har(entry({}, {}, sent), entry(later, {}, sent))).records).toHaveLength(2);
  });

  it('takes a stream without a token as one of its party', () => {
    const bearer = { headers: [{ name: 'Authorization', value: 'Bearer s3cret' }] };
    const stream = entry(
      {},
      { url: `${sender}/api/v1/orders/events` },
      { headers: [{ name: 'content-type', value: 'text/event-stream' }], content: {} },
    );
    const { records } = read(har(entry({}, bearer), stream));
    expect(records.map((one) => one.kind === 'exchange' && one.auth)).toEqual(['own', 'own']);
    expect(records.some((one) => one.kind === 'exchange' && one.opensStream)).toBe(false);
  });
});
