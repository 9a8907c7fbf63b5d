import { createServer, type Server as HttpServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { random } from '../../src/random/random.ts';
import { systemClock } from '../../src/timeline/clock/system-clock.ts';
import { heartbeat } from '../../src/spec/events.ts';
import { limits } from '../../src/spec/limits.ts';
import { castNames } from '../../src/spec/requirements/requirement.ts';
import { discover } from '../../src/discovery/discover.ts';
import { createProbeContext, placeOrder } from '../../src/discovery/probe/probe-context.ts';
import type { OpenResult } from '../../src/target/opened-target.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import type { RemoteOptions } from '../../src/target/remote/remote-options.ts';
import { closeServer, originOf } from '../support/network/gateway.ts';
import { servedReference, targetOf } from '../support/network/served-reference.ts';
import { delayEvents } from '../support/network/slow-server.ts';
import { openUrls } from '../../src/target/remote/base-urls.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/**
 * @param headers when those of a stream are sent: at once, or with its first event.
 * @param eventDelayMs of host time
 */
async function serve(
  clock: 'system' | 'virtual',
  headers: 'at once' | 'late' = 'at once',
  eventDelayMs = 0,
) {
  const alter = (server: HttpServer): void => {
    if (headers === 'late') {
      server.prependListener('request', (_, response) => {
        response.flushHeaders = () => {};
      });
    }
    if (eventDelayMs > 0) delayEvents(server, eventDelayMs);
  };
  const { addresses, close, ...served } = await servedReference({ clock, alter });
  closing.push(close);
  const url = (name: string) => addresses.find(({ party }) => party.name === name)?.baseUrl ?? '';
  return {
    ...served,
    url,
    async token(name: string): Promise<string> {
      const answer = await fetch(`${url(name)}/auth/token`, { method: 'POST' });
      const { data } = (await answer.json()) as { readonly data: { readonly token: string } };
      return data.token;
    },
  };
}

async function open(
  text: string,
  { env = {}, key = '' }: { readonly env?: Record<string, string>; readonly key?: string } = {},
  options: RemoteOptions = {},
): Promise<OpenResult> {
  const read = targetOf(text, { env, readText: () => key });
  const opening = await openRemote(read, { source: text, ...options });
  if (opening.ok) closing.push(() => opening.target.close());
  return opening;
}

/** A server of one answer, made when it is asked for. */
async function answering(
  status: number,
  body: string | ((method: string | undefined) => string),
): Promise<string> {
  const server: HttpServer = createServer(({ method }, response) => {
    const text = typeof body === 'string' ? body : body(method);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  closing.push(() => closeServer(server));
  return originOf(server);
}

const problemsOf = (opening: OpenResult) =>
  opening.ok ? 'opened' : `${opening.kind}\n${opening.problems.join('\n\n')}`;

describe('a remote target', () => {
  it('is reached over the network, its answers found, its time driven', async () => {
    const served = await serve('virtual');
    const opening = await open(served.text, { key: served.key });
    if (!opening.ok) throw new Error(problemsOf(opening));
    const { target } = opening;
    expect(Object.keys(target.parties)).toEqual(castNames);
    expect(target.clock.offset).toEqual({ least: 0, most: 0 });
    const findings = await discover(target, target.answers, random(1n), target.observations);
    expect(findings.filter(({ consistent }) => !consistent)).toEqual([]);
    expect(target.answers.get('list.page_param')).toBe('page');
    const before = target.timeline.now();
    await target.timeline.act('test', () => target.timeline.sleep(61_000));
    expect(target.timeline.now() - before).toBeGreaterThanOrEqual(61_000);
    const { frames } = target.party('sender', 'test').events;
    const beats = frames.filter(
      ({ event, received }) => event === 'heartbeat' && received > before,
    );
    expect(beats).toHaveLength(2);
  });

  it('hears one beat of a driven clock where nobody is to listen, to know how late streams come', async () => {
    const served = await serve('virtual');
    const opening = await open(served.text, { key: served.key }, { listening: false });
    if (!opening.ok) throw new Error(problemsOf(opening));
    const { records } = opening.target.history;
    const heard = records.flatMap((record) => {
      if (record.kind === 'exchange') return record.opensStream ? [record.by] : [];
      return record.kind === 'frame' ? [record.event] : [record.cause];
    });
    expect(heard).toEqual(['preflight', 'heartbeat', 'us']);
  });

  it('waits for streams whose headers come with the first event, and says so', async () => {
    const served = await serve('virtual', 'late');
    const opening = await open(served.text, { key: served.key });
    if (!opening.ok) throw new Error(problemsOf(opening));
    const { target } = opening;
    const streams = castNames.map((name) => target.party(name, 'test').events);
    const openedAfter = streams.map(({ opened }) => opened.received - opened.sent);
    expect(openedAfter).toEqual(castNames.map(() => limits.heartbeatIntervalMs));
    expect(streams.every(({ frames }) => frames[0]?.event === heartbeat)).toBe(true);
    expect(target.notes).toEqual([expect.stringContaining(`${castNames.join(', ')}: the headers`)]);
  });

  it('moves a driven clock no sooner than events have come that are late by the host', async () => {
    const served = await serve('virtual', 'at once', 30);
    const opening = await open(served.text, { key: served.key });
    if (!opening.ok) throw new Error(problemsOf(opening));
    const { target } = opening;
    await discover(target, target.answers, random(1n), target.observations);
    const lateBy = await target.timeline.act('test', async () => {
      const seen: number[] = [];
      // A host that is busy at one moment delivers an event later than it did before: one order of three must be in time.
      for (const seed of [2n, 3n, 4n]) {
        const order = await placeOrder(createProbeContext(target, random(seed), []));
        await target.timeline.sleep(60_000);
        const { frames } = target.party('maker_a', 'test').events;
        const told = frames.find(({ data }) => JSON.stringify(data).includes(order.intentId));
        seen.push((told?.received ?? Number.POSITIVE_INFINITY) - order.exchange.received);
      }
      return Math.min(...seen);
    });
    expect(lateBy).toBeLessThanOrEqual(1_000);
  });

  it('measures a clock of its own', async () => {
    const served = await serve('system');
    const opening = await open(served.text, { key: served.key });
    if (!opening.ok) throw new Error(problemsOf(opening));
    const { least, most } = opening.target.clock.offset;
    expect(least).toBeLessThanOrEqual(0);
    expect(most).toBeGreaterThanOrEqual(0);
    expect(opening.target.signing?.alg).toBe('EdDSA');
  });

  it.each([
    ['twice, to know its clock as well as may be', undefined, 2],
    ['once, where its clock is known well enough', 60_000, 1],
    ['twice, where its clock is not', 1, 2],
  ])('asks each party who it is %s', async (_, clockWithinMs, times) => {
    const served = await serve('system');
    const options = { listening: false, ...(clockWithinMs !== undefined && { clockWithinMs }) };
    const opening = await open(served.text, { key: served.key }, options);
    if (!opening.ok) throw new Error(problemsOf(opening));
    const asked = opening.target.history.records.filter(
      (record) => record.kind === 'exchange' && record.endpoint === 'identity.read',
    );
    expect(asked).toHaveLength(times * castNames.length);
    const { least, most } = opening.target.clock.offset;
    expect(least).toBeLessThanOrEqual(0);
    expect(most).toBeGreaterThanOrEqual(0);
  });

  it('takes tokens from the environment, a program or a provider', async () => {
    const served = await serve('system');
    const token = JSON.stringify(await served.token('maker_b'));
    const provider = await answering(200, JSON.stringify({ access_token: JSON.parse(token) }));
    const party = (name: string, source: string) =>
      `  ${name}: { role: market-maker, base_url: "${served.url(name)}", token: ${source} }`;
    const credentials = `{ token_url: "${provider}", client_id: x, client_secret: { env: S } }`;
    const program = JSON.stringify([process.execPath, '-p', `"${await served.token('maker_c')}"`]);
    const text = [
      'name: x',
      'participants:',
      party('maker_a', '{ env: T }'),
      party('maker_b', `{ client_credentials: ${credentials} }`),
      party('maker_c', `{ command: ${program} }`),
    ].join('\n');
    const opening = await open(text, { env: { T: await served.token('maker_a'), S: 's' } });
    expect(problemsOf(opening)).toBe('opened');
  });

  it('plays whom their tokens let them, where addresses have no names', async () => {
    const served = await serve('system');
    const urls = ['maker_b', 'sender_custodian', 'sender'].map((name) => ({
      baseUrl: served.url(name),
    }));
    const opening = await openUrls(urls);
    if (!opening.ok) throw new Error(problemsOf(opening));
    closing.push(() => opening.target.close());
    expect(Object.keys(opening.target.parties)).toEqual(['sender', 'sender_custodian', 'maker_a']);
    const four = [...urls, ...Array(2).fill({ baseUrl: served.url('sender') })];
    expect(problemsOf(await openUrls(four))).toContain('one more institution than the cast has');
  });
});

describe('preflight', () => {
  const file = (baseUrl: string, more = '') =>
    `name: x\nparticipants:\n  sender: { role: institution, base_url: "${baseUrl}"${more} }\n`;

  it.each([
    ['no such page', 404, '{}', 'misconfigured\nt.yaml:3:42: sender gave no token'],
    ['a page of something else', 200, '"hello"', 'misconfigured\nt.yaml:3:42: sender gave'],
    ['a broken backend', 500, 'oops', 'unreachable\nt.yaml:3:42: sender gave no token'],
    [
      'another role',
      200,
      '{"data":{"token":"a.b.c","role":"custodian"}}',
      'misconfigured\nt.yaml:3:19: sender calls itself custodian\n',
    ],
  ])('says what is wrong with %s, and where', async (_, status, body, words) => {
    const opening = await open(file(await answering(status, body)));
    expect(problemsOf(opening)).toContain(words);
  });

  const castFile = (parties: readonly (readonly [string, string, string, string?])[]): string =>
    `name: x\nparticipants:\n${parties
      .map(
        ([name, role, url, more = '']) =>
          `  ${name}: { role: ${role}, base_url: "${url}"${more} }\n`,
      )
      .join('')}`;

  it('says which names are the same party, each with its line', async () => {
    const served = await serve('system');
    const [sender, maker] = [served.url('sender'), served.url('maker_a')];
    const text = castFile([
      ['sender', 'institution', sender],
      ['maker_a', 'market-maker', maker],
      ['maker_b', 'market-maker', maker],
    ]);
    const said = problemsOf(await open(text));
    const id = /maker_a and maker_b are the same party: (\S+)/.exec(said)?.[1];
    const hint = [
      '  expected: a party of its own for each name',
      '  hint: leave out a name that your target has no party for: what needs it is out of scope then',
    ];
    expect(said.replaceAll(/\n {2}\|.*|\n4 \|.*|\n5 \|.*|\n {4}\|.*/g, '').split('\n')).toEqual([
      'misconfigured',
      `t.yaml:4:44: maker_a and maker_b are the same party: ${id}`,
      ...hint,
      '',
      `t.yaml:5:44: maker_b and maker_a are the same party: ${id}`,
      ...hint,
    ]);
  });

  it.each([
    ['two custodians', 'sender_custodian', 'outsider_custodian', 'custodian'],
    ['two institutions', 'sender', 'outsider', 'institution'],
  ])('says so of %s behind different addresses', async (_, one, other, role) => {
    const answers = `{"data":{"token":"a.b.c","role":"${role}","canton_party_id":"X::1","party_id":"X::1"}}`;
    const text = castFile([
      [one, role, await answering(200, answers)],
      [other, role, await answering(200, answers)],
    ]);
    expect(problemsOf(await open(text))).toContain(`${one} and ${other} are the same party: X::1`);
  });

  it('leaves to the checks a backend that contradicts itself about who it is', async () => {
    const token = (id: string) =>
      `{"data":{"token":"a.b.c","role":"custodian","canton_party_id":"${id}"}}`;
    const identity = '{"data":{"party_id":"X::1","role":"custodian"}}';
    const backend = (id: string) =>
      answering(200, (method) => (method === 'POST' ? token(id) : identity));
    const text = castFile([
      ['sender_custodian', 'custodian', await backend('X::1')],
      ['receiver_custodian', 'custodian', await backend('X::2')],
    ]);
    expect(problemsOf(await open(text, {}, { listening: false }))).toBe('opened');
  });

  it('leaves to the checks a backend that mixes up what it is asked for at once', async () => {
    let asked = 0;
    const mixedUp = await answering(200, (method) => {
      if (method === 'POST') asked += 1;
      return `{"data":{"token":"a.b.c","role":"custodian","canton_party_id":"X::${asked > 1 ? 2 : 1}","party_id":"X::1"}}`;
    });
    const text = castFile([
      ['sender_custodian', 'custodian', mixedUp],
      [
        'receiver_custodian',
        'custodian',
        await answering(
          200,
          '{"data":{"token":"a.b.c","role":"custodian","canton_party_id":"X::1","party_id":"X::1"}}',
        ),
      ],
    ]);
    expect(problemsOf(await open(text, {}, { listening: false }))).toBe('opened');
  });

  it('says that a token is for another party', async () => {
    const claims = Buffer.from('{"sub":"Bank::ab","role":"institution"}').toString('base64url');
    const backend = await answering(200, '{"data":{"party_id":"Other::cd","role":"institution"}}');
    const text = file(backend, ', token: { env: T }');
    expect(problemsOf(await open(text, { env: { T: `a.${claims}.c` } }))).toContain(
      `the token of sender is for Bank::ab, and the backend at ${backend} is Other::cd`,
    );
    const user = Buffer.from('{"sub":"alice","role":"institution"}').toString('base64url');
    const opened = await open(text, { env: { T: `a.${user}.c` } }, { listening: false });
    expect(problemsOf(opened)).toBe('opened');
  });

  it.each([
    ['nothing', 404, '{}'],
    ['pages', 200, '"<html></html>"'],
  ])('says that an address with %s behind it is no backend', async (_, status, body) => {
    const text = file(await answering(status, body), ', token: { env: T }');
    const said = problemsOf(await open(text, { env: { T: 'a.b.c' } }));
    expect(said).toMatch(
      /^misconfigured\nt\.yaml:3:42: sender at http:\S+ is no backend of this interface: GET \/api\/v1\/whoami answered \d+, GET \/health answered/,
    );
  });

  it('opens a target with an unknown role, since that is for the checks', async () => {
    const body = '{"data":{"token":"a.b.c","role":"boss","party_id":"X::1"}}';
    const opened = await open(file(await answering(200, body)), {}, { listening: false });
    expect(problemsOf(opened)).toBe('opened');
  });

  it('says that nobody answers', async () => {
    expect(problemsOf(await open(file('http://127.0.0.1:1')))).toContain(
      'unreachable\nt.yaml:3:42: sender at http://127.0.0.1:1: POST /auth/token: ',
    );
  });

  it('says that a token from outside is not accepted, or cannot be had', async () => {
    const served = await serve('system');
    const text = file(served.url('sender'), ', token: { env: T }');
    expect(problemsOf(await open(text, { env: { T: 'a.b.c' } }))).toContain(
      'the token is not accepted: GET /api/v1/whoami answered 401',
    );
    const failing = JSON.stringify([process.execPath, '-e', 'process.exit(3)']);
    const program = file(served.url('sender'), `, token: { command: ${failing} }`);
    expect(problemsOf(await open(program))).toMatch(/^misconfigured\nt\.yaml:3:\d+: the command /);
  });

  it('supports a driven clock that also goes on by itself', async () => {
    let ahead = 0;
    const url = await answering(200, (method) => {
      if (method === 'POST') ahead += 1_000;
      return JSON.stringify({ time: systemClock().now() + ahead });
    });
    const clock = `clock: { kind: controlled, now: { get: "${url}", at: /time }, advance: { post: "${url}", body: { ms: $ms } } }`;
    const served = await serve('system');
    const opening = await open(`${file(served.url('sender'))}\n${clock}`);
    if (!opening.ok) throw new Error(problemsOf(opening));
    expect(opening.target.clock.offset).toEqual({ least: 0, most: 1_000 });
  });

  it('says that a clock cannot be read', async () => {
    const url = await answering(200, '{"time":"noon"}');
    const clock = `clock: { kind: controlled, now: { get: "${url}", at: /time }, advance: { post: "${url}", body: { ms: $ms } } }`;
    expect(problemsOf(await open(file(url) + clock))).toContain('with no moment at /time');
  });
});
